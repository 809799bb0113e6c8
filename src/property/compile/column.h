/* State formulas as a program over columns.
 *
 * Every state formula and derived variable of a property file becomes a node of one hash-consed
 * graph; equal parts of different properties are one node. A chunk of states is evaluated node by
 * node, each node over its whole column, so that the loops are vectorised and an atom costs a
 * fraction of a nanosecond a state however many properties use it. Past operators carry one bit
 * from chunk to chunk.
 *
 * Values may be unknown: a bit is then false, true or unknown (Kleene), kept as two columns: `bit`
 * (surely true) and `may` (not surely false). Where a chunk knows all of a node, both are one and
 * the second costs nothing; the same holds for what past operators remember.
 *
 * Invariant: operands have smaller ids than their node, so evaluation in id order is correct. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "property/language/ast.h"

enum { COLUMN_CHUNK = 1024 };
#define COLUMN_NONE UINT32_MAX

/* Every operation: what it makes (a number, a bit, a text a state), how it is evaluated, whether a
 * and b are both nodes, and its word in drawings. */
#define COLUMN_OP_ROWS(X)                                                                          \
    X(COLUMN_CONSTANT, NUMBER, LEAF, 0, "")                                                        \
    X(COLUMN_NUMBER, NUMBER, LEAF, 0, "") /* a = slot of a continuous variable */                  \
    X(COLUMN_NEGATE, NUMBER, ARITHMETIC, 0, "-")                                                   \
    X(COLUMN_ABS, NUMBER, ARITHMETIC, 0, "abs ")                                                   \
    X(COLUMN_ADD, NUMBER, ARITHMETIC, 1, " + ")                                                    \
    X(COLUMN_SUBTRACT, NUMBER, ARITHMETIC, 1, " - ")                                               \
    X(COLUMN_MULTIPLY, NUMBER, ARITHMETIC, 1, " * ")                                               \
    X(COLUMN_DIVIDE, NUMBER, ARITHMETIC, 1, " / ")                                                 \
    /* bits: one byte a state, 0 or 1 */                                                           \
    X(COLUMN_TRUE, BIT, LEAF, 0, "true")                                                           \
    X(COLUMN_FALSE, BIT, LEAF, 0, "false")                                                         \
    X(COLUMN_LT, BIT, COMPARISON, 1, " < ")                                                        \
    X(COLUMN_LE, BIT, COMPARISON, 1, " <= ")                                                       \
    X(COLUMN_EQ, BIT, COMPARISON, 1, " == ")                                                       \
    X(COLUMN_NE, BIT, COMPARISON, 1, " != ")                                                       \
    X(COLUMN_SYMBOL_IS, BIT, SYMBOL, 0, " == ")      /* a = slot, b = literal */                   \
    X(COLUMN_SYMBOL_IS_NOT, BIT, SYMBOL, 0, " != ")  /* false without a value, but for `event` */  \
    X(COLUMN_SYMBOLS_EQUAL, BIT, SYMBOLS, 0, " == ") /* a, b = slots */                            \
    X(COLUMN_SYMBOLS_DIFFER, BIT, SYMBOLS, 0, " != ")                                              \
    X(COLUMN_NUMBER_TRUE, BIT, COMPARISON, 0, "") /* a = number node: a value, and not 0 */        \
    /* exports: a = literal; a boolean column of that name, or else an event */                    \
    X(COLUMN_BARE, BIT, LEAF, 0, "")                                                               \
    X(COLUMN_NOT, BIT, BOOLEAN, 0, "not ")                                                         \
    X(COLUMN_AND, BIT, BOOLEAN, 1, " and ")                                                        \
    X(COLUMN_OR, BIT, BOOLEAN, 1, " or ")                                                          \
    X(COLUMN_PREVIOUSLY, BIT, PAST, 0, "previously ")                                              \
    X(COLUMN_ONCE, BIT, PAST, 0, "once ")                                                          \
    X(COLUMN_HISTORICALLY, BIT, PAST, 0, "historically ")                                          \
    X(COLUMN_SINCE, BIT, PAST, 1, " since ")                                                       \
    X(COLUMN_RISE, BIT, PAST, 0, "rise ")                                                          \
    X(COLUMN_FALL, BIT, PAST, 0, "fall ")                                                          \
    /* a since b at a distance of bounds[window]; `once` has a = true */                           \
    X(COLUMN_SINCE_WITHIN, BIT, PAST, 1, " since ")                                                \
    /* What was observed (column_text.c) */                                                        \
    X(COLUMN_PREVIOUS, NUMBER, OBSERVED, 0, "previous") /* NaN in the first state */               \
    X(COLUMN_SIZE, NUMBER, OBSERVED, 0, "size")         /* value: 1 for a list */                  \
    /* texts: ids of the program's own table, COLUMN_NONE without a value */                       \
    X(COLUMN_TEXT_SLOT, TEXT, OBSERVED, 0, "")    /* a = slot */                                   \
    X(COLUMN_TEXT_LITERAL, TEXT, OBSERVED, 0, "") /* a = id */                                     \
    X(COLUMN_TEXT_PREVIOUS, TEXT, OBSERVED, 0, "previous")                                         \
    X(COLUMN_TEXT_ITEM, TEXT, OBSERVED, 1, "item") /* a = list, b = number node */                 \
    X(COLUMN_TEXT_TRIM, TEXT, OBSERVED, 0, "trim")                                                 \
    /* bits; false without a value */                                                              \
    X(COLUMN_TEXT_EQ, BIT, OBSERVED, 1, "==")                                                      \
    X(COLUMN_TEXT_NE, BIT, OBSERVED, 1, "!=")                                                      \
    X(COLUMN_CONTAINS, BIT, OBSERVED, 1, "contains") /* value: 1 where a is a list */              \
    X(COLUMN_PREFIX, BIT, OBSERVED, 1, "prefix")     /* a of b; value: 1 for lists */              \
    X(COLUMN_TEXT_KNOWN, BIT, OBSERVED, 0, "known")                                                \
    X(COLUMN_NUMBER_KNOWN, BIT, OBSERVED, 0, "known")

