/* One event, two automations, different values for one target: which one stays is not defined.
 *
 * Writes are sorted by target; automations that write different values to one are a pair. For
 * a pair every event that fires both is tried with every pair of ways that end in such writes
 * before any delay. What the solver finds is played; only what the simulator shows is exact. */
#include "automation/faults/check.h"
#include "base/data/map.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 4000 }; /* questions per pair */

struct target {
    uint32_t entity, automation;
    const char *slot;
    uint32_t path, write;
};
typedef TAC_VEC(struct target) target_list;

static int by_target(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    if (x->entity != y->entity)
        return x->entity < y->entity ? -1 : 1;
    int slot = strcmp(x->slot, y->slot);
    if (slot)
        return slot;
    if (x->automation != y->automation)
        return x->automation < y->automation ? -1 : 1;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return x->write < y->write ? -1 : x->write > y->write;
}

static const struct step *step_of(const struct checker *checker, const struct target *t)
{
    return checker->paths[t->automation].at[t->path].writes.at[t->write].step;
}

static void collect(struct checker *checker, target_list *out)
{
    for (uint32_t a = 0; a < checker->model->automations.count; a++) {
        const struct path_list *paths = &checker->paths[a];
        for (uint32_t p = 0; p < paths->count && !checker->silent[a]; p++) {
            const struct path *path = &paths->at[p];
            for (uint32_t w = 0; w < path->early_writes; w++) {
                const struct step *step = path->writes.at[w].step;
                if (step->value.text && !step->uncertain &&
                    path_last(path, path->early_writes, step->entity, step->slot)->step == step)
                    tac_vec_push(out, (struct target){step->entity, a, step->slot, p, w});
            }
        }
    }
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, by_target);
}

struct pair {
    struct checker *checker;
    const struct target *a, *b; /* the two writes being tried */
    const struct trigger *ta, *tb;
    size_t tries;
    bool exact, possible;
    struct play sim;
    double origin;
    struct event event;
};

/* The values that the automations leave behind in the play, at the moment of the event. */
static bool shown(struct pair *pair)
{
    const struct record *last[2] = {NULL, NULL};
    const struct target *sides[2] = {pair->a, pair->b};
    bool fired[2] = {false, false};
    double at = pair->sim.log.count ? tac_vec_last(&pair->sim.log).time : 0;
    for (size_t i = pair->sim.log.count; i-- > 0;)
        if (pair->sim.log.at[i].kind == RECORD_FIRE)
            at = pair->sim.log.at[i].time;
    for (size_t i = 0; i < pair->sim.log.count; i++) {
        const struct record *r = &pair->sim.log.at[i];
        for (size_t s = 0; s < 2; s++) {
            if (r->automation != sides[s]->automation)
                continue;
            if (r->kind == RECORD_FIRE)
                fired[s] = true;
            if (r->kind == RECORD_WRITE && r->entity == sides[s]->entity && r->text &&
                r->time == at && !strcmp(r->slot, sides[s]->slot))
                last[s] = r;
        }
    }
    return fired[0] && fired[1] && last[0] && last[1] &&
           strcmp(last[0]->text, last[1]->text) != 0 &&
           !play_doubts(&pair->sim, pair->a->automation, last[0], false) &&
           !play_doubts(&pair->sim, pair->b->automation, last[1], false);
}

static bool play(struct pair *pair, const struct event *event)
{
    if (!story_begin(pair->checker, event, &pair->sim, &pair->origin))
        return false;
    if (shown(pair)) {
        pair->event = *event;
        return true;
    }
    play_close(&pair->sim);
    return false;
}

