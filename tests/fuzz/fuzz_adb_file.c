/* The sync service's answers as the client reads them; and what the phone answers to the same bytes
 * as requests must be readable for the client, for a request to send or to receive. */
#include "device/android/wire/wire.h"
#include "fuzz_target.h"
#include "phone/adbd/daemon.h"
#include <stdlib.h>

static bool feed(const char *data, size_t size, size_t piece)
{
    struct adb_file file = {0};
    tac_error err = {0};
    tac_status st = TAC_OK;
    for (size_t at = 0; at < size && !st && !file.done; at += piece)
        st = adb_file_feed(&file, "fuzz", data + at, size - at < piece ? size - at : piece, &err);
    if (file.reason.length > ADB_MOST_REASON)
        abort();
    bool broken = st && strstr(err.message, "broke the file protocol");
    adb_file_free(&file);
    return !broken;
}

/* Only conversations of SEND, DATA, DONE and RECV have answers in this form. */
static bool is_transfer(const char *data, size_t size)
{
    for (size_t at = 0; size - at >= 8;) {
        uint32_t length = adb_get_u32((const unsigned char *)data + at + 4);
        bool known = !memcmp(data + at, "SEND", 4) || !memcmp(data + at, "RECV", 4) ||
                     !memcmp(data + at, "DATA", 4);
        if (!memcmp(data + at, "DONE", 4))
            length = 0;
        else if (!known)
            return false;
        if (length > size - at - 8)
            break;
        at += 8 + length;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    feed(bytes, size, size ? data[size - 1] % 11u + 1 : 1);
    struct phone p = {0};
    struct phone_sync sync = {0};
    tac_str out = {0};
    phone_sync_feed(&p, &sync, bytes, size, &out);
    if (is_transfer(bytes, size) && !feed(tac_str_text(&out), out.length, 13))
        abort();
    phone_sync_free(&sync);
    tac_str_free(&out);
    phone_free(&p);
    return 0;
}
