/* The parent's side of a campaign: hands runs to the workers, one team of devices each, and takes
 * their answers.
 *
 * A worker has a handful of runs at a time and answers them in order. A run that failed because of
 * a device is given to another worker, at most MOST_ATTEMPTS times; when none is left that has not
 * just failed it, it stays undone. A worker that fails several runs one after another, or dies, has
 * lost its device: it is given nothing more, and what it had goes back. Any other failure (the
 * disk, an input) ends the campaign.
 *
 * Invariant: a run is in `to_do`, with exactly one worker, in `again`, done, or given up. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/process/worker.h"
#include "run/campaign.h"
#include <poll.h>
#include <string.h>

enum { FAILURES_IN_A_ROW = 3, MOST_ATTEMPTS = 3, LARGEST_HAND = 64 };

/* A run that a device failed. */
struct again {
    int64_t id;
    size_t worker; /* where it failed last */
    unsigned attempts;
};

struct hand {
    tac_worker process;
    int64_t runs[LARGEST_HAND]; /* not answered yet, in order */
    unsigned attempts[LARGEST_HAND];
    size_t count;
    unsigned failed_in_a_row;
    size_t done;
    bool lost;
};

struct crew {
    struct run_campaign *campaign;
    struct hand *hands;
    size_t count;
    size_t next; /* in to_do */
    TAC_VEC(int64_t) returned;
    TAC_VEC(struct again) again;
    bool stop;
};

/* --- giving --- */

/* Few enough runs for all workers to end at about the same time. */
static size_t share(const struct crew *crew)
{
    size_t left = crew->campaign->to_do.count - crew->next;
    size_t part = left / (crew->count * 8) + 1;
    return part < LARGEST_HAND ? part : LARGEST_HAND;
}

static void give(struct crew *crew, size_t worker, int64_t id, unsigned attempts)
{
    struct hand *hand = &crew->hands[worker];
    hand->attempts[hand->count] = attempts;
    hand->runs[hand->count++] = id;
    /* a worker that is gone is noticed when its answers end */
    tac_worker_send(hand->process.fd, &id, sizeof id);
}

static void fill(struct crew *crew, size_t worker)
{
    struct hand *hand = &crew->hands[worker];
    for (size_t i = 0; i < crew->again.count && !hand->count; i++)
        if (crew->again.at[i].worker != worker) {
            give(crew, worker, crew->again.at[i].id, crew->again.at[i].attempts);
            crew->again.at[i] = tac_vec_pop(&crew->again);
        }
    if (!hand->count && crew->returned.count)
        give(crew, worker, tac_vec_pop(&crew->returned), 0);
    for (size_t most = share(crew); hand->count < most && crew->next < crew->campaign->to_do.count;)
        give(crew, worker, crew->campaign->to_do.at[crew->next++], 0);
}

/* --- taking --- */

/* The worker's device is gone: its runs go back to the others. */
static void lose(struct crew *crew, size_t worker, const char *message)
{
    struct hand *hand = &crew->hands[worker];
    char *team = campaign_team_text(crew->campaign, worker);
    json_array_append_new(crew->campaign->lost,
                          json_pack("{s:o,s:I,s:o}", "device", tac_json_string(team), "after",
                                    (json_int_t)hand->done, "message", tac_json_string(message)));
    free(team);
    for (size_t i = 0; i < hand->count; i++)
        if (hand->attempts[i])
            tac_vec_push(&crew->again, (struct again){hand->runs[i], worker, hand->attempts[i]});
        else
            tac_vec_push(&crew->returned, hand->runs[i]);
    hand->count = 0;
    hand->lost = true;
    tac_worker_end(&hand->process, 0);
}

static void take_failure(struct crew *crew, size_t worker, const json_t *message, int64_t id,
                         unsigned attempts)
{
    struct run_campaign *campaign = crew->campaign;
    struct hand *hand = &crew->hands[worker];
    tac_status status = (tac_status)json_integer_value(json_object_get(message, "status"));
    const char *text = json_string_value(json_object_get(message, "error"));
    tac_fail_at(&campaign->failure, status, json_string_value(json_object_get(message, "file")), 0,
                0, "run %lld: %s", (long long)id, text);
    if (status != TAC_E_DEVICE) {
        crew->stop = true;
        return;
    }
    if (attempts + 1 < MOST_ATTEMPTS)
        tac_vec_push(&crew->again, (struct again){id, worker, attempts + 1});
    if (++hand->failed_in_a_row >= FAILURES_IN_A_ROW)
        lose(crew, worker, text);
}

