/* Handing in what was done: rows and files of all finished runs in one transaction. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "run/campaign/remote.h"
#include "run/campaign/remote_patience.h"
#include <dirent.h>
#include <string.h>
#include <unistd.h>

void remote_keep(struct run_campaign *campaign, json_t *message)
{
    tac_vec_push(&campaign->remote->finished, json_incref(message));
}

static int64_t run_of(const json_t *message)
{
    return json_integer_value(json_object_get(message, "id"));
}

/* Screens that the run saved: every file of failures/ that begins with its number. */
static tac_status put_screens(struct run_campaign *campaign, int64_t run, bool remove_them,
                              tac_error *err)
{
    char number[32];
    snprintf(number, sizeof number, "%06lld.", (long long)run);
    char *folder = tac_format("%s/failures", campaign->remote->scratch);
    DIR *entries = opendir(folder);
    tac_status status = TAC_OK;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strncmp(entry->d_name, number, strlen(number)))
            continue;
        char *name = tac_format("failures/%s", entry->d_name);
        char *path = tac_format("%s/%s", folder, entry->d_name);
        if (remove_them)
            unlink(path);
        else if (status == TAC_OK)
            status = tac_store_put_file(campaign->store, name, path, err);
        free(name);
        free(path);
    }
    if (entries)
        closedir(entries);
    free(folder);
    return status;
}

static tac_status hand_in_one(struct run_campaign *campaign, const json_t *message, bool *late,
                              tac_error *err)
{
    const tac_store_lease *lease = remote_lease(campaign->remote, run_of(message));
    char trace[CAMPAIGN_TRACE];
    bool accepted = false, done = false;
    assert(lease);
    tac_status status = tac_store_hand_in(campaign->store, lease, &accepted, &done, err);
    *late = status == TAC_OK && !accepted && !done;
    if (status != TAC_OK || !accepted)
        return status;
    char *path =
        tac_format("%s/%s", campaign->remote->scratch, campaign_trace_name(run_of(message), trace));
    status = campaign_add_rows(campaign, message, err);
    if (status == TAC_OK)
        status = tac_store_put_file(campaign->store, trace, path, err);
    if (status == TAC_OK)
        status = put_screens(campaign, run_of(message), false, err);
    free(path);
    return status;
}

/* All that is finished, in one transaction. */
static tac_status hand_in_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    struct campaign_remote *remote = campaign->remote;
    bool *late = context;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < remote->finished.count && status == TAC_OK; i++)
        status = hand_in_one(campaign, remote->finished.at[i], &late[i], err);
    return status == TAC_OK ? tac_store_commit(campaign->store, err) : status;
}

static void forget(struct run_campaign *campaign, const json_t *message, bool late)
{
    struct campaign_remote *remote = campaign->remote;
    char trace[CAMPAIGN_TRACE], text[160];
    int64_t run = run_of(message);
    char *path = tac_format("%s/%s", remote->scratch, campaign_trace_name(run, trace));
    unlink(path);
    free(path);
    put_screens(campaign, run, true, NULL);
    remote_drop_lease(remote, run);
    if (!late)
        return;
    remote->late++;
    campaign->done--; /* it was another's */
    snprintf(
        text, sizeof text,
        "run %lld was taken over by another worker in the meantime; its late answer is not kept",
        (long long)run);
    remote_note(campaign->options, text);
}

tac_status remote_hand_in(struct run_campaign *campaign, tac_error *err)
{
    struct campaign_remote *remote = campaign->remote;
    if (!remote->finished.count)
        return TAC_OK;
    bool *late = tac_calloc(remote->finished.count, sizeof *late);
    tac_status status = remote_patiently(campaign, hand_in_step, late, err);
    for (size_t i = 0; i < remote->finished.count; i++) {
        if (status == TAC_OK)
            forget(campaign, remote->finished.at[i], late[i]);
        json_decref(remote->finished.at[i]);
    }
    remote->finished.count = 0;
    free(late);
    if (status == TAC_OK)
        remote_hand_over_screens(campaign);
    return status;
}
