/* A witness as a flow requirement: the mapped events in order, each its own constraint, so that
 * `tactus flow list --require` finds flows of a model that replay it. */
#include "tactus/requirement.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "tactus/protocol.h"
#include <string.h>

#define MAX_MAP ((size_t)16 << 20)

/* "pkg.Cls.onCreate" of "[CB] [ENTRY] [a] void pkg.Cls.onCreate(NULL)", in place of buffer. */
static const char *method_name(const char *callback, char *buffer, size_t size)
{
    const char *open = strchr(callback, '(');
    const char *start = open ? open : callback;
    while (start > callback && start[-1] != ' ')
        start--;
    snprintf(buffer, size, "%.*s", open ? (int)(open - start) : 0, start);
    return buffer;
}

/* The map's entry for a step: by label or name, by full method, by Class.method, by method. */
static const json_t *look_up(const json_t *map, const json_t *step)
{
    char buffer[1024];
    const char *event = json_string_value(json_object_get(step, "event"));
    const json_t *found = json_object_get(map, event);
    const char *name =
        method_name(json_string_value(json_object_get(step, "callback")), buffer, sizeof buffer);
    while (!found && name) {
        found = json_object_get(map, name);
        name = strchr(name, '.');
        name = name ? name + 1 : NULL;
    }
    return found;
}

static tac_status build(const tac_json *map, const json_t *witness, tac_requirement *requirement,
                        json_t *unmapped, tac_error *err)
{
    size_t i;
    json_t *step;
    json_array_foreach((json_t *)witness, i, step)
    {
        const json_t *event = look_up(map->root, step);
        if (!event) {
            json_array_append(unmapped, json_object_get(step, "event"));
            continue;
        }
        if (!json_is_string(event))
            return tac_json_fail(map, "", err,
                                 "every value of the map must be the name of a model event");
        size_t constraint = tac_requirement_add_constraint(requirement);
        tac_requirement_add_event(requirement, constraint, json_string_value(event));
    }
    return TAC_OK;
}

static tac_status write_file(const tac_requirement *requirement, const char *path, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_requirement_write(requirement, output.file, err);
    return tac_output_close(&output, status, err);
}

tac_status tac_protocol_write_requirement(const json_t *document, const char *map_path,
                                          const char *path, json_t **unmapped, tac_error *err)
{
    const json_t *witness = json_object_get(document, "witness");
    if (!json_array_size(witness))
        return tac_fail(err, TAC_E_USAGE, "there is no witness to write as a requirement");
    tac_json map;
    tac_status status = tac_json_load(map_path, MAX_MAP, &map, err);
    if (status != TAC_OK)
        return status;
    json_t *missing = json_array();
    const json_t *violation = json_object_get(document, "violation");
    const char *words = json_string_value(json_object_get(violation, "words"));
    tac_requirement *requirement =
        tac_requirement_new("protocol-witness", words ? words : "a predicted violation");
    if (!json_is_object(map.root))
        status = tac_json_fail(&map, "", err,
                               "the map must be an object: {\"RemoverActivity.onCreate\": "
                               "\"start\", ...}");
    if (status == TAC_OK)
        status = build(&map, witness, requirement, missing, err);
    if (status == TAC_OK && !requirement->constraint_count)
        status =
            tac_json_fail(&map, "", err,
                          "the map has no entry for any event of the witness; its first is "
                          "\"%s\"",
                          json_string_value(json_object_get(json_array_get(witness, 0), "event")));
    if (status == TAC_OK)
        status = write_file(requirement, path, err);
    if (status == TAC_OK && unmapped)
        *unmapped = json_incref(missing);
    json_decref(missing);
    tac_requirement_free(requirement);
    tac_json_free(&map);
    return status;
}
