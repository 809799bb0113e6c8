/* See witness.h. A witness names its events by the number of their first message, which is the line
 * of the recording: from there come the label, the cause and how the user brought it about. */
#include "replay/witness.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/input.h"
#include <string.h>

#define MOST_RECORDING ((size_t)4 << 30)

static const char *text_in(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* "void web.Node.write" of "[CI] [ENTRY] [n1] void web.Node.write("text" : String)". */
static char *method_of(const char *message)
{
    const char *at = message;
    while (*at == '[') {
        at = strchr(at, ']');
        if (!at)
            return tac_strdup(message);
        at += 1 + strspn(at + 1, " ");
    }
    return tac_strndup(at, strcspn(at, "("));
}

static void take_violation(const tac_protocol_violation *violation, struct witness *out)
{
    const tac_protocol_reason *by = violation->prohibited_by;
    out->method = method_of(violation->message);
    out->line = violation->line;
    out->words = violation->words;
    out->rule = by ? by->rule : "";
    rule_marks(out->rule, &out->silent, &out->severity);
}

static tac_status wrong(const char *recording, size_t line, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, recording, line, 0,
                       "the witness names an event that does not begin here: it was predicted from "
                       "another recording");
}

/* The lines of the recording that the witness names, and the failures that stand in it. */
static tac_status take_lines(const tac_protocol_witness *predicted, const char *recording,
                             const char *text, struct witness *out, tac_error *err)
{
    size_t count = predicted->count, number = 0, found = 0;
    for (size_t i = 0; i < count; i++)
        tac_vec_push(&out->entries, NULL);
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        number++;
        json_t *object = NULL;
        for (size_t i = 0; i < count; i++) {
            if (predicted->steps[i].message_id != number || out->entries.at[i])
                continue;
            if (!object)
                object = json_loadb(line, length, 0, NULL);
            const char *type = text_in(object, "type");
            if (!type || strcmp(type, "callback_entry") != 0) {
                json_decref(object);
                return wrong(recording, number, err);
            }
            out->entries.at[i] = json_incref(object);
            found++;
        }
        json_decref(object);
        if (length > 24 && !strncmp(line, "{\"type\":\"app\",\"failure\"", 23)) {
            json_t *said = json_loadb(line, length, 0, NULL);
            const json_t *failure = json_object_get(said, "failure");
            const char *type = text_in(failure, "type"), *message = text_in(failure, "message");
            tac_vec_push(&out->known,
                         tac_format("%s: %s", type ? type : "", message ? message : ""));
            json_decref(said);
        }
        line += length + (line[length] == '\n');
    }
    return found == count ? TAC_OK : wrong(recording, 0, err);
}

/* Of the first line: {"type":"app","recorder":{"name","mode",...}}, where a recorder of ours wrote
 * it. */
static void take_recorder(const char *text, struct witness *out)
{
    json_t *line = json_loadb(text, strcspn(text, "\n"), 0, NULL);
    const json_t *recorder = json_object_get(line, "recorder");
    const char *name = text_in(recorder, "name"), *mode = text_in(recorder, "mode");
    out->recorder = name ? tac_strdup(name) : NULL;
    out->mode = mode ? tac_strdup(mode) : NULL;
    json_decref(line);
}

static void make_steps(const tac_protocol_witness *predicted, struct witness *out)
{
    size_t count = out->entries.count;
    assert(count == predicted->count);
    tac_vec_reserve(&out->steps, count);
    out->steps.count = count;
    for (size_t i = 0; i < count; i++) {
        const char *label = text_in(out->entries.at[i], "event");
        const char *cause = text_in(out->entries.at[i], "cause");
        size_t here = predicted->steps[i].recorded_as;
        size_t before = i ? predicted->steps[i - 1].recorded_as : 0;
        struct subject_step *step = &out->steps.at[i];
        *step = (struct subject_step){.label = label ? label : "",
                                      .entry = out->entries.at[i],
                                      .number = i,
                                      .cause = SIZE_MAX,
                                      .before = i ? step - 1 : NULL,
                                      .distance = i && here > before ? here - before : 0,
                                      .all = out->steps.at,
                                      .count = count};
        for (size_t j = 0; cause && j < i; j++)
            if (!strcmp(out->steps.at[j].label, cause))
                step->cause = j;
    }
}

tac_status witness_load(const tac_protocol_witness *predicted, const char *recording,
                        struct witness *out, tac_error *err)
{
    *out = (struct witness){.silent = false};
    char *text = NULL;
    size_t size = 0;
    assert(predicted->count);
    for (size_t i = 0; i < predicted->count; i++)
        if (predicted->steps[i].assumed)
            return tac_fail(err, TAC_E_INPUT,
                            "event %zu of the witness was assumed, not recorded: it cannot be "
                            "replayed",
                            i + 1);
    tac_status status = tac_input_slurp(recording, MOST_RECORDING, &text, &size, err);
    if (status == TAC_OK)
        status = take_lines(predicted, recording, text, out, err);
    if (status == TAC_OK)
        take_recorder(text, out);
    free(text);
    if (status == TAC_OK) {
        make_steps(predicted, out);
        take_violation(&predicted->violation, out);
    } else {
        witness_free(out);
    }
    return status;
}

void witness_free(struct witness *w)
{
    for (size_t i = 0; i < w->entries.count; i++)
        json_decref(w->entries.at[i]);
    for (size_t i = 0; i < w->known.count; i++)
        free(w->known.at[i]);
    tac_vec_free(&w->entries);
    tac_vec_free(&w->known);
    tac_vec_free(&w->steps);
    free(w->method);
    free(w->severity);
    free(w->recorder);
    free(w->mode);
    *w = (struct witness){.silent = false};
}

bool witness_is_call(const struct witness *w, const json_t *message)
{
    const char *type = text_in(message, "type"), *owner = text_in(message, "class");
    const char *method = text_in(message, "method"), *caller = text_in(message, "caller");
    const json_t *line = json_object_get(message, "line");
    if (!type || strcmp(type, "callin_entry") != 0 || !owner || !method)
        return false;
    size_t result = strcspn(method, " "), name = strcspn(method, "(");
    if (name <= result)
        return false;
    char *full = tac_format("%.*s %s.%.*s", (int)result, method, owner, (int)(name - result - 1),
                            method + result + 1);
    bool same = !strcmp(full, w->method);
    free(full);
    if (!same || !w->line || !caller)
        return same;
    const char *number = json_is_string(line) ? json_string_value(line) : NULL;
    char *place = number ? tac_format("%s:%s", caller, number)
                         : tac_format("%s:%lld", caller, (long long)json_integer_value(line));
    same = !strcmp(place, w->line);
    free(place);
    return same;
}
