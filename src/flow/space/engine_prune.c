/* Perfect pruning: the backward table alive[k][node] = "within k more steps a wanted flow
 * completes".
 *
 *   alive[0][v] = v ends, or ends at the bound
 *   alive[k][v] = v ends, or some edge v -> w has alive[k - 1][w]
 *
 * A listing that follows only edges to alive nodes never enters a dead end, so the time between two
 * flows is O(length). A node first reached at depth d needs the rows k <= length - d only. Time and
 * memory: O(length * edges) and length * nodes bits. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/space/engine.h"

struct layers {
    u32_vec nodes; /* in the order of their least depth */
    u32_vec ends;  /* ends.at[d]: how many nodes have least depth <= d */
};

/* Breadth first from the roots; expands every node of least depth < length. */
static tac_status find_layers(struct tac_flow_engine *engine, struct layers *layers, tac_error *err)
{
    struct graph *graph = engine->graph;
    TAC_VEC(bool) seen = {0};
    tac_status status = TAC_OK;
    for (uint32_t depth = 0; depth <= engine->options.length; depth++) {
        size_t begin = depth > 1 ? layers->ends.at[depth - 2] : 0;
        size_t end = depth ? layers->ends.at[depth - 1] : 0;
        size_t count = depth ? end : graph->roots.count;
        for (size_t i = begin; i < count && status == TAC_OK; i++) {
            uint32_t node = depth ? layers->nodes.at[i] : graph->roots.at[i];
            if (depth)
                status = graph_expand(graph, node, err);
            while (seen.count < graph->nodes.count)
                tac_vec_push(&seen, false);
            struct graph_node at = graph->nodes.at[node];
            uint32_t targets = depth && status == TAC_OK ? at.edge_count : 0;
            for (uint32_t e = 0; e < targets; e++) {
                uint32_t target = graph->edges.at[at.first_edge + e].target;
                if (!seen.at[target])
                    tac_vec_push(&layers->nodes, target);
                seen.at[target] = true;
            }
            if (!depth && !seen.at[node]) {
                tac_vec_push(&layers->nodes, node);
                seen.at[node] = true;
            }
            if (i % 4096 == 4095 && !tac_watch_tick(graph->watch, "preparing flows", i, 0))
                status = tac_fail(err, TAC_E_INTERRUPTED, "preparing was stopped");
        }
        if (status != TAC_OK)
            break;
        tac_vec_push(&layers->ends, (uint32_t)layers->nodes.count);
    }
    tac_vec_free(&seen);
    return status;
}

static bool leads_to_alive(const struct graph *graph, const uint64_t *alive, uint32_t node)
{
    assert(graph->nodes.at[node].first_edge != NOT_EXPANDED);
    struct graph_node at = graph->nodes.at[node];
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++)
        if (tac_bits_get(alive, graph->edges.at[e].target))
            return true;
    return false;
}

static void fill_rows(struct tac_flow_engine *engine, const struct layers *layers)
{
    struct graph *graph = engine->graph;
    uint32_t length = engine->options.length;
    assert(layers->ends.count == (size_t)length + 1);
    assert(tac_vec_last(&layers->ends) == layers->nodes.count);
    engine->alive = tac_calloc((size_t)length + 1, sizeof *engine->alive);
    for (uint32_t k = 0; k <= length; k++) {
        engine->alive[k] = tac_bits_new(graph->nodes.count);
        for (size_t i = 0; i < layers->ends.at[length - k]; i++) {
            uint32_t node = layers->nodes.at[i];
            const struct graph_node *at = &graph->nodes.at[node];
            bool ends = (at->ends | (k ? 0 : at->ends_at_bound)) & engine->wanted;
            if (ends || (k && leads_to_alive(graph, engine->alive[k - 1], node)))
                tac_bits_set(engine->alive[k], node);
        }
    }
}

tac_status engine_prune(struct tac_flow_engine *engine, tac_error *err)
{
    if (engine->alive)
        return TAC_OK;
    struct layers layers = {0};
    tac_status status = find_layers(engine, &layers, err);
    if (status == TAC_OK)
        fill_rows(engine, &layers);
    tac_vec_free(&layers.nodes);
    tac_vec_free(&layers.ends);
    return status;
}
