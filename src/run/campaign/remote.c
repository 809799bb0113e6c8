/* A campaign in a database. See remote.h. */
#include "run/campaign/remote.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/keep/scratch.h"
#include "run/campaign/remote_patience.h"
#include <unistd.h>

enum { MOST_AT_ONCE = 64 };
static const double usual_lease = 60;
static const double work_at_once = 0.5; /* seconds of work that are taken at a time */

static double lease_of(const struct run_campaign *campaign)
{
    return campaign->options->lease > 0 ? campaign->options->lease : usual_lease;
}

/* --- beginning and end --- */

tac_status remote_new(struct run_campaign *campaign, tac_error *err)
{
    struct campaign_remote *remote = tac_calloc(1, sizeof *remote);
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    remote->options = *campaign->options;
    remote->address = tac_strdup(campaign->options->folder);
    snprintf(remote->worker, sizeof remote->worker, "%s/%ld/%.6f", host, (long)getpid(), tac_now());
    tac_status status = tac_scratch_make("run", &remote->scratch, err);
    remote->options.folder = remote->scratch;
    campaign->remote = remote;
    campaign->options = &remote->options;
    return status;
}

void remote_free(struct campaign_remote *remote)
{
    if (!remote)
        return;
    for (size_t i = 0; i < remote->finished.count; i++)
        json_decref(remote->finished.at[i]);
    tac_vec_free(&remote->finished);
    tac_vec_free(&remote->held);
    for (size_t i = 0; i < remote->screens.count; i++)
        free(remote->screens.at[i]);
    tac_vec_free(&remote->screens);
    scenario_files_free(&remote->fetched);
    tac_scratch_remove(remote->scratch);
    free(remote->address);
    free(remote);
}

static tac_status put_input(struct run_campaign *campaign, const char *given, const char *name,
                            const char *path, tac_error *err)
{
    if (!given)
        return TAC_OK;
    char *local = path ? tac_strdup(path) : tac_format("%s/%s", campaign->remote->scratch, name);
    tac_status status = tac_store_put_file(campaign->store, name, local, err);
    free(local);
    return status;
}

/* Scenario files by their content, so that names of another host mean nothing. */
static tac_status put_scenarios(struct run_campaign *campaign, tac_error *err)
{
    struct scenario_files files = {0};
    tac_status status = scenario_files_find(campaign, &files, err);
    for (size_t i = 0; i < files.list.count && status == TAC_OK; i++) {
        const struct scenario_file *file = &files.list.at[i];
        char *name = tac_format("inputs/%s", file->digest);
        status = put_input(campaign, file->path, name, file->path, err);
        free(name);
    }
    scenario_files_free(&files);
    return status;
}

tac_status remote_put_inputs(struct run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    const char *capabilities = options->device_options.capabilities;
    tac_status status = put_input(campaign, options->model, "model.xml", NULL, err);
    if (status == TAC_OK)
        status = put_input(campaign, options->flows, "flows.jsonl", NULL, err);
    if (status == TAC_OK)
        status = put_input(campaign, options->properties, "properties.txt", NULL, err);
    if (status == TAC_OK)
        status = put_input(campaign, options->actions, CAMPAIGN_ACTIONS, options->actions, err);
    if (status == TAC_OK)
        status = put_input(campaign, capabilities, "inputs/capabilities.json", capabilities, err);
    if (status == TAC_OK)
        status = put_scenarios(campaign, err);
    return status;
}

tac_status remote_open(struct run_campaign *campaign, tac_error *err)
{
    tac_status status = tac_store_open_mode(
        campaign->remote->address,
        campaign->options->durable ? TAC_STORE_DURABLE : TAC_STORE_CREATE, &campaign->store, err);
    if (status == TAC_OK)
        status = campaign_make_subfolders(campaign, err);
    if (status == TAC_OK)
        status = tac_store_plan_lock(campaign->store, true, err);
    if (status == TAC_OK)
        status = campaign_check_plan(campaign, err);
    if (status == TAC_OK)
        status = campaign_note_origin(campaign, err);
    if (status == TAC_OK)
        status = tac_store_plan_runs(campaign->store, (int64_t)campaign->run_count, true, err);
    if (status == TAC_OK)
        status = tac_store_plan_lock(campaign->store, false, err);
    return status;
}

/* --- taking --- */

struct taking {
    tac_store_lease *leases;
    size_t most, count;
};

static tac_status take_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    struct taking *taking = context;
    tac_store_order order = {
        .worker = campaign->remote->worker, .seconds = lease_of(campaign), .most = taking->most};
    return tac_store_take(campaign->store, &order, taking->leases, &taking->count, err);
}

