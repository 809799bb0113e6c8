/* Private to the files of the enumerative engine. */
#pragma once

#include "base/data/map.h"
#include "rules/engine/engine.h"
#include "rules/engine/matrix.h"

struct enumeration {
    struct rules_run *run;
    struct matrix m;
    struct window window;   /* whole, for cubes, examples and paths */
    struct edge_sets edges; /* by diagrams */
    tac_names sets;         /* distinct sets of triggered edges, as bytes; 0 is the empty one */
    bool *live;             /* by edge */
};

/* The edges triggered in a pair (matrix.h); borrowed. */
const uint32_t *rules_fired_edges(const struct enumeration *x, uint64_t pair, size_t *count);
/* Stable, one, race, cycle of every state, and the paths (Algorithm 4). */
tac_status rules_enumerate_runs(struct enumeration *x, tac_error *err);
