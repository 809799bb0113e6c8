/* On above x, off below x: a measured value that trembles around x switches without rest. */
#include "automation/faults/check.h"
#include <math.h>
#include <string.h>

struct swing {
    struct checker *checker;
    uint32_t above, below; /* automations */
    const struct trigger *up, *down;
    const struct path *path_up, *path_down;
    const struct path_write *write_up, *write_down;
    bool open; /* plays that leave something open show it, too: it is possible then */
    bool done;
};

/* Up, down, up again: does the target follow each time? */
static bool shown(const struct swing *s, const struct event *up, struct play *sim, double *origin)
{
    const struct value *values = s->checker->model->entities.at[up->entity].values;
    const struct record *last = NULL;
    size_t turns = 0;
    const char *want[2] = {s->write_up->step->value.text, s->write_down->step->value.text};
    if (!story_begin(s->checker, up, sim, origin))
        return false;
    for (int turn = 1; turn < 4; turn++) {
        play_advance(sim, sim->now + 1);
        play_set(sim, up->entity, values[turn % 2 ? up->from : up->to].text);
    }
    for (size_t i = 0; i < sim->log.count; i++) {
        const struct record *r = &sim->log.at[i];
        if (r->kind == RECORD_WRITE && r->entity == s->write_up->step->entity && r->text &&
            !strcmp(r->slot, s->write_up->step->slot) && !strcmp(r->text, want[turns % 2])) {
            turns++;
            last = r;
        }
    }
    if (turns >= 4 && (s->open || (!play_doubts(sim, s->above, last, true) &&
                                   !play_doubts(sim, s->below, last, true))))
        return true;
    play_close(sim);
    return false;
}

static bool try_event(const struct event *up, void *context)
{
    struct swing *s = context;
    struct checker *checker = s->checker;
    struct event down = {.trigger = s->down, .entity = up->entity, .from = up->to, .to = up->from};
    const struct value *values = checker->model->entities.at[up->entity].values;
    struct demand demands[MOST_DEMANDS + 1];
    struct play sim;
    double origin;
    if (!trigger_fires(s->down, &values[down.from], &values[down.to]))
        return false;
    size_t count = path_demands(s->path_up, (size_t)(s->write_up - s->path_up->writes.at), s->up,
                                up, demands, MOST_DEMANDS);
    demands[count++] = (struct demand){.cond = checker->model->automations.at[s->below].cond,
                                       .want = true,
                                       .trigger = s->down,
                                       .event = &down,
                                       .path = s->path_up,
                                       .writes = s->path_up->early_writes};
    if (solve(&checker->solver, up, SOLVE_CERTAIN, demands, count) != SOLVE_FOUND ||
        !shown(s, up, &sim, &origin))
        return false;
    const struct automation *a = &checker->model->automations.at[s->above];
    const struct automation *b = &checker->model->automations.at[s->below];
    const char *target = checker->model->entities.at[s->write_up->step->entity].name;
    tac_automation_finding *f =
        report(checker, TAC_NO_HYSTERESIS, !s->open,
               "'%s' sets %s to %s above %g and '%s' sets it to %s below %g: a value that trembles "
               "around %g "
               "switches it again and again",
               automation_name(a), target, s->write_up->step->value.text, s->up->above,
               automation_name(b), s->write_down->step->value.text, s->down->below, s->up->above);
    report_place(checker, f, s->above, a->place);
    report_place(checker, f, s->below, b->place);
    report_entity(checker, f, up->entity);
    report_entity(checker, f, s->write_up->step->entity);
    if (!s->open)
        story_keep(checker, f, &sim, origin);
    play_close(&sim);
    s->done = true;
    return true;
}

static void try_paths(struct swing *s)
{
    const struct path_list *ups = &s->checker->paths[s->above],
                           *downs = &s->checker->paths[s->below];
    for (size_t p = 0; p < ups->count && !s->done; p++)
        for (size_t w = 0; w < ups->at[p].early_writes && !s->done; w++) {
            s->path_up = &ups->at[p];
            s->write_up = &s->path_up->writes.at[w];
            for (size_t q = 0; q < downs->count && !s->done; q++) {
                s->path_down = &downs->at[q];
                s->write_down = path_last(s->path_down, s->path_down->early_writes,
                                          s->write_up->step->entity, s->write_up->step->slot);
                if (s->write_down && s->write_up->step->value.text &&
                    s->write_down->step->value.text &&
                    strcmp(s->write_up->step->value.text, s->write_down->step->value.text) != 0)
                    each_event(s->checker->model, s->up, SOLVE_CERTAIN, try_event, s);
            }
        }
}

static bool quick_threshold(const struct trigger *t, bool above)
{
    return t->kind == TRIGGER_NUMBER && t->hold == 0 && !t->abstract &&
           isfinite(above ? t->above : t->below);
}

static void try_triggers(struct swing *s)
{
    const struct automation *below = &s->checker->model->automations.at[s->below];
    for (size_t t = 0; t < below->trigger_count && !s->done; t++) {
        s->down = &below->triggers[t];
        if (s->down->entity == s->up->entity && quick_threshold(s->down, false) &&
            s->down->below == s->up->above)
            try_paths(s);
    }
}

static void with_trigger(struct checker *checker, uint32_t above, const struct trigger *up)
{
    for (uint32_t b = 0; b < checker->model->automations.count; b++) {
        struct swing s = {.checker = checker, .above = above, .below = b, .up = up};
        if (checker->silent[b])
            continue;
        try_triggers(&s);
        s.open = true;
        if (checker->possible)
            try_triggers(&s);
    }
}

void find_no_hysteresis(struct checker *checker)
{
    for (uint32_t i = 0;
         i < checker->model->automations.count && checker_tick(checker, "thresholds compared", i);
         i++) {
        const struct automation *a = &checker->model->automations.at[i];
        for (size_t t = 0; t < a->trigger_count && !checker->silent[i]; t++)
            if (quick_threshold(&a->triggers[t], true))
                with_trigger(checker, i, &a->triggers[t]);
    }
}
