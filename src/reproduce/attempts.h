/* Executing candidates: workers that keep their team of devices open, one execution at a time each.
 *
 * An execution that a device failed is given to another worker; a worker whose device fails several
 * times running, or whose process dies again and again, is given nothing more and its work goes to
 * the others. Only when no worker is left is it a failure of the whole. */
#pragma once

#include "base/describe/describe.h"
#include "run/campaign/campaign.h"

/* What to execute. */
struct attempt {
    const tac_flow *flow;
    const char *scenario; /* "" for none */
    uint64_t seed;
    double deadline; /* seconds that a step may wait for its element */
};

/* What came of it; texts are valid during the call that tells it. */
struct attempt_outcome {
    enum run_end end;
    size_t steps; /* that were done; the one that failed or crashed the app not always included */
    const char *message, *exception, *stack, *place;
    const char *screen; /* where a step could not be done: the class of the screen, else "" */
    const char *const *violated; /* names of properties */
    size_t violated_count;
    const char *device;   /* who did it */
    double wait, seconds; /* the longest wait for an element; how long it took on the device */
};

DESCRIBED(attempt_outcome, struct attempt_outcome);

struct attempts;

/* flows name the devices that take part, as in a campaign; they are copied. The options must
 * outlive it. */
tac_status attempts_open(const tac_run_options *options, const tac_flow *flows, size_t count,
                         struct attempts **out, tac_error *err);
/* Executes all of them; `done` is told each as it ends, in any order, and may refuse to go on with
 * a failure. TAC_E_INTERRUPTED when the watch of the options says stop. */
typedef tac_status attempt_done(void *context, size_t index, const struct attempt_outcome *outcome,
                                tac_error *err);
tac_status attempts_do(struct attempts *attempts, const struct attempt *list, size_t count,
                       attempt_done *done, void *context, tac_error *err);
/* Everything that decides what an execution is; the caller's. */
tac_status attempts_plan(const struct attempts *attempts, json_t **out, tac_error *err);
/* Who went away, so many; borrowed. */
size_t attempts_lost(const struct attempts *attempts, const struct lost_device **list);
void attempts_close(struct attempts *attempts); /* NULL is fine */

/* attempts_worker.c: answers every execution that it is given. */
void attempts_serve(void *campaign, size_t worker, int fd);
