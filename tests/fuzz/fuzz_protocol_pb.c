/* Recordings as length-delimited protobuf, and their texts. */
#include "fuzz_target.h"
#include "protocol/recording/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recording *recording = NULL, *all = NULL;
    tac_error err;
    if (recording_parse("fuzz", (const char *)data, size, &recording, &all, &err) != TAC_OK)
        return 0;
    tac_str text = {0};
    for (uint32_t l = 0; l < recording->letters.count; l++) {
        recording_letter_text(recording, l, &text);
        recording_letter_words(recording, l, &text);
    }
    for (uint32_t e = 0; e < recording->events.count; e++)
        recording_event_name(recording, e, &text);
    tac_str_free(&text);
    recording_free(recording);
    recording_free(all);
    return 0;
}
