/* Events as relations between states, held in decision diagrams. */
#pragma once

#include "base/bdd/bdd.h"
#include "protocol/system/cone.h"

/* A target hit inside an event: from the states in `when`. */
struct event_hit {
    uint32_t bit, position; /* as in struct event_outcome */
    tac_bdd when;           /* kept */
};

struct event_relation {
    uint32_t program;
    tac_bdd relation; /* over the current bits and the next of the changed ones; kept */
    tac_bdd current;  /* the changed bits as a set of current variables; kept */
    u32_vec changed;  /* state bits */
    tac_bdd_pairs *to_current;
    TAC_VEC(struct event_hit) hits;
};

/* The place of every state bit in the variable order: bit i is variable 2 * place[i], its next
 * value the variable after. Bits of one receiver object lie together. The caller frees. */
uint32_t *event_bdd_order(const struct cone *cone);

/* The manager must be open. Check tac_bdd_failed afterwards. */
void event_relation_build(const struct cone *cone, const uint32_t *place, uint32_t program,
                          struct event_relation *out);
void event_relation_free(struct event_relation *relation);
