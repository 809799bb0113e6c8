/* The binary manifest of an app package. */
#include "device/android/apk.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct apk_manifest manifest;
    tac_error err = {0};
    (void)apk_read_manifest("fuzz", data, size, &manifest, &err);
    return 0;
}
