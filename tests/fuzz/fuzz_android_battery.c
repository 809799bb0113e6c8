/* dumpsys batterystats --checkin. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    (void)android_read_battery(text, size, 10123);
    return 0;
}
