/* Automations that never fire, and triggers that never make theirs fire.
 *
 * A trigger is dead when no change fires it, or when no situation right after such a change
 * meets the automation's condition, whatever the free conditions are: no answer of the solver in
 * its possible mode is a proof. */
#include "automation/faults/check.h"
#include "base/check.h"
#include <stdio.h>

struct probe {
    struct checker *checker;
    const struct automation *automation;
    const struct trigger *trigger;
    bool fires;  /* some change fires the trigger */
    bool unsure; /* the solver gave up */
};

static bool passes(const struct event *event, void *context)
{
    struct probe *probe = context;
    struct demand demand = {
        .cond = probe->automation->cond, .want = true, .trigger = probe->trigger, .event = event};
    probe->fires = true;
    enum solve_answer answer = solve(&probe->checker->solver, event, SOLVE_POSSIBLE, &demand, 1);
    probe->unsure |= answer == SOLVE_GAVE_UP;
    return answer == SOLVE_FOUND;
}

/* Whether the condition can hold at all, whatever has happened: nothing more is known of a trigger
 * that was not understood. */
static bool can_hold(struct checker *checker, const struct automation *a)
{
    struct demand demand = {.cond = a->cond, .want = true};
    return solve(&checker->solver, NULL, SOLVE_POSSIBLE, &demand, 1) != SOLVE_NONE;
}

/* Whether none of the triggers that one mapping stands for can pass. */
static bool mapping_is_dead(struct checker *checker, const struct automation *a, size_t first,
                            size_t *end, bool *fires)
{
    bool dead = true;
    *fires = false;
    for (*end = first;
         *end < a->trigger_count && a->triggers[*end].place.line == a->triggers[first].place.line &&
         a->triggers[*end].place.file == a->triggers[first].place.file;
         ++*end) {
        const struct trigger *t = &a->triggers[*end];
        struct probe probe = {checker, a, t, false, false};
        bool known = events_are_known(checker->model, t);
        bool passing = known ? each_event(checker->model, t, SOLVE_POSSIBLE, passes, &probe)
                             : can_hold(checker, a);
        if (passing || probe.unsure)
            dead = false;
        *fires |= probe.fires || !known;
    }
    assert(*end > first);
    return dead;
}

static void why_no_change(struct checker *checker, const struct trigger *t, char *out, size_t size)
{
    const struct entity *e = &checker->model->entities.at[t->entity];
    const struct {
        bool has;
        const struct text_set *set;
        const char *word;
    } filters[] = {{t->has_to, &t->to, "to"}, {t->has_from, &t->from, "from"}};
    char states[160];
    for (size_t i = 0; i < 2; i++)
        if (filters[i].has && all_impossible(e, filters[i].set)) {
            snprintf(out, size, "'%s: %s' is not a state that %s can have (%s)", filters[i].word,
                     filters[i].set->at[0], e->name, states_text(e, states, sizeof states));
            return;
        }
    if (t->kind == TRIGGER_NUMBER && t->above >= t->below)
        snprintf(out, size, "no number is above %g and below %g", t->above, t->below);
    else
        snprintf(out, size, "no change of %s fires it", e->name);
}

static void why(struct checker *checker, const struct trigger *t, bool fires, char *out,
                size_t size)
{
    if (!fires && t->entity != TAC_NONE)
        why_no_change(checker, t, out, size);
    else
        snprintf(out, size, "the automation's condition cannot hold when this trigger fires");
}

static void check_one(struct checker *checker, uint32_t index)
{
    const struct automation *a = &checker->model->automations.at[index];
    size_t mappings = 0, dead = 0, end;
    const struct trigger *dead_at[64];
    bool dead_fires[64], fires;
    for (size_t first = 0; first < a->trigger_count; first = end) {
        bool is_dead = mapping_is_dead(checker, a, first, &end, &fires);
        mappings++;
        if (is_dead && dead < 64) {
            dead_at[dead] = &a->triggers[first];
            dead_fires[dead++] = fires;
        }
    }
    if (!dead)
        return;
    bool all = dead == mappings;
    for (size_t i = 0; i < dead && !(all && i); i++) {
        char reason[400];
        why(checker, dead_at[i], dead_fires[i], reason, sizeof reason);
        tac_automation_finding *f =
            all ? report(checker, TAC_NEVER_FIRES, !a->called, "'%s' never fires: %s%s",
                         automation_name(a), reason,
                         dead > 1 ? "; none of its other triggers can fire it either" : "")
                : report(checker, TAC_DEAD_TRIGGER, true, "a trigger of '%s' never fires it: %s",
                         automation_name(a), reason);
        report_place(checker, f, index, a->place);
        report_place(checker, f, index, dead_at[i]->place);
        if (dead_at[i]->entity != TAC_NONE)
            report_entity(checker, f, dead_at[i]->entity);
    }
    checker->silent[index] |= all && !a->called;
}

void find_unreachable(struct checker *checker)
{
    for (uint32_t i = 0;
         i < checker->model->automations.count && checker_tick(checker, "automations reached", i);
         i++) {
        const struct automation *a = &checker->model->automations.at[i];
        if (!a->disabled && a->trigger_count)
            check_one(checker, i);
    }
}
