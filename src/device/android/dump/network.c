/* Bytes of an app since its installation.
 *
 * `dumpsys netstats detail`: under "UID stats:" one history per network, user id, set (DEFAULT,
 * FOREGROUND, DBG_VPN_*) and tag, with buckets
 *     st=1600000000 rb=123 rp=1 tb=45 tp=1 op=0                                 Android 5 and later
 *     bucketStart=1391292000000 rxBytes=123 rxPackets=1 txBytes=45 ...          Android 4
 * The sets DEFAULT and FOREGROUND with tag 0x0 together are all bytes; tagged ones are part of them
 * and the sections "Dev stats", "Xt stats" and "UID tag stats" count the same bytes again.
 *
 * /proc/net/xt_qtaguid/stats (up to Android 9):
 *     idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes tx_packets ... */
#include "device/android/dump/parse.h"
#include <string.h>

static bool number_after(const struct android_lines *lines, const char *key, uint64_t *out)
{
    const char *at = android_after(lines, key);
    return at && android_count(at, lines->line + lines->length, out);
}

static bool counts(const struct android_lines *lines, uint64_t uid)
{
    uint64_t owner;
    const char *tag = android_after(lines, " tag=0x");
    const char *end = lines->line + lines->length;
    if (!number_after(lines, " uid=", &owner) || owner != uid || !tag)
        return false;
    while (tag < end && *tag == '0')
        tag++;
    if (tag < end && *tag != ' ')
        return false;
    return android_after(lines, "set=DEFAULT") || android_after(lines, "set=FOREGROUND");
}

void android_read_netstats(const char *text, size_t size, uint64_t uid, struct android_network *out)
{
    *out = (struct android_network){0};
    struct android_lines lines = {.at = text, .end = text + size};
    bool uid_section = false, mine = false;
    while (android_next_line(&lines)) {
        if (lines.length > 6 && !memcmp(lines.line + lines.length - 6, "stats:", 6)) {
            uid_section = android_starts(&lines, "UID stats:");
            mine = false;
            continue;
        }
        if (android_after(&lines, "ident=")) {
            mine = uid_section && counts(&lines, uid);
            out->found = out->found || mine;
            continue;
        }
        uint64_t rx, tx;
        if (!mine)
            continue;
        if ((number_after(&lines, " rb=", &rx) && number_after(&lines, " tb=", &tx)) ||
            (number_after(&lines, "rxBytes=", &rx) && number_after(&lines, "txBytes=", &tx))) {
            out->rx += (double)rx;
            out->tx += (double)tx;
        }
    }
}

void android_read_qtaguid(const char *text, size_t size, uint64_t uid, struct android_network *out)
{
    enum { TAG = 2, UID = 3, RX = 5, TX = 7, FIELDS = 8 };
    *out = (struct android_network){0};
    struct android_lines lines = {.at = text, .end = text + size};
    while (android_next_line(&lines)) {
        const char *at = lines.line, *end = at + lines.length;
        const char *field[FIELDS];
        size_t length[FIELDS], count = 0;
        while (at < end && count < FIELDS) {
            const char *stop = memchr(at, ' ', (size_t)(end - at));
            stop = stop ? stop : end;
            field[count] = at;
            length[count++] = (size_t)(stop - at);
            at = stop < end ? stop + 1 : end;
        }
        uint64_t owner, rx, tx;
        if (count < FIELDS || length[TAG] != 3 || memcmp(field[TAG], "0x0", 3) != 0 ||
            !android_count(field[UID], field[UID] + length[UID], &owner) || owner != uid ||
            !android_count(field[RX], field[RX] + length[RX], &rx) ||
            !android_count(field[TX], field[TX] + length[TX], &tx))
            continue;
        out->found = true;
        out->rx += (double)rx;
        out->tx += (double)tx;
    }
}
