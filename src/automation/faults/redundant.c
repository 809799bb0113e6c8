/* An automation without which nothing changes: another one fires on each of its events, whenever
 * its condition holds, and does the same. Both do one plain sequence of calls; the implication of
 * the conditions is a proof (the solver finds no situation for the one without the other, whatever
 * free conditions are). */
#include "automation/faults/check.h"
#include "base/data/map.h"
#include "base/data/order.h"
#include "base/data/str.h"
#include <stdlib.h>
#include <string.h>

/* What an automation with only one way does, as numbers of texts. */
struct doings {
    uint32_t automation;
    uint32_t *at;     /* in ascending order */
    uint32_t *writes; /* its writes, in the path's order */
    size_t count;
};

/* Whether a call that is not understood goes by what is there: done twice it is not done once. */
static bool is_relative(const struct step *step)
{
    static const char *const words[] = {"toggle ", "increment ", "decrement ",
                                        "next ",   "previous ",  "_up ",
                                        "_down ",  "_track ",    "play_pause "};
    bool known = step->kind == STEP_WRITE && step->value.text && !step->uncertain;
    for (size_t i = 0; !known && step->text && i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(step->text, words[i]);
        if (found && found < strchr(step->text, ' ')) /* of the service's name */
            return true;
    }
    return false;
}

static bool doings_of(const struct checker *checker, uint32_t index, tac_names *names,
                      struct doings *out)
{
    const struct path_list *paths = &checker->paths[index];
    const struct automation *a = &checker->model->automations.at[index];
    if (paths->count != 1 || paths->cut || paths->at[0].demands.count != 1 ||
        paths->at[0].delays.count || a->reading == TAC_READ_NOT)
        return false;
    const struct path *path = &paths->at[0];
    size_t total = path->writes.count + path->effects.count;
    *out = (struct doings){.automation = index,
                           .at = tac_calloc(total + 1, sizeof *out->at),
                           .writes = tac_calloc(total + 1, sizeof *out->writes)};
    for (size_t i = 0; i < total; i++) {
        tac_str text = {0};
        const struct step *step = i < path->writes.count ? path->writes.at[i].step
                                                         : path->effects.at[i - path->writes.count];
        if (is_relative(step))
            tac_str_addf(&text, "%u again by %u", (unsigned)i, index); /* like no other */
        else if (step->kind == STEP_WRITE && step->value.text && !step->uncertain &&
                 !path->writes.at[i].perhaps)
            tac_str_addf(&text, "%u %s := %s %s", step->entity, step->slot, step->value.text,
                         step->data ? step->data : "");
        else
            tac_str_addf(&text, "do %s", step->text);
        out->at[out->count++] = tac_names_intern(names, tac_str_text(&text));
        tac_str_free(&text);
    }
    memcpy(out->writes, out->at, out->count * sizeof *out->at);
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, tac_order_u32);
    return true;
}

static bool includes(const struct doings *large, const struct doings *small)
{
    size_t i = 0;
    for (size_t k = 0; k < small->count; k++) {
        while (i < large->count && large->at[i] < small->at[k])
            i++;
        if (i == large->count || large->at[i] != small->at[k])
            return false;
    }
    return small->count > 0;
}

/* The next write to an entity from a place on. */
static size_t next_write(const struct path *path, uint32_t entity, size_t from)
{
    while (from < path->writes.count && path->writes.at[from].step->entity != entity)
        from++;
    return from;
}

/* Whether both do to an entity the same things in the same order, so that it ends up alike. */
static bool ends_alike(const struct checker *checker, const struct doings *a,
                       const struct doings *b, uint32_t entity)
{
    const struct path *x = &checker->paths[a->automation].at[0];
    const struct path *y = &checker->paths[b->automation].at[0];
    size_t i = next_write(x, entity, 0), k = next_write(y, entity, 0);
    while (i < x->writes.count && k < y->writes.count && a->writes[i] == b->writes[k]) {
        i = next_write(x, entity, i + 1);
        k = next_write(y, entity, k + 1);
    }
    return i == x->writes.count && k == y->writes.count;
}

static bool does(const struct doings *doings, uint32_t what)
{
    return bsearch(&what, doings->at, doings->count, sizeof *doings->at, tac_order_u32) != NULL;
}

/* Whether the large one also runs a scene or a script whose writes are not known. */
static bool may_undo(const struct checker *checker, const struct doings *large,
                     const struct doings *small)
{
    const struct path *path = &checker->paths[large->automation].at[0];
    for (size_t i = 0; i < path->effects.count; i++) {
        const char *text = path->effects.at[i]->text;
        if (text && (!strncmp(text, "scene.", 6) || !strncmp(text, "script.", 7)) &&
            !does(small, large->writes[path->writes.count + i]))
            return true;
    }
    return false;
}

