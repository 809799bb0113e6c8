/* dumpsys telephony.registry and dumpsys wifi: the same bytes as both, and cut in the middle. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"
#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_radio out;
    android_read_radio(text, size, text, size, &out);
    android_read_radio(text, size / 2, text + size / 2, size - size / 2, &out);
    if (strlen(out.type) >= sizeof out.type || strlen(out.cell) >= sizeof out.cell ||
        isinf(out.signal))
        abort();
    return 0;
}
