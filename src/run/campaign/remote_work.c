/* What a worker did: kept while it works, told in the end. */
#include "run/campaign/remote_work.h"
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
