/* What the parts of covering share: items, a pool of candidate flows, and the choice among them.
 *
 *   items.c    what a flow covers, as dense numbers
 *   pool.c     candidate flows with their items
 *   walking.c  suites by walking: the postman first (walks.h)
 *   reach.c    which items are feasible within the length, and a path to each
 *   beam.c     candidates when there are too many flows to look at all of them
 *   greedy.c   the smallest suite of a pool
 *   select.c   the best suite under a budget of time; diverse suites
 *   trim.c     cuts what adds nothing
 *   cover.c    puts them together */
#pragma once

#include "base/data/random.h"
#include "flow/space/engine.h"

/* --- Items --- */

struct items {
    struct tac_flow_engine *engine;
    tac_cover_goal goal;
    uint32_t tuple;
    uint32_t only;  /* the one node or event asked for, or TAC_NONE */
    tac_names keys; /* the words that make an item */
};

void items_init(struct items *items, struct tac_flow_engine *engine,
                const tac_cover_options *options);
void items_free(struct items *items);
void items_forget(struct items *items); /* all numbers */
/* Restricts the items to one state or to the transitions of one event. */
tac_status items_find_only(struct items *items, const char *name, tac_error *err);
/* The item completed by the last edge of a path, TAC_NONE when there is none. `edges` are the edges
 * of the path so far (at least `length` of them), `before` the node that the last edge leaves. With
 * `add` new items get a number, otherwise they are TAC_NONE. */
uint32_t items_of_step(struct items *items, const uint32_t *edges, uint32_t length, uint32_t before,
                       bool add);
/* The items of a start alone; appended to out. */
void items_of_root(struct items *items, uint32_t root, bool add, u32_vec *out);
/* All items of a path, sorted, each once; replaces out. */
void items_of_path(struct items *items, const tac_flow_path *path, bool add, u32_vec *out);
/* Names of the items of the model that have no number; appended to the list. */
typedef TAC_VEC(char *) name_vec;
void items_missing(const struct items *items, name_vec *out);

/* --- Candidates --- */

struct candidate {
    uint32_t root, first_edge, length, first_item, item_count;
    tac_flow_kind kind;
    double seconds;
};

struct pool {
    struct items *items;
    TAC_VEC(struct candidate) flows;
    u32_vec edges, covers; /* of all candidates, one after the other */
    tac_names known;       /* item sets, to keep one candidate per set */
    u32_vec scratch;
    bool keep_all; /* also candidates with an item set that is known */
};

void pool_init(struct pool *pool, struct items *items);
void pool_free(struct pool *pool);
/* Keeps a flow unless another with the same items and no more events is there. */
void pool_add(struct pool *pool, const tac_flow_path *path, bool add_items);
/* Keeps a flow that covers the given items, whatever others there are. */
void pool_add_covering(struct pool *pool, const tac_flow_path *path, const u32_vec *covers);
tac_flow_path pool_path(const struct pool *pool, size_t flow);
/* Cuts a flow to its first `length` events. */
void pool_cut(struct pool *pool, size_t flow, uint32_t length);
static inline const uint32_t *pool_items(const struct pool *pool, size_t flow)
{
    const struct candidate *at = &pool->flows.at[flow];
    return at->item_count ? pool->covers.at + at->first_item : NULL;
}

/* --- Choosing --- */

/* The fewest candidates, and among those the fewest events, that cover `enough` of the pool's
 * items; best effort, repeatable for a seed. Replaces out; false when the watch said stop. */
bool cover_smallest(const struct pool *pool, size_t item_count, size_t enough, uint64_t seed,
                    u32_vec *out);
/* Most items for the time: greedy by items per second, until nothing more fits. */
void cover_within_budget(const struct pool *pool, size_t item_count, double budget, u32_vec *out);
/* Farthest first by edit distance of the transitions. */
void cover_diverse(const struct pool *pool, uint32_t count, u32_vec *out);

/* --- Reaching --- */

/* The graph within the length, layer by layer. */
struct reach {
    struct tac_flow_engine *engine;
    uint32_t length;
    uint64_t **at; /* at[d]: nodes that some prefix of d events reaches */
    uint32_t *first_in, *in_edges, *source_of; /* edges by target; the node each edge leaves */
};

/* An item and a place where it occurs: the path of its edges from a node at a depth. */
struct occurrence {
    uint32_t depth, node, first_edge, edge_count; /* edges in reach_items.edges */
};

struct occurrences {
    TAC_VEC(struct occurrence) of; /* by item */
    u32_vec edges;
};

tac_status reach_new(struct tac_flow_engine *engine, struct reach *reach, tac_error *err);
void reach_free(struct reach *reach);
/* Numbers every feasible item and finds the earliest place of each. */
tac_status reach_items(const struct reach *reach, struct items *items, struct occurrences *out,
                       tac_error *err);
void occurrences_free(struct occurrences *occurrences);
/* True when a flow can still complete from this node after `depth` events. */
bool reach_alive(const struct reach *reach, uint32_t node, uint32_t depth);
/* Writes the edges of a prefix that ends in the node after `depth` events; returns its root. */
uint32_t reach_prefix(const struct reach *reach, uint32_t node, uint32_t depth, uint32_t *edges);

/* Fills a pool with suites that together cover every feasible item several times over. */
tac_status beam_fill(const struct reach *reach, struct items *items,
                     const struct occurrences *occurrences, uint64_t seed, struct pool *pool,
                     tac_error *err);

/* Cuts the end of every chosen flow behind the last step that adds something to the suite. Only
 * where any prefix is a flow. */
void trim_flows(struct pool *pool, size_t item_count, const u32_vec *chosen);

/* What walking gives: a pool whose flows are the suite. */
struct walking {
    bool done;      /* the pool is the suite; otherwise other ways have to be tried */
    size_t total;   /* feasible items */
    uint64_t bound; /* what any suite of all `bound_items` costs at least; 0 = not known */
    size_t bound_items;
    bool cut; /* steps farther away were not looked at: neither total nor bound is known */
};
tac_status cover_by_walking(struct tac_flow_engine *engine, const tac_cover_options *options,
                            uint32_t restart_cost, struct pool *pool, struct walking *out,
                            tac_error *err);
