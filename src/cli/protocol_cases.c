/* See protocol_cases.h. A case is a call that the rules disallow, at the line of the rule that
 * disallows it: the typed result says which, the document has the evidence. Fingerprints name the
 * method and the file of its rule, never objects, which are numbered anew in every recording. */
#include "cli/protocol_cases.h"
#include "base/data/text.h"
#include "cli/protocol_case.h"
#include <stdlib.h>
#include <string.h>

/* The question about one call of one recording, to be pasted. */
static void add_question(const struct invocation *in, const char *trace, const char *model,
                         const char *method, tac_str *out)
{
    static const char *const kept[] = {"rules-list", "rules-root", "conflict"};
    tac_str_add(out, "tactus protocol verify");
    for (size_t i = 0; i < option_count(in, "rules"); i++)
        case_add_word(out, "--rules", option_value(in, "rules", i));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char *option = tac_format("--%s", kept[i]);
        case_add_word(out, option, option_text(in, kept[i]));
        free(option);
    }
    if (model && strcmp(model, "lifestate") != 0)
        case_add_word(out, "--framework-model", model);
    if (option_flag(in, "as-recorded"))
        tac_str_add(out, " --as-recorded");
    if (option_flag(in, "trust-rules"))
        tac_str_add(out, " --trust-rules");
    if (*method)
        case_add_word(out, "--target", method);
    case_add_word(out, "", trace);
    tac_str_add(out, " --verbose");
}

struct verified_recording {
    const struct invocation *in;
    struct pipeline *to;
    const char *trace, *model;
    const tac_protocol_result *result; /* NULL: no answer came */
};

static void add_alarm(const struct verified_recording *at, const json_t *one)
{
    const json_t *violation = json_object_get(one, "violation");
    const json_t *by = json_object_get(violation, "prohibited_by");
    char *method = case_method(case_text(violation, "message"));
    char *id = tac_format("protocol.%s", method), *file = case_rule_file(case_text(by, "rule"));
    char *same = tac_format("%s, %s, %s", method, file, tac_base_name(at->trace));
    const char *line = case_text(violation, "line");
    char *text =
        tac_format("%s: after %zu events the app makes %s%s%s, which %s disallows", at->trace,
                   json_array_size(json_object_get(one, "witness")), case_text(violation, "words"),
                   *line ? " at " : "", line, case_text(by, "rule"));
    tac_str detail = {0};
    case_add_steps(&detail, json_object_get(one, "witness"));
    tac_str_addf(&detail, "%s\n", case_text(by, "text"));
    add_question(at->in, at->trace, at->model, method, &detail);
    case_declare(at->to, id, method);
    pipeline_add(at->to, FINDING_ERROR, id, at->trace, text, tac_str_text(&detail), same);
    case_place_rule(at->to, case_text(by, "rule"));
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
        case_declare(at->to, id, method);
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
        add_quiet(at, FINDING_UNCLEAR, "", case_text(document, "end"));
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
        struct verified_recording at = {in, &cases, case_text(one, "trace"),
                                        case_text(one, "model"),
                                        tac_protocol_table_result(table, i)};
        add_verified(&at, one);
    }
    json_decref(document);
    return pipeline_finish(in, &cases, "tactus protocol verify", err);
}
