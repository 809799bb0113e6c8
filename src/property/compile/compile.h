/* From syntax trees to programs. With a schema the names are bound to a trace's variables; without
 * one (when a file is loaded, or exported) what a name is follows from its use.
 *
 * Every function reports errors to the compiler's diagnostics and then returns something harmless,
 * so that all errors of a file are found in one pass. */
#pragma once

#include "property/compile/column.h"

struct property_compiler {
    const tac_properties *properties;
    const tac_monitor_schema *schema; /* NULL: none */
    struct column_program *program;
    tac_diagnostics *diagnostics;
    tac_arena *arena;        /* texts of the result */
    const char *trace_name;  /* for messages */
    uint64_t automaton_work; /* elementary steps that automata have taken so far */
    bool exporting;          /* names are resolved by the exported monitor, on its trace */
    bool known;              /* every value is expected to be known: no duties beside automata */
    uint32_t unknown;        /* the states in which something observed is missing, or COLUMN_NONE */
};

/* A number with its unit. */
struct quantity {
    uint32_t node;       /* in the column program, or in an interval body */
    struct unit unit;    /* of the value */
    struct unit nominal; /* to report in; also what a number without a unit means beside it */
    bool known; /* the unit is known; false: a variable without a declared unit is inside */
    bool bare;  /* written without any unit: takes the unit of what it meets */
    bool constant;
    double value;        /* constants */
    const char *unknown; /* the variable without a unit, for messages */
};

/* Where numbers are computed: in the columns of states, or in the figures of an interval. */
struct arithmetic {
    struct property_compiler *compiler;
    void *context;
    uint32_t (*constant)(void *context, double value);
    uint32_t (*operation)(void *context, enum ast_kind kind, uint32_t a, uint32_t b);
    /* What is neither a number nor arithmetic. */
    struct quantity (*leaf)(const struct arithmetic *in, const struct ast *ast);
};

void compile_error(struct property_compiler *compiler, const struct ast *at, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* What a discrete variable says when it stands for a condition that holds; ends with NULL. */
extern const char *const compile_true_words[];

void compile_warning(struct property_compiler *compiler, const struct ast *at, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* The slot of a variable, made on first use. */
uint32_t compile_slot(struct property_compiler *compiler, const struct ast *at, const char *name,
                      bool discrete);
/* The index of a variable in the schema, or COLUMN_NONE (also without a schema). */
uint32_t compile_variable(const struct property_compiler *compiler, const char *name);

/* A state formula: the id of a bit node. */
uint32_t compile_state(struct property_compiler *compiler, const struct ast *ast);
/* The same of a formula that is not about what was observed. */
uint32_t compile_plain_state(struct property_compiler *compiler, const struct ast *ast);
/* A boolean or past operator of which the operands are compiled. */
uint32_t compile_operator(struct property_compiler *compiler, const struct ast *ast, uint32_t a,
                          uint32_t b);
uint32_t compile_number_comparison(struct property_compiler *compiler, const struct ast *ast);
/* A number of a state: the id of a number node and its unit. */
struct quantity compile_number(struct property_compiler *compiler, const struct ast *ast);
/* Is any variable below this node interpolated between states? */
bool compile_is_linear(const struct column_program *program, uint32_t node);

/* Numbers and arithmetic; all else is the leaf's. */
struct quantity compile_arithmetic(const struct arithmetic *in, const struct ast *ast);
struct quantity compile_constant(const struct arithmetic *in, double value, struct unit unit,
                                 bool bare);
/* The operands of + - or a comparison, in their common unit. False (and an error) when they have
 * none. */
bool compile_operands(const struct arithmetic *in, const struct ast *ast, struct quantity *a,
                      struct quantity *b);
