/* Traffic per user id: `dumpsys netstats` and the kernel's old table (xt_qtaguid). Tagged rows are
 * part of the untagged ones, loopback is no traffic. */
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "device/android/dump/parse.h"
#include "facts/page.h"
#include <string.h>

enum { MOST_USERS = 12 };

struct traffic_user {
    uint64_t uid, rx, tx;
};

struct traffic {
    tac_u64map numbers; /* uid to its place in users */
    TAC_VEC(struct traffic_user) users;
    bool omitted;
};

static void add(struct traffic *all, uint64_t uid, uint64_t rx, uint64_t tx)
{
    bool is_new;
    uint64_t *place = tac_u64map_at(&all->numbers, uid, all->users.count, &is_new);
    if (is_new)
        tac_vec_push(&all->users, (struct traffic_user){.uid = uid});
    all->users.at[*place].rx += rx;
    all->users.at[*place].tx += tx;
}

static void see_bucket(void *context, const struct android_history *bucket)
{
    struct traffic *all = context;
    all->omitted |= bucket->omitted;
    bool whole = !strcmp(bucket->tag, "0x0") &&
                 (!strcmp(bucket->set, "DEFAULT") || !strcmp(bucket->set, "FOREGROUND"));
    if (whole && bucket->owned && bucket->uid >= 0 && !strcmp(bucket->section, "UID stats"))
        add(all, (uint64_t)bucket->uid, bucket->rx, bucket->tx);
}

static void see_row(void *context, const struct android_tag_row *row)
{
    if (!row->tagged && !row->loopback)
        add(context, row->uid, row->rx, row->tx);
}

static void see_kernel_row(void *context, const struct android_kernel_row *row)
{
    if (!row->by_interface)
        add(context, row->uid, row->rx, row->tx);
}

static int compare_users(const void *left, const void *right)
{
    const struct traffic_user *x = left, *y = right;
    uint64_t a = x->rx + x->tx, b = y->rx + y->tx;
    return a != b ? (a < b ? 1 : -1) : (x->uid > y->uid) - (x->uid < y->uid);
}

static void add_row(tac_facts *page, const char *name, uint64_t rx, uint64_t tx)
{
    char in[32], out[32];
    page_textf(page, name, "%s bytes received, %s sent", tac_thousands(rx, in, sizeof in),
               tac_thousands(tx, out, sizeof out));
}

/* The greatest first. */
static void tell(struct traffic *all, tac_facts *page)
{
    uint64_t rx = 0, tx = 0;
    if (all->users.count)
        qsort(all->users.at, all->users.count, sizeof *all->users.at, compare_users);
    for (size_t i = 0; i < all->users.count; i++) {
        char name[40];
        snprintf(name, sizeof name, "uid %llu", (unsigned long long)all->users.at[i].uid);
        rx += all->users.at[i].rx;
        tx += all->users.at[i].tx;
        if (i < MOST_USERS)
            add_row(page, name, all->users.at[i].rx, all->users.at[i].tx);
    }
    page_number(page, "users", (int64_t)all->users.count);
    add_row(page, "together", rx, tx);
    if (all->omitted)
        page_warn(page, "the dump leaves buckets out, so its sums are not totals; "
                        "'dumpsys netstats detail --full' prints all");
    tac_u64map_free(&all->numbers);
    tac_vec_free(&all->users);
}

tac_status page_of_netstats(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    struct traffic all = {0};
    (void)err;
    android_each_netstats(input->text, input->size,
                          &(struct android_netstats_reader){.bucket = see_bucket, .context = &all});
    if (!all.users.count) /* a dump without histories: what the kernel counted */
        android_each_netstats(
            input->text, input->size,
            &(struct android_netstats_reader){.row = see_kernel_row, .context = &all});
    tell(&all, page);
    return TAC_OK;
}

tac_status page_of_qtaguid(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    struct traffic all = {0};
    (void)err;
    android_each_tag_row(input->text, input->size, see_row, &all);
    tell(&all, page);
    return TAC_OK;
}
