/* Waits inside a run: until a trigger fires, until a template holds, or until the timeout.
 *
 * A run that waits has a serial number; what is pending for it carries the number of its wait, so
 * that a timeout of a wait that has ended means nothing. `for` of a trigger starts a clock that a
 * change of its entity stops, as with automations themselves. */
#include "automation/simulate/play.h"
#include "base/check.h"
#include <string.h>

bool play_wait(struct play *sim, struct play_run *run, const struct step *step)
{
    assert(!run->waiting && step->kind == STEP_WAIT);
    if (step->cond && play_condition(sim, step->cond, run) == 1)
        return true;
    run->waiting = step;
    run->serial++;
    if (step->timeout > 0)
        tac_vec_push(&sim->pending, (struct play_pending){.time = sim->now + step->timeout,
                                                          .kind = PENDING_TIMEOUT,
                                                          .serial = run->serial,
                                                          .run = run});
    return false;
}

static void drop_clocks(struct play *sim, const struct play_run *run,
                        const struct play_change *change)
{
    for (size_t i = 0; i < sim->pending.count; i++) {
        struct play_pending *p = &sim->pending.at[i];
        if (p->kind == PENDING_RESUME && p->run == run && p->serial == run->serial && p->wait &&
            p->wait->entity == change->entity &&
            (p->wait->kind != TRIGGER_NUMBER || !play_fires(p->wait, NULL, change->to)))
            p->cancelled = true;
    }
}

static bool fires(const struct trigger *t, const struct play_change *change)
{
    if (change->entity != TAC_NONE)
        return t->entity == change->entity && play_fires(t, change->from, change->to);
    return change->start
               ? t->kind == TRIGGER_START
               : t->kind == TRIGGER_EVENT && t->key && change->key && !strcmp(t->key, change->key);
}

/* Whether the change ends the wait at once; starts the clocks of those that need to be held. */
static bool ended_by(struct play *sim, const struct play_run *run, const struct play_change *change)
{
    const struct step *step = run->waiting;
    if (step->cond && play_condition(sim, step->cond, run) == 1)
        return true;
    drop_clocks(sim, run, change);
    for (size_t t = 0; t < step->wait_count; t++) {
        const struct trigger *trigger = &step->waits[t];
        if (trigger->abstract || trigger->hold < 0 || !fires(trigger, change))
            continue;
        if (trigger->hold == 0)
            return true;
        tac_vec_push(&sim->pending, (struct play_pending){.time = sim->now + trigger->hold,
                                                          .kind = PENDING_RESUME,
                                                          .wait = trigger,
                                                          .serial = run->serial,
                                                          .run = (struct play_run *)run});
    }
    return false;
}

void play_resume(struct play *sim, struct play_run *run)
{
    run->waiting = NULL;
    run->serial++;
    play_continue(sim, run);
}

void play_wake(struct play *sim, const struct play_change *change)
{
    size_t count = sim->runs.count; /* those that start now have not waited for this */
    for (size_t i = 0; i < count && !sim->endless; i++) {
        struct play_run *run = sim->runs.at[i];
        if (!run->done && run->waiting && ended_by(sim, run, change))
            play_resume(sim, run);
    }
}
