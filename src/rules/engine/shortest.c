/* The enumerative engine's witnesses: shortest runs over explicit (state, input) pairs.
 *
 * A race of a pair is two transitions and then the shortest way to a pair that rests, distances to
 * rest being swept to their fixpoint. A run that never ends is a way to some pair and a way from it
 * back to it; both by breadth-first search, from every valid input of the state as long as it can
 * become shorter than the best so far. Obviously right rather than fast: it is what the search over
 * diagrams (witness/) is compared with. */
#include "base/check.h"
#include "base/data/arena.h"
#include "base/data/order.h"
#include "rules/engine/enumerate.h"
#include <stdlib.h>

#define FAR UINT32_MAX

struct shortest {
    struct enumeration *x;
    const tac_rules *rules;
    size_t pairs;
    uint32_t *to_rest; /* by pair: transitions until it rests, FAR = never */
    /* one breadth-first search: by pair, valid where seen equals the stamp */
    uint32_t *seen, stamp, *edge;
    size_t *parent;
    tac_arena memory; /* of these arrays */
    TAC_VEC(size_t) queue;
    TAC_VEC(uint32_t) edges; /* of the best run */
};

static void measure_rest(struct shortest *p)
{
    for (bool changed = true, first = true; changed; first = false) {
        changed = first;
        for (size_t pair = 0; pair < p->pairs; pair++) {
            size_t count;
            const uint32_t *edges = rules_fired_edges(p->x, pair, &count);
            uint32_t best = count ? FAR : 0;
            for (size_t i = 0; i < count && !first; i++) {
                uint32_t next = p->to_rest[rules_matrix_after(&p->x->m, pair, edges[i])];
                if (next != FAR && next + 1 < best)
                    best = next + 1;
            }
            changed = changed || best != p->to_rest[pair];
            p->to_rest[pair] = best;
        }
    }
}

/* The way from the search's root to the pair, put behind the edges. */
static void add_way(struct shortest *p, size_t root, size_t pair, uint32_t last)
{
    size_t first = p->edges.count;
    if (last != FAR)
        tac_vec_push(&p->edges, last);
    for (; pair != root; pair = p->parent[pair])
        tac_vec_push(&p->edges, p->edge[pair]);
    tac_reverse(p->edges.at + first, p->edges.count - first);
}

static void visit(struct shortest *p, size_t pair, size_t parent, uint32_t edge)
{
    p->seen[pair] = p->stamp;
    p->parent[pair] = parent;
    p->edge[pair] = edge;
    tac_vec_push(&p->queue, pair);
}

/* A shortest way from the root back to it, behind the edges; 0 when there is none of at most `most`
 * transitions. */
static uint32_t way_back(struct shortest *p, size_t root, uint32_t most)
{
    p->stamp++;
    p->queue.count = 0;
    visit(p, root, root, FAR);
    uint32_t depth = 1;
    for (size_t head = 0, level = 1; head < p->queue.count && depth <= most; head++) {
        if (head == level) {
            level = p->queue.count;
            if (++depth > most)
                break;
        }
        size_t pair = p->queue.at[head], count;
        const uint32_t *edges = rules_fired_edges(p->x, pair, &count);
        for (size_t i = 0; i < count; i++) {
            size_t next = rules_matrix_after(&p->x->m, pair, edges[i]);
            if (next == root) {
                add_way(p, root, pair, edges[i]);
                return depth;
            }
            if (p->seen[next] != p->stamp)
                visit(p, next, pair, edges[i]);
        }
    }
    return 0;
}

struct reached {
    size_t pair;
    uint32_t depth;
};

/* A run from the start that never ends, shorter than `best`; its edges then stand in p. */
static uint32_t lasso(struct shortest *p, size_t start, uint32_t best)
{
    TAC_VEC(struct reached) reached = {0};
    uint32_t depth = 0;
    p->stamp++;
    p->queue.count = 0;
    visit(p, start, start, FAR);
    for (size_t head = 0, level = 1; head < p->queue.count && depth + 1 < best; head++) {
        if (head == level) {
            level = p->queue.count;
            depth++;
        }
        size_t pair = p->queue.at[head], count;
        const uint32_t *edges = rules_fired_edges(p->x, pair, &count);
        tac_vec_push(&reached, ((struct reached){pair, depth}));
        for (size_t i = 0; i < count; i++)
            if (p->seen[rules_matrix_after(&p->x->m, pair, edges[i])] != p->stamp)
                visit(p, rules_matrix_after(&p->x->m, pair, edges[i]), pair, edges[i]);
    }
    size_t chosen = SIZE_MAX;
    for (size_t i = 0; i < reached.count && reached.at[i].depth + 1 < best; i++) {
        p->edges.count = 0;
        uint32_t back = way_back(p, reached.at[i].pair, best - 1 - reached.at[i].depth);
        if (back) {
            best = back + reached.at[i].depth;
            chosen = i;
        }
    }
    if (chosen != SIZE_MAX) {
        /* once more, in order: the way there, then the way round */
        p->stamp++;
        p->queue.count = p->edges.count = 0;
        visit(p, start, start, FAR);
        for (size_t head = 0; p->seen[reached.at[chosen].pair] != p->stamp; head++) {
            size_t pair = p->queue.at[head], count;
            const uint32_t *edges = rules_fired_edges(p->x, pair, &count);
            for (size_t i = 0; i < count; i++)
                if (p->seen[rules_matrix_after(&p->x->m, pair, edges[i])] != p->stamp)
                    visit(p, rules_matrix_after(&p->x->m, pair, edges[i]), pair, edges[i]);
        }
        add_way(p, start, reached.at[chosen].pair, FAR);
        assert(p->edges.count == reached.at[chosen].depth);
        way_back(p, reached.at[chosen].pair, best);
        assert(p->edges.count == best);
    }
    tac_vec_free(&reached);
    return chosen == SIZE_MAX ? 0 : best;
}

