/* See operator.h. */
#include "rules/language/operator.h"
#include "base/check.h"

const struct syntax_operator rules_spellings[] = {
    {"false", TAC_RULES_FALSE, 5, SYNTAX_WHOLE, NULL},
    {"true", TAC_RULES_TRUE, 5, SYNTAX_WHOLE, NULL},
    {"not", TAC_RULES_NOT, 4, SYNTAX_PREFIX, NULL},
    {"!", TAC_RULES_NOT, 4, SYNTAX_PREFIX, NULL},
    {"and", TAC_RULES_AND, 3, SYNTAX_LEFT, NULL},
    {"&&", TAC_RULES_AND, 3, SYNTAX_LEFT, NULL},
    {"&", TAC_RULES_AND, 3, SYNTAX_LEFT, NULL},
    {"or", TAC_RULES_OR, 2, SYNTAX_LEFT, NULL},
    {"||", TAC_RULES_OR, 2, SYNTAX_LEFT, NULL},
    {"|", TAC_RULES_OR, 2, SYNTAX_LEFT, NULL},
    {"->", TAC_RULES_IMPLIES, 1, SYNTAX_RIGHT, NULL},
    {NULL, 0, 0, SYNTAX_LEFT, NULL},
};

const struct rules_operator rules_operators[] = {
    [TAC_RULES_FALSE] = {0, 0x0}, [TAC_RULES_TRUE] = {0, 0xf},    [TAC_RULES_VARIABLE] = {0, 0x0},
    [TAC_RULES_RULE] = {0, 0x0},  [TAC_RULES_NOT] = {1, 0x3},     [TAC_RULES_AND] = {2, 0x8},
    [TAC_RULES_OR] = {2, 0xe},    [TAC_RULES_IMPLIES] = {2, 0xb},
};
TABLE_COVERS(rules_operators, TAC_RULES_IMPLIES);

const struct syntax_operator *rules_spelling(tac_rules_operator op)
{
    for (const struct syntax_operator *at = rules_spellings; at->text; at++)
        if (at->kind == (int)op)
            return at;
    return NULL;
}
