/* tactus protocol check-certificate CERTIFICATE TRACE: is the evidence of safety sound? */
#include "cli/protocol_io.h"

static void write_check(FILE *out, void *context)
{
    tac_verdict_text(context, out);
}

static int protocol_check_certificate_run(struct invocation *in)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    json_t *document = NULL;
    tac_verdict verdict;
    tac_error err;
    int code = protocol_load_rules(in, &rules);
    if (code)
        return code;
    if (tac_recording_read(in->args[1], &recording, &err) != TAC_OK ||
        tac_protocol_check_certificate(rules, recording, in->args[0], in->watch, &document,
                                       &verdict, &err) != TAC_OK) {
        code = fail(in, &err);
    } else {
        code = tac_exit_code(TAC_OK, verdict.answer);
        code = in->json ? finish_json(in, json_incref(document), code)
                        : finish_text(in, write_check, &verdict, code);
        json_decref(document);
        tac_verdict_free(&verdict);
    }
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
    return code;
}

static const struct option protocol_check_certificate_options[] = {
    PROTOCOL_RULES,
    PROTOCOL_RULES_LIST,
    PROTOCOL_RULES_ROOT,
    {0},
};

const struct command cmd_protocol_check_certificate = {
    .noun = "protocol",
    .verb = "check-certificate",
    .args = "CERTIFICATE TRACE",
    .least_args = 2,
    .most_args = 2,
    .summary = "check the evidence that `protocol verify --certificate` wrote",
    .description =
        "Checks that the certificate proves safety of this recording under these rules. The "
        "checker shares only the parsers with the engines: it grounds by brute force, builds its "
        "automata bottom up, and runs every event on every state.\n\n"
        "Exit 0 when the certificate is accepted, 1 when it is rejected, with the reason.",
    .example = "tactus protocol verify --rules examples/protocol/remover.spec --certificate "
               "/tmp/fixed.cert examples/protocol/fixed.jsonl\n"
               "tactus protocol check-certificate --rules examples/protocol/remover.spec "
               "/tmp/fixed.cert examples/protocol/fixed.jsonl",
    .options = protocol_check_certificate_options,
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = protocol_check_certificate_run,
};
