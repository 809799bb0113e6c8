/* Minimum cost flow between the nodes that have something to give and those that lack it. */
#pragma once

#include "base/data/vec.h"
#include "tactus/watch.h"
#include <stdbool.h>
#include <stdint.h>

#define UNLIMITED UINT32_MAX

/* An arc that may carry up to `room` units at `cost` (not negative) each. */
struct cost_arc {
    uint32_t from, to, cost, room;
    uint32_t carries; /* the result */
};

struct mincost {
    uint32_t nodes;
    int64_t *balance; /* node: units to give (positive) or to receive; the sum is 0 */
    TAC_VEC(struct cost_arc) arcs;
    int64_t cost; /* the result */
    tac_watch *watch;
};

void mincost_init(struct mincost *problem, uint32_t nodes);
uint32_t mincost_arc(struct mincost *problem, uint32_t from, uint32_t to, uint32_t cost,
                     uint32_t room);
enum mincost_end { MINCOST_SOLVED, MINCOST_INFEASIBLE, MINCOST_STOPPED };
/* Fills carries and cost; balances are used up. */
enum mincost_end mincost_solve(struct mincost *problem);
void mincost_free(struct mincost *problem);
