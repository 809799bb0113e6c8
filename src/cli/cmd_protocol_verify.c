/* tactus protocol verify TRACE...: could the recorded events, in another order, break a rule? */
#include "base/print/print.h"
#include "cli/protocol_cases.h"
#include "cli/protocol_io.h"
#include "protocol/evidence/described.h"
#include <stdlib.h>
#include <string.h>

struct verify_text {
    const tac_protocol_result *result;
    const char *trace, *requirement; /* requirement: the file that was written, or NULL */
    size_t *unmapped, unmapped_count;
    bool verbose;
};

static const char *unmapped_event(const struct verify_text *text, size_t i)
{
    return text->result->witness->steps[text->unmapped[i]].event;
}

static void write_verification(FILE *out, void *context)
{
    const struct verify_text *text = context;
    tac_protocol_verify_text(text->result, text->trace, text->verbose, out);
    if (text->result->safety == TAC_INADMISSIBLE)
        tac_print(out, "  correct the rule, or search all the same with --trust-rules\n");
    else if (text->result->safety == TAC_SAFETY_UNKNOWN && text->result->left_out)
        tac_print(out, "  correct the rule file; 'tactus protocol lint' looks at it alone\n");
    else if (text->result->safety == TAC_SAFETY_UNKNOWN)
        tac_print(out, "  try one call with --target METHOD, or --engine bdd\n");
    else if (!text->verbose && text->result->call_count > 1)
        tac_print(out, "  --verbose lists the calls one by one\n");
    if (text->requirement)
        tac_print(out, "  requirement: %s\n", text->requirement);
    for (size_t i = 0; i < text->unmapped_count; i++)
        tac_print(out, "  not in the map, left out of the requirement: %s\n",
                  unmapped_event(text, i));
}

static void unmapped_of(const void *value, struct field_value *out)
{
    const struct verify_text *text = value;
    const char **list = tac_arena_calloc(out->arena, text->unmapped_count, sizeof *list);
    for (size_t i = 0; i < text->unmapped_count; i++)
        list[i] = unmapped_event(text, i);
    out->at = list;
    out->count = text->unmapped_count;
}
static const struct field verified_fields[] = {
    FIELD_POINTER(struct verify_text, result, protocol_verify_described, .splice = true),
    FIELD(struct verify_text, requirement, .only = IF(struct verify_text, requirement)),
    FIELD_GET_TEXTS("unmapped", unmapped_of, .only = IF(struct verify_text, requirement))};
static DESCRIBE(verified, struct verify_text);

static tac_status emit_requirement(struct invocation *in, struct verify_text *text, tac_error *err)
{
    const char *path = option_text(in, "emit-requirement");
    if (!path || text->result->safety != TAC_UNSAFE)
        return TAC_OK;
    text->requirement = path;
    return tac_protocol_write_requirement(text->result, option_text(in, "map"), path,
                                          &text->unmapped, &text->unmapped_count, err);
}

static int verify_one(struct invocation *in, const tac_protocol_rules *rules)
{
    tac_protocol_options options;
    tac_recording *recording = NULL;
    tac_protocol_result result = {0};
    struct verify_text text = {.result = &result, .trace = in->args[0], .verbose = in->verbose};
    tac_error err;
    int code;
    protocol_options(in, &options);
    options.engine = (tac_protocol_engine)option_choice(in, "engine", TAC_ENGINE_AUTO);
    options.target = option_text(in, "target");
    options.trust_rules = option_flag(in, "trust-rules");
    options.certificate = option_text(in, "certificate");
    options.every_witness = pipeline_wanted(in);
    if (tac_recording_read(in->args[0], &recording, &err) != TAC_OK ||
        tac_protocol_verify(rules, recording, &options, &result, &err) != TAC_OK ||
        emit_requirement(in, &text, &err) != TAC_OK) {
        code = fail(in, &err);
    } else if (options.target && !result.call_count) {
        code = fail_usage(in,
                          "the rules disallow no call of %s whose signature contains '%s'; without "
                          "--target, --verbose lists those they do",
                          in->args[0], options.target);
    } else if (pipeline_wanted(in) && protocol_cases_verified(in, &result, &err) != TAC_OK) {
        code = fail(in, &err);
    } else {
        code = tac_answer_exit_code(result.verdict.answer);
        code = in->json ? finish_json(in, describe_json(&verified_described, &text), code)
                        : finish_text(in, write_verification, &text, code);
    }
    free(text.unmapped);
    tac_protocol_result_free(&result);
    tac_recording_free(recording);
    return code;
}

