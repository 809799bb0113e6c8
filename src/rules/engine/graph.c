/* The machine as a graph, and lower bounds on the length of runs.
 *
 * A run that goes on takes edges after which something fires again; a run that never ends closes a
 * cycle of them. girth is found by a breadth-first search from every state of a component with a
 * cycle, which is given up after MOST_VISITS states (the depth reached is then the bound); lasso
 * and rest are shortest distances over reversed edges, with girth and "can rest" as sources.
 *
 * Invariant: no run is shorter than its bound. Cost: linear in the edges, and at most MOST_VISITS
 * for each state. */
#include "rules/engine/graph.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/edges.h"
#include <string.h>

#define MOST_VISITS 2000u

static uint32_t target(const tac_rules *rules, uint32_t e)
{
    return rules->rules[rules->edges[e].rule].to;
}

static void mark(const tac_rules *rules, uint32_t state, uint32_t rule, bool *marks, bool value)
{
    for_each_edge (e, &rules->states[state])
        if (rules->edges[e].rule == rule)
            marks[e] = value;
}

static void mark_edges(struct witness_graph *g, const tac_rules_findings *f)
{
    memset(g->live, true, g->rules->edge_count);
    for (size_t i = 0; i < f->dead_rule_count; i++)
        mark(g->rules, f->dead_rules[i].state, f->dead_rules[i].rule, g->live, false);
    for (size_t i = 0; i < f->unstable_count; i++)
        mark(g->rules, f->unstable[i].state, f->unstable[i].rule, g->goes_on, true);
    for (uint32_t s = 0; s < g->rules->state_count; s++)
        g->can_rest[s] = g->rules->action_count || !rules_count_is_zero(&f->states[s].stable);
}

/* --- Ways back -------------------------------------------------------------------------------- */

struct flood {
    uint32_t *seen, stamp; /* by state */
    uint32_t *queue;
};

/* Transitions of the shortest way from the state back to it, or a bound below it. */
static uint32_t way_back(const struct witness_graph *g, struct flood *f, uint32_t start)
{
    const tac_rules *rules = g->rules;
    size_t head = 0, tail = 0;
    uint32_t depth = 0;
    f->stamp++;
    f->queue[tail++] = start;
    while (head < tail) {
        size_t level = tail;
        depth++;
        if (tail > MOST_VISITS)
            return depth;
        for (; head < level; head++) {
            for_each_edge (e, &rules->states[f->queue[head]]) {
                uint32_t to = target(rules, e);
                if (!g->goes_on[e] || f->seen[to] == f->stamp)
                    continue;
                if (to == start)
                    return depth;
                f->seen[to] = f->stamp;
                f->queue[tail++] = to;
            }
        }
    }
    return NO_LENGTH;
}

/* --- Distances over reversed edges ------------------------------------------------------------ */

struct reversed {
    uint32_t *first, *from; /* states that lead to s: from[first[s] .. first[s + 1] - 1] */
};

static void reverse(const struct witness_graph *g, const bool *edges, struct reversed *out)
{
    const tac_rules *rules = g->rules;
    out->first = tac_calloc((size_t)rules->state_count + 2, sizeof *out->first);
    out->from = tac_calloc((size_t)rules->edge_count + 1, sizeof *out->from);
    for (uint32_t e = 0; e < rules->edge_count; e++)
        if (edges[e])
            out->first[target(rules, e) + 2]++;
    for (uint32_t s = 2; s < rules->state_count + 2; s++)
        out->first[s] += out->first[s - 1];
    for (uint32_t e = 0; e < rules->edge_count; e++)
        if (edges[e])
            out->from[out->first[target(rules, e) + 1]++] = rules->edges[e].state;
}

static int by_length(const void *x, const void *y, void *context)
{
    const uint32_t *length = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (length[a] > length[b]) - (length[a] < length[b]);
}

/* length[s] = the least over all states t of distance from s to t plus length[t]. Every edge counts
 * one, so the states whose length became smaller come out of a queue in order; they are merged with
 * those that kept theirs. */
static void relax(const struct witness_graph *g, const bool *edges, uint32_t *length)
{
    size_t states = g->rules->state_count, own = 0, head = 0;
    struct reversed back;
    reverse(g, edges, &back);
    uint32_t *sorted = tac_calloc(states + 1, sizeof *sorted);
    uint32_t *kept = tac_calloc(states + 1, sizeof *kept);
    TAC_VEC(uint32_t) queue = {0};
    for (uint32_t s = 0; s < states; s++)
        sorted[s] = s;
    memcpy(kept, length, states * sizeof *kept);
    qsort_r(sorted, states, sizeof *sorted, by_length, kept);
    for (;;) {
        while (own < states && length[sorted[own]] != kept[sorted[own]])
            own++;
        bool from_queue = head < queue.count;
        if (own < states && kept[sorted[own]] != NO_LENGTH)
            from_queue = from_queue && length[queue.at[head]] < kept[sorted[own]];
        else if (!from_queue)
            break;
        uint32_t s = from_queue ? queue.at[head++] : sorted[own++];
        for (uint32_t k = back.first[s]; k < back.first[s + 1]; k++)
            if (length[back.from[k]] > length[s] + 1) {
                length[back.from[k]] = length[s] + 1;
                tac_vec_push(&queue, back.from[k]);
            }
    }
    assert(head == queue.count);
    tac_vec_free(&queue);
    free(sorted);
    free(kept);
    free(back.first);
    free(back.from);
}

void rules_graph_open(struct witness_graph *g, const tac_rules *rules, const tac_rules_findings *f)
{
    size_t states = (size_t)rules->state_count + 1, edges = (size_t)rules->edge_count + 1;
    *g = (struct witness_graph){.rules = rules};
    g->live = tac_arena_calloc(&g->memory, edges, sizeof *g->live);
    g->goes_on = tac_arena_calloc(&g->memory, edges, sizeof *g->goes_on);
    g->can_rest = tac_arena_calloc(&g->memory, states, sizeof *g->can_rest);
    g->girth = tac_arena_calloc(&g->memory, states, sizeof *g->girth);
    g->lasso = tac_arena_calloc(&g->memory, states, sizeof *g->lasso);
    g->rest = tac_arena_calloc(&g->memory, states, sizeof *g->rest);
    mark_edges(g, f);
    struct flood flood = {.seen = tac_calloc(states, sizeof *flood.seen),
                          .queue = tac_calloc(states, sizeof *flood.queue)};
    for (uint32_t s = 0; s < rules->state_count; s++) {
        g->lasso[s] = g->girth[s] = way_back(g, &flood, s);
        g->rest[s] = g->can_rest[s] ? 0 : NO_LENGTH;
        assert(g->girth[s] > 0);
    }
    free(flood.seen);
    free(flood.queue);
    relax(g, g->goes_on, g->lasso);
    relax(g, g->live, g->rest);
}

void rules_graph_close(struct witness_graph *g)
{
    tac_arena_free(&g->memory);
}
