/* Where the app may be: the nodes of the plan that explain everything seen since the start.
 *
 * Screens of several states may look alike, so a step has several explanations, its moves. What a
 * later screen rules out is taken out of the steps before it, too. An item counts as covered as
 * soon as all moves of a step that fit best bring it. */
#pragma once

#include "flow/adaptive/plan.h"

struct stand {
    uint32_t node; /* of the plan */
    int fit;
};

/* One explanation of a step. */
struct move {
    uint32_t from, way; /* TAC_NONE: from the start */
    int fit;
};

struct belief {
    struct plan *plan;
    TAC_VEC(struct stand) at; /* the best fits first; empty: not running */
    size_t likely;            /* how many fit best */
    uint32_t asked;           /* event, TAC_NONE: a start */
    bool certain;             /* the app is in `at` if it is as the model says */
    TAC_VEC(struct move) moves;
    TAC_VEC(size_t) first_move; /* of each step since the start */
    uint64_t *covered;          /* items */
    uint64_t *certainly;        /* of these: it was known before the event where the app was */
    bool known;                 /* it was, before the last event */
    size_t covered_count;
    bool vague; /* some choice was taken where it was not known to be possible */
};

void belief_init(struct belief *belief, struct plan *plan);
void belief_free(struct belief *belief);
void belief_start(struct belief *belief);
/* Asks for an event of a likely node; a transition of it. */
uint32_t belief_ask(struct belief *belief, uint32_t event);
/* Would the event, wherever it is possible, bring two likely nodes closer to being told apart? */
bool belief_parts(const struct belief *belief, uint32_t event);
tac_adaptive_landing belief_see(struct belief *belief, const tac_adaptive_sight *sights,
                                size_t count, tac_adaptive_excluded excluded, void *context,
                                uint32_t *likely);
void belief_refuse(struct belief *belief);
size_t belief_expected(const struct belief *belief, uint32_t *nodes, size_t most);
