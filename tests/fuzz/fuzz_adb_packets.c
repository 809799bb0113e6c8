/* Shell v2 as the client reads it: in one piece, and in small ones; both must agree. */
#include "device/android/wire/wire.h"
#include "fuzz_target.h"
#include <stdlib.h>
#include <string.h>

static tac_status read_all(const uint8_t *data, size_t size, size_t piece,
                           struct adb_packets *packets)
{
    tac_status st = TAC_OK;
    for (size_t at = 0; at < size && !st; at += piece)
        st = adb_packets_feed(packets, "fuzz", (const char *)data + at,
                              size - at < piece ? size - at : piece, NULL);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 4096 };
    tac_str one = {0}, many = {0};
    struct adb_packets whole = {.output = &one, .most = MOST},
                       parts = {.output = &many, .most = MOST};
    tac_status a = read_all(data, size, size + 1, &whole);
    tac_status b = read_all(data, size, size ? data[size - 1] % 7u + 1 : 1, &parts);
    if (a != b || one.length > MOST || many.length > MOST || whole.exited != parts.exited ||
        whole.exit_code != parts.exit_code)
        abort();
    if (!a &&
        (one.length != many.length || (one.length && memcmp(one.text, many.text, one.length))))
        abort();
    tac_str_free(&one);
    tac_str_free(&many);
    return 0;
}
