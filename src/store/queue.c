/* The queue of a store, where its place has one. See store/queue.h. */
#include "base/check.h"
#include "base/data/visible.h"
#include "store/backend.h"
#include <time.h>

static tac_status queue_of(const tac_store *store, const struct store_queue **out, tac_error *err)
{
    *out = store->backend->queue;
    if (!*out)
        return tac_fail_at(err, TAC_E_USAGE, store->where, 0, 0,
                           "is a folder, which one process writes to; several share a database");
    return TAC_OK;
}

tac_status tac_store_plan_lock(tac_store *store, bool take, tac_error *err)
{
    const struct store_queue *queue;
    tac_status status = queue_of(store, &queue, err);
    return status == TAC_OK ? queue->lock(store->data, take, err) : status;
}

tac_status tac_store_plan_runs(tac_store *store, int64_t runs, bool again, tac_error *err)
{
    const struct store_queue *queue;
    assert(runs >= 0);
    tac_status status = queue_of(store, &queue, err);
    if (status == TAC_OK)
        status = store_begin(store, err);
    if (status == TAC_OK)
        status = queue->plan(store->data, runs, again, err);
    return status == TAC_OK ? tac_store_commit(store, err) : status;
}

tac_status tac_store_take(tac_store *store, const tac_store_order *order, tac_store_lease *out,
                          size_t *count, tac_error *err)
{
    const struct store_queue *queue;
    assert(order->worker && order->most && order->seconds > 0);
    *count = 0;
    tac_status status = queue_of(store, &queue, err);
    if (status == TAC_OK)
        status = queue->take(store->data, order, out, count, err);
    assert(*count <= order->most);
    return status;
}

tac_status tac_store_renew(tac_store *store, const tac_store_lease *leases, size_t count,
                           double seconds, tac_error *err)
{
    const struct store_queue *queue;
    assert(leases || !count);
    tac_status status = queue_of(store, &queue, err);
    if (status != TAC_OK || !count)
        return status;
    return queue->renew(store->data, leases, count, seconds, err);
}

tac_status tac_store_give_back(tac_store *store, const tac_store_lease *lease, const char *worker,
                               const char *problem, tac_error *err)
{
    const struct store_queue *queue;
    assert(lease && worker);
    tac_status status = queue_of(store, &queue, err);
    return status == TAC_OK ? queue->give_back(store->data, lease, worker, problem, err) : status;
}

tac_status tac_store_hand_in(tac_store *store, const tac_store_lease *lease, bool *accepted,
                             bool *done, tac_error *err)
{
    const struct store_queue *queue;
    assert(lease && accepted && done);
    tac_status status = queue_of(store, &queue, err);
    if (status == TAC_OK)
        status = store_begin(store, err);
    return status == TAC_OK ? queue->hand_in(store->data, lease, accepted, done, err) : status;
}

tac_status tac_store_count_queue(tac_store *store, tac_store_queue_count *out, tac_error *err)
{
    const struct store_queue *queue;
    tac_status status = queue_of(store, &queue, err);
    return status == TAC_OK ? queue->count(store->data, out, err) : status;
}

tac_status tac_store_wait(tac_store *store, double seconds, bool *changed, tac_error *err)
{
    if (store->backend->queue)
        return store->backend->queue->wait(store->data, seconds, changed, err);
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
    *changed = true; /* nobody tells */
    return TAC_OK;
}

bool tac_store_is_passing(const tac_store *store)
{
    return store->backend->queue && store->backend->queue->is_passing(store->data);
}

bool tac_store_is_away(const char *address)
{
    return tac_store_is_address(address) && store_postgres.is_away(address);
}

static tac_status needs_address(const char *address, tac_error *err)
{
    if (tac_store_is_address(address))
        return TAC_OK;
    return tac_fail_at(err, TAC_E_USAGE, address, 0, 0,
                       "is not the address of a database, postgresql://USER@HOST/DB");
}

tac_status tac_store_list(const char *address,
                          bool (*visit)(void *context, const tac_store_campaign *campaign),
                          void *context, tac_error *err)
{
    tac_status status = needs_address(address, err);
    return status == TAC_OK ? store_postgres.list(address, visit, context, err) : status;
}

tac_status tac_store_remove(const char *address, bool force, tac_error *err)
{
    tac_status status = needs_address(address, err);
    return status == TAC_OK ? store_postgres.remove(address, force, err) : status;
}

/* --- files --- */

tac_status store_strange_file(const tac_store *store, const char *name, tac_error *err)
{
    char *shown = tac_visible(name);
    tac_status status = tac_fail_at(err, TAC_E_INPUT, store->where, 0, 0,
                                    "the file '%.200s' is not one that a campaign has", shown);
    free(shown);
    return status;
}

tac_status tac_store_put_file(tac_store *store, const char *name, const char *path, tac_error *err)
{
    tac_status status =
        store_is_file_name(name) ? store_begin(store, err) : store_strange_file(store, name, err);
    return status == TAC_OK ? store->backend->put_file(store->data, name, path, err) : status;
}

tac_status tac_store_get_file(tac_store *store, const char *name, const char *path, tac_error *err)
{
    return store->backend->get_file(store->data, name, path, err);
}

tac_status tac_store_each_file(tac_store *store, bool (*visit)(void *context, const char *name),
                               void *context, tac_error *err)
{
    return store->backend->each_file(store->data, visit, context, err);
}
