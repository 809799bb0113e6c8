/* dumpsys netstats detail and xt_qtaguid. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct android_network out;
    android_read_netstats(text, size, 10123, &out, NULL);
    if (!(out.rx >= 0) || !(out.tx >= 0))
        abort();
    android_read_qtaguid(text, size, 10123, &out);
    if (!(out.rx >= 0) || !(out.tx >= 0))
        abort();
    return 0;
}