/* Whether the large one does all that the small one does, and leaves it so. */
static bool covers(const struct checker *checker, const struct doings *large,
                   const struct doings *small)
{
    const struct path *path = &checker->paths[small->automation].at[0];
    if (!includes(large, small) || may_undo(checker, large, small))
        return false;
    for (size_t i = 0; i < path->writes.count; i++)
        if (!ends_alike(checker, small, large, path->writes.at[i].step->entity))
            return false;
    return true;
}

struct proof {
    struct checker *checker;
    uint32_t small, large;
    const struct trigger *trigger;
    bool fails, any;
    struct event example;
};

/* Every event of the smaller one must fire the larger one, and its condition must hold too. */
static bool is_counterexample(const struct event *event, void *context)
{
    struct proof *proof = context;
    struct checker *checker = proof->checker;
    const struct automation *small = &checker->model->automations.at[proof->small];
    const struct automation *large = &checker->model->automations.at[proof->large];
    for (size_t t = 0; t < large->trigger_count; t++) {
        const struct trigger *other = &large->triggers[t];
        if (other->abstract || !same_event(proof->trigger, other, checker->model, event))
            continue;
        struct demand demands[2] = {
            {.cond = small->cond, .want = true, .trigger = proof->trigger, .event = event},
            {.cond = large->cond, .want = false, .trigger = other, .event = event}};
        if (solve(&checker->solver, event, SOLVE_POSSIBLE, demands, 2) == SOLVE_NONE) {
            if (!proof->any &&
                solve(&checker->solver, event, SOLVE_POSSIBLE, demands, 1) == SOLVE_FOUND) {
                proof->any = true;
                proof->example = *event;
            }
            return false;
        }
    }
    struct demand own = {
        .cond = small->cond, .want = true, .trigger = proof->trigger, .event = event};
    return solve(&checker->solver, event, SOLVE_POSSIBLE, &own, 1) != SOLVE_NONE;
}

static bool implies(struct checker *checker, uint32_t small, uint32_t large, struct event *example)
{
    const struct automation *a = &checker->model->automations.at[small];
    struct proof proof = {.checker = checker, .small = small, .large = large};
    for (size_t t = 0; t < a->trigger_count; t++) {
        proof.trigger = &a->triggers[t];
        if (!events_are_known(checker->model, proof.trigger) ||
            each_event(checker->model, proof.trigger, SOLVE_POSSIBLE, is_counterexample, &proof))
            return false;
    }
    *example = proof.example;
    return proof.any;
}

static void tell(struct checker *checker, uint32_t small, uint32_t large, const struct event *event)
{
    const struct automation *a = &checker->model->automations.at[small];
    const struct automation *b = &checker->model->automations.at[large];
    /* that the other one's condition holds too is proved already, for whichever trigger it has */
    struct demand own = {.cond = a->cond, .want = true, .trigger = event->trigger, .event = event};
    tac_automation_finding *f =
        report(checker, TAC_REDUNDANT, true,
               "'%s' is redundant: whenever it fires '%s' fires too and writes the same values",
               automation_name(a), automation_name(b));
    report_place(checker, f, small, a->place);
    report_place(checker, f, large, b->place);
    for (size_t w = 0; w < checker->paths[small].at[0].writes.count; w++)
        report_entity(checker, f, checker->paths[small].at[0].writes.at[w].step->entity);
    struct play sim;
    double origin;
    if (solve(&checker->solver, event, SOLVE_CERTAIN, &own, 1) == SOLVE_FOUND &&
        story_begin(checker, event, &sim, &origin)) {
        story_keep(checker, f, &sim, origin);
        play_close(&sim);
    }
}

void find_redundant(struct checker *checker)
{
    tac_names texts = {0};
    TAC_VEC(struct doings) all = {0};
    for (uint32_t i = 0; i < checker->model->automations.count; i++) {
        struct doings one;
        if (!checker->silent[i] && doings_of(checker, i, &texts, &one))
            tac_vec_push(&all, one);
    }
    for (size_t x = 0; x < all.count && checker_tick(checker, "automations compared", x); x++)
        for (size_t y = 0; y < x; y++) {
            struct event event;
            uint32_t later = all.at[x].automation, earlier = all.at[y].automation;
            if (covers(checker, &all.at[y], &all.at[x]) && implies(checker, later, earlier, &event))
                tell(checker, later, earlier, &event);
            else if (covers(checker, &all.at[x], &all.at[y]) &&
                     implies(checker, earlier, later, &event))
                tell(checker, earlier, later, &event);
        }
    for (size_t i = 0; i < all.count; i++)
        free(all.at[i].at), free(all.at[i].writes);
    tac_names_free(&texts);
    tac_vec_free(&all);
}
