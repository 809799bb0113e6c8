/* Everything a property file asks for, compiled: one column program, the interval plans and the
 * automata that read its columns, and per property how their verdicts combine. */
#pragma once

#include "property/interval/interval.h"
#include "property/temporal/temporal.h"

struct property_part {
    bool temporal;
    bool queued; /* temporal: by duties, else by an automaton */
    bool beside; /* by duties, too, which go on where an automaton cannot: what is unknown */
    struct interval_plan interval;
    struct automaton automaton;
    struct goals goals;
    struct column_program *program;   /* the plan's, or for `for each` one of its own */
    uint32_t each[PROPERTY_MAX_EACH]; /* for each: slots of the variables */
    size_t each_count;
    uint32_t trigger;  /* temporal: the column that has to hold once for it to say anything */
    uint32_t unknown;  /* temporal: the column of states that need something missing, or NONE */
    uint32_t proof;    /* temporal: what shows that it was more than not refuted, or NONE */
    bool observed;     /* it speaks of what was observed */
    uint32_t *watched; /* temporal: slots shown in the witness */
    size_t watched_count;
    const struct ast *ast;
};

enum combine_op { COMBINE_PART, COMBINE_PROPERTY, COMBINE_NOT, COMBINE_AND, COMBINE_OR };
struct combine {
    enum combine_op op;
    uint32_t a, b; /* part, property, or combine nodes */
};

/* See proof.c. */
enum proof_op {
    PROOF_REFUTED, /* the part a is violated */
    PROOF_STANDS,  /* it is not */
    PROOF_BOTH,    /* of the proofs a and b */
    PROOF_EITHER
};
struct proof {
    enum proof_op op;
    uint32_t a, b;
};

struct property_plan {
    tac_arena arena;
    struct column_program program;
    TAC_VEC(struct property_part) parts;
    TAC_VEC(struct combine) combines;
    TAC_VEC(struct proof) proofs;
    uint32_t *roots; /* per property: its combine node */
};

/* Errors and warnings go to diagnostics. schema may be NULL. The plan is to be freed in any case.
 */
void property_plan_compile(const tac_properties *properties, const tac_monitor_schema *schema,
                           tac_semantics semantics, bool known, const char *trace_name,
                           tac_diagnostics *diagnostics, struct property_plan *plan);
/* The same for an export: bare names are left to the exported monitor. */
void property_plan_export(const tac_properties *properties, tac_semantics semantics,
                          tac_diagnostics *diagnostics, struct property_plan *plan);
void property_plan_free(struct property_plan *plan);
