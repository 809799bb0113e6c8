/* Branches that are never taken.
 *
 * The conditions on the way to a branch are collected as long as nothing has been written and no
 * time has passed; after that only what the trigger says of itself still holds. Scripts are shared:
 * a branch of theirs may be dead for one caller and not for others, so they are left out. */
#include "automation/faults/check.h"

struct walk {
    struct checker *checker;
    uint32_t automation;
    TAC_VEC(struct demand) known;
    bool changed; /* something was written, or time has passed */
    size_t dead;
};

static bool only_trigger(const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        if (!only_trigger(cond->at[i]))
            return false;
    return cond->count || cond->kind == COND_TRIGGER || cond->kind == COND_TRUE ||
           cond->kind == COND_FALSE;
}

struct reach {
    struct walk *walk;
    const struct trigger *trigger;
    bool unsure;
};

static bool reachable_by(const struct event *event, void *context)
{
    struct reach *reach = context;
    struct walk *walk = reach->walk;
    for (size_t i = 0; i < walk->known.count; i++) {
        walk->known.at[i].trigger = reach->trigger;
        walk->known.at[i].event = event;
        walk->known.at[i].later = walk->changed;
    }
    enum solve_answer answer = solve(&walk->checker->solver, walk->changed ? NULL : event,
                                     SOLVE_POSSIBLE, walk->known.at, walk->known.count);
    reach->unsure |= answer == SOLVE_GAVE_UP;
    return answer != SOLVE_NONE;
}

static bool reachable(struct walk *walk)
{
    const struct automation *a = &walk->checker->model->automations.at[walk->automation];
    for (size_t t = 0; t < a->trigger_count; t++) {
        struct reach reach = {walk, &a->triggers[t], false};
        if (!events_are_known(walk->checker->model, &a->triggers[t]) ||
            each_event(walk->checker->model, &a->triggers[t], SOLVE_POSSIBLE, reachable_by, &reach))
            return true;
    }
    return false;
}

static void push(struct walk *walk, const struct cond *cond, bool want)
{
    tac_vec_push(&walk->known, (struct demand){.cond = cond, .want = want});
}

/* Time has passed or something was written: states may be others now. */
static void forget(struct walk *walk)
{
    size_t kept = 0;
    for (size_t i = 0; i < walk->known.count; i++)
        if (only_trigger(walk->known.at[i].cond))
            walk->known.at[kept++] = walk->known.at[i];
    walk->known.count = kept;
    walk->changed = true;
}

static void tell(struct walk *walk, struct place place, const char *what)
{
    const struct automation *a = &walk->checker->model->automations.at[walk->automation];
    tac_automation_finding *f = report(walk->checker, TAC_DEAD_BRANCH, !a->called,
                                       "%s of '%s' at line %u can never be true: it contradicts "
                                       "its trigger or what was tested before",
                                       what, automation_name(a), place.line);
    report_place(walk->checker, f, walk->automation, a->place);
    report_place(walk->checker, f, walk->automation, place);
}

static void visit(struct walk *walk, const struct branch *steps, unsigned depth);

static void visit_choice(struct walk *walk, const struct step *step, unsigned depth)
{
    size_t before = walk->known.count;
    bool was_changed = walk->changed, any_changed = was_changed;
    TAC_VEC(struct demand) kept = {0};
    tac_vec_append(&kept, walk->known.at, before);
    for (size_t b = 0; b < step->branch_count; b++) {
        const struct branch *branch = &step->branches[b];
        walk->known.count = 0;
        tac_vec_append(&walk->known, kept.at, kept.count);
        walk->changed = was_changed;
        for (size_t earlier = 0; earlier < b; earlier++)
            push(walk, step->branches[earlier].cond, false);
        if (branch->cond) {
            push(walk, branch->cond, true);
            if (!reachable(walk)) {
                tell(walk, branch->place, "the condition of a branch");
                continue;
            }
        }
        visit(walk, branch, depth + 1);
        any_changed |= walk->changed;
    }
    walk->known.count = 0;
    tac_vec_append(&walk->known, kept.at, kept.count);
    walk->changed = was_changed;
    if (any_changed && !was_changed)
        forget(walk);
    tac_vec_free(&kept);
}

static void visit(struct walk *walk, const struct branch *steps, unsigned depth)
{
    for (size_t i = 0; i < steps->count && depth < 30; i++) {
        const struct step *step = steps->at[i];
        if (step->kind == STEP_CHOOSE) {
            visit_choice(walk, step, depth);
        } else if (step->kind == STEP_CONDITION) {
            push(walk, step->cond, true);
            if (!reachable(walk)) {
                tell(walk, step->place, "the condition among the actions");
                return;
            }
        } else if (step->kind != STEP_EFFECT || !step->harmless) {
            forget(walk);
        }
    }
}

void find_dead_branches(struct checker *checker)
{
    for (uint32_t i = 0;
         i < checker->model->automations.count && checker_tick(checker, "branches reached", i);
         i++) {
        const struct automation *a = &checker->model->automations.at[i];
        if (checker->silent[i] || !a->trigger_count)
            continue;
        struct walk walk = {.checker = checker, .automation = i};
        push(&walk, a->cond, true);
        visit(&walk, &a->steps, 0);
        tac_vec_free(&walk.known);
    }
}
