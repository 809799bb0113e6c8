/* See protocol_cases.h. A case is a call that the rules disallow, at the line of the rule that
 * disallows it. Fingerprints name the method and the file of its rule, never objects, which are
 * numbered anew in every recording. */
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

static void add_alarm(const struct verified_recording *at, const tac_protocol_witness *witness)
{
    const tac_protocol_violation *violation = &witness->violation;
    const char *rule = case_rule(witness), *line = violation->line ? violation->line : "";
    struct pipeline *to = at->to;
    const char *method = case_method(to, violation->message), *file = case_rule_file(to, rule);
    const char *id = pipeline_text(to, "protocol.%s", method);
    tac_str detail = {0};
    for (size_t i = 0; i < witness->count; i++)
        case_add_step(&detail, i + 1, witness->steps[i].event);
    tac_str_addf(&detail, "%s\n", violation->prohibited_by ? violation->prohibited_by->text : "");
    add_question(at->in, at->trace, at->model, method, &detail);
    case_declare(to, id, method);
    pipeline_add(to, FINDING_ERROR, id, at->trace,
                 pipeline_text(to, "%s: after %zu events the app makes %s%s%s, which %s disallows",
                               at->trace, witness->count, violation->words, *line ? " at " : "",
                               line, rule),
                 tac_str_text(&detail),
                 pipeline_text(to, "%s, %s, %s", method, file, tac_base_name(at->trace)));
    case_place_rule(to, rule);
    pipeline_place(to, at->trace, 0);
    tac_str_free(&detail);
}

static void add_quiet(const struct verified_recording *at, enum finding_level level,
                      const char *method, const char *text)
{
    struct pipeline *to = at->to;
    const char *id = *method ? pipeline_text(to, "protocol.%s", method) : "protocol";
    tac_str detail = {0};
    if (level != FINDING_PASS)
        add_question(at->in, at->trace, at->model, method, &detail);
    if (*method)
        case_declare(to, id, method);
    pipeline_add(
        to, level, id, at->trace,
        pipeline_text(to, "%s: %s%s%s", at->trace, method, *method ? ": " : "", text),
        tac_str_text(&detail),
        pipeline_text(to, "%s, %s", *method ? method : "protocol", tac_base_name(at->trace)));
    pipeline_place(to, at->trace, 0);
    tac_str_free(&detail);
}

static void add_call(const struct verified_recording *at, const tac_protocol_call *call)
{
    const char *method = call->method ? call->method : "";
    if (call->safety == TAC_SAFE)
        add_quiet(at, FINDING_PASS, method, "no order of events leads there");
    else if (call->safety != TAC_UNSAFE)
        add_quiet(at, FINDING_UNCLEAR, method, "not decided");
}

/* end: why there is no result. */
static void add_verified(const struct verified_recording *at, const char *end)
{
    const tac_protocol_result *result = at->result;
    pipeline_rule(at->to, "protocol", "a recording that the rules cannot judge");
    if (!result) {
        add_quiet(at, FINDING_UNCLEAR, "", end);
        return;
    }
    if (result->safety == TAC_INADMISSIBLE)
        add_quiet(at, FINDING_UNCLEAR, "", "the rules do not admit the recording");
    else if (!result->call_count)
        add_quiet(at, FINDING_PASS, "", "it has no call that the rules could disallow");
    for (size_t i = 0; i < result->call_count; i++)
        add_call(at, &result->calls[i]);
    for (size_t i = 0; i < result->witness_count; i++)
        add_alarm(at, &result->witnesses[i]);
    if (!result->witness_count && result->witness)
        add_alarm(at, result->witness);
}

tac_status protocol_cases_verified(const struct invocation *in, const tac_protocol_result *result,
                                   tac_error *err)
{
    struct pipeline cases = {0};
    struct verified_recording at = {in, &cases, in->args[0], option_text(in, "framework-model"),
                                    result};
    add_verified(&at, "");
    return pipeline_finish(in, &cases, "tactus protocol verify", err);
}

tac_status protocol_cases_corpus(const struct invocation *in, const tac_protocol_table *table,
                                 tac_error *err)
{
    struct pipeline cases = {0};
    for (size_t i = 0; i < tac_protocol_table_count(table); i++) {
        tac_protocol_entry one = tac_protocol_table_entry(table, i);
        struct verified_recording at = {in, &cases, one.trace, one.model, one.result};
        add_verified(&at, one.end);
    }
    return pipeline_finish(in, &cases, "tactus protocol verify", err);
}
