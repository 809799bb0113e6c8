/* am start -W. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_start out;
    android_read_start(text, size, &out);
    if (out.ok && *out.message)
        abort();
    return 0;
}
