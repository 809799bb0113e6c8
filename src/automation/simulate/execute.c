/* Runs of automations: starting by mode, walking the steps, waiting. */
#include "automation/simulate/play.h"
#include "base/check.h"
#include <string.h>

static void note(struct play *sim, struct record record)
{
    record.time = sim->now;
    if (sim->log.count < sim->log_limit)
        tac_vec_push(&sim->log, record);
    else
        sim->endless = true;
}

static void cancel_runs(struct play *sim, uint32_t automation)
{
    for (size_t i = 0; i < sim->runs.count; i++)
        if (sim->runs.at[i]->automation == automation)
            sim->runs.at[i]->done = true;
}

static size_t running(const struct play *sim, uint32_t automation)
{
    size_t count = 0;
    for (size_t i = 0; i < sim->runs.count; i++)
        count += sim->runs.at[i]->automation == automation && !sim->runs.at[i]->done;
    return count;
}

void play_start(struct play *sim, uint32_t automation, const struct trigger *trigger,
                const char *from, const char *to)
{
    const struct automation *a = &sim->model->automations.at[automation];
    size_t active = running(sim, automation);
    bool full = a->mode != MODE_RESTART && a->most_runs && active >= a->most_runs;
    if (full || (active && a->mode == MODE_SINGLE)) {
        note(sim, (struct record){.kind = RECORD_IGNORED, .automation = automation});
        return;
    }
    if (a->mode == MODE_RESTART)
        cancel_runs(sim, automation);
    if (active >= 100)
        return; /* queued or parallel without end */
    struct play_run *run = tac_arena_calloc(&sim->arena, 1, sizeof *run);
    *run = (struct play_run){.automation = automation,
                             .number = sim->next_run++,
                             .trigger = trigger,
                             .from = from,
                             .to = to,
                             .depth = 1};
    run->frames[0] = (struct play_frame){.steps = &a->steps};
    tac_vec_push(&sim->runs, run);
    note(sim, (struct record){.kind = RECORD_FIRE, .automation = automation, .run = run->number});
    if (++sim->fires_now[automation] > 20)
        sim->endless = true;
    if (a->mode != MODE_QUEUED || !active)
        play_continue(sim, run);
}

static void write_state(struct play *sim, struct play_run *run, const struct step *step)
{
    const char *text = step->uncertain ? NULL : step->value.text, *old = sim->states[step->entity];
    bool state = !*step->slot && text, change = state && (!old || strcmp(old, text) != 0);
    note(sim, (struct record){.kind = RECORD_WRITE,
                              .automation = run->automation,
                              .run = run->number,
                              .entity = step->entity,
                              .slot = step->slot,
                              .text = text,
                              .changed = change});
    if (!change)
        return;
    tac_vec_push(&sim->changes,
                 (struct play_change){.entity = step->entity, .from = old, .to = text});
    sim->states[step->entity] = text;
    sim->changed[step->entity] = sim->now;
}

static void enter(struct play_run *run, const struct branch *steps, bool script)
{
    if (run->depth < sizeof run->frames / sizeof *run->frames)
        run->frames[run->depth++] = (struct play_frame){.steps = steps, .script = script};
}

static void leave_to_script(struct play_run *run)
{
    while (run->depth && !run->frames[run->depth - 1].script)
        run->depth--;
    run->depth -= run->depth > 0;
}

static void choose(struct play *sim, struct play_run *run, const struct step *step)
{
    for (size_t b = 0; b < step->branch_count; b++) {
        const struct branch *branch = &step->branches[b];
        int holds = branch->cond ? play_condition(sim, branch->cond, run) : 1;
        if (holds < 0) {
            note(sim, (struct record){
                          .kind = RECORD_UNKNOWN, .automation = run->automation, .open = step});
            return;
        }
        if (holds) {
            enter(run, branch, false);
            return;
        }
    }
}

/* A sequence whose condition fails ends. */
static void ask(struct play *sim, struct play_run *run, const struct step *step)
{
    const struct play_frame *frame = &run->frames[run->depth - 1];
    int holds = play_condition(sim, step->cond, run);
    if (holds < 0)
        note(sim, (struct record){.kind = RECORD_UNKNOWN,
                                  .automation = run->automation,
                                  .rest = frame->steps,
                                  .from = frame->next});
    if (holds <= 0)
        run->depth--;
}

/* One step; false: the run waits. */
static bool execute(struct play *sim, struct play_run *run, const struct step *step)
{
    switch (step->kind) {
    case STEP_WRITE:
        write_state(sim, run, step);
        return true;
    case STEP_CONDITION:
        ask(sim, run, step);
        return true;
    case STEP_CHOOSE:
        choose(sim, run, step);
        return true;
    case STEP_SCRIPT:
    case STEP_REPEAT:
    case STEP_PARALLEL:
        for (size_t b = step->branch_count; b-- > 0;)
            enter(run, &step->branches[b], step->kind == STEP_SCRIPT);
        return true;
    case STEP_STOP:
        leave_to_script(run);
        return true;
    case STEP_WAIT:
        return play_wait(sim, run, step);
    case STEP_DELAY:
        if (step->seconds == 0)
            return true;
        run->serial++;
        if (step->seconds > 0)
            tac_vec_push(&sim->pending, (struct play_pending){.time = sim->now + step->seconds,
                                                              .kind = PENDING_RESUME,
                                                              .serial = run->serial,
                                                              .run = run});
        return false; /* one of unknown length never ends */
    case STEP_EFFECT:
        break;
    }
    return true;
}

static void start_queued(struct play *sim, uint32_t automation)
{
    for (size_t i = 0; i < sim->runs.count; i++) {
        struct play_run *run = sim->runs.at[i];
        if (run->automation == automation && !run->done) {
            if (run->depth == 1 && run->frames[0].next == 0)
                play_continue(sim, run);
            return;
        }
    }
}

void play_continue(struct play *sim, struct play_run *run)
{
    size_t steps = 0;
    while (!run->done && run->depth && !sim->endless && ++steps < 100000) {
        struct play_frame *frame = &run->frames[run->depth - 1];
        assert(run->depth <= sizeof run->frames / sizeof *run->frames);
        if (frame->next >= frame->steps->count) {
            run->depth--;
            continue;
        }
        if (!execute(sim, run, frame->steps->at[frame->next++]))
            return;
    }
    if (run->done)
        return;
    run->done = true;
    if (sim->model->automations.at[run->automation].mode == MODE_QUEUED)
        start_queued(sim, run->automation);
}
