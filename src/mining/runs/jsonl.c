/* Runs as JSON Lines: {"name", "verdict", "exception", "stack", "label", "events": [...]}.
 *
 * An event is {"state": NAME} or {"input": NAME}, or a plain string that the state expression
 * classifies. "stack" is a text or a list of lines. Streaming, one line at a time. */
#include "base/io/json.h"
#include "mining/runs/runs.h"

static tac_status at_line(tac_status status, const char *file, size_t line, tac_error *err)
{
    if (status && err) {
        err->line = line;
        snprintf(err->file, sizeof err->file, "%s", file);
    }
    return status;
}

static tac_status add_event(struct tac_runs *runs, const tac_json *json, size_t index,
                            const json_t *event, tac_error *err)
{
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/events/%zu", index);
    const json_t *state = json_object_get(event, "state");
    const json_t *input = json_object_get(event, "input");
    if (!input)
        input = json_object_get(event, "event");
    const json_t *name = json_is_string(event) ? event : state ? state : input;
    if (!json_is_string(name) || (state && input) || json_string_length(name) == 0)
        return tac_json_fail(json, pointer, err,
                             "expected a name, {\"state\": NAME} or {\"input\": NAME}");
    if (json_string_length(name) > MAX_TOKEN)
        return tac_json_fail(json, pointer, err,
                             "a token of %zu bytes; tokens are names of at most %d bytes",
                             json_string_length(name), MAX_TOKEN);
    if (name == event)
        runs_token(runs, json_string_value(name), json_string_length(name));
    else if (name == state)
        tac_runs_state(runs, json_string_value(name));
    else
        tac_runs_input(runs, json_string_value(name));
    return TAC_OK;
}

static tac_status text_of(const tac_json *json, const char *key, const char **out, tac_error *err)
{
    const json_t *value = json_object_get(json->root, key);
    *out = NULL;
    if (!value || json_is_null(value))
        return TAC_OK;
    if (json_is_boolean(value))
        *out = json_is_true(value) ? "true" : "false";
    else if (json_is_string(value))
        *out = json_string_value(value);
    else {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/%s", key);
        return tac_json_fail(json, pointer, err, "expected a text");
    }
    return TAC_OK;
}

static tac_status stack_of(const tac_json *json, tac_str *out, tac_error *err)
{
    const json_t *stack = json_object_get(json->root, "stack");
    if (json_is_string(stack)) {
        tac_str_add(out, json_string_value(stack));
        return TAC_OK;
    }
    if (!stack || json_is_null(stack))
        return TAC_OK;
    if (!json_is_array(stack))
        return tac_json_fail(json, "/stack", err, "expected a text or a list of lines");
    for (size_t i = 0; i < json_array_size(stack); i++) {
        const char *line = json_string_value(json_array_get(stack, i));
        if (!line)
            return tac_json_fail(json, "/stack", err, "line %zu of the stack is not a text", i + 1);
        tac_str_addf(out, "%s\n", line);
    }
    return TAC_OK;
}

static tac_status add_run(struct tac_runs *runs, const tac_json *json, const json_t *events,
                          const struct run_outcome *outcome, const char *name, size_t line,
                          tac_error *err)
{
    tac_status status = TAC_OK;
    runs_begin_at(runs, name, line);
    for (size_t i = 0; i < json_array_size(events) && !status; i++)
        status = add_event(runs, json, i, json_array_get(events, i), err);
    return status ? status : runs_end_with(runs, outcome, name, line, err);
}

static tac_status read_object(struct tac_runs *runs, const tac_json *json, const char *file,
                              size_t line, tac_error *err)
{
    const json_t *events = json_object_get(json->root, "events");
    if (!json_is_array(events))
        return tac_json_fail(json, "", err,
                             "expected a run: {\"verdict\": ..., \"events\": [...]}");
    struct run_outcome outcome = {0};
    const char *name;
    tac_str stack = {0};
    tac_status status = text_of(json, "verdict", &outcome.verdict, err);
    if (!status)
        status = text_of(json, "exception", &outcome.exception, err);
    if (!status)
        status = text_of(json, "label", &outcome.label, err);
    if (!status)
        status = text_of(json, "place", &outcome.place, err);
    if (!status)
        status = text_of(json, "message", &outcome.message, err);
    if (!status)
        status = text_of(json, "name", &name, err);
    if (!status)
        status = stack_of(json, &stack, err);
    outcome.stack = stack.length ? stack.text : NULL;
    if (!status)
        status = add_run(runs, json, events, &outcome, name ? name : file, name ? 0 : line, err);
    if (!status)
        status = runs_check(runs, file, line, err);
    tac_str_free(&stack);
    return status;
}

static tac_status read_line(struct tac_runs *runs, const char *file, size_t number, char *line,
                            size_t length, tac_error *err)
{
    if (strspn(line, " \t") == length)
        return TAC_OK;
    tac_json json;
    tac_status status = tac_json_parse(file, line, length, &json, err);
    if (!status) {
        status = read_object(runs, &json, file, number, err);
        tac_json_free(&json);
    }
    if (status)
        at_line(status, file, number, err);
    return status;
}

tac_status read_json_runs(struct tac_runs *runs, const char *path, const char *name,
                          tac_watch *watch, tac_error *err)
{
    return read_run_lines(runs, path, name, read_line, watch, err);
}
