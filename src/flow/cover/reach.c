/* Which items are feasible within the length, and where.
 *
 * The graph is unrolled: at[d] has the nodes that some prefix of d events reaches and from which,
 * in a pruned engine, a flow can still complete. An item is feasible when its edges start at a node
 * of some at[d] and end, after them, where a flow can still complete. Without pruning the first
 * depth of a node decides, because a longer way to it leaves less room. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/cover/cover.h"
#include <string.h>

#define MOST_ITEMS 4000000

bool reach_alive(const struct reach *reach, uint32_t node, uint32_t depth)
{
    assert(depth <= reach->length);
    uint64_t *const *alive = reach->engine->alive;
    return !alive || tac_bits_get(alive[reach->length - depth], node);
}

/* Later layers found more nodes: a set of `words` words gets room for `bits` bits. */
static void widen(uint64_t **set, size_t words, size_t bits)
{
    uint64_t *wider = tac_bits_new(bits);
    assert(words <= tac_bits_words(bits));
    memcpy(wider, *set, words * sizeof *wider);
    free(*set);
    *set = wider;
}

/* Expands layer by layer and marks the nodes of each. */
static tac_status unroll(struct reach *reach, tac_error *err)
{
    struct graph *graph = &reach->engine->space->graph;
    u32_vec now = {0}, next = {0}, seen = {0}; /* seen[node] = last depth + 1 */
    u32_vec words = {0};                       /* of each layer's bit set */
    tac_status status = TAC_OK;
    reach->at = tac_calloc((size_t)reach->length + 1, sizeof *reach->at);
    for (size_t i = 0; i < graph->roots.count; i++)
        tac_vec_push(&next, graph->roots.at[i]);
    for (uint32_t depth = 0; depth <= reach->length && status == TAC_OK; depth++) {
        now.count = 0;
        for (size_t i = 0; i < next.count; i++) {
            while (seen.count < graph->nodes.count)
                tac_vec_push(&seen, 0);
            if (seen.at[next.at[i]] == depth + 1 || !reach_alive(reach, next.at[i], depth))
                continue;
            seen.at[next.at[i]] = depth + 1;
            tac_vec_push(&now, next.at[i]);
        }
        next.count = 0;
        for (size_t i = 0; i < now.count && depth < reach->length && status == TAC_OK; i++) {
            status = graph_expand(graph, now.at[i], err);
            struct graph_node at = graph->nodes.at[now.at[i]];
            for (uint32_t e = 0; status == TAC_OK && e < at.edge_count; e++)
                tac_vec_push(&next, graph->edges.at[at.first_edge + e].target);
        }
        size_t known = tac_bits_words(graph->nodes.count);
        tac_vec_push(&words, (uint32_t)known);
        reach->at[depth] = tac_bits_new(graph->nodes.count);
        for (size_t i = 0; i < now.count; i++)
            tac_bits_set(reach->at[depth], now.at[i]);
        if (!tac_watch_tick(graph->watch, "looking for what can be covered", depth, reach->length))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped");
    }
    for (size_t depth = 0; depth < words.count; depth++)
        widen(&reach->at[depth], words.at[depth], graph->nodes.count);
    tac_vec_free(&now);
    tac_vec_free(&next);
    tac_vec_free(&seen);
    tac_vec_free(&words);
    return status;
}

static void index_by_target(struct reach *reach)
{
    const struct graph *graph = &reach->engine->space->graph;
    size_t nodes = graph->nodes.count, edges = graph->edges.count;
    assert(edges < UINT32_MAX);
    reach->first_in = tac_calloc(nodes + 2, sizeof *reach->first_in);
    reach->in_edges = tac_alloc((edges + 1) * sizeof *reach->in_edges);
    reach->source_of = tac_calloc(edges + 1, sizeof *reach->source_of);
    for (size_t e = 0; e < edges; e++)
        reach->first_in[graph->edges.at[e].target + 2]++;
    for (size_t n = 2; n < nodes + 2; n++)
        reach->first_in[n] += reach->first_in[n - 1];
    for (size_t n = 0; n < nodes; n++) {
        struct graph_node at = graph->nodes.at[n];
        for (uint32_t i = 0; at.first_edge != NOT_EXPANDED && i < at.edge_count; i++) {
            uint32_t edge = at.first_edge + i;
            reach->source_of[edge] = (uint32_t)n;
            reach->in_edges[reach->first_in[graph->edges.at[edge].target + 1]++] = edge;
        }
    }
}

