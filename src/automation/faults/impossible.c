/* States that an entity can never have: in a list of a trigger, in a condition, in a write. What
 * kills a whole trigger or automation is reported by reach.c instead. */
#include "automation/faults/check.h"
#include "base/data/text.h"
#include <stdio.h>
#include <string.h>

const char *first_impossible(const struct entity *entity, const struct text_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set_has(&entity->impossible, set->at[i]))
            return set->at[i];
    return NULL;
}

bool all_impossible(const struct entity *entity, const struct text_set *set)
{
    size_t i = 0;
    while (i < set->count && set_has(&entity->impossible, set->at[i]))
        i++;
    return set->count && i == set->count;
}

const char *states_text(const struct entity *entity, char *buffer, size_t size)
{
    size_t n = 0;
    if (!entity->domain_source)
        return snprintf(buffer, size, "misspelt"), buffer;
    n += (size_t)snprintf(buffer, size, "%s: ", entity->domain_source);
    for (size_t i = 0; i < entity->state_count && n + 40 < size; i++)
        n += (size_t)snprintf(buffer + n, size - n, "%s%.30s", i ? ", " : "", entity->states[i]);
    if (n + 40 >= size)
        snprintf(buffer + (n < size - 4 ? n : size - 4), 4, "...");
    return buffer;
}

struct scan {
    struct checker *checker;
    uint32_t automation;
    TAC_VEC(const struct cond *) seen;
};

static void tell(struct scan *scan, struct place place, uint32_t entity, const char *text,
                 const char *where)
{
    struct checker *checker = scan->checker;
    const struct entity *e = &checker->model->entities.at[entity];
    const struct automation *a = &checker->model->automations.at[scan->automation];
    char states[200];
    for (size_t i = 0; i < checker->found.count; i++) {
        const tac_automation_finding *f = &checker->found.at[i];
        if (f->which == TAC_IMPOSSIBLE_VALUE && f->place_count > 1 &&
            f->places[1].line == place.line &&
            !strcmp(f->places[1].file, checker->model->library.files[place.file].path) &&
            f->entity_count && !strcmp(f->entities[0], e->name))
            return; /* once per place: an inlined script is seen from many automations */
    }
    tac_automation_finding *f =
        report(checker, TAC_IMPOSSIBLE_VALUE, true, "%s of '%s': %s can never be '%s' (%s)%s",
               where, automation_name(a), e->name, text, states_text(e, states, sizeof states),
               tac_meant(text, e->states, e->state_count).text);
    report_place(checker, f, scan->automation, a->place);
    report_place(checker, f, scan->automation, place);
    report_entity(checker, f, entity);
}

static void in_condition(struct scan *scan, const struct cond *cond)
{
    for (size_t i = 0; i < cond->count; i++)
        in_condition(scan, cond->at[i]);
    if (cond->kind != COND_STATE)
        return;
    const char *text =
        first_impossible(&scan->checker->model->entities.at[cond->entity], &cond->texts);
    if (text)
        tell(scan, cond->place, cond->entity, text, "a condition");
}

static void in_trigger(struct scan *scan, const struct trigger *trigger, const char *where)
{
    const struct text_set *sets[] = {&trigger->to, &trigger->from, &trigger->not_to,
                                     &trigger->not_from};
    for (size_t s = 0; s < 4 && trigger->entity != TAC_NONE; s++) {
        const char *text =
            first_impossible(&scan->checker->model->entities.at[trigger->entity], sets[s]);
        if (text)
            tell(scan, trigger->place, trigger->entity, text, where);
    }
}

static void in_steps(struct scan *scan, const struct branch *steps, unsigned depth)
{
    for (size_t i = 0; i < steps->count && depth < 40; i++) {
        const struct step *step = steps->at[i];
        if (step->cond)
            in_condition(scan, step->cond);
        for (size_t w = 0; w < step->wait_count; w++)
            in_trigger(scan, &step->waits[w], "a wait");
        if (step->kind == STEP_WRITE && !*step->slot && step->value.text &&
            !strncmp(scan->checker->model->entities.at[step->entity].name, "input_select.", 13) &&
            set_has(&scan->checker->model->entities.at[step->entity].impossible, step->value.text))
            tell(scan, step->place, step->entity, step->value.text, "an action");
        for (size_t b = 0; b < step->branch_count; b++) {
            if (step->branches[b].cond)
                in_condition(scan, step->branches[b].cond);
            in_steps(scan, &step->branches[b], depth + 1);
        }
    }
}

static bool already_dead(const struct scan *scan, const struct trigger *t)
{
    const struct checker *checker = scan->checker;
    const char *file = checker->model->library.files[t->place.file].path;
    for (size_t i = 0; i < checker->found.count; i++) {
        const tac_automation_finding *f = &checker->found.at[i];
        if ((f->which == TAC_DEAD_TRIGGER || f->which == TAC_NEVER_FIRES) && f->place_count > 1 &&
            f->places[1].line == t->place.line && !strcmp(f->places[1].file, file))
            return true;
    }
    return false;
}

/* Home Assistant takes only texts as states, so that it refuses these. */
static void tell_bare_words(struct checker *checker)
{
    for (size_t i = 0; i < checker->model->bare_words.count; i++) {
        const struct bare_word *word = &checker->model->bare_words.at[i];
        if (word->automation >= checker->model->automations.count)
            continue;
        const struct automation *a = &checker->model->automations.at[word->automation];
        tac_automation_finding *f = report(
            checker, TAC_IMPOSSIBLE_VALUE, true,
            "'%s: %s' of '%s' is a boolean without quotes, not a state: the automation is refused; "
            "write '%s: \"%s\"'",
            word->key, word->text, automation_name(a), word->key, word->meant);
        report_place(checker, f, word->automation, a->place);
        report_place(checker, f, word->automation, word->place);
    }
}

void find_impossible(struct checker *checker)
{
    tell_bare_words(checker);
    for (uint32_t i = 0;
         i < checker->model->automations.count && checker_tick(checker, "values judged", i); i++) {
        const struct automation *a = &checker->model->automations.at[i];
        struct scan scan = {.checker = checker, .automation = i};
        if (checker->silent[i])
            continue;
        for (size_t t = 0; t < a->trigger_count; t++) {
            const struct trigger *trigger = &a->triggers[t];
            if (!already_dead(&scan, trigger))
                in_trigger(&scan, trigger, "a trigger");
        }
        in_condition(&scan, a->cond);
        in_steps(&scan, &a->steps, 0);
    }
}
