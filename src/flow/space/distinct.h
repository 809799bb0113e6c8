/* Flows folded by their events: the subset construction over a space.
 *
 * A node is the set of space nodes that one sequence of events can reach; edges are labelled with
 * printed events and are deterministic, so paths and event sequences are the same thing. */
#pragma once

#include "flow/space/space.h"

struct distinct {
    struct graph graph; /* first: a graph of this module is a distinct */
    struct space *space;
    tac_names sets; /* members of each node: sorted node numbers of the space */
    struct graph_label *labels;
    size_t memory_limit;
};

tac_status distinct_new(struct space *space, size_t memory_limit, struct distinct **out,
                        tac_error *err);
void distinct_free(struct distinct *distinct);
/* A path of the space with the same events, ending with a kind of `wanted`: writes length edges of
 * the space's graph and the index of its root. The path must exist. */
void distinct_lift(const struct distinct *distinct, const uint32_t *edges, uint32_t length,
                   unsigned wanted, bool at_bound, uint32_t *root, uint32_t *space_edges);
