/* tactus protocol check-certificate CERTIFICATE TRACE: is the evidence of safety sound? */
#include "cli/protocol_io.h"
#include "protocol/evidence/described.h"

static void write_check(FILE *out, void *context)
{
    const tac_protocol_check *check = context;
    tac_verdict_text(&check->verdict, out);
}

static int protocol_check_certificate_run(struct invocation *in)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_protocol_check check = {.reason = NULL};
    tac_protocol_options options = {.watch = in->watch,
                                    .as_recorded = option_flag(in, "as-recorded"),
                                    .target = option_text(in, "target")};
    tac_error err;
    int code = protocol_load_rules(in, &rules);
    if (code)
        return code;
    if (tac_recording_read(in->args[1], &recording, &err) != TAC_OK ||
        tac_protocol_check_certificate(rules, recording, in->args[0], &options, &check, &err) !=
            TAC_OK) {
        code = fail(in, &err);
    } else if (options.target && !check.reason && !check.proved_count) {
        code = fail_usage(in, "the rules disallow no call of %s whose signature contains '%s'",
                          in->args[1], options.target);
    } else {
        code = tac_exit_code(TAC_OK, check.verdict.answer);
        code = in->json ? finish_json(in, tac_protocol_check_json(&check), code)
                        : finish_text(in, write_check, &check, code);
    }
    tac_protocol_check_free(&check);
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
    return code;
}

static const struct option protocol_check_certificate_options[] = {
    PROTOCOL_RULES,  PROTOCOL_RULES_LIST,  PROTOCOL_RULES_ROOT,
    PROTOCOL_TARGET, PROTOCOL_AS_RECORDED, {0},
};

const struct command cmd_protocol_check_certificate = {
    .noun = "protocol",
    .verb = "check-certificate",
    .group = GROUP_ANALYSE,
    .args = "CERTIFICATE TRACE",
    .summary = "check the evidence that `protocol verify --certificate` wrote",
    .description =
        "Checks that the certificate proves safety of this recording under these rules. What is to "
        "be proved is the command line's: these rules, this recording, and the calls that --target "
        "names, or every call that the rules disallow. The certificate must carry the hashes of "
        "both. The checker shares only the readers with the engines: it grounds by brute force, "
        "builds its automata bottom up, and runs every event on every state.\n\n"
        "Exit 0 when the certificate is accepted, 1 when it is rejected, with the reason.",
    .example = "tactus protocol verify --rules examples/protocol/remover.spec --certificate "
               "/tmp/fixed.cert examples/protocol/fixed.jsonl\n"
               "tactus protocol check-certificate --rules examples/protocol/remover.spec "
               "/tmp/fixed.cert examples/protocol/fixed.jsonl",
    .options = protocol_check_certificate_options,
    .documents = DOCUMENTS(&protocol_check_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = protocol_check_certificate_run,
};
