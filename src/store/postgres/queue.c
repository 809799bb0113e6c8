/* The queue of a campaign: a row per run that has none in `run`, taken by a lease.
 *
 * Taking locks the first free rows and passes over those that others are just taking (SKIP LOCKED),
 * so that any number of workers get different runs without waiting for each other. Times are the
 * server's alone. tests/store/lease.pml is a model of it that SPIN checks: its steps TAKE, RENEW
 * and HAND_IN are the functions take, renew and hand_in, COMMIT is that of postgres.c. */
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "store/postgres/postgres.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)
#define MOST_ATTEMPTS AS_TEXT(TAC_STORE_MOST_ATTEMPTS)

/* The lock lasts over several transactions, so a planner that stands still between them loses its
 * session instead (servers before 14 cannot do that). */
static tac_status lock(void *data, bool take, tac_error *err)
{
    static const char may_rest[] = "SELECT set_config('idle_session_timeout', $1, false) WHERE "
                                   "current_setting('server_version_num')::integer >= 140000";
    struct postgres_store *store = data;
    const char *const key[] = {store->key}, *const limit[] = {take ? "30s" : "0"};
    tac_status status = postgres_query(store, "lock the campaign",
                                       take ? "SELECT pg_advisory_lock(7103, $1::integer)"
                                            : "SELECT pg_advisory_unlock(7103, $1::integer)",
                                       1, key, NULL, err);
    return status == TAC_OK
               ? postgres_query(store, "lock the campaign", may_rest, 1, limit, NULL, err)
               : status;
}

/* Whether nothing of the campaign was planned or done so far. */
static tac_status is_fresh(struct postgres_store *store, bool *fresh, tac_error *err)
{
    const char *const key[] = {store->key};
    PGresult *result = NULL;
    tac_status status = postgres_query(store, "look at the queue",
                                       "SELECT NOT EXISTS(SELECT 1 FROM tactus.queue WHERE "
                                       "campaign=$1) AND NOT EXISTS(SELECT 1 FROM tactus.run WHERE "
                                       "campaign=$1)",
                                       1, key, &result, err);
    if (status != TAC_OK)
        return status;
    *fresh = libpq.getvalue(result, 0, 0)[0] == 't';
    libpq.clear(result);
    return TAC_OK;
}

static tac_status plan(void *data, int64_t runs, bool again, tac_error *err)
{
    struct postgres_store *store = data;
    char last[24];
    bool fresh = false;
    snprintf(last, sizeof last, "%" PRId64, runs - 1);
    const char *const values[] = {store->key, last};
    tac_status status = is_fresh(store, &fresh, err);
    if (status == TAC_OK)
        status = postgres_query(
            store, "plan the runs",
            fresh ? "INSERT INTO tactus.queue(campaign,run) SELECT $1,g FROM "
                    "generate_series(0,$2::bigint) g"
                  : "INSERT INTO tactus.queue(campaign,run) SELECT $1,g FROM "
                    "generate_series(0,$2::bigint) g WHERE NOT EXISTS(SELECT 1 FROM tactus.run r "
                    "WHERE r.campaign=$1 AND r.id=g) ON CONFLICT DO NOTHING",
            2, values, NULL, err);
    if (status == TAC_OK && fresh && runs > 10000) /* only its owner can; a notice tells others */
        status = postgres_query(store, "plan the runs", "ANALYZE tactus.queue", 0, NULL, NULL, err);
    if (status == TAC_OK && again && !fresh)
        status = postgres_query(store, "plan the runs",
                                "UPDATE tactus.queue SET attempts=0,failed_on=NULL WHERE "
                                "campaign=$1 AND (attempts>0 OR failed_on IS NOT NULL)",
                                1, values, NULL, err);
    return status;
}

static int by_run(const void *a, const void *b)
{
    const tac_store_lease *x = a, *y = b;
    return (x->run > y->run) - (x->run < y->run);
}

