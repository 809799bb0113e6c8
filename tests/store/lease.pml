/* How workers share the runs of a campaign in a database, as a model for SPIN. The steps are those of
 * src/store/postgres/queue.c (TAKE, RENEW, HAND_IN) and postgres.c (COMMIT), one statement each.
 *
 * A row of the queue stands until the run's row does; it has the number of the last lease, until when it is good on
 * the server's clock, and the lock of an open transaction. Workers are frozen and thawed, all but the first die, the
 * server restarts. Time is abstract: the lease of a worker that runs never ends (it renews in time), that of a frozen
 * or dead one may end at any moment.
 *
 *   one_row     at every moment each run has one row, either in the queue or among the results: none lost, none twice
 *   all_done    while one worker lives, everything is done in the end: nobody waits for ever for a dead one
 *   (assert)    a lease that another worker has taken over is not renewed
 *
 * Defects that must be refuted: -DNO_CLOCK no lease ever ends; -DNO_ROW_LOCK the lease is compared, but not in the
 * transaction that hands in; -DRENEW_LOST renewing does not compare; -DREST_FOREVER a transaction may rest for ever. */
#define RUNS 2
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef FREEZES
#define FREEZES 2
#endif

bool queued[RUNS], expired[RUNS];
byte rows[RUNS], number[RUNS], latest[RUNS], holder[RUNS], locked[RUNS]; /* workers from 1 on */
byte issued, freezes;
bool frozen[WORKERS], dead[WORKERS];
bool restarted;

#define runs_on(w) (!frozen[w] && !dead[w])
#define stands(w) (frozen[w] || dead[w])
#ifdef NO_CLOCK
#define is_free(r) (queued[r] && !locked[r] && number[r] == 0)
#else
#define is_free(r) (queued[r] && !locked[r] && (number[r] == 0 || expired[r]))
#endif
#define done (!queued[0] && !queued[1])

inline take(r)
{
    issued++;
    mine = issued;
    number[r] = mine;
    latest[r] = mine;
    holder[r] = me + 1;
    expired[r] = false;
    job = r
}

proctype worker(byte me)
{
    byte job, mine;
next:
    if
    :: atomic { runs_on(me) && is_free(0) -> take(0) } /* TAKE */
    :: atomic { runs_on(me) && is_free(1) -> take(1) }
    :: runs_on(me) && done -> goto end
    :: dead[me] -> goto end
    fi;
    if
    :: dead[me] -> goto end
    :: runs_on(me)
    :: atomic { runs_on(me) && !locked[job] -> /* RENEW */
                if
#ifdef RENEW_LOST
                :: queued[job] -> assert(mine == latest[job]); expired[job] = false
#else
                :: queued[job] && number[job] == mine -> assert(mine == latest[job]); expired[job] = false
#endif
                :: else
                fi }
    fi;
hand_in:
#ifdef NO_ROW_LOCK
    atomic { dead[me] || runs_on(me);
             if
             :: dead[me] -> goto end
             :: !dead[me] && queued[job] && number[job] == mine
             :: else -> goto next
             fi };
    atomic { dead[me] || runs_on(me);
             if
             :: dead[me] -> goto end
             :: else -> rows[job]++; queued[job] = false; goto next
             fi };
#endif
    atomic { dead[me] || (runs_on(me) && !locked[job]);
             if
             :: dead[me] -> goto end
             :: !dead[me] && queued[job] && number[job] == mine -> locked[job] = me + 1 /* HAND_IN */
             :: else -> goto next /* a late answer is refused */
             fi };
    atomic { dead[me] || runs_on(me);
             if
             :: dead[me] -> goto end
             :: !dead[me] && locked[job] == me + 1 -> rows[job]++; queued[job] = false; locked[job] = 0; goto next /* COMMIT */
             :: else -> goto hand_in /* the transaction was rolled back */
             fi };
end:
    skip
}

/* Of each run: the server's clock, and what ends a transaction whose worker stands still. */
proctype clock(byte r)
{
    do
    :: atomic { queued[r] && number[r] && !expired[r] && stands(holder[r] - 1) && !locked[r] -> expired[r] = true }
    :: done -> break
    od
}

proctype reaper(byte r)
{
    do
#ifndef REST_FOREVER
    :: atomic { locked[r] && stands(locked[r] - 1) -> locked[r] = 0 }
#else
    :: atomic { locked[r] && dead[locked[r] - 1] -> locked[r] = 0 }
#endif
    :: done -> break
    od
}

/* What happens to workers and server; the first worker is thawed, the others perhaps. */
proctype thaw_first()
{
    do
    :: frozen[0] -> frozen[0] = false
    :: done && !frozen[0] -> break
    od
}

active proctype world()
{
    byte i;
    atomic {
        for (i : 0 .. RUNS - 1) { queued[i] = true; run clock(i); run reaper(i) }
        for (i : 0 .. WORKERS - 1) { run worker(i) }
        run thaw_first()
    }
    do
    :: atomic { freezes < FREEZES -> freezes++; select (i : 0 .. WORKERS - 1); frozen[i] = true }
    :: atomic { select (i : 1 .. WORKERS - 1); frozen[i] -> frozen[i] = false }
    :: atomic { select (i : 1 .. WORKERS - 1); !dead[i] -> dead[i] = true }
    :: atomic { !restarted -> restarted = true; locked[0] = 0; locked[1] = 0 }
    :: break
    od
}

#define begun (issued > 0)
ltl one_row { [] (begun -> (rows[0] + queued[0] == 1 && rows[1] + queued[1] == 1)) }
ltl all_done { <> (rows[0] == 1 && rows[1] == 1) }
