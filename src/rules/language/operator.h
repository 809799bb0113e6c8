/* The operators of predicates: how they are written and what they mean. What reads, writes or
 * evaluates a predicate goes by these two tables. */
#pragma once

#include "base/syntax/syntax.h"
#include "tactus/rules.h"

struct rules_operator {
    uint8_t operands; /* that are nodes: none, left, or left and right */
    uint8_t truth;    /* bit 2 * left + right: its value */
};

extern const struct rules_operator rules_operators[TAC_RULES_IMPLIES + 1];
/* Every spelling, of kind tac_rules_operator; the first of an operator is how it is written out. */
extern const struct syntax_operator rules_spellings[];
const struct syntax_operator *rules_spelling(tac_rules_operator op); /* NULL: a name */

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