static tac_status take(void *data, const tac_store_order *order, tac_store_lease *out,
                       size_t *count, tac_error *err)
{
    struct postgres_store *store = data;
    char seconds[40], most[24];
    snprintf(seconds, sizeof seconds, "%.3f", order->seconds);
    snprintf(most, sizeof most, "%zu", order->most);
    const char *const values[] = {store->key, order->worker, seconds, most};
    PGresult *result = NULL;
    tac_status status = TAC_OK;
    if (store->link && order->seconds / 2 < store->rest)
        status = postgres_bound(store, order->seconds / 2, err);
    if (status != TAC_OK)
        return status;
    status = postgres_query(
        store, "take a run",
        "UPDATE tactus.queue SET lease=nextval('tactus.lease'),worker=$2,"
        "until=clock_timestamp()+make_interval(secs=>$3) WHERE campaign=$1 AND run=ANY(ARRAY("
        "SELECT run FROM tactus.queue WHERE campaign=$1 AND attempts<" MOST_ATTEMPTS
        " AND (until IS NULL OR until<clock_timestamp()) AND failed_on IS DISTINCT FROM $2 "
        "ORDER BY run LIMIT $4 FOR UPDATE SKIP LOCKED)) RETURNING run,lease,attempts",
        4, values, &result, err);
    if (status != TAC_OK)
        return status;
    *count = (size_t)libpq.ntuples(result);
    assert(*count <= order->most);
    for (size_t i = 0; i < *count; i++)
        out[i] = (tac_store_lease){.run = postgres_number(result, (int)i, 0),
                                   .lease = postgres_number(result, (int)i, 1),
                                   .attempts = (int)postgres_number(result, (int)i, 2)};
    libpq.clear(result);
    if (*count)
        qsort(out, *count, sizeof *out, by_run);
    return TAC_OK;
}

static tac_status renew(void *data, const tac_store_lease *leases, size_t count, double seconds,
                        tac_error *err)
{
    struct postgres_store *store = data;
    tac_str runs = {0}, numbers = {0};
    char text[40];
    snprintf(text, sizeof text, "%.3f", seconds);
    for (size_t i = 0; i < count; i++) {
        tac_str_addf(&runs, "%c%" PRId64, i ? ',' : '{', leases[i].run);
        tac_str_addf(&numbers, "%c%" PRId64, i ? ',' : '{', leases[i].lease);
    }
    tac_str_add(&runs, count ? "}" : "{}");
    tac_str_add(&numbers, count ? "}" : "{}");
    const char *const values[] = {store->key, tac_str_text(&runs), tac_str_text(&numbers), text};
    tac_status status = postgres_query(
        store, "renew leases",
        "UPDATE tactus.queue q SET until=clock_timestamp()+make_interval(secs=>$4) FROM "
        "unnest($2::bigint[],$3::bigint[]) AS held(run,lease) WHERE q.campaign=$1 AND "
        "q.run=held.run AND q.lease=held.lease",
        4, values, NULL, err);
    tac_str_free(&runs);
    tac_str_free(&numbers);
    return status;
}

static tac_status give_back(void *data, const tac_store_lease *lease, const char *worker,
                            const char *problem, tac_error *err)
{
    struct postgres_store *store = data;
    char run[24], number[24];
    snprintf(run, sizeof run, "%" PRId64, lease->run);
    snprintf(number, sizeof number, "%" PRId64, lease->lease);
    const char *const values[] = {store->key, run, number, worker, problem};
    return postgres_query(
        store, "give a run back",
        problem ? "UPDATE tactus.queue SET lease=NULL,worker=NULL,until=NULL,attempts=attempts+1,"
                  "failed_on=$4,problem=$5 WHERE campaign=$1 AND run=$2 AND lease=$3"
                : "UPDATE tactus.queue SET lease=NULL,worker=NULL,until=NULL WHERE campaign=$1 AND "
                  "run=$2 AND lease=$3",
        problem ? 5 : 3, values, NULL, err);
}

