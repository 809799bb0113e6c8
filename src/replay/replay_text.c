/* A replay as JSON and for people. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "replay/witness.h"
#include <string.h>

static json_t *lines_json(const char *text)
{
    json_t *list = json_array();
    while (text && *text) {
        size_t length = strcspn(text, "\n"), blank = strspn(text, " ");
        if (length > blank)
            json_array_append_new(list, tac_json_string_n(text + blank, length - blank));
        text += length + (text[length] == '\n');
    }
    return list;
}

/* The frames of a stack; its first lines repeat the message. */
static json_t *stack_json(const char *stack)
{
    const char *frames = stack ? strstr(stack, "\n    at ") : NULL;
    return lines_json(frames ? frames + 1 : stack);
}

json_t *exception_json(const struct replay_report *report)
{
    if (!report->type)
        return json_null();
    return json_pack("{s:o,s:o,s:o}", "type", tac_json_string(report->type), "message",
                     tac_json_string(report->message), "stack", stack_json(report->stack));
}

static json_t *text_or_null(const char *text)
{
    return text ? tac_json_string(text) : json_null();
}

json_t *replay_json(const struct witness *w, const struct replay_report *report, uint64_t seed)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < w->steps.count; i++) {
        const json_t *by = json_object_get(w->steps.at[i].entry, "by");
        json_t *step = json_object();
        json_object_set_new(step, "event", tac_json_string(w->steps.at[i].label));
        json_object_set_new(step, "performed", json_boolean(i < report->performed));
        if (by)
            json_object_set(step, "gesture", (json_t *)by);
        json_array_append_new(steps, step);
    }
    json_t *json = json_object();
    json_object_set_new(json, "result", json_string(tac_replay_result_name(report->result)));
    json_object_set_new(json, "witness_events", json_integer((json_int_t)w->steps.count));
    json_object_set_new(json, "performed", json_integer((json_int_t)report->performed));
    json_object_set_new(json, "diverged_at",
                        report->diverged_at ? json_integer((json_int_t)report->diverged_at)
                                            : json_null());
    json_object_set_new(json, "reason", text_or_null(report->reason));
    json_object_set_new(json, "exception", exception_json(report));
    json_object_set_new(json, "attempts", json_integer(report->attempts));
    json_object_set_new(json, "confirmed_attempts", json_integer(report->confirmed));
    json_object_set_new(json, "seed", json_integer((json_int_t)seed));
    json_object_set_new(json, "call", tac_json_string(w->words));
    json_object_set_new(json, "call_seen", json_boolean(report->call_seen));
    json_object_set_new(json, "rule", tac_json_string(w->rule));
    json_object_set_new(json, "severity", tac_json_string(w->severity));
    json_object_set_new(json, "silent", json_boolean(w->silent));
    json_object_set_new(json, "released_besides", lines_json(report->besides));
    json_object_set_new(json, "steps", steps);
    return json;
}

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

void tac_replay_text(const json_t *document, FILE *out)
{
    size_t i;
    const json_t *item;
    const json_t *exception = json_object_get(document, "exception");
    fprintf(out, "%s: %s\n", text_in(document, "result"), text_in(document, "call"));
    json_array_foreach(json_object_get(document, "steps"), i, item)
    {
        const json_t *by = json_object_get(item, "gesture");
        fprintf(out, "  %s %2zu. %s", json_is_true(json_object_get(item, "performed")) ? "+" : "-",
                i + 1, text_in(item, "event"));
        if (by)
            fprintf(out, "   (%s %s%s%s)", text_in(by, "action"), text_in(by, "xpath"),
                    *text_in(by, "value") ? " := " : "", text_in(by, "value"));
        fputc('\n', out);
    }
    if (*text_in(document, "reason"))
        fprintf(out, "  %s\n", text_in(document, "reason"));
    json_array_foreach(json_object_get(document, "released_besides"), i, item)
        fprintf(out, "  let go although not named: %s\n", json_string_value(item));
    if (json_is_object(exception)) {
        fprintf(out, "  %s: %s\n", text_in(exception, "type"), text_in(exception, "message"));
        json_array_foreach(json_object_get(exception, "stack"), i, item)
            fprintf(out, "      %s\n", json_string_value(item));
    }
    json_int_t attempts = json_integer_value(json_object_get(document, "attempts"));
    fprintf(out, "  rule %s (%s%s); confirmed in %lld of %lld attempt%s\n",
            text_in(document, "rule"), text_in(document, "severity"),
            json_is_true(json_object_get(document, "silent")) ? ", silent" : "",
            (long long)json_integer_value(json_object_get(document, "confirmed_attempts")),
            (long long)attempts, attempts == 1 ? "" : "s");
}
