/* The one shape that every engine works on: a lazily expanded, edge-labelled graph.
 *
 * Nodes are what a flow's prefix can be folded to without losing its future: configurations of all
 * devices, channel balances, the partial-order memory and the states of the requirement watchers
 * (space.c), or sets of those (distinct.c). A flow of bound N is a path of at most N edges from a
 * root that ends
 *   - at a node with `ends` bits, at any depth (exit, stuck, witness), or
 *   - at a node with `ends_at_bound` bits at depth N exactly (truncated).
 * A node of space.c with `ends` bits has no edges; a set of distinct.c may have both. */
#pragma once

#include "base/data/vec.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <stdbool.h>
#include <stdint.h>

#define NOT_EXPANDED UINT32_MAX

struct graph_edge {
    uint32_t target;
    uint32_t label; /* index into labels: a transition (space.c) or an event (distinct.c) */
};

struct graph_node {
    uint32_t first_edge; /* NOT_EXPANDED before graph_expand */
    uint32_t edge_count;
    uint8_t ends, ends_at_bound; /* masks of tac_flow_kind */
};

struct graph_label {
    const char *text; /* as printed; borrowed */
    uint32_t length;
};

struct graph {
    TAC_VEC(struct graph_node) nodes;
    TAC_VEC(struct graph_edge) edges;
    TAC_VEC(uint32_t) roots; /* several roots may be the same node: they are different flows */
    const struct graph_label *labels;
    tac_status (*expand)(struct graph *graph, uint32_t node, tac_error *err);
    tac_watch *watch;
    bool every_prefix_completes; /* no pruning is needed as long as all kinds are wanted */
};

/* Makes the edges of a node known. May move nodes.at and edges.at. */
static inline tac_status graph_expand(struct graph *graph, uint32_t node, tac_error *err)
{
    if (graph->nodes.at[node].first_edge != NOT_EXPANDED)
        return TAC_OK;
    return graph->expand(graph, node, err);
}
