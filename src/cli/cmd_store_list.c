/* tactus store list ADDRESS */
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "base/describe/describe.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "store/queue.h"

struct listing {
    const char *store;
    tac_arena texts;
    TAC_VEC(tac_store_campaign) rows;
};

static bool add_campaign(void *context, const tac_store_campaign *campaign)
{
    struct listing *listing = context;
    tac_store_campaign row = *campaign;
    row.name = tac_arena_strdup(&listing->texts, campaign->name);
    row.created = tac_arena_strdup(&listing->texts, campaign->created);
    tac_vec_push(&listing->rows, row);
    return true;
}

static const struct field campaign_fields[] = {FIELDS(tac_store_campaign, name, created, runs, done,
                                                      queue.open, queue.leased, queue.given_up,
                                                      workers)};
static DESCRIBE(campaign, tac_store_campaign);
static const struct field listing_fields[] = {
    FIELD(struct listing, store),
    FIELD_LIST(struct listing, rows.at, rows.count, campaign_described, .key = "campaigns")};
static DESCRIBE(listing, struct listing);

static void write_row(FILE *out, const tac_store_campaign *row)
{
    long long leased = (long long)row->queue.leased, given_up = (long long)row->queue.given_up;
    tac_print(out, "%s: ", row->name);
    if (row->runs < 0)
        fputs("not planned", out);
    else
        tac_print(out, "%lld of %lld %s done", (long long)row->done, (long long)row->runs,
                  row->runs == 1 ? "run" : "runs");
    if (leased)
        tac_print(out, ", %lld under way by %lld %s", leased, (long long)row->workers,
                  row->workers == 1 ? "worker" : "workers");
    if (given_up)
        tac_print(out, ", %lld failed too often", given_up);
    tac_print(out, "; since %s\n", row->created);
}

static void write_list(FILE *out, void *context)
{
    const struct listing *listing = context;
    if (!listing->rows.count)
        fputs("no campaigns\n", out);
    for (size_t i = 0; i < listing->rows.count; i++)
        write_row(out, &listing->rows.at[i]);
}

static int store_list_run(struct invocation *in)
{
    struct listing listing = {.store = in->args[0]};
    tac_error err;
    int code = 0;
    if (tac_store_list(in->args[0], add_campaign, &listing, &err) != TAC_OK)
        code = fail(in, &err);
    else if (in->json)
        code = finish_json(in, describe_json(&listing_described, &listing), 0);
    else
        code = finish_text(in, write_list, &listing, 0);
    tac_vec_free(&listing.rows);
    tac_arena_free(&listing.texts);
    return code;
}

const struct command cmd_store_list = {
    .noun = "store",
    .verb = "list",
    .group = GROUP_CAMPAIGNS,
    .args = "ADDRESS",
    .summary = "list the campaigns of a database",
    .description = "Lists the campaigns of a database, postgresql://USER@HOST/DB, that the role "
                   "may read: how many runs are\nplanned, done and under way, by how many workers. "
                   "With #CAMPAIGN behind it, that one.",
    .example = "tactus store list postgresql://lab@db.example/tactus || true",
    .documents = DOCUMENTS(&listing_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = store_list_run,
};
