/* Everything a property file asks for, compiled: one column program, the interval plans and the
 * automata that read its columns, and per property how their verdicts combine. */
#ifndef TAC_PROPERTY_PLAN_H
#define TAC_PROPERTY_PLAN_H

#include "property/interval/interval.h"
#include "property/temporal/temporal.h"

struct part {
    bool temporal;
    struct interval_plan interval;
    struct automaton automaton;
    uint32_t *watched; /* temporal: slots shown in the witness */
    size_t watched_count;
    const struct ast *ast;
};

enum combine_op {
    COMBINE_PART,
    COMBINE_PROPERTY,
    COMBINE_NOT,
    COMBINE_AND,
    COMBINE_OR,
    COMBINE_IMPLIES
};
struct combine {
    enum combine_op op;
    uint32_t a, b; /* part, property, or combine nodes */
};

struct plan {
    tac_arena arena;
    struct column_program program;
    TAC_VEC(struct part) parts;
    TAC_VEC(struct combine) combines;
    uint32_t *roots; /* per property: its combine node */
};

/* Errors and warnings go to diagnostics. schema may be NULL. The plan is to be freed in any case.
 */
void property_plan_compile(const tac_properties *properties, const tac_monitor_schema *schema,
                           tac_semantics semantics, const char *trace_name,
                           tac_diagnostics *diagnostics, struct plan *plan);
void property_plan_free(struct plan *plan);

#endif
