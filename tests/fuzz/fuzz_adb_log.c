/* The open log of a device: shell packets in pieces, lines with marks, crashes and system events.
 * In pieces and in one go the same lines must come. */
#include "device/android/adb.h"
#include "fuzz_target.h"
#include <stdlib.h>
#include <string.h>

static void open_log(struct adb *a)
{
    *a = (struct adb){.log_fd = -1, .session = "5e"};
    a->log_packets = (struct adb_packets){.output = &a->log_text, .most = 1 << 20};
    a->crash.package = tac_strdup("com.ex");
}

static void feed(struct adb *a, const uint8_t *data, size_t size, size_t piece)
{
    for (size_t at = 0; at < size; at += piece) {
        if (adb_packets_feed(&a->log_packets, "fuzz", (const char *)data + at,
                             size - at < piece ? size - at : piece, NULL))
            break;
        adb_take_lines(a, 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adb whole, parts;
    open_log(&whole);
    open_log(&parts);
    feed(&whole, data, size, size + 1);
    feed(&parts, data, size, size ? data[size - 1] % 31u + 1 : 1);
    if (whole.log.count > parts.log.count) /* pieces may show lines that stand before a flaw */
        abort();
    for (size_t i = 0; i < whole.log.count && i < parts.log.count; i++)
        if (strcmp(whole.log.at[i].raw, parts.log.at[i].raw) != 0)
            abort();
    adb_free_log(&whole);
    adb_free_log(&parts);
    return 0;
}