/* Whether the row was added with this very lease: the connection broke while it was committed. */
static tac_status was_done(struct postgres_store *store, const char *const values[3], bool *done,
                           tac_error *err)
{
    PGresult *result = NULL;
    tac_status status =
        postgres_query(store, "look for a run",
                       "SELECT 1 FROM tactus.run WHERE campaign=$1 AND id=$2 AND lease=$3", 3,
                       values, &result, err);
    if (status != TAC_OK)
        return status;
    *done = libpq.ntuples(result) == 1;
    libpq.clear(result);
    return TAC_OK;
}

static tac_status hand_in(void *data, const tac_store_lease *lease, bool *accepted, bool *done,
                          tac_error *err)
{
    struct postgres_store *store = data;
    assert(store->in_transaction && lease->lease > 0);
    char run[24], number[24];
    snprintf(run, sizeof run, "%" PRId64, lease->run);
    snprintf(number, sizeof number, "%" PRId64, lease->lease);
    const char *const values[] = {store->key, run, number};
    PGresult *result = NULL;
    tac_status status =
        postgres_query(store, "hand a run in",
                       "DELETE FROM tactus.queue WHERE campaign=$1 AND run=$2 AND lease=$3", 3,
                       values, &result, err);
    if (status != TAC_OK)
        return status;
    *accepted = !strcmp(libpq.cmdTuples(result), "1");
    *done = false;
    libpq.clear(result);
    store->lease = *accepted ? lease->lease : 0;
    return *accepted ? TAC_OK : was_done(store, values, done, err);
}

static tac_status count_queue(void *data, tac_store_queue_count *out, tac_error *err)
{
    struct postgres_store *store = data;
    const char *const key[] = {store->key};
    PGresult *result = NULL;
    tac_status status = postgres_query(store, "look at the queue",
                                       "SELECT count(*) FILTER (WHERE attempts<" MOST_ATTEMPTS
                                       " AND (until IS NULL OR until<clock_timestamp())),"
                                       "count(*) FILTER (WHERE until>=clock_timestamp()),"
                                       "count(*) FILTER (WHERE attempts>=" MOST_ATTEMPTS
                                       ") FROM tactus.queue WHERE campaign=$1",
                                       1, key, &result, err);
    if (status != TAC_OK)
        return status;
    *out = (tac_store_queue_count){.open = postgres_number(result, 0, 0),
                                   .leased = postgres_number(result, 0, 1),
                                   .given_up = postgres_number(result, 0, 2)};
    libpq.clear(result);
    return TAC_OK;
}

/* --- news --- */

static bool news_of(struct postgres_store *store)
{
    bool any = false;
    libpq.consumeInput(store->link);
    for (PGnotify *notify; (notify = libpq.notifies(store->link));) {
        any |= !strcmp(notify->extra, store->campaign);
        libpq.freemem(notify);
    }
    return any;
}

static tac_status wait_for_news(void *data, double seconds, bool *changed, tac_error *err)
{
    struct postgres_store *store = data;
    tac_status status = TAC_OK;
    *changed = false;
    if (!store->listening) {
        status = postgres_query(store, "listen", "LISTEN tactus", 0, NULL, NULL, err);
        store->listening = status == TAC_OK;
        *changed = true; /* what came before was not heard */
    } else {
        status = postgres_query(store, "listen", "SELECT", 0, NULL, NULL, err); /* is it there? */
    }
    double limit = tac_now() + seconds;
    while (status == TAC_OK && !*changed && !news_of(store)) {
        double left = limit - tac_now();
        struct pollfd news = {.fd = libpq.socket(store->link), .events = POLLIN};
        if (left <= 0 || libpq.status(store->link) != CONNECTION_OK)
            return TAC_OK;
        if (poll(&news, 1, (int)(left * 1000) + 1) < 0 && errno == EINTR)
            return TAC_OK;
    }
    *changed = true;
    return status;
}

static bool is_passing(const void *data)
{
    return ((const struct postgres_store *)data)->passing;
}

const struct store_queue postgres_queue = {.lock = lock,
                                           .plan = plan,
                                           .take = take,
                                           .renew = renew,
                                           .give_back = give_back,
                                           .hand_in = hand_in,
                                           .count = count_queue,
                                           .wait = wait_for_news,
                                           .is_passing = is_passing};
