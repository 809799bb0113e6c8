/* Private to the two files that turn declarations into a rule set. */
#pragma once

#include "rules/language/build.h"

struct resolver {
    struct rules_builder *b;
    tac_names tests;                  /* names of derived variables */
    TAC_VEC(uint32_t) test_variables; /* by id of tests: provisional variable */
    TAC_VEC(uint32_t) targets;        /* by draft action: provisional variable */
    uint32_t *final_of;               /* provisional variable -> variable */
    TAC_VEC(tac_rules_node) nodes;
    TAC_VEC(tac_rules_action) actions;
    TAC_VEC(tac_rules_edge) edges;
    bool too_large; /* reported once */
};

/* Names in predicates, sensors' tests and their constraints, targets of actions. */
void rules_resolve_terms(struct resolver *r);
void rules_resolve_actions(struct resolver *r, const struct draft_rule *draft,
                           tac_rules_rule *rule);