static uint32_t race_length(struct shortest *p, size_t start)
{
    size_t count, second_count;
    const uint32_t *edges = rules_fired_edges(p->x, start, &count);
    uint32_t best = FAR;
    for (size_t i = 0; i < count; i++) {
        size_t next = rules_matrix_after(&p->x->m, start, edges[i]);
        const uint32_t *second = rules_fired_edges(p->x, next, &second_count);
        for (size_t k = 0; k < second_count; k++) {
            uint32_t rest = p->to_rest[rules_matrix_after(&p->x->m, next, second[k])];
            if (rest != FAR && rest + 2 < best) {
                best = rest + 2;
                p->edges.count = 0;
                tac_vec_push(&p->edges, edges[i]);
                tac_vec_push(&p->edges, second[k]);
            }
        }
    }
    return best;
}

/* From the second transition on, the way that rests soonest. */
static void finish_race(struct shortest *p, size_t start)
{
    size_t pair = rules_matrix_after(&p->x->m, rules_matrix_after(&p->x->m, start, p->edges.at[0]),
                                     p->edges.at[1]),
           count;
    while (p->to_rest[pair] > 0) {
        const uint32_t *edges = rules_fired_edges(p->x, pair, &count);
        size_t i = 0;
        while (p->to_rest[rules_matrix_after(&p->x->m, pair, edges[i])] + 1 != p->to_rest[pair])
            i++;
        tac_vec_push(&p->edges, edges[i]);
        pair = rules_matrix_after(&p->x->m, pair, edges[i]);
    }
}

static void keep(struct shortest *p, uint32_t s, uint64_t input, bool race, tac_rules_witness *out)
{
    size_t pair = s * p->x->m.inputs + input;
    uint32_t variables = p->rules->variable_count;
    free(out->states);
    free(out->rules);
    out->exists = TAC_RULES_YES;
    out->length = out->at_least = p->edges.count;
    out->states = tac_calloc(out->length + 1, sizeof *out->states);
    out->rules = tac_calloc(out->length + 1, sizeof *out->rules);
    size_t *visited = tac_calloc(out->length + 1, sizeof *visited);
    for (size_t i = 0; i <= out->length; i++) {
        out->states[i] = (uint32_t)(pair / p->x->m.inputs);
        visited[i] = pair;
        if (i < out->length) {
            out->rules[i] = p->rules->edges[p->edges.at[i]].rule;
            pair = rules_matrix_after(&p->x->m, pair, p->edges.at[i]);
        }
    }
    out->loop = 0;
    while (!race && visited[out->loop] != pair)
        out->loop++;
    assert(race || out->loop < out->length);
    free(visited);
    if (!out->variables) {
        out->variables = tac_calloc((size_t)variables + 1, sizeof *out->variables);
        out->values = tac_calloc((size_t)variables + 1, sizeof *out->values);
    }
    for (uint32_t v = 0; v < variables; v++) {
        out->variables[v] = v;
        out->values[v] = input >> v & 1;
    }
    out->literal_count = variables;
    rules_count_set_u64(&out->inputs, 1);
}

static void find_state(struct shortest *p, uint32_t s)
{
    tac_rules_state_findings *found = &p->x->run->out->states[s];
    uint32_t best_race = FAR, best_cycle = FAR;
    for (uint64_t input = 0; input < p->x->m.inputs; input++) {
        size_t pair = s * p->x->m.inputs + input;
        if (!tac_bits_get(p->x->m.valid, input))
            continue;
        uint32_t length = race_length(p, pair);
        if (length < best_race) {
            best_race = length;
            finish_race(p, pair);
            keep(p, s, input, true, &found->race_witness);
        }
        length = lasso(p, pair, best_cycle);
        if (length) {
            best_cycle = length;
            keep(p, s, input, false, &found->cycle_witness);
        }
    }
}

void rules_enumerate_witnesses(struct enumeration *x)
{
    struct shortest p = {.x = x, .rules = x->run->rules};
    double start = rules_now();
    p.pairs = (size_t)p.rules->state_count * x->m.inputs;
    p.to_rest = tac_arena_calloc(&p.memory, p.pairs + 1, sizeof *p.to_rest);
    p.seen = tac_arena_calloc(&p.memory, p.pairs + 1, sizeof *p.seen);
    p.edge = tac_arena_calloc(&p.memory, p.pairs + 1, sizeof *p.edge);
    p.parent = tac_arena_calloc(&p.memory, p.pairs + 1, sizeof *p.parent);
    measure_rest(&p);
    for (uint32_t s = 0; s < p.rules->state_count; s++)
        find_state(&p, s);
    x->run->out->witnesses = true;
    x->run->out->statistics.witness_ms = (rules_now() - start) * 1e3;
    tac_arena_free(&p.memory);
    tac_vec_free(&p.queue);
    tac_vec_free(&p.edges);
}
