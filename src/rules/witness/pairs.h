/* Which rule can fire right after which, and what follows from that about cycles.
 *
 * An edge (a rule in a state) can be followed by an edge of the state it leads to when some valid
 * input triggers both. A run that never ends takes such pairs for ever, so where no chain of pairs
 * comes round, no input cycles: a proof of absence at any size. The converse does not hold: an
 * input must take all pairs of a cycle. Only for rules without actions. */
#pragma once

#include "rules/engine/components.h"

struct rule_pairs {
    const tac_rules *rules;
    uint32_t *first, *next; /* edges that can follow e: next[first[e] .. first[e + 1]) */
    bool *endless;          /* by edge: a chain of pairs from it need not end */
};

/* Diagrams are running. False when they gave up, or when the watch says stop. */
bool rules_pairs_open(struct rule_pairs *pairs, const tac_rules *rules,
                      const struct components *components, tac_watch *watch);
void rules_pairs_close(struct rule_pairs *pairs);
/* Takes out the pairs of a rule with those of `next` (by rule), and settles `endless` anew. */
void rules_pairs_cut(struct rule_pairs *pairs, uint32_t rule, const bool *next);
/* Whether some input may go round for ever from the state. */
bool rules_pairs_endless(const struct rule_pairs *pairs, uint32_t state);
