/* Automations whose writes fire each other without end.
 *
 * Candidates: an automation that can write what it listens to, and pairs that can write what the
 * other listens to. A candidate is reported only when a play from one event shows that they go on
 * without any delay; whatever settles, or waits, is not a loop. */
#include "automation/faults/check.h"
#include <string.h>

enum { MOST_PLAYS = 300, MOST_LOOKED_AT = 60 };

struct ring {
    struct checker *checker;
    uint32_t first, second; /* the same for an automation that fires itself */
    const struct path *path;
    const struct trigger *trigger; /* of the first */
    size_t plays;
    bool open; /* plays that leave something open show it, too: it is possible then */
    bool done;
};

/* The event by which a write fires a trigger; false: it does not. */
static bool write_event(const struct checker *checker, const struct step *write,
                        const struct trigger *t, struct event *out)
{
    if (*write->slot || !write->value.text || write->uncertain || t->entity != write->entity ||
        t->hold != 0 || t->abstract || t->entity == TAC_NONE)
        return false;
    const struct entity *e = &checker->model->entities.at[t->entity];
    for (uint16_t to = 0; to < e->value_count; to++)
        for (uint16_t from = 0;
             from < e->value_count && !strcmp(e->values[to].text, write->value.text); from++)
            if (from != to && trigger_fires(t, &e->values[from], &e->values[to])) {
                *out = (struct event){.trigger = t, .entity = t->entity, .from = from, .to = to};
                return true;
            }
    return false;
}

static void tell(struct ring *ring, const struct play *sim, double origin)
{
    struct checker *checker = ring->checker;
    const struct automation *a = &checker->model->automations.at[ring->first];
    const struct automation *b = &checker->model->automations.at[ring->second];
    tac_automation_finding *f =
        ring->first == ring->second
            ? report(checker, TAC_LOOP, !ring->open, "'%s' fires itself again and again",
                     automation_name(a))
            : report(checker, TAC_LOOP, !ring->open,
                     "'%s' and '%s' fire each other again and again", automation_name(a),
                     automation_name(b));
    report_place(checker, f, ring->first, a->place);
    if (ring->first != ring->second)
        report_place(checker, f, ring->second, b->place);
    for (size_t i = 0; i < sim->log.count; i++)
        if (sim->log.at[i].kind == RECORD_WRITE && sim->log.at[i].changed)
            report_entity(checker, f, sim->log.at[i].entity);
    if (!ring->open)
        story_keep(checker, f, sim, origin);
    ring->done = true;
}

/* Whether something that is not understood decides if they go on. */
static bool doubtful(const struct ring *ring, const struct play *sim)
{
    for (size_t i = 0; i < sim->log.count && i < MOST_LOOKED_AT; i++) {
        const struct record *r = &sim->log.at[i];
        if (r->kind == RECORD_WRITE && r->changed &&
            (play_doubts(sim, ring->first, r, true) || play_doubts(sim, ring->second, r, true)))
            return true;
    }
    return false;
}

static bool try_event(const struct event *event, void *context)
{
    struct ring *ring = context;
    struct checker *checker = ring->checker;
    const struct automation *second = &checker->model->automations.at[ring->second];
    struct demand demands[MOST_DEMANDS + 1];
    struct event next = {0};
    bool linked = false;
    if (++ring->plays > MOST_PLAYS)
        return true;
    size_t count = path_demands(ring->path, ring->path->early_writes, ring->trigger, event, demands,
                                MOST_DEMANDS);
    for (size_t w = 0; w < ring->path->early_writes && !linked; w++)
        for (size_t t = 0; t < second->trigger_count && !linked; t++)
            linked =
                write_event(checker, ring->path->writes.at[w].step, &second->triggers[t], &next);
    if (!linked)
        return true;
    demands[count++] = (struct demand){.cond = second->cond,
                                       .want = true,
                                       .trigger = next.trigger,
                                       .event = &next,
                                       .path = ring->path,
                                       .writes = ring->path->early_writes};
    if (solve(&checker->solver, event, SOLVE_CERTAIN, demands, count) != SOLVE_FOUND)
        return false;
    struct play sim;
    double origin;
    if (!story_begin(checker, event, &sim, &origin))
        return false;
    if (sim.endless && sim.fires_now[ring->first] > 3 && sim.fires_now[ring->second] > 3 &&
        (ring->open || !doubtful(ring, &sim)))
        tell(ring, &sim, origin);
    play_close(&sim);
    return ring->done;
}

