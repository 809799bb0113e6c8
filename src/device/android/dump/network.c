/* Bytes per user id.
 *
 * `dumpsys netstats detail --full --poll`: under "UID stats:" one history per network, user id, set
 * (DEFAULT, FOREGROUND, DBG_VPN_*) and tag, with buckets
 *     st=1600000000 rb=123 rp=1 tb=45 tp=1 op=0                                 Android 5 and later
 *     bucketStart=1391292000000 rxBytes=123 rxPackets=1 txBytes=45 ...          Android 4
 * The sets DEFAULT and FOREGROUND with tag 0x0 together are all bytes; tagged ones are part of
 * them, DBG_VPN_* is what a VPN carried for others, and the sections "Dev stats", "Xt stats" and
 * "UID tag stats" count the same bytes again. Without --full Android 10 and later prints the last
 * 32 buckets of each history ("(omitting N buckets)"): sums over those fall.
 *
 * Newer dumps end with the kernel's own maps, of which mAppUidStatsMap has one row per user id
 * since boot, without loopback:
 *     uid rxBytes rxPackets txBytes txPackets
 *
 * /proc/net/xt_qtaguid/stats (up to Android 9), one row per interface, tag, user id and set:
 *     idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes tx_packets ...
 * A packet counts where its owner's socket sent it: that of an app in a VPN on tun0, and again, on
 * wlan0, for the VPN's own user id, so one user id's interfaces may be added up. Loopback is not
 * traffic. */
#include "device/android/dump/parse.h"
#include <stdio.h>
#include <string.h>

static bool number_after(const struct android_lines *lines, const char *key, uint64_t *out)
{
    const char *at = android_after(lines, key);
    return at && android_count(at, lines->line + lines->length, out);
}

/* The words of a line, at most `most`. */
static size_t cut_words(const struct android_lines *lines, const char **word, size_t *length,
                        size_t most)
{
    const char *at = lines->line, *end = at + lines->length;
    size_t count = 0;
    while (at < end && count < most) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        const char *stop = at;
        while (stop < end && *stop != ' ' && *stop != '\t')
            stop++;
        if (stop > at) {
            word[count] = at;
            length[count++] = (size_t)(stop - at);
        }
        at = stop;
    }
    return count;
}

static bool plain(const char *word, size_t length, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(word[i] - '0');
    }
    *out = value;
    return length > 0;
}

static void copy(char *out, size_t size, const char *from, size_t length)
{
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), from);
}

/* --- netstats --- */

/* The word behind a key, "" when it is not there. */
static void word_after(const struct android_lines *lines, const char *key, char *out, size_t size)
{
    const char *at = android_after(lines, key), *end = lines->line + lines->length, *stop = at;
    while (stop && stop < end && *stop != ' ')
        stop++;
    copy(out, size, at ? at : "", at ? (size_t)(stop - at) : 0);
}

static bool is_section(const struct android_lines *lines)
{
    static const char tail[] = " stats:";
    size_t n = sizeof tail - 1;
    return lines->length > n && !memcmp(lines->line + lines->length - n, tail, n);
}

/* "ident=[{... networkId="any text"}] uid=10007 set=DEFAULT tag=0x0": a network's name may hold
 * anything, so the keys are those behind the last bracket. */
static struct android_lines behind_the_network(const struct android_lines *lines)
{
    const char *bracket = memrchr(lines->line, ']', lines->length);
    struct android_lines rest = *lines;
    if (bracket) {
        rest.line = bracket + 1;
        rest.length = (size_t)(lines->line + lines->length - rest.line);
    }
    return rest;
}

static void begin_history(const struct android_lines *whole, struct android_history *h)
{
    uint64_t uid = 0;
    const struct android_lines rest = behind_the_network(whole), *lines = &rest;
    h->owned = number_after(lines, " uid=", &uid) || android_after(lines, " uid=-1");
    h->uid = android_after(lines, " uid=-1") ? -1 : (int64_t)uid;
    word_after(lines, " set=", h->set, sizeof h->set);
    word_after(lines, " tag=", h->tag, sizeof h->tag);
    if (!*h->tag)
        copy(h->tag, sizeof h->tag, "0x0", 3);
}

static void take_bucket(const struct android_lines *lines, struct android_history *h,
                        const struct android_netstats_reader *reader)
{
    if (number_after(lines, "rxBytes=", &h->rx)
            ? number_after(lines, "txBytes=", &h->tx)
            : number_after(lines, "rb=", &h->rx) && number_after(lines, "tb=", &h->tx))
        if (reader->bucket)
            reader->bucket(reader->context, h);
}

static void take_row(const struct android_lines *lines, bool by_interface,
                     const struct android_netstats_reader *reader)
{
    const char *word[6];
    size_t length[6], count = cut_words(lines, word, length, 6), first = by_interface ? 1 : 0;
    struct android_kernel_row row = {.by_interface = by_interface};
    uint64_t index = 0;
    if (count < first + 4 || !plain(word[0], length[0], by_interface ? &index : &row.uid) ||
        !plain(word[first + 1], length[first + 1], &row.rx) ||
        !plain(word[first + 3], length[first + 3], &row.tx))
        return;
    if (by_interface)
        copy(row.iface, sizeof row.iface, word[1], length[1]);
    if (reader->row)
        reader->row(reader->context, &row);
}

