/* The answer of uiautomator dump. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t start = 0, length = 0;
    char message[100];
    if (android_read_dump(text, size, &start, &length, message, sizeof message) ==
            ANDROID_DUMP_OK &&
        (start > size || length > size - start))
        abort();
    return 0;
}
