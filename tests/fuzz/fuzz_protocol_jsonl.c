/* Recordings as JSON Lines, validated and verified under a fixed set of rules. */
#include "fuzz_target.h"
#include "tactus/protocol.h"
#include <string.h>

static const char rules_text[] =
    "SPEC FALSE[*] |- [CB] [ENTRY] [x] void a.A.on();\n"
    "SPEC TRUE[*]; [CI] [ENTRY] [x] void a.A.go(#:int) |+ [CB] [ENTRY] [x] void a.A.on();\n"
    "SPEC ((!([CB] [ENTRY] [x] void a.A.on())) & TRUE)[*]; [CI] [ENTRY] [x] void a.A.go(y:int)\n"
    " |- [CI] [ENTRY] [x] void a.A.go(y:int)";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_recording *recording = NULL;
    tac_protocol_rules *rules = NULL;
    tac_protocol_options options = {.engine = TAC_ENGINE_BFS};
    tac_error err;
    if (size > 65536 ||
        tac_recording_parse("fuzz", (const char *)data, size, &recording, &err) != TAC_OK)
        return 0;
    if (tac_protocol_rules_parse("rules", rules_text, strlen(rules_text), &rules, NULL, &err) ==
        TAC_OK) {
        tac_protocol_result result;
        if (tac_protocol_validate(rules, recording, &options, &result, &err) == TAC_OK) {
            json_decref(tac_protocol_validate_json(&result));
            tac_protocol_result_free(&result);
        }
        if (tac_protocol_verify(rules, recording, &options, &result, &err) == TAC_OK) {
            json_decref(tac_protocol_verify_json(&result));
            tac_protocol_result_free(&result);
        }
    }
    tac_protocol_rules_free(rules);
    tac_recording_free(recording);
    return 0;
}
