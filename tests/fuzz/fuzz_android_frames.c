/* dumpsys gfxinfo framestats. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct android_frames out;
    android_read_frames((const char *)data, size, &out);
    if (out.found != (out.total >= 0) || (out.recent && !(out.slowest >= 0)))
        abort();
    return 0;
}
