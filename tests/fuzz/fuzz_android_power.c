/* The battery's gauge, and dumpsys battery. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (android_read_power((const char *)data, size) < 0)
        abort();
    return 0;
}
