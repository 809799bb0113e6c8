/* Recordings as JSON Lines, validated and verified under a fixed set of rules. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "tactus/protocol.h"

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
    struct memory_file fixed = memory_file_of((const uint8_t *)rules_text, sizeof rules_text - 1);
    struct memory_file file = memory_file_of(data, size);
    const char *rules_path = fixed.path;
    if (size <= 65536 && tac_recording_read(file.path, &recording, &err) == TAC_OK &&
        tac_protocol_rules_read(&rules_path, 1, &rules, NULL, &err) == TAC_OK) {
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
    close(file.descriptor);
    close(fixed.descriptor);
    return 0;
}
