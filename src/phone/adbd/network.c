/* Traffic as the phone that speaks adb tells it: /proc/net/xt_qtaguid/stats up to Android 9, and
 * `dumpsys netstats`, whose histories are brought up to date by a poll only (`--poll`, which prints
 * nothing else) and show their last 32 buckets without `--full`, as Android's do. From Android 14
 * on the kernel's map of user ids stands behind them. */
#include "phone/adbd/daemon.h"

enum { BUCKET_SECONDS = 7200, SHORT_HISTORY = 32 };

/* What has come since the last poll goes into the bucket of now. */
static void poll_network(struct phone *p)
{
    int64_t now = sim_clock(p->sim, p->sim->now) / 1000000000;
    struct phone_traffic *t = &p->traffic;
    uint64_t rx = (uint64_t)p->sim->link.rx, tx = (uint64_t)p->sim->link.tx;
    int64_t start = now - now % BUCKET_SECONDS;
    if (rx < t->rx || tx < t->tx) /* the app was reset: the phone counts on */
        t->rx = t->tx = 0;
    if (!t->buckets.count || tac_vec_last(&t->buckets).start != start)
        tac_vec_push(&t->buckets, (struct phone_bucket){.start = start});
    tac_vec_last(&t->buckets).rx += rx - t->rx;
    tac_vec_last(&t->buckets).tx += tx - t->tx;
    t->rx = rx;
    t->tx = tx;
}

static void add_history(const struct phone *p, const char *ident, bool full, tac_str *out)
{
    const struct phone_traffic *t = &p->traffic;
    size_t first = !full && t->buckets.count > SHORT_HISTORY ? t->buckets.count - SHORT_HISTORY : 0;
    tac_str_addf(out,
                 "  ident=[%s] uid=%d set=FOREGROUND tag=0x0\n"
                 "    NetworkStatsHistory: bucketDuration=%d\n",
                 ident, PHONE_UID, BUCKET_SECONDS);
    if (first)
        tac_str_addf(out, "      (omitting %zu buckets)\n", first);
    for (size_t i = first; i < t->buckets.count; i++)
        tac_str_addf(out, "      st=%lld rb=%llu rp=0 tb=%llu tp=0 op=0\n",
                     (long long)t->buckets.at[i].start, (unsigned long long)t->buckets.at[i].rx,
                     (unsigned long long)t->buckets.at[i].tx);
}

int phone_dump_network(struct phone_command *c)
{
    struct phone *p = c->phone;
    const char *ident = "{type=WIFI, subType=COMBINED, networkId=\"tactus\"}";
    if (phone_has_word(c, "--poll") || phone_has_word(c, "poll")) {
        poll_network(p);
        tac_str_add(c->out, "Forced poll\n");
        return 0;
    }
    if (p->android >= 13)
        ident = "{type=1, ratType=COMBINED, wifiNetworkKey=\"tactus\", metered=false, "
                "defaultNetwork=true, oemManaged=OEM_NONE, subId=-1}";
    if (!p->traffic.buckets.count)
        poll_network(p);
    tac_str_addf(c->out,
                 "Active interfaces:\n  iface=wlan0 ident=[%s]\nDev stats:\n"
                 "  Pending bytes: 0\n  History since boot:\nXt stats:\n"
                 "  Pending bytes: 0\n  History since boot:\n",
                 ident);
    if (phone_has_word(c, "detail") || phone_has_word(c, "--uid")) {
        tac_str_add(c->out, "UID stats:\n  Pending bytes: 0\n  Complete history:\n");
        add_history(p, ident, phone_has_word(c, "--full") || phone_has_word(c, "full"), c->out);
        tac_str_add(c->out, "UID tag stats:\n  Pending bytes: 0\n  Complete history:\n");
    }
    if (p->android >= 14)
        tac_str_addf(c->out,
                     "BPF map content:\n  mAppUidStatsMap:\n"
                     "    uid rxBytes rxPackets txBytes txPackets\n    %d %.0f 0 %.0f 0\n",
                     PHONE_UID, p->sim->link.rx, p->sim->link.tx);
    return 0;
}

/* The app's bytes on loopback and those with a tag are there too, as on a real phone. */
void phone_qtaguid(struct phone *p, tac_str *out)
{
    tac_str_addf(out,
                 "idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes "
                 "tx_packets\n2 wlan0 0x0 %d 0 0 0 0 0\n3 wlan0 0x0 %d 1 %.0f 0 %.0f 0\n"
                 "4 wlan0 0xffffff0100000000 %d 1 100 1 100 1\n5 lo 0x0 %d 1 4096 8 4096 8\n",
                 PHONE_UID, PHONE_UID, p->sim->link.rx, p->sim->link.tx, PHONE_UID, PHONE_UID);
}