/* The answer to the oldest run of the worker. */
static void take_answer(struct crew *crew, size_t worker, const char *line)
{
    struct run_campaign *campaign = crew->campaign;
    struct hand *hand = &crew->hands[worker];
    json_t *message = json_loads(line, 0, NULL);
    if (!hand->count || !message) {
        json_decref(message);
        return;
    }
    int64_t id = hand->runs[0];
    unsigned attempts = hand->attempts[0];
    hand->count--;
    memmove(hand->runs, hand->runs + 1, hand->count * sizeof *hand->runs);
    memmove(hand->attempts, hand->attempts + 1, hand->count * sizeof *hand->attempts);
    if (json_object_get(message, "error")) {
        take_failure(crew, worker, message, id, attempts);
    } else {
        char *team = campaign_team_text(campaign, worker);
        json_object_set_new(json_object_get(message, "outcome"), "ran_on", tac_json_string(team));
        free(team);
        hand->failed_in_a_row = 0;
        hand->done++;
        campaign->done++;
        crew->stop |= campaign_store_run(campaign, message, &campaign->failure) != TAC_OK;
    }
    json_decref(message);
}

static void listen_to(struct crew *crew, size_t worker)
{
    struct hand *hand = &crew->hands[worker];
    bool alive = tac_worker_read(&hand->process);
    for (const char *line; !hand->lost && (line = tac_worker_line(&hand->process));)
        take_answer(crew, worker, line);
    if (alive || hand->lost)
        return;
    char why[80];
    snprintf(why, sizeof why, "a worker process died after %zu runs", hand->done);
    tac_fail(&crew->campaign->failure, TAC_E_DEVICE, "%s", why);
    if (hand->count) /* it may have died of the run it had */
        hand->attempts[0]++;
    lose(crew, worker, why);
}

/* --- the loop --- */

/* False when nobody has anything to do any more. */
static bool wait_for_answers(struct crew *crew)
{
    struct pollfd *watched = tac_calloc(crew->count, sizeof *watched);
    size_t busy = 0;
    for (size_t i = 0; i < crew->count; i++) {
        struct hand *hand = &crew->hands[i];
        if (!hand->lost && !hand->count)
            fill(crew, i);
        watched[i] = (struct pollfd){.fd = hand->count ? hand->process.fd : -1, .events = POLLIN};
        busy += hand->count > 0;
    }
    if (busy && poll(watched, crew->count, 200) > 0)
        for (size_t i = 0; i < crew->count; i++)
            if (watched[i].revents)
                listen_to(crew, i);
    free(watched);
    return busy > 0;
}

static tac_status start_crew(struct crew *crew, tac_error *err)
{
    tac_status status = TAC_OK;
    crew->hands = tac_calloc(crew->count, sizeof *crew->hands);
    for (size_t i = 0; i < crew->count; i++)
        crew->hands[i].lost = true;
    for (size_t i = 0; i < crew->count && status == TAC_OK; i++) {
        status = tac_worker_start(&crew->hands[i].process, campaign_serve, crew->campaign, i, err);
        crew->hands[i].lost = status != TAC_OK;
    }
    return status;
}

tac_status campaign_work(struct run_campaign *campaign, tac_error *err)
{
    size_t all = campaign->to_do.count, workers = campaign_worker_count(campaign);
    struct crew crew = {.campaign = campaign, .count = workers < all ? workers : all};
    tac_status status = start_crew(&crew, err);
    while (status == TAC_OK && !crew.stop && wait_for_answers(&crew))
        if (!tac_watch_tick(campaign->options->watch, "runs", campaign->done, all))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped after %zu of %zu runs",
                              campaign->done, all);
    for (size_t i = 0; i < crew.count; i++)
        tac_worker_end(&crew.hands[i].process, status == TAC_OK ? 5 : 0);
    free(crew.hands);
    tac_vec_free(&crew.again);
    tac_vec_free(&crew.returned);
    tac_error ignored;
    tac_status commit = tac_store_commit(campaign->store, status == TAC_OK ? err : &ignored);
    if (status == TAC_OK)
        status = commit;
    if (status == TAC_OK && campaign->done < all && campaign->failure.status != TAC_OK) {
        *err = campaign->failure;
        status = err->status;
    }
    return status;
}
