/* The parent's side of a campaign: hands runs to the workers, one team of devices each, and takes
 * their answers.
 *
 * A worker has a handful of runs at a time and answers them in order. A run that failed because of
 * a device is given to another worker, at most MOST_ATTEMPTS times; when none is left that has not
 * just failed it, it stays undone. A worker that fails several runs one after another, or dies, has
 * lost its device: it is given nothing more, and what it had goes back. A worker process that dies,
 * or that a signal stopped for several seconds, is replaced a few times. Any other failure (the
 * disk, an input) ends the campaign.
 *
 * The rows of the runs that have come in are committed before anything else is waited for: a kill
 * loses only runs that are under way.
 *
 * In a campaign that lives in a database to_do grows by what is taken there, and what nobody here
 * can do is given back (remote.c).
 *
 * Invariant: a run is in `to_do`, with exactly one worker, in `again`, done, or given up. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/process/worker.h"
#include "run/campaign/remote.h"
#include <poll.h>
#include <string.h>

enum { FAILURES_IN_A_ROW = 3, MOST_ATTEMPTS = 3, MOST_REPLACED = 3, LARGEST_QUEUE = 64 };
static const double longest_stop = 5; /* seconds that a worker may stand still */

/* A run that a device failed. */
struct again {
    int64_t id;
    size_t worker; /* where it failed last; SIZE_MAX: it may go anywhere */
    unsigned attempts;
};

struct worker_queue {
    tac_worker process;
    int64_t runs[LARGEST_QUEUE]; /* not answered yet, in order */
    unsigned attempts[LARGEST_QUEUE];
    size_t count;
    unsigned failed_in_a_row;
    size_t done;
    unsigned replaced;    /* since it last finished a run */
    double stopped_since; /* 0: it is not stopped */
    double started;       /* when its oldest run was given, or the one before was answered */
    int64_t troubled;     /* the first of the runs that it failed in a row, */
    char trouble[900];    /* and why; then what came of it */
    bool lost;
};

struct dispatch {
    struct run_campaign *campaign;
    struct worker_queue *queues;
    size_t count;
    size_t next; /* in to_do */
    TAC_VEC(int64_t) returned;
    TAC_VEC(struct again) again;
    bool stop;
};

/* --- giving --- */

/* Few enough runs for all workers to end at about the same time. */
static size_t share(const struct dispatch *dispatch)
{
    size_t left = dispatch->campaign->to_do.count - dispatch->next;
    if (dispatch->campaign->remote) /* what was taken was measured out for one worker */
        return LARGEST_QUEUE;
    size_t part = left / (dispatch->count * 8) + 1;
    return part < LARGEST_QUEUE ? part : LARGEST_QUEUE;
}

static void give(struct dispatch *dispatch, size_t worker, int64_t id, unsigned attempts)
{
    struct worker_queue *queue = &dispatch->queues[worker];
    assert(queue->count < LARGEST_QUEUE && !queue->lost);
    if (!queue->count)
        queue->started = tac_now();
    queue->attempts[queue->count] = attempts;
    queue->runs[queue->count++] = id;
    /* a worker that is gone is noticed when its answers end */
    tac_worker_send(queue->process.fd, &id, sizeof id);
}

static void fill(struct dispatch *dispatch, size_t worker)
{
    struct worker_queue *queue = &dispatch->queues[worker];
    for (size_t i = 0; i < dispatch->again.count && !queue->count; i++)
        if (dispatch->again.at[i].worker != worker) {
            give(dispatch, worker, dispatch->again.at[i].id, dispatch->again.at[i].attempts);
            dispatch->again.at[i] = tac_vec_pop(&dispatch->again);
        }
    if (!queue->count && dispatch->returned.count)
        give(dispatch, worker, tac_vec_pop(&dispatch->returned), 0);
    if (dispatch->campaign->remote && !queue->count && !dispatch->stop &&
        dispatch->next == dispatch->campaign->to_do.count)
        dispatch->stop |=
            remote_take(dispatch->campaign, LARGEST_QUEUE, &dispatch->campaign->failure) != TAC_OK;
    for (size_t most = share(dispatch);
         queue->count < most && dispatch->next < dispatch->campaign->to_do.count;)
        give(dispatch, worker, dispatch->campaign->to_do.at[dispatch->next++], 0);
}

