/* Traffic per user: the kernel's old table (qtaguid) and `dumpsys netstats`.
 *
 * Loopback is not traffic. Interfaces are told apart: what a VPN sends through tun0 goes out
 * through another interface again, so the two are not the same bytes twice in one figure of an
 * interface. */
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "facts/android/lines.h"
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
    tac_facts *facts;
    char section[64], ident[160];
    int64_t users;
    bool in_history;
    enum { MAP_NONE, MAP_UID, MAP_IFACE } map;
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

static bool take_qtaguid(void *context, char *line)
{
    struct sums *s = context;
    char iface[32], tag[32];
    int64_t uid, rx, tx;
    int index, set;
    if (sscanf(line, "%d %31s %31s %" SCNd64 " %d %" SCNd64 " %*d %" SCNd64, &index, iface, tag,
               &uid, &set, &rx, &tx) != 7 ||
        strcmp(tag, "0x0") != 0)
        return true;
    struct sum *sum = sum_of(s, uid, iface);
    sum->rx += rx;
    sum->tx += tx;
    return true;
}

static tac_status read_qtaguid(const struct facts_input *input, tac_facts *facts, tac_error *err)
{
    struct sums s = {.facts = facts};
    tac_status status = each_line(input, take_qtaguid, &s, err);
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
            facts_number(facts, name, rx);
            snprintf(name, sizeof name, "uid=%" PRId64 " tx", uid);
            facts_number(facts, name, tx);
            snprintf(name, sizeof name, "uid=%" PRId64 " loopback rx,tx (not counted)", uid);
            facts_textf(facts, name, "%" PRId64 ",%" PRId64, lo_rx, lo_tx);
        }
        snprintf(name, sizeof name, "uid=%" PRId64 " %s rx,tx", uid, s.at.at[i].key);
        facts_textf(facts, name, "%" PRId64 ",%" PRId64, s.at.at[i].rx, s.at.at[i].tx);
    }
    sums_free(&s);
    return status;
}

static void take_bucket(struct sums *s, const char *text)
{
    bool old = strstr(text, "rxBytes=") != NULL;
    int64_t rx = number_after(text, old ? "rxBytes=" : "rb=", -1),
            tx = number_after(text, old ? "txBytes=" : "tb=", -1);
    if (rx < 0 || tx < 0 || !*s->ident)
        return;
    struct sum *sum = sum_of(s, 0, s->ident);
    sum->rx += rx;
    sum->tx += tx;
    sum->buckets++;
}

static void take_map_row(struct sums *s, const char *text)
{
    char name[80], iface[32];
    int64_t uid, rx, tx;
    if (s->map == MAP_UID &&
        sscanf(text, "%" SCNd64 " %" SCNd64 " %*d %" SCNd64, &uid, &rx, &tx) == 3) {
        snprintf(name, sizeof name, "mAppUidStatsMap uid=%" PRId64 " rx,tx", uid);
        facts_textf(s->facts, name, "%" PRId64 ",%" PRId64, rx, tx);
        s->users++;
    } else if (s->map == MAP_IFACE &&
               sscanf(text, "%*d %31s %" SCNd64 " %*d %" SCNd64, iface, &rx, &tx) == 3) {
        snprintf(name, sizeof name, "mIfaceStatsMap %s rx,tx", iface);
        facts_textf(s->facts, name, "%" PRId64 ",%" PRId64, rx, tx);
    }
}

static bool take_netstats(void *context, char *line)
{
    struct sums *s = context;
    const char *text = line + strspn(line, " \t");
    size_t length = strlen(text);
    if (length > 7 && !strcmp(text + length - 7, " stats:") && text == line) {
        snprintf(s->section, sizeof s->section, "%.*s", (int)length - 1, text);
        *s->ident = '\0';
        s->map = MAP_NONE;
    } else if (!strncmp(text, "ident=", 6)) {
        char tag[32] = "0x0";
        const char *uid = strstr(text, " uid="), *at = strstr(text, " tag=");
        if (at)
            sscanf(at, " tag=%31s", tag);
        *s->ident = '\0';
        if (uid && *s->section)
            snprintf(s->ident, sizeof s->ident, "%s uid=%" PRId64 " tag=%s rx,tx,buckets",
                     s->section, number_after(uid, "uid=", 0), tag);
    } else if (!strcmp(text, "mAppUidStatsMap:")) {
        s->map = MAP_UID;
    } else if (!strcmp(text, "mIfaceStatsMap:")) {
        s->map = MAP_IFACE;
    } else if (s->map != MAP_NONE && (!length || (length && text[length - 1] == ':'))) {
        s->map = MAP_NONE;
    } else if (s->map != MAP_NONE) {
        take_map_row(s, text);
    } else {
        take_bucket(s, text);
    }
    return true;
}

static tac_status read_netstats(const struct facts_input *input, tac_facts *facts, tac_error *err)
{
    struct sums s = {.facts = facts};
    facts_text(facts, "encoding", input->encoding);
    tac_status status = each_line(input, take_netstats, &s, err);
    for (size_t i = 0; i < s.at.count; i++)
        facts_textf(facts, s.at.at[i].key, "%" PRId64 ",%" PRId64 ",%" PRId64, s.at.at[i].rx,
                    s.at.at[i].tx, s.at.at[i].buckets);
    if (s.users)
        facts_number(facts, "mAppUidStatsMap uids", s.users);
    sums_free(&s);
    return status;
}

static int sniff_qtaguid(const struct facts_input *input)
{
    int index, set;
    char iface[32], tag[32];
    int64_t uid, rx;
    bool row = sscanf(input->head, "%d %31s 0x%31[0-9a-f] %" SCNd64 " %d %" SCNd64, &index, iface,
                      tag, &uid, &set, &rx) == 6;
    return head_has(input, "acct_tag_hex uid_tag_int") || row ? 3 : 0;
}

static int sniff_netstats(const struct facts_input *input)
{
    return head_has(input, "NetworkStatsHistory: bucketDuration") ||
                   head_has(input, "mAppUidStatsMap")
               ? 3
           : head_has(input, "UID stats:") || head_has(input, "Active interfaces:") ? 2
                                                                                    : 0;
}

const struct facts_kind facts_kind_qtaguid = {
    .name = "qtaguid",
    .summary = "traffic per user from /proc/net/xt_qtaguid/stats",
    .sniff = sniff_qtaguid,
    .read = read_qtaguid};
const struct facts_kind facts_kind_netstats = {.name = "netstats",
                                               .summary = "dumpsys netstats: traffic per user",
                                               .sniff = sniff_netstats,
                                               .read = read_netstats};
