/* See operator.h. A name stands for a variable or a rule; it has no words of its own. */
#include "rules/language/operator.h"
#include <stddef.h>

#define STRONGEST 10

const struct rules_operator rules_operators[] = {
    [TAC_RULES_FALSE] = {{"false"}, 0, STRONGEST, STRONGEST, 0x0},
    [TAC_RULES_TRUE] = {{"true"}, 0, STRONGEST, STRONGEST, 0xf},
    [TAC_RULES_VARIABLE] = {{NULL}, 0, STRONGEST, STRONGEST, 0x0},
    [TAC_RULES_RULE] = {{NULL}, 0, STRONGEST, STRONGEST, 0x0},
    [TAC_RULES_NOT] = {{"not", "!"}, 1, 8, 8, 0x3},
    [TAC_RULES_AND] = {{"and", "&&", "&"}, 2, 6, 7, 0x8},
    [TAC_RULES_OR] = {{"or", "||", "|"}, 2, 4, 5, 0xe},
    [TAC_RULES_IMPLIES] = {{"->"}, 2, 3, 2, 0xb},
};
