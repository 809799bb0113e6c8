/* Certificates of safety, checked against a fixed recording and fixed rules. Whatever the input
 * says, it never proves what is not so: the recording under the rules is unsafe. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "tactus/protocol.h"

static const char rules_text[] =
    "SPEC FALSE[*] |- [CB] [ENTRY] [x] void a.A.on();\n"
    "SPEC TRUE[*]; [CI] [ENTRY] [x] void a.A.go(#:int) |+ [CB] [ENTRY] [x] void a.A.on();\n"
    "SPEC ((!([CB] [ENTRY] [x] void a.A.on())) & TRUE)[*]; [CI] [ENTRY] [x] void a.A.go(y:int)\n"
    " |- [CI] [ENTRY] [x] void a.A.go(y:int)";
static const char recording_text[] =
    "{\"type\":\"callback_entry\",\"class\":\"a.A\",\"method\":\"void on()\",\"params\":"
    "[{\"object\":\"1\",\"type\":\"a.A\"}]}\n"
    "{\"type\":\"callin_entry\",\"class\":\"a.A\",\"method\":\"void go(int)\",\"params\":"
    "[{\"object\":\"1\",\"type\":\"a.A\"},3],\"caller\":\"A.java\",\"line\":7}\n"
    "{\"type\":\"callin_exit\",\"class\":\"a.A\",\"method\":\"void go(int)\"}\n"
    "{\"type\":\"callback_exit\",\"class\":\"a.A\",\"method\":\"void on()\"}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_error err;
    struct memory_file file = memory_file_of(data, size);
    struct memory_file fixed = memory_file_of((const uint8_t *)rules_text, sizeof rules_text - 1);
    struct memory_file recorded =
        memory_file_of((const uint8_t *)recording_text, sizeof recording_text - 1);
    const char *rules_path = fixed.path;
    if (tac_protocol_rules_read(&rules_path, 1, &rules, NULL, &err) == TAC_OK &&
        tac_recording_read(recorded.path, &recording, &err) == TAC_OK) {
        tac_protocol_options options = {0};
        tac_protocol_check check;
        if (tac_protocol_check_certificate(rules, recording, file.path, &options, &check, &err) ==
            TAC_OK) {
            json_decref(tac_protocol_check_json(&check));
            tac_protocol_check_free(&check);
        }
    }
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
    close(file.descriptor);
    close(fixed.descriptor);
    close(recorded.descriptor);
    return 0;
}
