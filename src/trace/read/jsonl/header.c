/* Header and end line; jansson reads them, since they are no hot path. */
#include "trace/read/jsonl/header.h"
#include "base/io/json.h"
#include "trace/text/list.h"

void header_merge_meta(tac_trace_source *source, const json_t *meta)
{
    if (json_is_object(meta))
        json_object_update(source->meta, (json_t *)(uintptr_t)meta);
}

static tac_status header_variable(tac_trace_source *source, const char *name, const json_t *about,
                                  size_t line, tac_error *err)
{
    const json_t *kind = json_object_get(about, "kind"), *unit = json_object_get(about, "unit");
    const json_t *linear = json_object_get(about, "linear");
    const char *kind_text = kind ? json_string_value(kind) : unit ? "continuous" : NULL;
    bool continuous = kind_text && !strcmp(kind_text, "continuous");
    if (!continuous && !(kind_text && !strcmp(kind_text, "discrete")))
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           "the variable '%s' needs a \"kind\": \"discrete\" or \"continuous\"",
                           name);
    if ((unit && !json_is_string(unit)) || (unit && !continuous && *json_string_value(unit)))
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           continuous ? "the unit of '%s' must be a text such as \"kB\""
                                      : "'%s' is discrete and cannot have a unit",
                           name);
    if (linear && !json_is_boolean(linear))
        return source_fail(source, err, TAC_E_INPUT, line, 0, "\"linear\" of '%s' is true or false",
                           name);
    tac_value_type value_type = TAC_VALUE_NAME;
    const json_t *type = json_object_get(about, "type");
    if (type && (continuous || !type_of_name(json_string_value(type), &value_type)))
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           "the \"type\" of a discrete variable is name, text, list or boolean; "
                           "'%s' has another, or is continuous",
                           name);
    size_t index;
    tac_status status =
        source_add_variable(source, name, strlen(name), continuous ? TAC_CONTINUOUS : TAC_DISCRETE,
                            unit ? json_string_value(unit) : "", json_is_true(linear), &index, err);
    if (status == TAC_OK)
        source_set_type(source, index, value_type);
    return status;
}

tac_status header_variables(tac_trace_source *source, const json_t *variables, size_t line,
                            tac_error *err)
{
    if (variables && !json_is_object(variables))
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           "\"variables\" must be an object {\"NAME\":{\"kind\":...}}");
    const char *name;
    json_t *about;
    json_object_foreach((json_t *)(uintptr_t)variables, name, about)
    {
        if (!strcmp(name, "t"))
            return source_fail(source, err, TAC_E_INPUT, line, 0,
                               "\"t\" is the time and cannot be a variable");
        tac_status status = header_variable(source, name, about, line, err);
        if (status)
            return status;
    }
    return TAC_OK;
}

static tac_status check_version(tac_trace_source *source, const json_t *root, size_t line,
                                tac_error *err)
{
    const json_t *version = json_object_get(root, "version");
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           "the header needs a \"version\", a number from 1");
    if (json_integer_value(version) > TRACE_JSONL_VERSION)
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           "version %lld of the format is newer than this Tactus, which reads %d",
                           (long long)json_integer_value(version), TRACE_JSONL_VERSION);
    return TAC_OK;
}

/* tac_json_parse counts lines within the text it gets. */
static tac_status parse_line(const tac_trace_source *source, const char *line, size_t length,
                             size_t number, tac_json *out, tac_error *err)
{
    tac_error problem = {0};
    tac_status status = tac_json_parse(source->name, line, length, out, &problem);
    if (status)
        return source_fail(source, err, status, number, problem.column, "%s", problem.message);
    return TAC_OK;
}

tac_status jsonl_read_header(tac_trace_source *source, const char *line, size_t length,
                             size_t number, bool *is_header, bool *ends, tac_error *err)
{
    *is_header = memmem(line, length, "\"tactus\"", 8) != NULL;
    if (!*is_header)
        return TAC_OK;
    tac_json json;
    tac_status status = parse_line(source, line, length, number, &json, err);
    if (status)
        return status;
    const char *what = json_string_value(json_object_get(json.root, "tactus"));
    const json_t *meta = json_object_get(json.root, "meta");
    if (!what || strcmp(what, "trace"))
        status = source_fail(source, err, TAC_E_INPUT, number, 0,
                             "this is a Tactus file, but no trace: expected \"tactus\":\"trace\"");
    else if (meta && !json_is_object(meta))
        status = source_fail(source, err, TAC_E_INPUT, number, 0, "\"meta\" must be an object");
    else if (!(status = check_version(source, json.root, number, err)))
        status = header_variables(source, json_object_get(json.root, "variables"), number, err);
    if (!status) {
        header_merge_meta(source, meta);
        *ends = json_is_true(json_object_get(json.root, "ends"));
    }
    tac_json_free(&json);
    return status;
}

tac_status jsonl_read_end(tac_trace_source *source, const char *line, size_t length, size_t number,
                          uint64_t *states, tac_error *err)
{
    tac_json json;
    tac_status status = parse_line(source, line, length, number, &json, err);
    if (status)
        return status;
    const json_t *end = json_object_get(json.root, "end");
    const json_t *count = json_object_get(end, "states");
    if (!json_is_integer(count) || json_integer_value(count) < 0) {
        status = source_fail(source, err, TAC_E_INPUT, number, 0,
                             "the end line must say how many \"states\" there are");
    } else {
        *states = (uint64_t)json_integer_value(count);
        header_merge_meta(source, json_object_get(end, "meta"));
    }
    tac_json_free(&json);
    return status;
}

json_t *header_variable_object(const tac_trace_variable *variable)
{
    json_t *about = json_object();
    bool continuous = variable->kind == TAC_CONTINUOUS;
    json_object_set_new(about, "kind", tac_json_string(continuous ? "continuous" : "discrete"));
    if (continuous && variable->unit && *variable->unit)
        json_object_set_new(about, "unit", tac_json_string(variable->unit));
    if (continuous && variable->linear)
        json_object_set_new(about, "linear", json_true());
    if (!continuous && variable->type != TAC_VALUE_NAME)
        json_object_set_new(about, "type", json_string(tac_value_type_name(variable->type)));
    return about;
}

json_t *header_object(const tac_trace_variable *variables, size_t count, const json_t *meta)
{
    json_t *root = json_object(), *list = json_object();
    json_object_set_new(root, "tactus", tac_json_string("trace"));
    json_object_set_new(root, "version", json_integer(TRACE_JSONL_VERSION));
    for (size_t i = 0; i < count; i++)
        json_object_set_new(list, variables[i].name, header_variable_object(&variables[i]));
    json_object_set_new(root, "variables", list);
    json_object_set_new(root, "meta", meta ? json_deep_copy(meta) : json_object());
    json_object_set_new(root, "ends", json_true());
    return root;
}
