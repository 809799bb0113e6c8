/* dumpsys meminfo. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_memory out;
    android_read_meminfo(text, size, &out);
    if (out.pss < 0 || out.java_heap < 0 || out.native_heap < 0) /* unknown is not a number */
        abort();
    if (!out.found && !isnan(out.pss))
        abort();
    return 0;
}
