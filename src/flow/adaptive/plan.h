/* What an adaptive run can do and what it is to cover, as one graph.
 *
 * A node is a configuration of the model; where pairs are covered also the transition that led
 * there, where a requirement is to be met also the state of its watcher. A choice of a node is an
 * event, its ways are the answers that the app may give. A way may bring one item of the goal.
 * Choice 0 is the start of the app, of no node. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "flow/adaptive.h"

enum { LEVELS = 8, LOOKS_SAME = LEVELS };

struct way {
    uint32_t target, transition; /* TAC_MODEL_NONE: of a start */
    uint32_t item;               /* TAC_NONE: none */
    uint32_t seen;               /* how often the app answered so */
};

struct choice {
    uint32_t first, count, event; /* ways */
    uint32_t refused;             /* times its element was not there */
    uint32_t surprised;           /* times it led where the model has no transition to */
    uint32_t vague;               /* times it was taken where it was not known to be possible */
    bool blurs;                   /* two of its ways lead to nodes that look the same */
};

struct plan {
    const tac_model *model;
    tac_adaptive_goal goal;
    TAC_VEC(struct way) ways;
    TAC_VEC(struct choice) choices;
    TAC_VEC(uint32_t) first_choice; /* node: first of its choices; one more at the end */
    TAC_VEC(uint32_t) shown;        /* node: the node of the model that is shown there */
    tac_names items;                /* keys of the goal's items */
    TAC_VEC(char *) names;          /* item: as a report names it */
    TAC_VEC(char *) infeasible;     /* what the model has and none of its flows */
    /* Two nodes of one class at level k look the same now and after up to k events, as far as the
     * model tells looks. */
    uint32_t *level[LEVELS];
};

tac_status adaptive_plan_new(const tac_model *model, const tac_adaptive_options *options,
                             struct plan *plan, tac_error *err);
void adaptive_plan_free(struct plan *plan);
static inline size_t plan_nodes(const struct plan *plan)
{
    return plan->shown.count;
}
/* The choice of this event at a node, or TAC_NONE. */
uint32_t plan_choice(const struct plan *plan, uint32_t node, uint32_t event);
/* After how many events two nodes can be told apart; LOOKS_SAME when that takes too many. */
uint32_t plan_distance(const struct plan *plan, uint32_t a, uint32_t b);