static bool try_event(const struct event *event, void *context)
{
    struct pair *pair = context;
    struct checker *checker = pair->checker;
    struct demand demands[2 * MOST_DEMANDS];
    const struct path *pa = &checker->paths[pair->a->automation].at[pair->a->path];
    const struct path *pb = &checker->paths[pair->b->automation].at[pair->b->path];
    if (!same_event(pair->ta, pair->tb, checker->model, event) || ++pair->tries > MOST_TRIES)
        return false;
    size_t count = path_demands(pa, pair->a->write, pair->ta, event, demands, MOST_DEMANDS);
    count += path_demands(pb, pair->b->write, pair->tb, event, demands + count, MOST_DEMANDS);
    bool plain = !pa->writes.at[pair->a->write].perhaps && !pb->writes.at[pair->b->write].perhaps &&
                 !pair->ta->abstract && !pair->tb->abstract;
    if (plain && solve(&checker->solver, event, SOLVE_CERTAIN, demands, count) == SOLVE_FOUND &&
        play(pair, event)) {
        pair->exact = true;
        return true;
    }
    if (checker->possible && !pair->possible &&
        solve(&checker->solver, event, SOLVE_POSSIBLE, demands, count) == SOLVE_FOUND) {
        pair->possible = true;
        pair->event = *event;
    }
    return false;
}

static bool may_coincide(const struct trigger *a, const struct trigger *b)
{
    return a->entity == b->entity && a->hold == b->hold &&
           (a->entity != TAC_NONE || a->kind == b->kind);
}

static void try_writes(struct pair *pair)
{
    const struct automation *a = &pair->checker->model->automations.at[pair->a->automation];
    const struct automation *b = &pair->checker->model->automations.at[pair->b->automation];
    for (size_t i = 0; i < a->trigger_count && !pair->exact; i++)
        for (size_t j = 0; j < b->trigger_count && !pair->exact; j++) {
            pair->ta = &a->triggers[i];
            pair->tb = &b->triggers[j];
            if (may_coincide(pair->ta, pair->tb))
                each_event(pair->checker->model, pair->ta, SOLVE_CERTAIN, try_event, pair);
        }
}

static void tell(struct pair *pair, const struct target *x, const struct target *y)
{
    struct checker *checker = pair->checker;
    const struct automation *a = &checker->model->automations.at[x->automation];
    const struct automation *b = &checker->model->automations.at[y->automation];
    char event[300];
    tac_automation_finding *f = report(
        checker, TAC_OPPOSITE_WRITES, pair->exact,
        "on %s '%s' sets %s%s%s to %s and '%s' sets it to %s; which one stays is not defined",
        event_text(checker, &pair->event, event, sizeof event), automation_name(a),
        checker->model->entities.at[x->entity].name, *x->slot ? " " : "", x->slot,
        step_of(checker, x)->value.text, automation_name(b), step_of(checker, y)->value.text);
    report_place(checker, f, x->automation, a->place);
    report_place(checker, f, y->automation, b->place);
    report_entity(checker, f, x->entity);
    if (pair->exact) {
        story_keep(checker, f, &pair->sim, pair->origin);
        play_close(&pair->sim);
    }
}

/* All writes of one target; settled: pairs of automations that are reported already. */
static void within_target(struct checker *checker, const struct target *at, size_t count,
                          tac_u64map *settled)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && !checker->stopped; j++) {
            const struct target *x = &at[i], *y = &at[j];
            if (x->automation == y->automation ||
                !strcmp(step_of(checker, x)->value.text, step_of(checker, y)->value.text))
                continue;
            uint64_t key = (uint64_t)x->automation << 32 | y->automation;
            uint64_t *done = tac_u64map_at(settled, key, 0, NULL);
            if (*done >= MOST_TRIES)
                continue;
            struct pair pair = {.checker = checker, .a = x, .b = y, .tries = (size_t)*done};
            try_writes(&pair);
            *done = pair.exact || pair.possible ? MOST_TRIES : pair.tries;
            if (pair.exact || pair.possible)
                tell(&pair, x, y);
        }
}

void find_opposite(struct checker *checker)
{
    target_list targets = {0};
    tac_u64map settled = {0};
    collect(checker, &targets);
    for (size_t first = 0, end; first < targets.count; first = end) {
        for (end = first + 1; end < targets.count &&
                              targets.at[end].entity == targets.at[first].entity &&
                              !strcmp(targets.at[end].slot, targets.at[first].slot);)
            end++;
        if (!checker_tick(checker, "targets compared", first))
            break;
        within_target(checker, &targets.at[first], end - first, &settled);
    }
    tac_u64map_free(&settled);
    tac_vec_free(&targets);
}
