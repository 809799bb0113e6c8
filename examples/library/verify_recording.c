/* Predicts protocol violations from a recording of an app.
 *
 *     cc verify_recording.c $(pkg-config --cflags --libs tactus) -o verify_recording
 *     ./verify_recording examples/protocol/remover.spec examples/protocol/buggy.jsonl */
#include <stdio.h>
#include <tactus/protocol.h>

static tac_status verify(const char *const *rule_file, const char *path, tac_answer *answer,
                         tac_error *err)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_diagnostics findings = {0};
    const tac_protocol_options options = {.model = 0};
    tac_protocol_result result;
    tac_status status = tac_protocol_rules_read(rule_file, 1, &rules, &findings, err);
    if (status == TAC_OK)
        status = tac_recording_read(path, &recording, err);
    if (status == TAC_OK)
        status = tac_protocol_verify(rules, recording, &options, &result, err);
    if (status == TAC_OK) {
        *answer = result.verdict.answer;
        tac_verdict_text(&result.verdict, stdout);
        for (size_t i = 0; result.witness && i < result.witness->count; i++)
            printf("%zu. %s\n", i + 1, result.witness->steps[i].event);
        tac_protocol_result_free(&result);
    }
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
    tac_diagnostics_free(&findings);
    return status;
}

int main(int argc, char **argv)
{
    tac_answer answer = TAC_INCONCLUSIVE;
    tac_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: verify_recording RULES RECORDING\n");
        return 2;
    }
    const char *const rule_file[] = {argv[1]};
    tac_status status = verify(rule_file, argv[2], &answer, &err);
    if (status != TAC_OK) {
        char text[2048];
        fprintf(stderr, "%s\n", tac_error_text(&err, text, sizeof text));
    }
    return tac_exit_code(status, answer);
}
