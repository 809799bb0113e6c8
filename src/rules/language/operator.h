/* The operators of predicates: how they are written, how strongly they bind, what they mean. What
 * reads, writes or evaluates a predicate goes by this one table. */
#ifndef TAC_RULES_OPERATOR_H
#define TAC_RULES_OPERATOR_H

#include "tactus/rules.h"

struct rules_operator {
    const char *words[3]; /* as it may be written; the first is how we write it */
    uint8_t operands;     /* that are nodes: none, left, or left and right */
    uint8_t left, right;  /* how strongly it binds what stands before and behind it */
    uint8_t truth;        /* bit 2 * left + right: its value */
};

extern const struct rules_operator rules_operators[TAC_RULES_IMPLIES + 1];

static inline bool rules_operator_holds(tac_rules_operator op, bool left, bool right)
{
    return rules_operators[op].truth >> (2 * left + right) & 1;
}

/* The same for 64 inputs at once. */
static inline uint64_t rules_operator_word(tac_rules_operator op, uint64_t left, uint64_t right)
{
    uint8_t truth = rules_operators[op].truth;
    return (truth & 1 ? ~left & ~right : 0) | (truth & 2 ? ~left & right : 0) |
           (truth & 4 ? left & ~right : 0) | (truth & 8 ? left & right : 0);
}

#endif
