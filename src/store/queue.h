/* Runs that several processes share: a campaign in a database as a queue.
 *
 * A run is taken by a lease, which has a number and ends after some seconds unless it is renewed.
 * The answer of a run is handed in with its lease: whoever holds the run's latest lease adds the
 * one row that it has; a late answer is refused. A process that dies or hangs loses its leases by
 * time alone, and others take the runs.
 *
 * Invariant: every planned run has a row, or stands in the queue; never both, never twice.
 *
 * Where the store is a folder every function is TAC_E_USAGE: a folder has one writer. */
#pragma once

#include "store/store.h"

/* As often a run may be given back with a problem before it is left alone. */
#define TAC_STORE_MOST_ATTEMPTS 3

typedef struct tac_store_lease {
    int64_t run, lease;
    int attempts; /* that failed so far */
} tac_store_lease;

typedef struct tac_store_order {
    const char *worker; /* a name that is its own; it gets no run that it gave back as failed */
    double seconds;     /* that the leases last */
    size_t most;
} tac_store_order;

typedef struct tac_store_queue_count {
    int64_t open;     /* to be taken now */
    int64_t leased;   /* somebody works on them */
    int64_t given_up; /* failed too often */
} tac_store_queue_count;

/* One process plans at a time: the others wait here. */
tac_status tac_store_plan_lock(tac_store *store, bool take, tac_error *err);
/* Puts every run of 0 ... runs-1 that has no row into the queue, unless it stands there. again:
 * runs that were given up get new attempts. */
tac_status tac_store_plan_runs(tac_store *store, int64_t runs, bool again, tac_error *err);
/* Takes at most order->most runs, the first ones that are free; out has room for them. */
tac_status tac_store_take(tac_store *store, const tac_store_order *order, tac_store_lease *out,
                          size_t *count, tac_error *err);
/* The leases last so long from now; those that were lost stay lost. */
tac_status tac_store_renew(tac_store *store, const tac_store_lease *leases, size_t count,
                           double seconds, tac_error *err);
/* The run is free again. problem: why `worker` could not do it, NULL when it did not try. */
tac_status tac_store_give_back(tac_store *store, const tac_store_lease *lease, const char *worker,
                               const char *problem, tac_error *err);
/* To be called before the run's row is added, in the same transaction. accepted false: another has
 * the run by now, and nothing is to be added; also when this very answer was added before (the
 * connection broke while it was committed), which counts as done: `done` tells. */
tac_status tac_store_hand_in(tac_store *store, const tac_store_lease *lease, bool *accepted,
                             bool *done, tac_error *err);
tac_status tac_store_count_queue(tac_store *store, tac_store_queue_count *out, tac_error *err);
/* Waits until something was added by anyone, at most so long. A folder is looked at now and then.
 */
tac_status tac_store_wait(tac_store *store, double seconds, bool *changed, tac_error *err);
/* Whether the last failure may be over soon, so that trying again makes sense: the database was
 * restarted, cannot be reached, or its disk is full. */
bool tac_store_is_passing(const tac_store *store);

/* Whether the server of an address does not answer, or says that it starts or stops: what failed
 * may go well later. False for a folder and where a server answers (a wrong name or password). */
bool tac_store_is_away(const char *address);

/* A campaign of a database. Texts are valid during the call. */
typedef struct tac_store_campaign {
    const char *name, *created; /* ISO 8601, UTC */
    int64_t runs;               /* planned; -1 = not planned yet */
    int64_t done;
    tac_store_queue_count queue;
    int64_t workers; /* that hold a lease */
} tac_store_campaign;
/* By name; only those that the role may read. An address with a campaign lists that one. */
tac_status tac_store_list(const char *address,
                          bool (*visit)(void *context, const tac_store_campaign *campaign),
                          void *context, tac_error *err);
/* Removes a campaign from its database. While workers hold leases it is TAC_E_USAGE unless forced.
 */
tac_status tac_store_remove(const char *address, bool force, tac_error *err);
