/* The graph of places. See places.h. Ways are found by breadth-first search, O(edges). */
#include "reproduce/known/places.h"
#include "base/check.h"
#include "base/data/alloc.h"

void places_add(struct places *places, uint32_t from, uint32_t step, uint32_t to)
{
    tac_vec_push(&places->edges, (struct place_edge){from, step, to, 1});
}

static int by_place(const void *a, const void *b)
{
    const struct place_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Equal edges become one with their number; of those that differ in where they lead, the commonest
 * stays. */
static void fold(struct places *places)
{
    struct place_edge *at = places->edges.at;
    size_t kept = 0;
    for (size_t i = 0; i < places->edges.count;) {
        struct place_edge best = at[i];
        size_t next = i;
        while (next < places->edges.count && at[next].from == at[i].from &&
               at[next].step == at[i].step) {
            size_t run = next;
            uint32_t count = 0;
            for (; run < places->edges.count && !by_place(&at[run], &at[next]); run++)
                count += at[run].count;
            if (next == i || count > best.count)
                best = (struct place_edge){at[i].from, at[i].step, at[next].to, count};
            next = run;
        }
        at[kept++] = best;
        i = next;
    }
    places->edges.count = kept;
}

void places_finish(struct places *places)
{
    if (places->edges.count)
        qsort(places->edges.at, places->edges.count, sizeof *places->edges.at, by_place);
    fold(places);
    places->first = tac_calloc(places->names.count + 1, sizeof *places->first);
    uint32_t edge = 0;
    for (uint32_t place = 0; place <= places->names.count; place++) {
        while (edge < places->edges.count && places->edges.at[edge].from < place)
            edge++;
        places->first[place] = edge;
    }
    places->first[places->names.count] = (uint32_t)places->edges.count;
}

uint32_t places_next(const struct places *places, uint32_t from, uint32_t step)
{
    for (uint32_t e = from == TAC_NONE ? 0 : places->first[from];
         from != TAC_NONE && e < places->first[from + 1]; e++)
        if (places->edges.at[e].step == step)
            return places->edges.at[e].to;
    return TAC_NONE;
}

uint32_t places_step_named(const struct places *places, const struct step_table *steps,
                           uint32_t place, const char *event)
{
    for (uint32_t e = places->first[place]; e < places->first[place + 1]; e++)
        if (!strcmp(steps->at.at[places->edges.at[e].step].event, event))
            return places->edges.at[e].step;
    return TAC_NONE;
}

static void append_way(const struct places *places, const uint32_t *via, uint32_t from, uint32_t to,
                       struct script *out)
{
    size_t before = out->count;
    for (uint32_t at = to; at != from; at = places->edges.at[via[at]].from)
        tac_vec_push(out, places->edges.at[via[at]].step);
    for (size_t i = before, k = out->count; i + 1 < k; i++, k--) {
        uint32_t step = out->at[i];
        out->at[i] = out->at[k - 1];
        out->at[k - 1] = step;
    }
}

/* To `to`, or, when that is TAC_NONE, to where `step` was seen. */
static bool search(const struct places *places, uint32_t from, uint32_t to, uint32_t step,
                   struct script *out, uint32_t *place)
{
    if (from == TAC_NONE)
        return false;
    assert(from < places->names.count);
    uint32_t *via = tac_alloc(places->names.count * sizeof *via);
    uint32_t *queue = tac_alloc(places->names.count * sizeof *queue), head = 0, tail = 0;
    memset(via, 0xff, places->names.count * sizeof *via);
    bool found = false;
    for (queue[tail++] = from; head < tail && !found; head++) {
        uint32_t at = queue[head];
        found = to == TAC_NONE ? places_next(places, at, step) != TAC_NONE : at == to;
        if (found) {
            append_way(places, via, from, at, out);
            *place = at;
        }
        for (uint32_t e = places->first[at]; e < places->first[at + 1] && !found; e++) {
            uint32_t next = places->edges.at[e].to;
            if (next == from || via[next] != TAC_NONE)
                continue;
            via[next] = e;
            queue[tail++] = next;
        }
    }
    free(via);
    free(queue);
    return found;
}

bool places_path(const struct places *places, uint32_t from, uint32_t to, struct script *out)
{
    uint32_t place;
    return to != TAC_NONE && search(places, from, to, 0, out, &place);
}

bool places_path_to_step(const struct places *places, uint32_t from, uint32_t step,
                         struct script *out, uint32_t *place)
{
    return search(places, from, TAC_NONE, step, out, place);
}

static uint32_t follow_step(const struct places *places, const struct step_table *steps,
                            uint32_t at, uint32_t step)
{
    uint32_t next = places_next(places, at, step);
    if (next != TAC_NONE || at == TAC_NONE)
        return next;
    uint32_t other = places_step_named(places, steps, at, steps->at.at[step].event);
    return other == TAC_NONE ? TAC_NONE : places_next(places, at, other);
}

struct trail places_follow(const struct places *places, const struct step_table *steps,
                           const struct script *script)
{
    struct trail trail = {.script = script_copy(script)};
    uint32_t at = places->names.count ? places->start : TAC_NONE;
    tac_vec_push(&trail.at, at);
    for (size_t i = 0; i < script->count; i++) {
        at = follow_step(places, steps, at, script->at[i]);
        tac_vec_push(&trail.at, at);
    }
    return trail;
}

struct trail trail_copy(const struct trail *trail)
{
    return (struct trail){script_copy(&trail->script), script_copy(&trail->at)};
}

void trail_free(struct trail *trail)
{
    tac_vec_free(&trail->script);
    tac_vec_free(&trail->at);
}

void places_free(struct places *places)
{
    tac_names_free(&places->names);
    tac_vec_free(&places->edges);
    free(places->first);
    *places = (struct places){0};
}