/* --- taking --- */

/* What the worker had goes back to the others. */
static void return_runs(struct dispatch *dispatch, size_t worker, size_t except)
{
    struct worker_queue *queue = &dispatch->queues[worker];
    for (size_t i = 0; i < queue->count; i++)
        if (queue->attempts[i] >= MOST_ATTEMPTS)
            continue;
        else if (queue->attempts[i])
            tac_vec_push(&dispatch->again,
                         (struct again){queue->runs[i], except, queue->attempts[i]});
        else
            tac_vec_push(&dispatch->returned, queue->runs[i]);
    queue->count = 0;
    tac_worker_end(&queue->process, 0);
}

/* The worker's device is gone: its runs go back to the others. */
static void lose(struct dispatch *dispatch, size_t worker, const char *message)
{
    struct worker_queue *queue = &dispatch->queues[worker];
    tac_vec_push(&dispatch->campaign->lost,
                 (struct lost_device){.device = campaign_team_text(dispatch->campaign, worker),
                                      .message = tac_strdup(message),
                                      .after = (int64_t)queue->done});
    return_runs(dispatch, worker, worker);
    queue->lost = true;
}

/* The process is of no use any more: another takes its place. */
static void replace(struct dispatch *dispatch, size_t worker, const char *why)
{
    struct worker_queue *queue = &dispatch->queues[worker];
    tac_fail(&dispatch->campaign->failure, TAC_E_DEVICE, "%s", why);
    if (queue->count) /* it may have died of the run it had */
        queue->attempts[0]++;
    queue->stopped_since = 0;
    if (queue->replaced++ >= MOST_REPLACED) {
        lose(dispatch, worker, why);
        return;
    }
    return_runs(dispatch, worker, SIZE_MAX);
    tac_error err;
    if (tac_worker_start(&queue->process, campaign_serve, dispatch->campaign, worker, &err) !=
        TAC_OK)
        lose(dispatch, worker, err.message);
}

/* What began it is told, and what came of it: a phone that was lost in the middle of a run is not
 * found for the next one. */
static void note_trouble(struct worker_queue *queue, int64_t id, const char *text)
{
    size_t length = strlen(queue->trouble);
    if (!queue->failed_in_a_row) {
        queue->troubled = id;
        snprintf(queue->trouble, sizeof queue->trouble, "%s", text);
    } else if (queue->failed_in_a_row == 1 && strcmp(queue->trouble, text) != 0) {
        snprintf(queue->trouble + length, sizeof queue->trouble - length, "; then %s", text);
    }
}

static void take_failure(struct dispatch *dispatch, size_t worker, const json_t *message,
                         int64_t id, unsigned attempts)
{
    struct run_campaign *campaign = dispatch->campaign;
    struct worker_queue *queue = &dispatch->queues[worker];
    tac_status status = (tac_status)json_integer_value(json_object_get(message, "status"));
    const char *text = json_string_value(json_object_get(message, "error"));
    const char *file = json_string_value(json_object_get(message, "file"));
    size_t line = (size_t)json_integer_value(json_object_get(message, "line"));
    size_t column = (size_t)json_integer_value(json_object_get(message, "column"));
    if (line) /* what is wrong in a file is wrong in every run */
        tac_fail_at(&campaign->failure, status, file, line, column, "%s", text);
    else
        tac_fail_at(&campaign->failure, status, file, 0, 0, "run %lld: %s", (long long)id, text);
    if (status != TAC_E_DEVICE) {
        dispatch->stop = true;
        return;
    }
    if (attempts + 1 < MOST_ATTEMPTS)
        tac_vec_push(&dispatch->again, (struct again){id, worker, attempts + 1});
    note_trouble(queue, id, text);
    if (!line)
        tac_fail_at(&campaign->failure, status, file, 0, 0, "run %lld: %s",
                    (long long)queue->troubled, queue->trouble);
    if (++queue->failed_in_a_row >= FAILURES_IN_A_ROW)
        lose(dispatch, worker, queue->trouble);
}

