/* tactus store list ADDRESS */
#include "base/io/json.h"
#include "cli/command.h"
#include "tactus/store_queue.h"
#include <inttypes.h>

static bool add_campaign(void *context, const tac_store_campaign *campaign)
{
    json_array_append_new(
        context,
        json_pack("{s:o,s:o,s:I,s:I,s:I,s:I,s:I,s:I}", "name", tac_json_string(campaign->name),
                  "created", tac_json_string(campaign->created), "runs", (json_int_t)campaign->runs,
                  "done", (json_int_t)campaign->done, "open", (json_int_t)campaign->queue.open,
                  "leased", (json_int_t)campaign->queue.leased, "given_up",
                  (json_int_t)campaign->queue.given_up, "workers", (json_int_t)campaign->workers));
    return true;
}

static long long count_in(const json_t *row, const char *key)
{
    return (long long)json_integer_value(json_object_get(row, key));
}

static void write_list(FILE *out, void *context)
{
    size_t i;
    const json_t *row;
    if (!json_array_size(context))
        fputs("no campaigns\n", out);
    json_array_foreach((const json_t *)context, i, row)
    {
        long long runs = count_in(row, "runs"), given_up = count_in(row, "given_up");
        long long leased = count_in(row, "leased"), workers = count_in(row, "workers");
        fprintf(out, "%s: ", json_string_value(json_object_get(row, "name")));
        if (runs < 0)
            fputs("not planned", out);
        else
            fprintf(out, "%lld of %lld %s done", count_in(row, "done"), runs,
                    runs == 1 ? "run" : "runs");
        if (leased)
            fprintf(out, ", %lld under way by %lld %s", leased, workers,
                    workers == 1 ? "worker" : "workers");
        if (given_up)
            fprintf(out, ", %lld failed too often", given_up);
        fprintf(out, "; since %s\n", json_string_value(json_object_get(row, "created")));
    }
}

static int store_list_run(struct invocation *in)
{
    json_t *list = json_array();
    tac_error err;
    int code = 0;
    if (tac_store_list(in->args[0], add_campaign, list, &err) != TAC_OK)
        code = fail(in, &err);
    else if (in->json)
        code = finish_json(
            in, json_pack("{s:o,s:O}", "store", tac_json_string(in->args[0]), "campaigns", list),
            0);
    else
        code = finish_text(in, write_list, list, 0);
    json_decref(list);
    return code;
}

const struct command cmd_store_list = {
    .noun = "store",
    .verb = "list",
    .args = "ADDRESS",
    .least_args = 1,
    .most_args = 1,
    .summary = "list the campaigns of a database",
    .description =
        "Lists the campaigns of a database, postgresql://USER@HOST/DB, that the role may read: how "
        "many runs are\nplanned, done and under way, by how many workers. With #CAMPAIGN behind "
        "it, that one.",
    .example = "tactus store list postgresql://lab@db.example/tactus || true",
    .common = HAS_JSON | HAS_OUTPUT,
    .run = store_list_run,
};
