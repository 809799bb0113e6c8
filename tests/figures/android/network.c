/* Traffic per user: the kernel's old table (qtaguid) and `dumpsys netstats`.
 *
 * Loopback is not traffic. Interfaces are told apart: what a VPN sends through tun0 goes out
 * through another interface again, so the two are not the same bytes twice in one figure of an
 * interface. */
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "device/android/dump/parse.h"
#include "figures/android/lines.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sum {
    const char *key; /* "10229 wlan0"; of the arena */
    int64_t uid, rx, tx, buckets;
};

struct sums {
    tac_arena arena;
    TAC_VEC(struct sum) at;
    struct figures *facts;
    int64_t users;
    bool omitted;
};

static struct sum *sum_of(struct sums *s, int64_t uid, const char *key)
{
    for (size_t i = 0; i < s->at.count; i++)
        if (s->at.at[i].uid == uid && !strcmp(s->at.at[i].key, key))
            return &s->at.at[i];
    tac_vec_push(&s->at, (struct sum){.key = tac_arena_strdup(&s->arena, key), .uid = uid});
    return &tac_vec_last(&s->at);
}

static void sums_free(struct sums *s)
{
    tac_vec_free(&s->at);
    tac_arena_free(&s->arena);
}

static void take_tag_row(void *context, const struct android_tag_row *row)
{
    if (row->tagged)
        return;
    struct sum *sum = sum_of(context, (int64_t)row->uid, row->iface);
    sum->rx += (int64_t)row->rx;
    sum->tx += (int64_t)row->tx;
}

static tac_status read_qtaguid(const struct figures_input *input, struct figures *facts,
                               tac_error *err)
{
    struct sums s = {.facts = facts};
    char *text;
    size_t size;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    android_each_tag_row(text, size, take_tag_row, &s);
    free(text);
    for (size_t i = 0; i < s.at.count; i++) {
        int64_t rx = 0, tx = 0, lo_rx = 0, lo_tx = 0, uid = s.at.at[i].uid;
        char name[80];
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first &= s.at.at[k].uid != uid;
        for (size_t k = 0; k < s.at.count; k++) {
            bool loopback = !strcmp(s.at.at[k].key, "lo");
            if (s.at.at[k].uid != uid)
                continue;
            rx += loopback ? 0 : s.at.at[k].rx, tx += loopback ? 0 : s.at.at[k].tx;
            lo_rx += loopback ? s.at.at[k].rx : 0, lo_tx += loopback ? s.at.at[k].tx : 0;
        }
        if (first) {
            snprintf(name, sizeof name, "uid=%" PRId64 " rx", uid);
            figures_number(facts, name, rx);
            snprintf(name, sizeof name, "uid=%" PRId64 " tx", uid);
            figures_number(facts, name, tx);
            snprintf(name, sizeof name, "uid=%" PRId64 " loopback rx,tx (not counted)", uid);
            figures_textf(facts, name, "%" PRId64 ",%" PRId64, lo_rx, lo_tx);
        }
        snprintf(name, sizeof name, "uid=%" PRId64 " %s rx,tx", uid, s.at.at[i].key);
        figures_textf(facts, name, "%" PRId64 ",%" PRId64, s.at.at[i].rx, s.at.at[i].tx);
    }
    sums_free(&s);
    return status;
}

static void take_bucket(void *context, const struct android_history *h)
{
    char key[160];
    snprintf(key, sizeof key, "%s uid=%" PRId64 " tag=%s rx,tx,buckets", h->section, h->uid,
             h->tag);
    struct sum *sum = sum_of(context, 0, key);
    sum->rx += (int64_t)h->rx;
    sum->tx += (int64_t)h->tx;
    sum->buckets++;
    ((struct sums *)context)->omitted |= h->omitted;
}

static void take_row(void *context, const struct android_kernel_row *row)
{
    struct sums *s = context;
    char name[80];
    if (row->by_interface)
        snprintf(name, sizeof name, "mIfaceStatsMap %s rx,tx", row->iface);
    else
        snprintf(name, sizeof name, "mAppUidStatsMap uid=%" PRIu64 " rx,tx", row->uid);
    figures_textf(s->facts, name, "%" PRIu64 ",%" PRIu64, row->rx, row->tx);
    s->users += !row->by_interface;
}

static tac_status read_netstats(const struct figures_input *input, struct figures *facts,
                                tac_error *err)
{
    struct sums s = {.facts = facts};
    figures_text(facts, "encoding", input->encoding);
    char *text;
    size_t size;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    android_each_netstats(text, size, &(struct android_netstats_reader){take_bucket, take_row, &s});
    free(text);
    if (s.omitted)
        figures_warn(facts, "the dump leaves buckets out, so its sums are not totals; "
                            "'dumpsys netstats detail --full' prints all");
    for (size_t i = 0; i < s.at.count; i++)
        figures_textf(facts, s.at.at[i].key, "%" PRId64 ",%" PRId64 ",%" PRId64, s.at.at[i].rx,
                      s.at.at[i].tx, s.at.at[i].buckets);
    if (s.users)
        figures_number(facts, "mAppUidStatsMap uids", s.users);
    sums_free(&s);
    return status;
}

static void count_row(void *context, const struct android_tag_row *row)
{
    (void)row;
    ++*(size_t *)context;
}

/* Rows that somebody searched for have no header; they are most of the lines then. */
static int sniff_qtaguid(const struct figures_input *input)
{
    size_t rows = 0, lines = 0;
    android_each_tag_row(input->head, input->head_size, count_row, &rows);
    for (const char *at = input->head; *at && lines <= 2 * rows; at += *at == '\n') {
        lines += strcspn(at, "\r\n") > 0;
        at += strcspn(at, "\n");
    }
    return head_has(input, "acct_tag_hex uid_tag_int") || rows * 2 >= lines + (rows < 1) ? 3 : 0;
}

static int sniff_netstats(const struct figures_input *input)
{
    return head_has(input, "NetworkStatsHistory: bucketDuration") ||
                   head_has(input, "mAppUidStatsMap")
               ? 3
           : head_has(input, "UID stats:") || head_has(input, "Active interfaces:") ? 2
                                                                                    : 0;
}

const struct figures_kind figures_kind_qtaguid = {
    .name = "qtaguid",
    .summary = "traffic per user from /proc/net/xt_qtaguid/stats",
    .sniff = sniff_qtaguid,
    .read = read_qtaguid};
const struct figures_kind figures_kind_netstats = {.name = "netstats",
                                                   .summary = "dumpsys netstats: traffic per user",
                                                   .sniff = sniff_netstats,
                                                   .read = read_netstats};
