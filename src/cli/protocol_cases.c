/* See protocol_cases.h. The documents are those that the commands print; a case is a call that the
 * rules disallow, at the line of the rule that disallows it. Fingerprints name the method and the
 * file of its rule, never objects, which are numbered anew in every recording. */
#include "cli/protocol_cases.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <stdlib.h>
#include <string.h>

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* "android.os.AsyncTask.execute" of "[CI] [ENTRY] [t] T android.os.AsyncTask.execute(...)". */
static char *method_of(const char *message)
{
    size_t end = strcspn(message, "("), start = end;
    while (start && message[start - 1] != ' ')
        start--;
    return tac_strndup(message + start, end - start);
}

/* "FILE:LINE" as a place of the entry added last. */
static void place_rule(struct pipeline *to, const char *rule)
{
    const char *colon = strrchr(rule, ':');
    size_t line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    char *file = tac_strndup(rule, colon ? (size_t)(colon - rule) : strlen(rule));
    if (*file)
        pipeline_place(to, file, line);
    free(file);
}

/* The name of the rule's file, without its line, which changes with every edit. */
static char *rule_file(const char *rule)
{
    const char *base = tac_base_name(rule);
    return tac_strndup(base, strcspn(base, ":"));
}

static void add_steps(tac_str *out, const json_t *steps)
{
    size_t i;
    const json_t *step;
    json_array_foreach((json_t *)steps, i, step)
        tac_str_addf(out, "%zu. %s\n", i + 1, text_in(step, "event"));
}

static void add_word(tac_str *out, const char *option, const char *value)
{
    if (!value)
        return;
    tac_str_addf(out, " %s%s", option, *option ? " " : "");
    tac_quote_shell(out, value);
}

/* The question about one call of one recording, to be pasted. */
static void add_question(const struct invocation *in, const char *trace, const char *model,
                         const char *method, tac_str *out)
{
    static const char *const kept[] = {"rules-list", "rules-root", "conflict"};
    tac_str_add(out, "tactus protocol verify");
    for (size_t i = 0; i < option_count(in, "rules"); i++)
        add_word(out, "--rules", option_value(in, "rules", i));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char *option = tac_format("--%s", kept[i]);
        add_word(out, option, option_text(in, kept[i]));
        free(option);
    }
    if (model && strcmp(model, "lifestate") != 0)
        add_word(out, "--framework-model", model);
    if (option_flag(in, "as-recorded"))
        tac_str_add(out, " --as-recorded");
    if (option_flag(in, "trust-rules"))
        tac_str_add(out, " --trust-rules");
    if (*method)
        add_word(out, "--target", method);
    add_word(out, "", trace);
    tac_str_add(out, " --verbose");
}

struct verified_recording {
    const struct invocation *in;
    struct pipeline *to;
    const char *trace, *model;
    const tac_protocol_result *result; /* NULL: no answer came */
};

static void declare(struct pipeline *to, const char *id, const char *method)
{
    char *what = tac_format("a call of %s where the rules disallow it", method);
    pipeline_rule(to, id, what);
    free(what);
}

static void add_alarm(const struct verified_recording *at, const json_t *one)
{
    const json_t *violation = json_object_get(one, "violation");
    const json_t *by = json_object_get(violation, "prohibited_by");
    char *method = method_of(text_in(violation, "message"));
    char *id = tac_format("protocol.%s", method), *file = rule_file(text_in(by, "rule"));
    char *same = tac_format("%s, %s, %s", method, file, tac_base_name(at->trace));
    const char *line = text_in(violation, "line");
    char *text =
        tac_format("%s: after %zu events the app makes %s%s%s, which %s disallows", at->trace,
                   json_array_size(json_object_get(one, "witness")), text_in(violation, "words"),
                   *line ? " at " : "", line, text_in(by, "rule"));
    tac_str detail = {0};
    add_steps(&detail, json_object_get(one, "witness"));
    tac_str_addf(&detail, "%s\n", text_in(by, "text"));
    add_question(at->in, at->trace, at->model, method, &detail);
    declare(at->to, id, method);
    pipeline_add(at->to, FINDING_ERROR, id, at->trace, text, tac_str_text(&detail), same);
    place_rule(at->to, text_in(by, "rule"));
    pipeline_place(at->to, at->trace, 0);
    tac_str_free(&detail);
    free(method);
    free(id);
    free(file);
    free(same);
    free(text);
}

