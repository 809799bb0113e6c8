/* A witness as a flow requirement: the mapped events in order, each its own constraint, so that
 * `tactus flow list --require` finds flows of a model that replay it. */
#include "flow/requirement.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "protocol/protocol.h"
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
static const json_t *look_up(const json_t *map, const tac_protocol_step *step)
{
    char buffer[1024];
    const json_t *found = json_object_get(map, step->event);
    const char *name = method_name(step->callback, buffer, sizeof buffer);
    while (!found && name) {
        found = json_object_get(map, name);
        name = strchr(name, '.');
        name = name ? name + 1 : NULL;
    }
    return found;
}

/* Steps that the map does not have. */
struct unmapped_steps {
    size_t *at;
    size_t count;
};

static tac_status build(const tac_json *map, const tac_protocol_witness *witness,
                        tac_requirement *requirement, struct unmapped_steps *unmapped,
                        tac_error *err)
{
    for (size_t i = 0; i < witness->count; i++) {
        const json_t *event = look_up(map->root, &witness->steps[i]);
        if (!event) {
            unmapped->at[unmapped->count++] = i;
            continue;
        }
        if (!json_is_string(event))
            return tac_json_fail(map, "", err,
                                 "every value of the map must be the name of a model event");
        size_t constraint = tac_requirement_add_constraint(requirement);
        tac_requirement_add_event(requirement, constraint, json_string_value(event));
    }
    assert(unmapped->count + requirement->constraint_count == witness->count);
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

static tac_status map_witness(const tac_json *map, const tac_protocol_witness *witness,
                              const char *path, struct unmapped_steps *unmapped, tac_error *err)
{
    if (!json_is_object(map->root))
        return tac_json_fail(map, "", err,
                             "the map must be an object: {\"RemoverActivity.onCreate\": "
                             "\"start\", ...}");
    tac_requirement *requirement =
        tac_requirement_new("protocol-witness", witness->violation.words);
    tac_status status = build(map, witness, requirement, unmapped, err);
    if (status == TAC_OK && !requirement->constraint_count)
        status = tac_json_fail(map, "", err,
                               "the map has no entry for any event of the witness; its first is "
                               "\"%s\"",
                               witness->steps[0].event);
    if (status == TAC_OK)
        status = write_file(requirement, path, err);
    tac_requirement_free(requirement);
    return status;
}

tac_status tac_protocol_write_requirement(const tac_protocol_result *result, const char *map_path,
                                          const char *path, size_t **unmapped, size_t *count,
                                          tac_error *err)
{
    const tac_protocol_witness *witness = result->witness;
    if (!witness)
        return tac_fail(err, TAC_E_USAGE, "there is no witness to write as a requirement");
    tac_json map;
    tac_status status = tac_json_load(map_path, MAX_MAP, &map, err);
    if (status != TAC_OK)
        return status;
    struct unmapped_steps missing = {.at = tac_calloc(witness->count, sizeof *missing.at)};
    status = map_witness(&map, witness, path, &missing, err);
    if (status == TAC_OK && count)
        *count = missing.count;
    if (status == TAC_OK && unmapped)
        *unmapped = missing.at;
    else
        free(missing.at);
    tac_json_free(&map);
    return status;
}