void remote_note_speed(struct run_campaign *campaign, double seconds)
{
    struct campaign_remote *remote = campaign->remote;
    remote->seconds_per_run =
        remote->seconds_per_run > 0 ? 0.7 * remote->seconds_per_run + 0.3 * seconds : seconds;
}

tac_status remote_take(struct run_campaign *campaign, size_t most, tac_error *err)
{
    struct campaign_remote *remote = campaign->remote;
    tac_store_lease leases[MOST_AT_ONCE];
    double fit = remote->seconds_per_run > 0 ? work_at_once / remote->seconds_per_run : 1;
    size_t wanted = fit < 1 ? 1 : fit > MOST_AT_ONCE ? MOST_AT_ONCE : (size_t)fit;
    struct taking taking = {.leases = leases, .most = wanted < most ? wanted : most};
    tac_status status = remote_patiently(campaign, take_step, &taking, err);
    if (taking.count)
        remote->asked_again = false;
    for (size_t i = 0; i < taking.count && status == TAC_OK; i++) {
        if (leases[i].run < 0 || (size_t)leases[i].run >= campaign->run_count)
            status = tac_fail_at(err, TAC_E_INPUT, remote->address, 0, 0,
                                 "run %lld stands in the queue, but not in the plan",
                                 (long long)leases[i].run);
        tac_vec_push(&remote->held, leases[i]);
        if (status == TAC_OK)
            tac_vec_push(&campaign->to_do, leases[i].run);
    }
    return status;
}

tac_store_lease *remote_lease(struct campaign_remote *remote, int64_t run)
{
    for (size_t i = 0; i < remote->held.count; i++)
        if (remote->held.at[i].run == run)
            return &remote->held.at[i];
    return NULL;
}

void remote_drop_lease(struct campaign_remote *remote, int64_t run)
{
    tac_store_lease *lease = remote_lease(remote, run);
    if (lease)
        *lease = tac_vec_pop(&remote->held);
}

static tac_status renew_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    (void)context;
    return tac_store_renew(campaign->store, campaign->remote->held.at, campaign->remote->held.count,
                           lease_of(campaign), err);
}

tac_status remote_renew(struct run_campaign *campaign, tac_error *err)
{
    struct campaign_remote *remote = campaign->remote;
    double now = tac_now();
    if (now - remote->renewed < lease_of(campaign) / 3)
        return TAC_OK;
    remote->renewed = now;
    return remote->held.count ? remote_patiently(campaign, renew_step, NULL, err) : TAC_OK;
}

/* --- what cannot be done here --- */

struct giving_back {
    int64_t run;
    const char *problem;
};

static tac_status give_back_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    const struct giving_back *giving = context;
    const tac_store_lease *lease = remote_lease(campaign->remote, giving->run);
    if (!lease)
        return TAC_OK;
    return tac_store_give_back(campaign->store, lease, campaign->remote->worker, giving->problem,
                               err);
}

tac_status remote_give_back(struct run_campaign *campaign, int64_t run, const char *problem,
                            tac_error *err)
{
    struct giving_back giving = {run, problem};
    tac_status status = remote_patiently(campaign, give_back_step, &giving, err);
    if (status == TAC_OK)
        remote_drop_lease(campaign->remote, run);
    return status;
}

void remote_release(struct run_campaign *campaign)
{
    struct campaign_remote *remote = campaign->remote;
    tac_error ignored;
    tac_store_rollback(campaign->store);
    while (remote->held.count) {
        tac_store_lease lease = tac_vec_pop(&remote->held);
        if (tac_store_give_back(campaign->store, &lease, remote->worker, NULL, &ignored) != TAC_OK)
            break; /* time gives them back */
    }
    remote->held.count = 0;
}

struct awaiting {
    bool more;
};

static tac_status await_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    struct awaiting *awaiting = context;
    tac_store_queue_count count;
    bool changed;
    tac_status status = tac_store_count_queue(campaign->store, &count, err);
    if (status != TAC_OK)
        return status;
    awaiting->more = count.leased > 0 || (count.open > 0 && !campaign->remote->asked_again);
    campaign->remote->asked_again = count.leased == 0;
    return count.leased ? tac_store_wait(campaign->store, 0.5, &changed, err) : TAC_OK;
}

tac_status remote_await(struct run_campaign *campaign, bool *more, tac_error *err)
{
    struct awaiting awaiting = {0};
    tac_status status = remote_patiently(campaign, await_step, &awaiting, err);
    *more = awaiting.more;
    return status;
}

/* --- scenario files --- */

const char *remote_scenario_file(const struct run_campaign *campaign, const char *name)
{
    const struct scenario_file *file =
        campaign->remote ? scenario_files_named(&campaign->remote->fetched, name) : NULL;
    return file ? file->path : NULL;
}