static void add_quiet(const struct verified_recording *at, enum finding_level level,
                      const char *method, const char *text)
{
    char *id = *method ? tac_format("protocol.%s", method) : tac_strdup("protocol");
    char *same = tac_format("%s, %s", *method ? method : "protocol", tac_base_name(at->trace));
    char *sentence = tac_format("%s: %s%s%s", at->trace, method, *method ? ": " : "", text);
    tac_str detail = {0};
    if (level != FINDING_PASS)
        add_question(at->in, at->trace, at->model, method, &detail);
    if (*method)
        declare(at->to, id, method);
    pipeline_add(at->to, level, id, at->trace, sentence, tac_str_text(&detail), same);
    pipeline_place(at->to, at->trace, 0);
    tac_str_free(&detail);
    free(id);
    free(same);
    free(sentence);
}

static void add_call(const struct verified_recording *at, const tac_protocol_call *call)
{
    const char *method = call->method ? call->method : "";
    if (call->safety == TAC_SAFE)
        add_quiet(at, FINDING_PASS, method, "no order of events leads there");
    else if (call->safety != TAC_UNSAFE)
        add_quiet(at, FINDING_UNCLEAR, method, "not decided");
}

/* The result decides; the document has the evidence, and why there is no result. */
static void add_verified(const struct verified_recording *at, const json_t *document)
{
    const tac_protocol_result *result = at->result;
    const json_t *witnesses = json_object_get(document, "witnesses"), *one;
    size_t i;
    pipeline_rule(at->to, "protocol", "a recording that the rules cannot judge");
    if (!result) {
        add_quiet(at, FINDING_UNCLEAR, "", text_in(document, "end"));
        return;
    }
    if (result->safety == TAC_INADMISSIBLE)
        add_quiet(at, FINDING_UNCLEAR, "", "the rules do not admit the recording");
    else if (!result->call_count)
        add_quiet(at, FINDING_PASS, "", "it has no call that the rules could disallow");
    for (i = 0; i < result->call_count; i++)
        add_call(at, &result->calls[i]);
    json_array_foreach((json_t *)witnesses, i, one) add_alarm(at, one);
    if (!json_array_size(witnesses) && result->safety == TAC_UNSAFE)
        add_alarm(at, document);
}

tac_status protocol_cases_verified(const struct invocation *in, const tac_protocol_result *result,
                                   const json_t *document, tac_error *err)
{
    struct pipeline cases = {0};
    struct verified_recording at = {in, &cases, in->args[0], option_text(in, "framework-model"),
                                    result};
    add_verified(&at, document);
    return pipeline_finish(in, &cases, "tactus protocol verify", err);
}

tac_status protocol_cases_corpus(const struct invocation *in, const tac_protocol_table *table,
                                 tac_error *err)
{
    struct pipeline cases = {0};
    json_t *document = tac_protocol_table_json(table), *one;
    size_t i;
    json_array_foreach(json_object_get(document, "traces"), i, one)
    {
        struct verified_recording at = {in, &cases, text_in(one, "trace"), text_in(one, "model"),
                                        tac_protocol_table_result(table, i)};
        add_verified(&at, one);
    }
    json_decref(document);
    return pipeline_finish(in, &cases, "tactus protocol verify", err);
}

/* --- replayed --- */

static void add_replay_command(const struct invocation *in, const tac_hunt_call *call,
                               const char *witness, tac_str *out)
{
    tac_str_add(out, "tactus protocol replay");
    add_word(out, "--device", option_text(in, "device"));
    for (size_t i = 0; i < option_count(in, "stay"); i++)
        add_word(out, "--stay", option_value(in, "stay", i));
    add_word(out, "--witness", witness);
    add_word(out, "", call->recording);
    for (size_t i = 0; i < in->program_count; i++)
        add_word(out, i ? "" : "--", in->program[i]);
}

static enum finding_level level_of(const tac_hunt_call *call)
{
    switch (call->result) {
    case TAC_REPLAY_CONFIRMED:
        return !strcmp(call->severity, "suspicious") ? FINDING_MILD : FINDING_ERROR;
    case TAC_REPLAY_UNCONTROLLED:
        return FINDING_UNCLEAR;
    case TAC_REPLAY_NOT_REPRODUCED:
        break;
    }
    return FINDING_PASS;
}

/* Method, rule and the last event without lines and ordinals: the same in every recording. */
static void add_fingerprint(const char *method, const char *rule, const json_t *steps, tac_str *out)
{
    const char *last = text_in(json_array_get(steps, json_array_size(steps) - 1), "event");
    char *file = rule_file(rule);
    tac_str_addf(out, "%s, %s, ", method, file);
    for (const char *c = last; *c; c++)
        if (*c < '0' || *c > '9')
            tac_str_add_char(out, *c);
    free(file);
}