#define COLUMN_OP(op, makes, group, binary, word) op,
enum column_op { COLUMN_OP_ROWS(COLUMN_OP) };
#undef COLUMN_OP
enum { COLUMN_OPS = COLUMN_NUMBER_KNOWN + 1 };

struct column_operation {
    enum column_makes { COLUMN_MAKES_NUMBER, COLUMN_MAKES_BIT, COLUMN_MAKES_TEXT } makes;
    enum column_group {
        COLUMN_GROUP_LEAF,
        COLUMN_GROUP_ARITHMETIC,
        COLUMN_GROUP_COMPARISON,
        COLUMN_GROUP_SYMBOL,
        COLUMN_GROUP_SYMBOLS,
        COLUMN_GROUP_BOOLEAN,
        COLUMN_GROUP_PAST,
        COLUMN_GROUP_OBSERVED
    } group;
    bool binary; /* a and b are nodes */
    const char *word;
};
extern const struct column_operation column_operations[COLUMN_OPS];

/* A distance to an earlier or later state: low <= d <= high, in states or nanoseconds. */
struct time_window {
    bool steps, low_strict, high_strict, unbounded;
    int64_t low, high;
};

static inline bool window_opened(const struct time_window *window, int64_t distance)
{
    return window->low_strict ? distance > window->low : distance >= window->low;
}

static inline bool window_passed(const struct time_window *window, int64_t distance)
{
    return !window->unbounded &&
           (window->high_strict ? distance >= window->high : distance > window->high);
}

struct column_node {
    uint32_t op, a, b;
    uint32_t window; /* index into bounds */
    double value;    /* constants */
};

/* A value that is not known: of which variable, where, and why. */
struct column_unknown {
    bool set;
    uint32_t slot;   /* COLUMN_NONE: no value, but an end that was not seen */
    uint32_t reason; /* a symbol of the trace that tells it, or TAC_TRACE_NO_SYMBOL: no value yet */
    uint64_t state;
    int64_t time;
};

