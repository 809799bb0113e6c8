/* A campaign in a database. See remote.h. */
#include "run/campaign/remote.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/scratch.h"
#include <dirent.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 64 };
static const double usual_lease = 60, usual_patience = 300;
static const double work_at_once = 0.5; /* seconds of work that are taken at a time */

static double lease_of(const struct run_campaign *campaign)
{
    return campaign->options->lease > 0 ? campaign->options->lease : usual_lease;
}

/* --- patience --- */

static void note(const tac_run_options *options, const char *text)
{
    if (options->note)
        options->note(options->note_context, text);
}

static bool sleep_watched(const tac_run_options *options, double seconds)
{
    for (double end = tac_now() + seconds; tac_now() < end;) {
        if (!tac_watch_tick(options->watch, "waiting for the database", 0, 0))
            return false;
        poll(NULL, 0, 100);
    }
    return true;
}

typedef tac_status remote_step(struct run_campaign *campaign, void *context, tac_error *err);

tac_status remote_be_patient(struct remote_patience *patience, tac_status status, tac_error *err)
{
    const tac_run_options *options = patience->options;
    double limit = options->patience > 0 ? options->patience : usual_patience;
    char text[1600], words[1300];
    if (!patience->told) {
        patience->start = tac_now();
        patience->pause = 0.1;
    }
    tac_error_text(err, words, sizeof words);
    if (tac_now() - patience->start > limit)
        return tac_fail(err, status,
                        "%.900s; given up after %.0f s: runs that were not handed in are done "
                        "again when a worker is started",
                        words, limit);
    if (!patience->told) {
        snprintf(text, sizeof text, "%s; trying again for up to %.0f s", words, limit);
        note(options, text);
    }
    patience->told = true;
    if (!sleep_watched(options, patience->pause))
        return tac_fail(err, TAC_E_INTERRUPTED, "stopped while the database was away");
    patience->pause = fmin(patience->pause * 2, 3);
    return TAC_OK;
}

/* Does the step, which may be repeated, until it succeeds or fails for good. */
static tac_status patiently(struct run_campaign *campaign, remote_step *step, void *context,
                            tac_error *err)
{
    struct remote_patience patience = {.options = campaign->options};
    tac_error before = *err; /* a failure that passed is none */
    for (;;) {
        tac_status status = step(campaign, context, err);
        if (status == TAC_OK && patience.told)
            note(campaign->options, "the database is back; going on");
        if (status == TAC_OK) {
            *err = before;
            return status;
        }
        tac_store_rollback(campaign->store);
        if (!tac_store_is_passing(campaign->store))
            return status;
        status = remote_be_patient(&patience, status, err);
        if (status != TAC_OK)
            return status;
    }
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
    tac_status status = patiently(campaign, take_step, &taking, err);
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

static tac_store_lease *find_lease(struct campaign_remote *remote, int64_t run)
{
    for (size_t i = 0; i < remote->held.count; i++)
        if (remote->held.at[i].run == run)
            return &remote->held.at[i];
    return NULL;
}

static void drop_lease(struct campaign_remote *remote, int64_t run)
{
    tac_store_lease *lease = find_lease(remote, run);
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
    return remote->held.count ? patiently(campaign, renew_step, NULL, err) : TAC_OK;
}

/* --- handing in --- */

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
    const tac_store_lease *lease = find_lease(campaign->remote, run_of(message));
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
    drop_lease(remote, run);
    if (!late)
        return;
    remote->late++;
    campaign->done--; /* it was another's */
    snprintf(text, sizeof text,
             "run %lld was taken over by another worker in the meantime; its late answer is not "
             "kept",
             (long long)run);
    note(campaign->options, text);
}

tac_status remote_hand_in(struct run_campaign *campaign, tac_error *err)
{
    struct campaign_remote *remote = campaign->remote;
    if (!remote->finished.count)
        return TAC_OK;
    bool *late = tac_calloc(remote->finished.count, sizeof *late);
    tac_status status = patiently(campaign, hand_in_step, late, err);
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

/* --- what cannot be done here --- */

struct giving_back {
    int64_t run;
    const char *problem;
};

static tac_status give_back_step(struct run_campaign *campaign, void *context, tac_error *err)
{
    const struct giving_back *giving = context;
    const tac_store_lease *lease = find_lease(campaign->remote, giving->run);
    if (!lease)
        return TAC_OK;
    return tac_store_give_back(campaign->store, lease, campaign->remote->worker, giving->problem,
                               err);
}

tac_status remote_give_back(struct run_campaign *campaign, int64_t run, const char *problem,
                            tac_error *err)
{
    struct giving_back giving = {run, problem};
    tac_status status = patiently(campaign, give_back_step, &giving, err);
    if (status == TAC_OK)
        drop_lease(campaign->remote, run);
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
    awaiting->more = status == TAC_OK && count.leased > 0;
    if (status == TAC_OK && awaiting->more)
        status = tac_store_wait(campaign->store, 0.5, &changed, err);
    return status;
}

tac_status remote_await(struct run_campaign *campaign, bool *more, tac_error *err)
{
    struct awaiting awaiting = {0};
    tac_status status = patiently(campaign, await_step, &awaiting, err);
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