static bool can_fire(const struct checker *checker, uint32_t from, uint32_t to)
{
    struct event event;
    const struct automation *target = &checker->model->automations.at[to];
    for (size_t p = 0; p < checker->paths[from].count; p++)
        for (size_t w = 0; w < checker->paths[from].at[p].early_writes; w++) {
            const struct step *step = checker->paths[from].at[p].writes.at[w].step;
            if (!checker->model->entities.at[step->entity].watched)
                continue;
            for (size_t t = 0; t < target->trigger_count; t++)
                if (write_event(checker, step, &target->triggers[t], &event))
                    return true;
        }
    return false;
}

static void try_paths(struct ring *ring)
{
    const struct path_list *paths = &ring->checker->paths[ring->first];
    const struct automation *a = &ring->checker->model->automations.at[ring->first];
    for (size_t p = 0; p < paths->count && !ring->done; p++)
        for (size_t t = 0; t < a->trigger_count && !ring->done; t++) {
            ring->path = &paths->at[p];
            ring->trigger = &a->triggers[t];
            if (!ring->trigger->abstract)
                each_event(ring->checker->model, ring->trigger, SOLVE_CERTAIN, try_event, ring);
        }
}

static void try_ring(struct checker *checker, uint32_t first, uint32_t second)
{
    struct ring ring = {.checker = checker, .first = first, .second = second};
    try_paths(&ring);
    ring.open = true;
    ring.plays = 0;
    if (checker->possible)
        try_paths(&ring);
}

void find_loops(struct checker *checker)
{
    size_t count = checker->model->automations.count;
    TAC_VEC(uint32_t) *fires = tac_calloc(count + 1, sizeof *fires);
    TAC_VEC(uint32_t) *listeners =
        tac_calloc(checker->model->entities.count + 1, sizeof *listeners);
    for (uint32_t i = 0; i < count; i++)
        for (size_t t = 0; t < checker->model->automations.at[i].trigger_count; t++) {
            uint32_t entity = checker->model->automations.at[i].triggers[t].entity;
            if (entity != TAC_NONE && !checker->silent[i] &&
                (!listeners[entity].count || tac_vec_last(&listeners[entity]) != i))
                tac_vec_push(&listeners[entity], i);
        }
    for (uint32_t i = 0; i < count && checker_tick(checker, "loops sought", i); i++) {
        if (checker->silent[i])
            continue;
        for (size_t p = 0; p < checker->paths[i].count; p++)
            for (size_t w = 0; w < checker->paths[i].at[p].early_writes; w++) {
                uint32_t entity = checker->paths[i].at[p].writes.at[w].step->entity;
                for (size_t l = 0; l < listeners[entity].count; l++) {
                    uint32_t j = listeners[entity].at[l];
                    bool known = false;
                    for (size_t k = 0; k < fires[i].count; k++)
                        known |= fires[i].at[k] == j;
                    if (known)
                        continue;
                    tac_vec_push(&fires[i], j);
                    if (can_fire(checker, i, j) && (i == j || (i < j && can_fire(checker, j, i))))
                        try_ring(checker, i, j);
                }
            }
    }
    for (uint32_t i = 0; i < count; i++)
        tac_vec_free(&fires[i]);
    for (size_t i = 0; i < checker->model->entities.count; i++)
        tac_vec_free(&listeners[i]);
    free(fires);
    free(listeners);
}