/* A variable that the program reads. */
struct column_slot {
    const char *name;
    bool discrete;
    bool is_event;
    bool linear;
    bool monotone;
    bool has_unit;
    bool quiet;       /* nothing that was written names it: no warnings about it */
    bool compared;    /* a comparison uses it: warn when it has no value yet */
    struct unit unit; /* of the values: the trace's where it gives one, so that none is rounded */
    struct unit nominal;         /* to report in: the declared one where there is one */
    const char *unit_text;       /* of nominal, as written */
    double scale_num, scale_den; /* a variable that came late: its numbers times num / den */
    uint32_t variable;           /* index in the schema, or COLUMN_NONE */
    uint32_t line, column;       /* first use, for messages */
    uint32_t node;               /* COLUMN_NUMBER node, or COLUMN_NONE */
    bool observed;          /* read from screens: no value is an answer there, and not unknown */
    const uint8_t *unknown; /* in this chunk: where the value is not known; NULL: nowhere */
    uint8_t *own_unknown;
    struct column_unknown first; /* where it was not known for the first time */
};

struct column_place {
    uint32_t line, column;
};

struct column_runtime {
    double *number;     /* number nodes: this chunk's values */
    uint8_t *bit;       /* bit nodes */
    double *own_number; /* owned buffers; a plain variable borrows the block's column */
    uint32_t *text;     /* text nodes */
    uint8_t *may;       /* bit nodes: `bit` itself where all of the chunk is known */
    uint8_t *own_may;
    const uint8_t *unknown; /* number and text nodes: where in the chunk; NULL: nowhere */
    uint8_t *own_unknown;
};

/* What a past operator remembers. Bounded ones keep the places of b that are not yet low ago; of
 * those further away the latest is enough. */
struct column_past {
    bool carry; /* the operand or result in the state before */
    double carry_number;
    uint32_t carry_text;
    bool has_latest;
    int64_t latest;
    TAC_VEC(int64_t) waiting; /* from `head` on, in order */
    size_t head;
    bool split; /* what is remembered of `may` differs: it is in the second half of the set */
};

enum { COLUMN_MOST_WAITING = 1 << 20 };

struct column_program {
    TAC_VEC(struct column_node) nodes;
    tac_names index; /* node bytes -> id: ids coincide with `nodes` */
    TAC_VEC(struct column_slot) slots;
    tac_names literals;               /* texts of symbols; ids are the b of COLUMN_SYMBOL_IS */
    TAC_VEC(uint32_t) literal_symbol; /* id in the trace's symbol table, or TAC_TRACE_NO_SYMBOL */
    TAC_VEC(struct column_place) literal_place; /* first use, for messages */
    TAC_VEC(const char *) compared_names;       /* exports: texts that must not be columns */
    size_t symbols_seen;
    struct column_runtime *runtime; /* one per node, made by column_start */
    struct column_past *past;       /* two per node; may be exchanged for another set */
    bool has_past;                  /* some node remembers something */
    TAC_VEC(struct time_window) bounds;
    TAC_VEC(const struct ast *) bound_places; /* the operator of each bound, for messages */
    const uint32_t *events;   /* this chunk's events instead of the block's; NULL: the block's */
    uint32_t *no_symbols;     /* COLUMN_CHUNK times no value */
    uint32_t overflow;        /* the bound whose queue grew too long, or NONE */
    const uint32_t **symbols; /* per slot: this chunk's column, NULL = never a value */
    double *missing;          /* a column of NaN for variables that are not there */
    uint64_t states;          /* evaluated so far */
    bool has_text;            /* some node is a text */
    tac_names texts;          /* what text nodes hold */
    TAC_VEC(uint32_t) text_of_symbol; /* per symbol of the trace */
    TAC_VEC(uint8_t) mark_of_symbol;  /* per symbol of the trace: it stands for an unknown value */
    bool has_marks;
    bool met_unknown; /* since the trace began */
};

