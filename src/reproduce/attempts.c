/* The parent's side of executing candidates. See attempts.h.
 *
 * Invariant: an execution waits in `left`, is with exactly one worker, or was told. */
#include "reproduce/attempts.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/process/worker.h"
#include <poll.h>
#include <string.h>

enum { FAILURES_IN_A_ROW = 2, MOST_ATTEMPTS = 6, MOST_REPLACED = 3 };
static const double longest_stop = 5; /* seconds that a worker may stand still */

struct attempt_worker {
    tac_worker process;
    size_t current; /* index of the execution it has, or SIZE_MAX */
    unsigned failed_in_a_row, replaced;
    size_t done;
    double stopped_since; /* 0: it is not stopped */
    bool lost;
};

struct attempts {
    struct run_campaign campaign;
    struct attempt_worker *workers;
    size_t count;
    tac_error failure; /* of the last execution that a device could not do */
};

/* One call of attempts_do. */
struct batch {
    struct attempts *attempts;
    const struct attempt *list;
    TAC_VEC(size_t) left;
    unsigned *tried; /* per execution */
    size_t told;
    attempt_done *done;
    void *context;
};

/* --- giving --- */

static bool give(struct batch *batch, size_t worker, size_t index)
{
    const struct attempt *attempt = &batch->list[index];
    struct attempt_worker *to = &batch->attempts->workers[worker];
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)attempt->seed);
    json_t *request =
        json_pack("{s:o,s:o,s:s,s:f}", "flow", tac_flow_json(attempt->flow), "scenario",
                  tac_json_string(attempt->scenario), "seed", seed, "deadline", attempt->deadline);
    char *text = tac_json_text(request, JSON_COMPACT);
    uint64_t size = strlen(text);
    assert(!to->lost && to->current == SIZE_MAX);
    to->current = index;
    /* a worker that is gone is noticed when its answers end */
    bool sent = tac_worker_send(to->process.fd, &size, sizeof size) &&
                tac_worker_send(to->process.fd, text, size);
    free(text);
    json_decref(request);
    return sent;
}

static void lose(struct batch *batch, size_t worker, const char *why)
{
    struct attempts *attempts = batch->attempts;
    struct attempt_worker *lost = &attempts->workers[worker];
    tac_vec_push(&attempts->campaign.lost,
                 (struct lost_device){.device = campaign_team_text(&attempts->campaign, worker),
                                      .message = tac_strdup(why),
                                      .after = (int64_t)lost->done});
    if (lost->current != SIZE_MAX)
        tac_vec_push(&batch->left, lost->current);
    lost->current = SIZE_MAX;
    tac_worker_end(&lost->process, 0);
    lost->lost = true;
}

static void replace(struct batch *batch, size_t worker, const char *why)
{
    struct attempt_worker *at = &batch->attempts->workers[worker];
    tac_error err;
    tac_fail(&batch->attempts->failure, TAC_E_DEVICE, "%s", why);
    at->stopped_since = 0;
    if (at->replaced++ >= MOST_REPLACED) {
        lose(batch, worker, why);
        return;
    }
    if (at->current != SIZE_MAX)
        tac_vec_push(&batch->left, at->current);
    at->current = SIZE_MAX;
    tac_worker_end(&at->process, 0);
    if (tac_worker_start(&at->process, attempts_serve, &batch->attempts->campaign, worker, &err) !=
        TAC_OK)
        lose(batch, worker, err.message);
}

/* --- taking --- */

static const struct field attempt_outcome_fields[] = {
    /* stays: device */
    FIELD(struct attempt_outcome, end),
    FIELDS(struct attempt_outcome, steps, message, exception, stack, place, screen, wait, seconds),
    FIELD_TEXTS(struct attempt_outcome, violated, violated_count)};
DESCRIBE(attempt_outcome, struct attempt_outcome);