static int protocol_verify_run(struct invocation *in)
{
    bool one = option_text(in, "emit-requirement") || option_text(in, "certificate");
    if (!option_text(in, "emit-requirement") != !option_text(in, "map"))
        return fail_usage(in, "--emit-requirement FILE and --map MAP go together");
    const char *model = option_text(in, "framework-model"), *conflict = option_text(in, "conflict");
    if (option_text(in, "certificate") &&
        ((model && strcmp(model, "lifestate")) || (conflict && strcmp(conflict, "block"))))
        return fail_usage(in, "a certificate is about all rules and blocked conflicts: leave out "
                              "--framework-model and --conflict");
    bool many = protocol_is_corpus(in) || option_text(in, "triage");
    if (one && many)
        return fail_usage(
            in, "--certificate and --emit-requirement take one trace, one model and no limits");
    if (many)
        return protocol_run_corpus(in, false);
    tac_protocol_rules *rules = NULL;
    int code = protocol_load_rules(in, &rules);
    if (!code)
        code = verify_one(in, rules);
    tac_protocol_rules_free(rules);
    return code;
}

static const struct option protocol_verify_options[] = {
    PROTOCOL_RULES,
    PROTOCOL_RULES_LIST,
    PROTOCOL_RULES_ROOT,
    CHOICE("engine", "ENGINE",
           CHOICES({"auto", TAC_ENGINE_AUTO}, {"bfs", TAC_ENGINE_BFS}, {"bdd", TAC_ENGINE_BDD}),
           "explicit search (bfs), decision diagrams (bdd), or auto (default)",
           .meaning = "how the answer is computed"),
    PROTOCOL_CONFLICT,
    PROTOCOL_MODEL,
    PROTOCOL_AS_RECORDED,
    FLAG("trust-rules", "search also with rules that do not admit the recording"),
    PROTOCOL_TARGET,
    PATH("certificate", "FILE", "write the evidence of safety, for check-certificate"),
    PATH("emit-requirement", "FILE", "write the witness as a flow requirement (with --map)"),
    PATH("map", "MAP", "a JSON object from callback to model event"),
    PATH("triage", "FILE",
         "what is known of alarms: recording, call, real or false, reason (tabs or commas)"),
    PROTOCOL_TIME_LIMIT,
    PROTOCOL_MEMORY_LIMIT,
    PIPELINE_OPTIONS,
    {0},
};

const struct command cmd_protocol_verify = {
    .noun = "protocol",
    .verb = "verify",
    .group = GROUP_ANALYSE,
    .first = true,
    .args = "TRACE...",
    .summary = "predict protocol violations from a good recording, or prove there are none",
    .description =
        "Asks whether the recorded top-level events, repeated, dropped and reordered in any way "
        "the rules permit, can make a call that the rules disallow. Prints a shortest sequence "
        "that does, with the call and the rule and message that made it illegal (replayed by an "
        "independent simulator first), or that none exists. --verbose also says for each event why "
        "it was possible.\n\n"
        "With several traces, --framework-model all, or limits, each problem runs in a process of "
        "its own and the output is a table: verified traces per method and model.\n\n"
        "The rules are validated first: if they do not admit the recording, a proof would prove "
        "nothing, and the verdict is INADMISSIBLE (--trust-rules searches all the same). Callbacks "
        "that a rule set's LIFECYCLE declares and the recording lacks are assumed and marked; "
        "messages of other threads count in recorded order. --as-recorded leaves all three out.\n\n"
        "Tokens of a rule file that belong to no rule (a misspelt SPEC) may have been one: nothing "
        "is proved without it, and the verdict is UNKNOWN, unless a violation is found.\n\n"
        "Exit 0 SAFE, 1 UNSAFE, 3 UNKNOWN or INADMISSIBLE.",
    .example = "tactus protocol verify --rules examples/protocol/remover.spec "
               "examples/protocol/fixed.jsonl",
    .options = protocol_verify_options,
    .documents = DOCUMENTS(&verified_described, &protocol_table_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE | HAS_PARALLEL,
    .run = protocol_verify_run,
};
