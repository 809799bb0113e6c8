/* The battery's gauge, and dumpsys battery. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct android_gauge gauge;
    android_read_gauge((const char *)data, size, &gauge);
    if (gauge.power < 0)
        abort();
    return 0;
}