static tac_status tell(struct batch *batch, size_t worker, size_t index, const json_t *answer,
                       tac_error *err)
{
    char *team = campaign_team_text(&batch->attempts->campaign, worker);
    struct attempt_outcome outcome = {.device = team};
    tac_arena arena = {0};
    describe_read(&attempt_outcome_described, answer, &arena, &outcome);
    tac_status status = batch->done(batch->context, index, &outcome, err);
    batch->told++;
    tac_arena_free(&arena);
    free(team);
    return status;
}

/* The device could not: somebody else tries. Any other failure ends it all. */
static tac_status take_failure(struct batch *batch, size_t worker, size_t index,
                               const json_t *answer, tac_error *err)
{
    struct attempt_worker *at = &batch->attempts->workers[worker];
    tac_status status = (tac_status)json_integer_value(json_object_get(answer, "status"));
    tac_error *failure = &batch->attempts->failure;
    tac_fail_at(failure, status, tac_json_get_text(answer, "file"), 0, 0, "%s",
                tac_json_get_text(answer, "error"));
    if (status == TAC_E_DEVICE && ++batch->tried[index] < MOST_ATTEMPTS) {
        tac_vec_push(&batch->left, index);
        if (++at->failed_in_a_row >= FAILURES_IN_A_ROW)
            lose(batch, worker, failure->message);
        return TAC_OK;
    }
    if (err)
        *err = *failure;
    return status;
}

static tac_status take_answer(struct batch *batch, size_t worker, const char *line, tac_error *err)
{
    struct attempt_worker *at = &batch->attempts->workers[worker];
    json_t *answer = json_loads(line, 0, NULL);
    size_t index = at->current;
    tac_status status = TAC_OK;
    if (answer && index != SIZE_MAX) {
        at->current = SIZE_MAX;
        if (json_object_get(answer, "error")) {
            status = take_failure(batch, worker, index, answer, err);
        } else {
            at->failed_in_a_row = 0;
            at->replaced = 0;
            at->done++;
            status = tell(batch, worker, index, answer, err);
        }
    }
    json_decref(answer);
    return status;
}

static tac_status listen_to(struct batch *batch, size_t worker, tac_error *err)
{
    struct attempt_worker *at = &batch->attempts->workers[worker];
    bool alive = tac_worker_read(&at->process);
    tac_status status = TAC_OK;
    for (const char *line; !at->lost && status == TAC_OK && (line = tac_worker_line(&at->process));)
        status = take_answer(batch, worker, line, err);
    if (status == TAC_OK && !alive && !at->lost)
        replace(batch, worker, "a worker process died");
    return status;
}

static void look_for_stopped(struct batch *batch)
{
    for (size_t i = 0; i < batch->attempts->count; i++) {
        struct attempt_worker *at = &batch->attempts->workers[i];
        if (at->lost || at->current == SIZE_MAX || !tac_worker_is_stopped(&at->process))
            at->stopped_since = 0;
        else if (at->stopped_since <= 0)
            at->stopped_since = tac_now();
        else if (tac_now() - at->stopped_since > longest_stop)
            replace(batch, i, "a worker process was stopped by a signal");
    }
}

/* --- the loop --- */

static tac_status nobody_left(const struct attempts *attempts, tac_error *err)
{
    if (attempts->failure.status == TAC_OK)
        return tac_fail(err, TAC_E_DEVICE, "there is no device left");
    if (err)
        *err = attempts->failure;
    return attempts->failure.status;
}

static tac_status one_round(struct batch *batch, tac_error *err)
{
    struct attempts *attempts = batch->attempts;
    struct pollfd *watched = tac_calloc(attempts->count, sizeof *watched);
    size_t usable = 0;
    for (size_t i = 0; i < attempts->count; i++) {
        struct attempt_worker *at = &attempts->workers[i];
        if (!at->lost && at->current == SIZE_MAX && batch->left.count)
            give(batch, i, tac_vec_pop(&batch->left));
        usable += !at->lost;
        watched[i] = (struct pollfd){
            .fd = !at->lost && at->current != SIZE_MAX ? at->process.fd : -1, .events = POLLIN};
    }
    tac_status status = usable ? TAC_OK : nobody_left(attempts, err);
    if (status == TAC_OK && poll(watched, attempts->count, 200) > 0)
        for (size_t i = 0; i < attempts->count && status == TAC_OK; i++)
            if (watched[i].revents)
                status = listen_to(batch, i, err);
    look_for_stopped(batch);
    free(watched);
    return status;
}

