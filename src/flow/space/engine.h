/* What the engines share: the graph they walk and the tables that answer "can this still complete".
 *
 * The tables depend only on the graph, the bound and the wanted kinds, which never change during
 * the life of an engine, so each is built once, by the first question that needs it. */
#pragma once

#include "flow/space/distinct.h"
#include "flow/space/space.h"

/* The flow that was described last: it lives until the next one is. */
struct description {
    tac_arena arena;
    tac_flow flow;
    u32_vec lifted;
};

struct tac_flow_engine {
    const tac_model *model;
    tac_flow_options options;
    unsigned wanted; /* mask of tac_flow_kind that listing and sampling produce */
    struct space *space;
    struct distinct *distinct; /* NULL unless asked for */
    struct graph *graph;       /* the distinct graph, or the space's */
    uint64_t **alive;          /* alive[k]: bit set of nodes from which a flow can still complete
                                  within k steps; NULL before engine_prune */
    struct description *description;
    uint32_t effort_depth; /* of the last count */
    double effort_seconds;
    bool always_loops; /* streamed lists count loops along the walk however small the graph is:
                          tests compare both ways */
};

/* TAC_E_INTERRUPTED when the watch says stop. Every public function asks at its start, so that a
 * stop is seen however short the work is. */
tac_status engine_ask(const struct tac_flow_engine *engine, const char *what, tac_error *err);
/* The same, and TAC_E_USAGE for an engine without a bound on the length. */
tac_status engine_begin(const struct tac_flow_engine *engine, const char *what, tac_error *err);
/* Builds the backward table; afterwards every node within the bound is expanded. */
tac_status engine_prune(struct tac_flow_engine *engine, tac_error *err);
/* False when every prefix completes, so that listing needs no table. */
bool engine_needs_pruning(const struct tac_flow_engine *engine);