/* The answer to the oldest run of the worker. False when it is none. */
static bool take_answer(struct dispatch *dispatch, size_t worker, const char *line)
{
    struct run_campaign *campaign = dispatch->campaign;
    struct worker_queue *queue = &dispatch->queues[worker];
    json_t *message = json_loads(line, 0, NULL);
    if (!message)
        return false;
    if (!queue->count) {
        json_decref(message);
        return true;
    }
    int64_t id = queue->runs[0];
    unsigned attempts = queue->attempts[0];
    queue->count--;
    memmove(queue->runs, queue->runs + 1, queue->count * sizeof *queue->runs);
    memmove(queue->attempts, queue->attempts + 1, queue->count * sizeof *queue->attempts);
    if (json_object_get(message, "error")) {
        take_failure(dispatch, worker, message, id, attempts);
    } else {
        char *team = campaign_team_text(campaign, worker);
        json_object_set_new(json_object_get(message, "outcome"), "ran_on", tac_json_string(team));
        free(team);
        queue->failed_in_a_row = 0;
        queue->replaced = 0;
        double now = tac_now();
        if (campaign->remote)
            remote_note_speed(campaign, now - queue->started);
        queue->started = now;
        queue->done++;
        campaign->done++;
        dispatch->stop |= campaign_store_run(campaign, message, &campaign->failure) != TAC_OK;
    }
    json_decref(message);
    return true;
}

static void listen_to(struct dispatch *dispatch, size_t worker)
{
    struct worker_queue *queue = &dispatch->queues[worker];
    bool alive = tac_worker_read(&queue->process), sane = true;
    for (const char *line; sane && !queue->lost && (line = tac_worker_line(&queue->process));)
        sane = take_answer(dispatch, worker, line);
    if (!dispatch->stop)
        dispatch->stop |=
            campaign_commit(dispatch->campaign, &dispatch->campaign->failure) != TAC_OK;
    if ((alive && sane) || queue->lost)
        return;
    char why[80];
    snprintf(why, sizeof why, "a worker process %s after %zu %s",
             sane ? "died" : "answered what cannot be read", queue->done,
             queue->done == 1 ? "run" : "runs");
    replace(dispatch, worker, why);
}

/* A worker that was stopped will not answer; one that only waits for its device will. */
static void look_for_stopped(struct dispatch *dispatch)
{
    for (size_t i = 0; i < dispatch->count; i++) {
        struct worker_queue *queue = &dispatch->queues[i];
        double now = tac_now();
        if (queue->lost || !queue->count || !tac_worker_is_stopped(&queue->process))
            queue->stopped_since = 0;
        else if (queue->stopped_since <= 0)
            queue->stopped_since = now;
        else if (now - queue->stopped_since > longest_stop)
            replace(dispatch, i, "a worker process was stopped by a signal");
    }
}

/* --- the loop --- */

/* False when nobody has anything to do any more. */
static bool wait_for_answers(struct dispatch *dispatch)
{
    struct pollfd *watched = tac_calloc(dispatch->count, sizeof *watched);
    size_t busy = 0;
    for (size_t i = 0; i < dispatch->count; i++) {
        struct worker_queue *queue = &dispatch->queues[i];
        if (!queue->lost && !queue->count)
            fill(dispatch, i);
        watched[i] = (struct pollfd){.fd = queue->lost ? -1 : queue->process.fd, .events = POLLIN};
        busy += queue->count > 0;
    }
    if (busy && poll(watched, dispatch->count, 200) > 0)
        for (size_t i = 0; i < dispatch->count; i++)
            if (watched[i].revents)
                listen_to(dispatch, i);
    free(watched);
    look_for_stopped(dispatch);
    return busy > 0;
}

