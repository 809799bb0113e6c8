/* Working on campaigns that others planned: one, or all that a database has open. A database that
 * is away is waited for; a campaign that is not for the devices here is named and left. */
#include "base/data/alloc.h"
#include "run/campaign/remote_job.h"
#include "run/campaign/remote_patience.h"
#include "run/campaign/remote_work.h"
#include <poll.h>
#include <string.h>

enum { MOST_ANSWERS = 5 };

/* After a failure while a worker begins: TAC_OK to begin again, which is possible because nothing
 * has been done yet. A server that answers may be on its way, so it is asked a few times more;
 * *answered counts them. */
static tac_status begin_again(struct remote_patience *patience, const char *address,
                              unsigned *answered, tac_status status, tac_error *err)
{
    if (status != TAC_E_IO)
        return status;
    if (tac_store_is_away(address)) {
        *answered = 0;
        return remote_be_patient(patience, status, err);
    }
    if (*answered >= MOST_ANSWERS)
        return status;
    poll(NULL, 0, 100 << (*answered)++);
    return TAC_OK;
}

static tac_status prepare_patiently(struct worker_job *job, const tac_run_options *given,
                                    const char *address, tac_error *err)
{
    struct remote_patience patience = {.options = given};
    unsigned answered = 0;
    for (;;) {
        tac_status status = worker_job_prepare(job, given, address, err);
        if (status == TAC_OK)
            return status;
        status = begin_again(&patience, address, &answered, status, err);
        if (status != TAC_OK)
            return status;
        worker_job_free(job);
    }
}

static tac_status count_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    return tac_store_count_queue(campaign->store, context, err);
}

/* *fits false: the failure is that of a campaign that is not for these devices. */
static tac_status work_on(const tac_run_options *given, const char *address,
                          struct owned_work *work, bool *fits, tac_error *err)
{
    struct worker_job *job = tac_calloc(1, sizeof *job);
    tac_status status = prepare_patiently(job, given, address, err);
    *fits = status == TAC_OK;
    if (status == TAC_OK)
        status = campaign_try_devices(&job->campaign, err);
    if (status == TAC_OK) {
        tac_store_queue_count queue = {0};
        status = campaign_work(&job->campaign, err);
        if (status == TAC_OK) /* when nobody works any more */
            status = remote_patiently(&job->campaign, count_step, &queue, err);
        owned_work_note(work, &job->campaign, queue.open + queue.given_up);
    }
    worker_job_free(job);
    free(job);
    return status;
}

/* --- all of them --- */

struct open_campaigns {
    TAC_VEC(char *) names;
};

static bool note_campaign(void *context, const tac_store_campaign *campaign)
{
    struct open_campaigns *open = context;
    if (campaign->queue.open + campaign->queue.leased > 0)
        tac_vec_push(&open->names, tac_strdup(campaign->name));
    return true;
}

static tac_status work_on_all(const tac_run_options *options, struct owned_work *work,
                              tac_error *err)
{
    struct open_campaigns open = {0};
    struct remote_patience patience = {.options = options};
    unsigned answered = 0;
    tac_status status = tac_store_list(options->folder, note_campaign, &open, err);
    while (status != TAC_OK &&
           (status = begin_again(&patience, options->folder, &answered, status, err)) == TAC_OK) {
        for (size_t i = 0; i < open.names.count; i++)
            free(open.names.at[i]);
        open.names.count = 0;
        status = tac_store_list(options->folder, note_campaign, &open, err);
    }
    for (size_t i = 0; i < open.names.count; i++) {
        bool fits = true;
        char *address = tac_format("%s#%s", options->folder, open.names.at[i]);
        if (status == TAC_OK)
            status = work_on(options, address, work, &fits, err);
        if (status == TAC_E_INPUT && !fits) {
            tac_vec_push(&work->campaigns,
                         (tac_run_worked){.campaign = owned_work_text(work, open.names.at[i]),
                                          .refused = owned_work_text(work, err->message)});
            status = TAC_OK;
        }
        free(address);
        free(open.names.at[i]);
    }
    tac_vec_free(&open.names);
    return status;
}

tac_status tac_run_worker(const tac_run_options *options, tac_run_work **out, tac_error *err)
{
    *out = NULL;
    if (!tac_store_is_address(options->folder))
        return tac_fail_at(err, TAC_E_USAGE, options->folder, 0, 0,
                           "is not the address of a database, postgresql://USER@HOST/DB#CAMPAIGN");
    struct owned_work *work = tac_calloc(1, sizeof *work);
    bool fits = true;
    work->shown.store = owned_work_text(work, options->folder);
    tac_status status = strchr(options->folder, '#')
                            ? work_on(options, options->folder, work, &fits, err)
                            : work_on_all(options, work, err);
    work->shown.campaigns = work->campaigns.at;
    work->shown.campaign_count = work->campaigns.count;
    if (status == TAC_OK || work->campaigns.count)
        *out = &work->shown;
    else
        tac_run_work_free(&work->shown);
    return status;
}
