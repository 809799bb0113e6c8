/* dumpsys meminfo. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_memory out;
    android_read_meminfo(text, size, &out);
    if (out.found && !(out.pss >= 0))
        abort();
    return 0;
}
