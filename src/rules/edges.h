/* The edges of a state, in the order of their priorities. The state is evaluated once. */
#pragma once

#include "tactus/rules.h"

#define for_each_edge(e, state)                                                                    \
    for (const tac_rules_state *e##_of = (state); e##_of; e##_of = NULL)                           \
        for (uint32_t e = e##_of->first_edge; e < e##_of->first_edge + e##_of->edge_count; e++)

/* Edges of one state. */
static inline bool same_level(const tac_rules *rules, uint32_t a, uint32_t b)
{
    return rules->rules[rules->edges[a].rule].priority ==
           rules->rules[rules->edges[b].rule].priority;
}
