/* tactus protocol validate TRACE...: do the rules admit what was recorded? */
#include "cli/protocol_io.h"
#include "protocol/evidence/described.h"

struct validate_text {
    const tac_protocol_result *result;
    const char *trace;
};

static void write_validation(FILE *out, void *context)
{
    const struct validate_text *text = context;
    tac_protocol_validate_text(text->result, text->trace, out);
}

static int validate_one(struct invocation *in, const tac_protocol_rules *rules)
{
    tac_protocol_options options;
    tac_recording *recording = NULL;
    tac_protocol_result result;
    tac_error err;
    int code;
    protocol_options(in, &options);
    if (tac_recording_read(in->args[0], &recording, &err) != TAC_OK ||
        tac_protocol_validate(rules, recording, &options, &result, &err) != TAC_OK) {
        code = fail(in, &err);
    } else {
        code = tac_answer_exit_code(result.verdict.answer);
        struct validate_text text = {&result, in->args[0]};
        code = in->json ? finish_json(in, tac_protocol_validate_json(&result), code)
                        : finish_text(in, write_validation, &text, code);
        tac_protocol_result_free(&result);
    }
    tac_recording_free(recording);
    return code;
}

static int protocol_validate_run(struct invocation *in)
{
    if (protocol_is_corpus(in))
        return protocol_run_corpus(in, true);
    tac_protocol_rules *rules = NULL;
    int code = protocol_load_rules(in, &rules);
    if (!code)
        code = validate_one(in, rules);
    tac_protocol_rules_free(rules);
    return code;
}

static const struct option protocol_validate_options[] = {
    PROTOCOL_RULES,      PROTOCOL_RULES_LIST,   PROTOCOL_RULES_ROOT,
    PROTOCOL_CONFLICT,   PROTOCOL_MODEL,        PROTOCOL_AS_RECORDED,
    PROTOCOL_TIME_LIMIT, PROTOCOL_MEMORY_LIMIT, {0},
};

const struct command cmd_protocol_validate = {
    .noun = "protocol",
    .verb = "validate",
    .group = GROUP_ANALYSE,
    .args = "TRACE...",
    .summary = "check that rules admit a recorded run of an app",
    .description =
        "Walks the recording through the lifestate rules. If they do not admit it, says at which "
        "message it got stuck, which rule stands against it and what made that rule fire: this is "
        "how rules are debugged. Calls that ended in an exception although the rules allowed them "
        "are listed as unforeseen: a rule is missing.\n\n"
        "TRACE is a length-delimited protobuf recording or JSON Lines, plain, .gz or .xz, or - for "
        "standard input. With several traces, --framework-model all, or limits, each problem runs "
        "in a process of its own and the output is a table: traces by steps admitted and by the "
        "rule "
        "that refused them.\n\n"
        "Exit 0 when the rules admit the recording, 1 when not, 3 when they do but tokens of a "
        "rule file, perhaps a rule, were left out.",
    .example = "tactus protocol validate --rules examples/protocol/remover.spec "
               "examples/protocol/buggy.jsonl",
    .options = protocol_validate_options,
    .documents = DOCUMENTS(&protocol_validate_described, &protocol_table_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE | HAS_PARALLEL,
    .run = protocol_validate_run,
};
