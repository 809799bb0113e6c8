/* The file service of the adb daemon: requests in any pieces. */
#include "fuzz_target.h"
#include "phone/adbd/daemon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct phone p = {0};
    struct phone_sync sync = {0};
    tac_str out = {0};
    size_t piece = size ? data[0] % 17u + 1 : 1;
    for (size_t at = 0; at < size; at += piece)
        if (!phone_sync_feed(&p, &sync, (const char *)data + at,
                             size - at < piece ? size - at : piece, &out))
            break;
    phone_sync_free(&sync);
    tac_str_free(&out);
    while (p.files.count)
        phone_remove_file(&p, p.files.at[0].path);
    tac_vec_free(&p.files);
    return 0;
}
