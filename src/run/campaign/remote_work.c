/* What a worker did: kept while it works, told in the end. */
#include "run/campaign/remote_work.h"
#include "base/io/json.h"
#include <string.h>

const char *owned_work_text(struct owned_work *work, const char *text)
{
    return tac_arena_strndup(&work->arena, text, strlen(text));
}

void owned_work_note(struct owned_work *work, const struct run_campaign *campaign, int64_t left)
{
    const char *name = strchr(campaign->remote->address, '#');
    tac_run_lost_device *lost =
        tac_arena_calloc(&work->arena, campaign->lost.count + 1, sizeof *lost);
    for (size_t i = 0; i < campaign->lost.count; i++)
        lost[i] =
            (tac_run_lost_device){.device = owned_work_text(work, campaign->lost.at[i].device),
                                  .message = owned_work_text(work, campaign->lost.at[i].message),
                                  .after = campaign->lost.at[i].after};
    tac_vec_push(&work->campaigns,
                 (tac_run_worked){.campaign = owned_work_text(work, name ? name + 1 : ""),
                                  .done = (int64_t)campaign->done,
                                  .late = (int64_t)campaign->remote->late,
                                  .lost = lost,
                                  .lost_count = campaign->lost.count,
                                  .left = left});
    work->shown.done += (int64_t)campaign->done;
    work->shown.late += (int64_t)campaign->remote->late;
}

void tac_run_work_free(tac_run_work *shown)
{
    struct owned_work *work = (struct owned_work *)shown;
    if (!work)
        return;
    tac_vec_free(&work->campaigns);
    tac_arena_free(&work->arena);
    free(work);
}

static json_t *lost_json(const tac_run_worked *worked)
{
    json_t *list = json_array();
    for (size_t i = 0; i < worked->lost_count; i++)
        json_array_append_new(list, json_pack("{s:o,s:I,s:o}", "device",
                                              tac_json_string(worked->lost[i].device), "after",
                                              (json_int_t)worked->lost[i].after, "message",
                                              tac_json_string(worked->lost[i].message)));
    return list;
}

json_t *tac_run_work_json(const tac_run_work *work)
{
    json_t *campaigns = json_array(), *refused = json_array();
    for (size_t i = 0; i < work->campaign_count; i++) {
        const tac_run_worked *worked = &work->campaigns[i];
        json_t *name = tac_json_string(worked->campaign);
        if (worked->refused)
            json_array_append_new(refused, json_pack("{s:o,s:o}", "campaign", name, "message",
                                                     tac_json_string(worked->refused)));
        else
            json_array_append_new(campaigns, json_pack("{s:o,s:I,s:I,s:I,s:o}", "campaign", name,
                                                       "done", (json_int_t)worked->done, "late",
                                                       (json_int_t)worked->late, "left",
                                                       (json_int_t)worked->left, "lost_devices",
                                                       lost_json(worked)));
    }
    return json_pack("{s:o,s:I,s:I,s:o,s:o}", "store", tac_json_string(work->store), "done",
                     (json_int_t)work->done, "late", (json_int_t)work->late, "campaigns", campaigns,
                     "refused", refused);
}