static void add_replay_detail(const json_t *replay, tac_str *out)
{
    const json_t *stack = json_object_get(json_object_get(replay, "exception"), "stack");
    const char *frame = json_string_value(json_array_get(stack, 0));
    const char *reason = text_in(replay, "reason");
    add_steps(out, json_object_get(replay, "steps"));
    if (frame)
        tac_str_addf(out, "%s\n", frame);
    if (*reason)
        tac_str_addf(out, "%s\n", reason);
}

static void add_replayed(const struct invocation *in, struct pipeline *to,
                         const tac_hunt_call *call, const char *witness)
{
    const json_t *exception = json_object_get(call->replay, "exception");
    char *method = method_of(text_in(call->violation, "message"));
    char *id = tac_format("protocol.%s", *method ? method : "call");
    tac_str same = {0}, text = {0}, detail = {0};
    add_fingerprint(method, call->rule, json_object_get(call->replay, "steps"), &same);
    tac_str_addf(&text, "%s: %s, which %s disallows", tac_replay_result_name(call->result),
                 call->call, call->rule);
    if (json_is_object(exception))
        tac_str_addf(&text, "; %s: %s", text_in(exception, "type"), text_in(exception, "message"));
    add_replay_detail(call->replay, &detail);
    add_replay_command(in, call, witness, &detail);
    declare(to, id, *method ? method : "something");
    pipeline_add(to, level_of(call), id, call->call, tac_str_text(&text), tac_str_text(&detail),
                 tac_str_text(&same));
    place_rule(to, call->rule);
    if (*call->recording)
        pipeline_place(to, call->recording, 0);
    tac_str_free(&same);
    tac_str_free(&text);
    tac_str_free(&detail);
    free(method);
    free(id);
}

static void add_left_out(const tac_hunt_left_out *one, struct pipeline *to)
{
    char *file = rule_file(one->rule);
    char *why =
        tac_format("%s was left out: it refuses %s in %s", one->rule, one->refused, one->recording);
    char *same = tac_format("left out %s", file);
    pipeline_add(to, FINDING_NOTE, "protocol", "rules left out", why, "", same);
    place_rule(to, one->rule);
    free(file);
    free(why);
    free(same);
}

static void add_rest(const tac_hunt *hunt, struct pipeline *to)
{
    size_t safe = tac_hunt_decided(hunt, TAC_SAFE);
    size_t unknown = tac_hunt_decided(hunt, TAC_SAFETY_UNKNOWN);
    pipeline_rule(to, "protocol", "how far the rules could judge the recordings");
    if (unknown) {
        char *text =
            tac_format("%zu %s not decided", unknown, unknown == 1 ? "call was" : "calls were");
        pipeline_add(to, FINDING_UNCLEAR, "protocol", "calls that were not decided", text, "",
                     "not decided");
        free(text);
    }
    char *text = tac_format("%zu %s proved safe", safe, safe == 1 ? "call" : "calls");
    pipeline_add(to, FINDING_PASS, "protocol", "calls that no order makes", text, "", "safe");
    free(text);
    for (size_t i = 0; i < tac_hunt_left_out_count(hunt); i++) {
        tac_hunt_left_out one = tac_hunt_left_out_at(hunt, i);
        add_left_out(&one, to);
    }
}

tac_status protocol_cases_hunted(const struct invocation *in, const tac_hunt *hunt, tac_error *err)
{
    struct pipeline cases = {0};
    for (size_t i = 0; i < tac_hunt_call_count(hunt); i++) {
        char *witness = tac_format("%s/witness-%zu.json", in->output, i + 1);
        tac_hunt_call call = tac_hunt_call_at(hunt, i);
        add_replayed(in, &cases, &call, witness);
        free(witness);
    }
    add_rest(hunt, &cases);
    return pipeline_finish(in, &cases, "tactus protocol hunt", err);
}

tac_status protocol_cases_replayed(const struct invocation *in, tac_replay_result result,
                                   const json_t *document, const json_t *verification,
                                   tac_error *err)
{
    struct pipeline cases = {0};
    const json_t *violation = json_object_get(verification, "violation");
    tac_hunt_call call = {.result = result,
                          .rule = text_in(json_object_get(violation, "prohibited_by"), "rule"),
                          .call = text_in(violation, "words"),
                          .severity = "",
                          .recording = in->args[0],
                          .violation = violation,
                          .replay = document};
    add_replayed(in, &cases, &call, option_text(in, "witness"));
    return pipeline_finish(in, &cases, "tactus protocol replay", err);
}
