/* Mode single and a delay: a second trigger during the delay is dropped, so that what the
 * automation undoes after the delay is undone too early. Only reported where the same way writes a
 * target before the delay and something else to it after, and where the play shows the dropped
 * start. */
#include "automation/faults/check.h"
#include <string.h>

enum { LEAST_DELAY = 5 };

struct attempt {
    struct checker *checker;
    uint32_t automation;
    const struct path *path;
    const struct path_write *early, *late;
    const struct trigger *trigger;
    bool open; /* plays that leave something open show it, too: it is possible then */
    bool done;
};

/* Makes what the run waits for happen; false: the story cannot. */
static bool end_wait(struct play *sim, const struct step *step)
{
    play_advance(sim, sim->now + 10);
    if (step->cond && step->cond->kind == COND_STATE && step->cond->texts.count) {
        play_set(sim, step->cond->entity, step->cond->texts.at[0]);
        return true;
    }
    for (size_t t = 0; t < step->wait_count; t++) {
        const struct trigger *trigger = &step->waits[t];
        if (trigger->abstract || trigger->entity == TAC_NONE || trigger->hold < 0)
            continue;
        const struct entity *e = &sim->model->entities.at[trigger->entity];
        for (size_t v = 0; v < e->value_count; v++)
            if (play_fires(trigger, sim->states[trigger->entity], e->values[v].text)) {
                play_set(sim, trigger->entity, e->values[v].text);
                play_advance(sim, sim->now + trigger->hold);
                return true;
            }
    }
    return false;
}

/* Seconds of delay before the late write; -1: not known. Waits that can be ended count as none. */
static double delay_before(const struct path *path, const struct path_write *late)
{
    double sum = 0;
    size_t write = (size_t)(late - path->writes.at);
    for (size_t d = 0; d < path->delays.count && path->delays.at[d].writes <= write; d++) {
        const struct path_delay *delay = &path->delays.at[d];
        if (delay->seconds < 0 && !delay->wait)
            return -1;
        sum += delay->wait ? 0 : delay->seconds;
    }
    return sum;
}

/* After half the delay the event comes again; is it dropped, and the late write not put off? */
static bool shown(struct attempt *t, const struct event *event, struct play *sim, double *origin)
{
    bool ignored = false;
    if (!story_begin(t->checker, event, sim, origin))
        return false;
    double delay = delay_before(t->path, t->late);
    size_t write = (size_t)(t->late - t->path->writes.at);
    bool can = true;
    for (size_t d = 0; can && d < t->path->delays.count && t->path->delays.at[d].writes <= write;
         d++)
        if (t->path->delays.at[d].wait)
            can = end_wait(sim, t->path->delays.at[d].step);
    double first = sim->now;
    play_advance(sim, first + delay / 2);
    story_event(sim, event);
    play_advance(sim, first + delay + 1);
    const struct record *undone = NULL;
    for (size_t i = 0; i < sim->log.count; i++) {
        const struct record *r = &sim->log.at[i];
        if (r->automation != t->automation)
            continue;
        ignored |= r->kind == RECORD_IGNORED;
        if (r->kind == RECORD_WRITE && r->entity == t->late->step->entity && r->text &&
            t->late->step->value.text && !strcmp(r->text, t->late->step->value.text) && ignored)
            undone = r;
    }
    if (can && undone && (t->open || !play_doubts(sim, t->automation, undone, true)))
        return true;
    play_close(sim);
    return false;
}

static bool try_event(const struct event *event, void *context)
{
    struct attempt *t = context;
    struct checker *checker = t->checker;
    struct demand demands[MOST_DEMANDS];
    struct play sim;
    double origin;
    if (event->hold > 0)
        return false; /* held for long: it comes rarely */
    size_t write = (size_t)(t->early - t->path->writes.at);
    size_t count = path_demands(t->path, write, t->trigger, event, demands, MOST_DEMANDS);
    if (solve(&checker->solver, event, SOLVE_CERTAIN, demands, count) != SOLVE_FOUND ||
        !shown(t, event, &sim, &origin))
        return false;
    const struct automation *a = &checker->model->automations.at[t->automation];
    const char *entity = checker->model->entities.at[t->early->step->entity].name;
    tac_automation_finding *f = report(
        checker, TAC_RETRIGGER_IGNORED, !t->open,
        "'%s' runs in mode single and sets %s to %s, waits %g s, then sets it to %s: a "
        "trigger during "
        "the wait is ignored, so %s comes too early",
        automation_name(a), entity, t->early->step->value.text, delay_before(t->path, t->late),
        t->late->step->value.text, t->late->step->value.text);
    report_place(checker, f, t->automation, a->place);
    report_place(checker, f, t->automation, t->path->delays.at[0].place);
    report_entity(checker, f, t->early->step->entity);
    if (!t->open)
        story_keep(checker, f, &sim, origin);
    play_close(&sim);
    t->done = true;
    return true;
}

/* The first write after the delays that sets what an early write has set to something else. */
static const struct path_write *undoing(const struct path *path, const struct path_write *early)
{
    for (size_t w = path->early_writes; w < path->writes.count; w++) {
        const struct path_write *late = &path->writes.at[w];
        if (late->step->entity == early->step->entity &&
            !strcmp(late->step->slot, early->step->slot) && late->step->value.text &&
            !late->step->uncertain && delay_before(path, late) >= LEAST_DELAY &&
            strcmp(late->step->value.text, early->step->value.text) != 0)
            return late;
    }
    return NULL;
}

/* Whether it may come again within a delay: what the calendar brings does not. */
static bool comes_often(const struct trigger *trigger)
{
    static const char *const rare[] = {"sun",  "calendar", "homeassistant", "time_pattern", "time",
                                       "Time", "Day"};
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (!strcmp(trigger->platform, rare[i]))
            return false;
    return !trigger->abstract &&
           (trigger->kind == TRIGGER_STATE || trigger->kind == TRIGGER_NUMBER ||
            trigger->kind == TRIGGER_EVENT);
}

static void check_path(struct attempt *t)
{
    const struct automation *a = &t->checker->model->automations.at[t->automation];
    for (size_t w = 0; w < t->path->early_writes && !t->done; w++) {
        t->early = &t->path->writes.at[w];
        if (!t->early->step->value.text || t->early->step->uncertain || t->early->perhaps ||
            !strcmp(t->early->step->slot, "enabled"))
            continue; /* who switches an automation off for a while means it */
        t->late = undoing(t->path, t->early);
        for (size_t i = 0; t->late && i < a->trigger_count && !t->done; i++) {
            t->trigger = &a->triggers[i];
            if (comes_often(t->trigger))
                each_event(t->checker->model, t->trigger, SOLVE_CERTAIN, try_event, t);
        }
    }
}

static void check_paths(struct attempt *t)
{
    const struct path_list *paths = &t->checker->paths[t->automation];
    for (size_t p = 0; p < paths->count && !t->done; p++) {
        t->path = &paths->at[p];
        bool late_choice = false;
        for (size_t d = 0; d < t->path->demands.count; d++)
            late_choice |= t->path->demands.at[d].late;
        if (t->path->delays.count && !late_choice)
            check_path(t);
    }
}

void find_ignored(struct checker *checker)
{
    for (uint32_t i = 0;
         i < checker->model->automations.count && checker_tick(checker, "delays tried", i); i++) {
        struct attempt t = {.checker = checker, .automation = i};
        if (checker->silent[i] || checker->model->automations.at[i].mode != MODE_SINGLE)
            continue;
        check_paths(&t);
        t.open = true;
        if (checker->possible)
            check_paths(&t);
    }
}
