/* Alternatives of an `or` that contradict themselves: the rest of the condition lives, so nothing
 * else says it. Each alternative is asked alone, whatever the free conditions are; one that names
 * an impossible state is impossible.c's. Cost: one question of the solver per alternative. */
#include "automation/faults/check.h"
#include <string.h>

struct alternatives {
    struct checker *checker;
    uint32_t automation;
};

static bool names_impossible(const struct checker *checker, const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        if (names_impossible(checker, cond->at[i]))
            return true;
    return cond->kind == COND_STATE &&
           first_impossible(&checker->model->entities.at[cond->entity], &cond->texts);
}

static bool already_told(const struct checker *checker, struct place place)
{
    const char *file = checker->model->library.files[place.file].path;
    for (size_t i = 0; i < checker->found.count; i++) {
        const tac_automation_finding *f = &checker->found.at[i];
        if (f->which == TAC_DEAD_BRANCH && f->place_count > 1 && f->places[1].line == place.line &&
            !strcmp(f->places[1].file, file))
            return true; /* a script is seen from every automation that calls it */
    }
    return false;
}

static void judge(const struct alternatives *a, const struct cond *alternative)
{
    struct checker *checker = a->checker;
    struct demand alone = {.cond = alternative, .want = true};
    if (names_impossible(checker, alternative) || already_told(checker, alternative->place) ||
        solve(&checker->solver, NULL, SOLVE_POSSIBLE, &alone, 1) != SOLVE_NONE)
        return;
    const struct automation *automation = &checker->model->automations.at[a->automation];
    tac_automation_finding *f = report(checker, TAC_DEAD_BRANCH, true,
                                       "an alternative of a condition of '%s' at line %u can never "
                                       "be true: it contradicts itself",
                                       automation_name(automation), alternative->place.line);
    report_place(checker, f, a->automation, automation->place);
    report_place(checker, f, a->automation, alternative->place);
}

static void in_condition(const struct alternatives *a, const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++) {
        /* Written at the place of the whole it is a half of our own making, as a night over
         * midnight. */
        if (cond->kind == COND_OR && cond->at[i]->place.line != cond->place.line)
            judge(a, cond->at[i]);
        in_condition(a, cond->at[i]);
    }
}

static void in_steps(const struct alternatives *a, const struct branch *steps, unsigned depth)
{
    for (size_t i = 0; i < steps->count && depth < 40; i++) {
        const struct step *step = steps->at[i];
        if (step->kind == STEP_CONDITION)
            in_condition(a, step->cond);
        for (size_t b = 0; b < step->branch_count; b++) {
            if (step->branches[b].cond)
                in_condition(a, step->branches[b].cond);
            in_steps(a, &step->branches[b], depth + 1);
        }
    }
}

void find_dead_alternatives(struct checker *checker)
{
    for (uint32_t i = 0;
         i < checker->model->automations.count && checker_tick(checker, "alternatives judged", i);
         i++) {
        struct alternatives a = {checker, i};
        if (checker->silent[i])
            continue;
        in_condition(&a, checker->model->automations.at[i].cond);
        in_steps(&a, &checker->model->automations.at[i].steps, 0);
    }
}
