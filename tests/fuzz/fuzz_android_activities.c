/* dumpsys activity activities. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_activities out;
    android_read_activities(text, size, "com.ex", &out);
    if (out.stack_count > ANDROID_MAX_STACK)
        abort();
    return 0;
}
