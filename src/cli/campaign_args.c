/* Arguments that name campaigns where traces are wanted. See frame.h.
 *
 * A folder of 'tactus run' stands for the traces of its runs, in their order. An address of a
 * database is fetched into a folder for the command's time; '#CAMPAIGN/17' is one run of it. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/keep/scratch.h"
#include "cli/frame.h"
#include "cli/options.h"
#include "store/list.h"
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

struct arg_list {
    TAC_VEC(const char *) args;
    TAC_VEC(char *) owned;
};

static void add_owned(struct arg_list *list, char *path)
{
    tac_vec_push(&list->owned, path);
    tac_vec_push(&list->args, (const char *)path);
}

/* An answer about a campaign is one about all of its traces, as they were written. */
static tac_status add_trace(struct arg_list *list, const tac_store *store, const tac_store_run *run,
                            const char *shown, tac_error *err)
{
    tac_error flaw;
    tac_status status = *run->trace ? tac_store_check_trace(store, run, &flaw) : TAC_OK;
    if (status != TAC_OK)
        return tac_fail_at(err, status, shown, 0, 0,
                           "run %" PRId64 ": %s; 'tactus store repair %s' sets it aside", run->id,
                           flaw.message, shown);
    if (*run->trace)
        add_owned(list, tac_format("%s/%s", tac_store_folder(store), run->trace));
    return TAC_OK;
}

static tac_status add_folder(struct arg_list *list, const char *folder, const char *shown,
                             tac_error *err)
{
    size_t before = list->args.count;
    struct store_list rows = {0};
    tac_store *store = NULL;
    tac_status status = tac_store_open(folder, false, &store, err);
    if (status == TAC_OK)
        status = store_list_runs(&rows, store, err);
    for (size_t i = 0; i < rows.runs.count && status == TAC_OK; i++)
        status = add_trace(list, store, &rows.runs.at[i], shown, err);
    store_list_free(&rows);
    tac_store_close(store, NULL);
    if (status == TAC_OK && list->args.count == before)
        status = tac_fail_at(err, TAC_E_INPUT, folder, 0, 0, "the campaign holds no traces yet");
    return status;
}

/* ".../DB#CAMPAIGN/17": the one run. */
static tac_status add_run(struct arg_list *list, const char *address, const char *number,
                          const char *scratch, tac_error *err)
{
    int64_t run;
    tac_store *store = NULL;
    if (!tac_parse_i64(number + 1, &run) || run < 0)
        return tac_fail(err, TAC_E_USAGE,
                        "behind the '/' of a campaign stands the number of a run");
    char *campaign = tac_strndup(address, (size_t)(number - address));
    char *name = tac_format("traces/%06" PRId64 ".jsonl", run);
    char *path = tac_format("%s/%06" PRId64 ".jsonl", scratch, run);
    tac_status status = tac_store_open(campaign, false, &store, err);
    if (status == TAC_OK)
        status = tac_store_get_file(store, name, path, err);
    tac_store_close(store, NULL);
    free(campaign);
    free(name);
    if (status == TAC_OK)
        add_owned(list, path);
    else
        free(path);
    return status;
}

static tac_status add_address(struct arg_list *list, const char *address, struct campaign_args *out,
                              tac_watch *watch, tac_error *err)
{
    const char *hash = strchr(address, '#'), *slash = hash ? strchr(hash, '/') : NULL;
    tac_status status = TAC_OK;
    if (!out->scratch)
        status = tac_scratch_make("read", &out->scratch, err);
    if (status != TAC_OK)
        return status;
    if (slash)
        return add_run(list, address, slash, out->scratch, err);
    char *folder = tac_format("%s/%zu", out->scratch, list->owned.count);
    status = tac_store_fetch(address, folder, watch, err);
    if (status == TAC_OK)
        status = add_folder(list, folder, address, err);
    free(folder);
    return status;
}

static bool is_campaign(const char *path)
{
    char *index = tac_format("%s/index.sqlite", path);
    struct stat about;
    bool is = !stat(index, &about) && S_ISREG(about.st_mode);
    free(index);
    return is;
}

tac_status campaign_args_open(struct invocation *in, struct campaign_args *out, tac_error *err)
{
    struct arg_list list = {0};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < in->arg_count && status == TAC_OK; i++) {
        if (tac_store_is_address(in->args[i]))
            status = add_address(&list, in->args[i], out, in->watch, err);
        else if (is_campaign(in->args[i]))
            status = add_folder(&list, in->args[i], in->args[i], err);
        else
            tac_vec_push(&list.args, in->args[i]);
    }
    if (status == TAC_OK && list.args.count > command_arity(in->command).most)
        status = tac_fail(err, TAC_E_USAGE,
                          "a campaign stands for all of its traces, and this command reads %zu; "
                          "name one run of it: ADDRESS#CAMPAIGN/17, or DIR/traces/000017.jsonl",
                          command_arity(in->command).most);
    out->args = list.args.at;
    out->count = list.args.count;
    out->owned = list.owned.at;
    out->owned_count = list.owned.count;
    in->args = out->args;
    in->arg_count = out->count;
    return status;
}

void campaign_args_close(struct campaign_args *args)
{
    for (size_t i = 0; i < args->owned_count; i++)
        free(args->owned[i]);
    free(args->owned);
    free(args->args);
    tac_scratch_remove(args->scratch);
}
