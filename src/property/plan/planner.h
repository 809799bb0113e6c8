/* What the files that make a plan share. */
#pragma once

#include "property/plan/plan.h"

struct planner {
    struct property_compiler compiler;
    struct property_plan *plan;
    tac_semantics semantics;
    const struct property_statement *each; /* the property being compiled, if it is `for each` */
};

/* plan.c: a temporal formula as a part that no property has for its own; its index. For `for each`
 * it is judged by value, too. */
uint32_t planner_add_formula(struct planner *planner, const struct ast *ast);

/* proof.c: what shows that the formula was more than not refuted; COLUMN_NONE: its trigger, or the
 * states that were untested when it was decided, say so. */
uint32_t planner_add_proof(struct planner *planner, const struct ast *ast);