/* The node's id; equal nodes share one. */
uint32_t column_node(struct column_program *program, enum column_op op, uint32_t a, uint32_t b,
                     double value);
uint32_t column_constant(struct column_program *program, double value);
/* a since b within the bounds of the operator `at`. */
uint32_t column_since(struct column_program *program, uint32_t a, uint32_t b, const struct ast *at);
struct time_window time_window_of(const struct ast *ast);
/* at: its place, for the warning about a misspelt value; NULL = none is wanted. */
uint32_t column_literal(struct column_program *program, const char *text, const struct ast *at);
/* The id of a text in the program's own table. */
uint32_t column_text(struct column_program *program, const char *text, size_t length);
static inline bool column_is_number(enum column_op op)
{
    return column_operations[op].makes == COLUMN_MAKES_NUMBER;
}
static inline bool column_is_text(enum column_op op)
{
    return column_operations[op].makes == COLUMN_MAKES_TEXT;
}
/* column_text.c: evaluates the nodes above COLUMN_SINCE_WITHIN. */
void column_evaluate_text(struct column_program *program, size_t id, size_t count);
static inline bool column_is_binary(enum column_op op)
{
    return column_operations[op].binary;
} /* a and b are nodes */
void column_free(struct column_program *program);

/* Allocates the buffers; the program is complete. */
void column_start(struct column_program *program);
/* Back to the state before the first state; symbols are looked up again. */
void column_reset(struct column_program *program);
/* column_past.c: another memory of the past operators: made, set back, copied, compared, freed. */
struct column_past *column_past_new(const struct column_program *program);
void column_past_reset(const struct column_program *program, struct column_past *past);
void column_past_copy(const struct column_program *program, struct column_past *to,
                      const struct column_past *from);
bool column_past_equal(const struct column_program *program, const struct column_past *a,
                       const struct column_past *b);
/* Before and after a chunk in which both columns are remembered: `may` gets a memory of its own,
 * and loses it where it is the same again. */
void column_past_divide(struct column_past *sure, struct column_past *may);
void column_past_join(struct column_past *sure, struct column_past *may);
void column_past_free(const struct column_program *program, struct column_past *past);
/* Looks up literals among symbols that are new since the last call. */
void column_symbols(struct column_program *program, const char *const *symbols, size_t count);
/* column_evaluate.c: evaluates states offset .. offset + count - 1 of the block; count <=
 * COLUMN_CHUNK. */
void column_evaluate(struct column_program *program, const tac_trace_block *block, size_t offset,
                     size_t count);

static inline const uint8_t *column_bits(const struct column_program *program, uint32_t node)
{
    return program->runtime[node].bit;
}
static inline const uint8_t *column_may(const struct column_program *program, uint32_t node)
{
    return program->runtime[node].may;
}
/* All bits of the chunk are known. */
static inline bool column_is_exact(const struct column_program *program, uint32_t node)
{
    return program->runtime[node].may == program->runtime[node].bit;
}
/* column_unknown.c: what makes the node unknown in state i of the chunk. time: of the chunk. */
struct column_unknown column_blame(const struct column_program *program, uint32_t node, size_t i,
                                   uint64_t first, const int64_t *time);
/* Where the slots are unknown in the chunk that is loaded. */
void column_load_unknown(struct column_program *program, const int64_t *time, size_t count);
/* Both columns of a boolean or past operator of which not all is known. */
void column_evaluate_kleene(struct column_program *program, size_t id, const int64_t *time,
                            size_t count);
/* Where any other node is unknown; its values are there. */
void column_mark_unknown(struct column_program *program, size_t id, size_t count);
/* column_evaluate.c: a past operator over one of the two columns. */
void column_evaluate_past(struct column_program *program, size_t id, struct column_past *past,
                          const uint8_t *a, const uint8_t *b, const int64_t *time, size_t n,
                          uint8_t *out);
static inline const double *column_numbers(const struct column_program *program, uint32_t node)
{
    return program->runtime[node].number;
}