static bool any_left(const struct dispatch *dispatch)
{
    for (size_t i = 0; i < dispatch->count; i++)
        if (!dispatch->queues[i].lost)
            return true;
    return false;
}

/* Nobody here has anything to do: what no device here can do goes back, and as long as others hold
 * runs that may come back there is something to wait for. */
static bool others_work(struct dispatch *dispatch)
{
    struct run_campaign *campaign = dispatch->campaign;
    tac_status status = TAC_OK;
    bool more = false;
    if (!campaign->remote || dispatch->stop)
        return false;
    while (dispatch->again.count && status == TAC_OK) {
        char *problem = tac_strdup(campaign->failure.message);
        status = remote_give_back(campaign, tac_vec_pop(&dispatch->again).id, problem,
                                  &campaign->failure);
        free(problem);
    }
    if (status == TAC_OK && any_left(dispatch))
        status = remote_await(campaign, &more, &campaign->failure);
    dispatch->stop |= status != TAC_OK;
    return more && status == TAC_OK;
}

static tac_status tick(struct dispatch *dispatch, size_t all, tac_error *err)
{
    struct run_campaign *campaign = dispatch->campaign;
    if (campaign->remote)
        dispatch->stop |= remote_renew(campaign, &campaign->failure) != TAC_OK;
    if (tac_watch_tick(campaign->options->watch, "runs", campaign->done, all))
        return TAC_OK;
    return tac_fail(err, TAC_E_INTERRUPTED, "stopped after %zu of %zu runs", campaign->done, all);
}

/* Everything is done, but a device failed what it had last and others did it: it is named. */
static void name_failing(struct dispatch *dispatch)
{
    for (size_t i = 0; i < dispatch->count; i++)
        if (!dispatch->queues[i].lost && dispatch->queues[i].failed_in_a_row)
            lose(dispatch, i, dispatch->queues[i].trouble);
}

tac_status campaign_work(struct run_campaign *campaign, tac_error *err)
{
    bool remote = campaign->remote != NULL;
    size_t all = remote ? campaign->run_count : campaign->to_do.count;
    size_t workers = campaign_worker_count(campaign);
    struct dispatch dispatch = {.campaign = campaign, .count = workers < all ? workers : all};
    tac_status status = TAC_OK;
    dispatch.queues = tac_calloc(dispatch.count, sizeof *dispatch.queues);
    for (size_t i = 0; i < dispatch.count; i++)
        dispatch.queues[i].lost = true;
    for (size_t i = 0; i < dispatch.count && status == TAC_OK; i++) {
        status = tac_worker_start(&dispatch.queues[i].process, campaign_serve, campaign, i, err);
        dispatch.queues[i].lost = status != TAC_OK;
    }
    while (status == TAC_OK && !dispatch.stop &&
           (wait_for_answers(&dispatch) || others_work(&dispatch)))
        status = tick(&dispatch, all, err);
    bool any_working = any_left(&dispatch);
    if (status == TAC_OK && !dispatch.stop && !remote && campaign->done == all)
        name_failing(&dispatch);
    for (size_t i = 0; i < dispatch.count; i++)
        tac_worker_end(&dispatch.queues[i].process, status == TAC_OK ? 5 : 0);
    free(dispatch.queues);
    tac_vec_free(&dispatch.again);
    tac_vec_free(&dispatch.returned);
    tac_error ignored;
    tac_status commit =
        remote ? TAC_OK : tac_store_commit(campaign->store, status == TAC_OK ? err : &ignored);
    if (remote)
        remote_release(campaign);
    if (status == TAC_OK)
        status = commit;
    assert(!dispatch.stop || campaign->failure.status != TAC_OK);
    bool undone =
        remote ? !any_working && campaign->failure.status != TAC_OK : campaign->done < all;
    if (status == TAC_OK && (dispatch.stop || undone) && campaign->failure.status != TAC_OK) {
        *err = campaign->failure;
        status = err->status;
    }
    return status;
}