tac_status reach_new(struct tac_flow_engine *engine, struct reach *reach, tac_error *err)
{
    *reach = (struct reach){.engine = engine, .length = engine->options.length};
    tac_status status = TAC_OK;
    if (engine_needs_pruning(engine))
        status = engine_prune(engine, err);
    if (status == TAC_OK)
        status = unroll(reach, err);
    if (status == TAC_OK)
        index_by_target(reach);
    else
        reach_free(reach);
    return status;
}

void reach_free(struct reach *reach)
{
    for (uint32_t d = 0; reach->at && d <= reach->length; d++)
        free(reach->at[d]);
    free(reach->at);
    free(reach->first_in);
    free(reach->in_edges);
    free(reach->source_of);
    *reach = (struct reach){0};
}

uint32_t reach_prefix(const struct reach *reach, uint32_t node, uint32_t depth, uint32_t *edges)
{
    assert(depth <= reach->length && tac_bits_get(reach->at[depth], node));
    const struct graph *graph = &reach->engine->space->graph;
    while (depth > 0) {
        for (uint32_t i = reach->first_in[node]; i < reach->first_in[node + 1]; i++) {
            uint32_t edge = reach->in_edges[i];
            if (tac_bits_get(reach->at[depth - 1], reach->source_of[edge])) {
                edges[--depth] = edge;
                node = reach->source_of[edge];
                break;
            }
        }
    }
    for (uint32_t root = 0; root < graph->roots.count; root++)
        if (graph->roots.at[root] == node)
            return root;
    return 0;
}

struct discovery {
    const struct reach *reach;
    struct items *items;
    struct occurrences *out;
    uint32_t path[64];
    uint32_t depth, node; /* where the path starts */
};

static void note_item(struct discovery *in, uint32_t item, uint32_t edge_count)
{
    if (item == TAC_NONE || item < in->out->of.count)
        return;
    assert(item == in->out->of.count && edge_count <= 64);
    tac_vec_push(&in->out->of, (struct occurrence){in->depth, in->node,
                                                   (uint32_t)in->out->edges.count, edge_count});
    tac_vec_append(&in->out->edges, in->path, edge_count);
}

/* All paths of `tuple` edges from a node. */
static void discover(struct discovery *in, uint32_t node, uint32_t length)
{
    const struct graph *graph = &in->reach->engine->space->graph;
    struct graph_node at = graph->nodes.at[node];
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
        uint32_t target = graph->edges.at[e].target;
        if (!reach_alive(in->reach, target, in->depth + length + 1))
            continue;
        in->path[length] = e;
        if (length + 1 == in->items->tuple)
            note_item(in, items_of_step(in->items, in->path, length + 1, node, true), length + 1);
        else
            discover(in, target, length + 1);
    }
}

tac_status reach_items(const struct reach *reach, struct items *items, struct occurrences *out,
                       tac_error *err)
{
    const struct graph *graph = &reach->engine->space->graph;
    struct discovery in = {.reach = reach, .items = items, .out = out};
    u32_vec found = {0};
    for (uint32_t root = 0; root < graph->roots.count; root++) {
        if (!reach_alive(reach, graph->roots.at[root], 0))
            continue;
        found.count = 0;
        in.node = graph->roots.at[root];
        items_of_root(items, root, true, &found);
        for (size_t i = 0; i < found.count; i++)
            note_item(&in, found.at[i], 0);
    }
    tac_vec_free(&found);
    uint64_t *seen = tac_bits_new(graph->nodes.count);
    tac_status status = TAC_OK;
    for (uint32_t depth = 0; depth + items->tuple <= reach->length && status == TAC_OK; depth++) {
        size_t bits = graph->nodes.count;
        for (size_t n = tac_bits_next(reach->at[depth], bits, 0); n < bits && status == TAC_OK;
             n = tac_bits_next(reach->at[depth], bits, n + 1)) {
            if (tac_bits_get(seen, n) && !reach->engine->alive)
                continue;
            tac_bits_set(seen, n);
            in.depth = depth;
            in.node = (uint32_t)n;
            discover(&in, (uint32_t)n, 0);
            if (items->keys.count > MOST_ITEMS)
                status = tac_fail(err, TAC_E_LIMIT, "over %d items to cover; choose a smaller goal",
                                  MOST_ITEMS);
        }
    }
    free(seen);
    return status;
}

void occurrences_free(struct occurrences *occurrences)
{
    tac_vec_free(&occurrences->of);
    tac_vec_free(&occurrences->edges);
}
