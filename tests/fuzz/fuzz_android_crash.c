/* Log lines, the crashes in them, and the traces of an ANR. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_crash crash = {0};
    tac_str storage = {0};
    android_crash_traces(&crash, text, size);
    android_crash_clear(&crash);
    while (size) {
        const char *end = memchr(text, 0x0a, size);
        size_t length = end ? (size_t)(end - text) : size;
        tac_log_line line;
        if (android_read_log_line(text, length, 1767225600, &storage, &line))
            android_crash_line(&crash, &line);
        length += end != NULL;
        text += length;
        size -= length;
    }
    tac_str_free(&storage);
    android_crash_free(&crash);
    return 0;
}
