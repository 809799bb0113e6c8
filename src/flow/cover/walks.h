/* Suites by walking: the graph of everything a suite may do, and three ways through it.
 *
 * A node of the walk graph is a node of the space together with the last `tuple - 1` edges taken,
 * so that every item is completed by one arc, whatever the goal (for pairs this is the line graph).
 * It has no bound on the length; nodes from which no flow can end are left out.
 *
 *   walk_graph.c  builds it
 *   postman.c     the cheapest suite that takes every item: directed Chinese postman
 *   realise.c     the postman's answer where the graph was folded to find it
 *   nearest.c     always to the nearest item that is left; any goal, any length */
#pragma once

#include "flow/cover/cover.h"

struct walk_arc {
    uint32_t from, to;
    uint32_t edge; /* of the space's graph */
    uint32_t item; /* that it completes, or TAC_NONE */
};

struct walk_root {
    uint32_t node, root; /* root: index among the engine's roots */
};

struct walk_graph {
    struct tac_flow_engine *engine;
    struct items *items;
    uint32_t nodes;
    TAC_VEC(struct walk_arc) arcs; /* by source, in the order of the model */
    u32_vec first_arc;             /* node: first of its arcs; one more at the end */
    TAC_VEC(struct walk_root) roots;
    TAC_VEC(uint8_t) ends; /* node: how a flow may end here, a mask of tac_flow_kind; 0 = not */
    TAC_VEC(bool) early;   /* node: fewer events than a tuple needs; its arcs have no item */
    u32_vec at_roots;      /* items that starting alone covers */
    bool partial;          /* values count on beyond what was looked at */
};

/* *closed is false when there are more than a few hundred thousand arcs, or no end to them. Numbers
 * every feasible item. */
tac_status walk_graph_new(struct tac_flow_engine *engine, struct items *items,
                          struct walk_graph *out, bool *closed, tac_error *err);
void walk_graph_free(struct walk_graph *graph);

/* A suite under construction: walks one after the other. */
struct walks {
    struct walk {
        uint32_t root; /* index into the graph's roots */
        uint32_t first, count;
    } * at;
    size_t count, capacity;
    u32_vec arcs;
};

void walks_free(struct walks *walks);
void walks_begin(struct walks *walks, uint32_t root);
void walks_step(struct walks *walks, uint32_t arc);
uint32_t walks_longest(const struct walks *walks);
/* Cuts what adds nothing: the end of each walk behind its last new item, as far as a flow may end
 * there, and walks without any. */
void walks_trim(const struct walk_graph *graph, struct walks *walks);
void walks_to_pool(const struct walk_graph *graph, const struct walks *walks, struct pool *pool);

/* The cheapest suite, events + restart_cost for every flow but the first. *bound is what any suite
 * costs at least. *found is false when the answer could not be made a suite: the bound still holds.
 * Only when every arc has an item, but those of early nodes. */
tac_status postman(const struct walk_graph *graph, uint32_t restart_cost, struct walks *out,
                   bool *found, uint64_t *bound, tac_error *err);
/* Turns the numbers of times that each item is taken into walks, if some order of them allows it
 * within a bounded search. starts: how many walks at most. */
bool realise(const struct walk_graph *graph, const uint32_t *times, uint32_t starts,
             struct walks *out);
/* Takes `enough` items, always the nearest one; walks of at most `length` events. What cannot be
 * reached within the length is left. */
tac_status nearest_walks(const struct walk_graph *graph, uint32_t length, size_t enough,
                         uint32_t restart_cost, struct walks *out, tac_error *err);