/* What is still under way is of no use any more: its answers would be taken for later ones. */
static void abandon(struct batch *batch)
{
    for (size_t i = 0; i < batch->attempts->count; i++) {
        struct attempt_worker *at = &batch->attempts->workers[i];
        if (at->lost || at->current == SIZE_MAX)
            continue;
        tac_worker_end(&at->process, 0);
        at->current = SIZE_MAX;
        at->lost = true;
    }
}

tac_status attempts_do(struct attempts *attempts, const struct attempt *list, size_t count,
                       attempt_done *done, void *context, tac_error *err)
{
    struct batch batch = {.attempts = attempts,
                          .list = list,
                          .tried = tac_calloc(count, sizeof(unsigned)),
                          .done = done,
                          .context = context};
    for (size_t i = count; i > 0; i--)
        tac_vec_push(&batch.left, i - 1);
    tac_watch *watch = attempts->campaign.options->watch;
    tac_status status = TAC_OK;
    while (status == TAC_OK && batch.told < count) {
        if (!tac_watch_tick(watch, "executions", batch.told, count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped during an execution");
        else
            status = one_round(&batch, err);
    }
    if (status != TAC_OK)
        abandon(&batch);
    tac_vec_free(&batch.left);
    free(batch.tried);
    return status;
}

/* --- the team --- */

static tac_status start_workers(struct attempts *attempts, tac_error *err)
{
    tac_status status = TAC_OK;
    attempts->count = campaign_worker_count(&attempts->campaign);
    attempts->workers = tac_calloc(attempts->count, sizeof *attempts->workers);
    for (size_t i = 0; i < attempts->count; i++)
        attempts->workers[i] = (struct attempt_worker){.current = SIZE_MAX, .lost = true};
    for (size_t i = 0; i < attempts->count && status == TAC_OK; i++) {
        status = tac_worker_start(&attempts->workers[i].process, attempts_serve,
                                  &attempts->campaign, i, err);
        attempts->workers[i].lost = status != TAC_OK;
    }
    return status;
}

tac_status attempts_open(const tac_run_options *options, const tac_flow *flows, size_t count,
                         struct attempts **out, tac_error *err)
{
    struct attempts *attempts = tac_calloc(1, sizeof *attempts);
    struct run_campaign *campaign = &attempts->campaign;
    *campaign = (struct run_campaign){.options = options};
    tac_status status = campaign_load_inputs(campaign, err);
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        tac_vec_push(&campaign->flows.flows, flow_set_keep(&campaign->flows, &flows[i]));
    if (status == TAC_OK)
        status = campaign_assign_devices(campaign, err);
    if (status == TAC_OK)
        status = start_workers(attempts, err);
    if (status == TAC_OK)
        *out = attempts;
    else
        attempts_close(attempts);
    return status;
}

tac_status attempts_plan(const struct attempts *attempts, json_t **out, tac_error *err)
{
    return campaign_plan(&attempts->campaign, out, err);
}

size_t attempts_lost(const struct attempts *attempts, const struct lost_device **list)
{
    *list = attempts->campaign.lost.at;
    return attempts->campaign.lost.count;
}

void attempts_close(struct attempts *attempts)
{
    if (!attempts)
        return;
    for (size_t i = 0; i < attempts->count; i++)
        tac_worker_end(&attempts->workers[i].process, attempts->workers[i].lost ? 0 : 5);
    free(attempts->workers);
    campaign_free_inputs(&attempts->campaign);
    free(attempts);
}