void android_each_netstats(const char *text, size_t size,
                           const struct android_netstats_reader *reader)
{
    enum { NONE, USERS, INTERFACES } map = NONE;
    struct android_lines lines = {.at = text, .end = text + size};
    struct android_history now = {0};
    while (android_next_line(&lines)) {
        bool title = lines.length && lines.line[lines.length - 1] == ':';
        if (is_section(&lines)) {
            now = (struct android_history){0};
            copy(now.section, sizeof now.section, lines.line, lines.length - 1);
            map = NONE;
        } else if (android_starts(&lines, "ident=")) {
            begin_history(&lines, &now);
        } else if (title || !lines.length) {
            map = android_starts(&lines, "mAppUidStatsMap:")  ? USERS
                  : android_starts(&lines, "mIfaceStatsMap:") ? INTERFACES
                                                              : NONE;
        } else if (map != NONE) {
            take_row(&lines, map == INTERFACES, reader);
        } else if (android_after(&lines, "(omitting ")) {
            now.omitted = true;
        } else if (now.owned && *now.section) {
            take_bucket(&lines, &now, reader);
        }
    }
}

struct wanted {
    uint64_t uid;
    struct android_network history, kernel;
};

static bool is_zero(const char *tag)
{
    return !strncmp(tag, "0x", 2) && tag[2 + strspn(tag + 2, "0")] == '\0';
}

static void want_bucket(void *context, const struct android_history *h)
{
    struct wanted *w = context;
    if (h->uid != (int64_t)w->uid || strcmp(h->section, "UID stats") != 0 || !is_zero(h->tag) ||
        (strcmp(h->set, "DEFAULT") != 0 && strcmp(h->set, "FOREGROUND") != 0))
        return;
    w->history.found = true;
    w->history.rx += (double)h->rx;
    w->history.tx += (double)h->tx;
}

static void want_row(void *context, const struct android_kernel_row *row)
{
    struct wanted *w = context;
    if (row->by_interface || row->uid != w->uid)
        return;
    w->kernel.found = true;
    w->kernel.rx += (double)row->rx;
    w->kernel.tx += (double)row->tx;
}

void android_read_netstats(const char *text, size_t size, uint64_t uid, struct android_network *out,
                           struct android_network *kernel)
{
    struct wanted w = {.uid = uid};
    struct android_netstats_reader reader = {want_bucket, want_row, &w};
    android_each_netstats(text, size, &reader);
    *out = w.history;
    if (kernel)
        *kernel = w.kernel;
}

/* --- xt_qtaguid --- */

/* "12", or what a search printed before it: "FILE:12". */
static bool is_row_index(const char *word, size_t length)
{
    const char *colon = memrchr(word, ':', length);
    const char *from = colon ? colon + 1 : word;
    uint64_t number;
    return plain(from, (size_t)(word + length - from), &number);
}

void android_each_tag_row(const char *text, size_t size,
                          void (*see)(void *context, const struct android_tag_row *row),
                          void *context)
{
    enum { INDEX, IFACE, TAG, UID, SET, RX, TX = 7, FIELDS };
    struct android_lines lines = {.at = text, .end = text + size};
    while (android_next_line(&lines)) {
        const char *word[FIELDS];
        size_t length[FIELDS];
        struct android_tag_row row = {0};
        uint64_t number;
        if (cut_words(&lines, word, length, FIELDS) < FIELDS ||
            !is_row_index(word[INDEX], length[INDEX]) || length[TAG] < 3 ||
            memcmp(word[TAG], "0x", 2) != 0 || !plain(word[SET], length[SET], &number) ||
            !plain(word[UID], length[UID], &row.uid) || !plain(word[RX], length[RX], &row.rx) ||
            !plain(word[TX], length[TX], &row.tx))
            continue;
        char tag[32];
        copy(tag, sizeof tag, word[TAG], length[TAG]);
        copy(row.iface, sizeof row.iface, word[IFACE], length[IFACE]);
        row.tagged = !is_zero(tag);
        row.loopback = !strcmp(row.iface, "lo");
        see(context, &row);
    }
}

static void want_tag_row(void *context, const struct android_tag_row *row)
{
    struct wanted *w = context;
    if (row->uid != w->uid || row->tagged || row->loopback)
        return;
    w->kernel.found = true;
    w->kernel.rx += (double)row->rx;
    w->kernel.tx += (double)row->tx;
}

void android_read_qtaguid(const char *text, size_t size, uint64_t uid, struct android_network *out)
{
    struct wanted w = {.uid = uid};
    android_each_tag_row(text, size, want_tag_row, &w);
    *out = w.kernel;
}
