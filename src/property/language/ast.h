/* The syntax tree of a property file, and the file itself once loaded.
 *
 * The tree is untyped: whether a name is a number, a discrete value or an event is known when it is
 * bound to a trace. All nodes and texts live in one arena. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "property/language/unit.h"
#include "property/property.h"

/* Every kind of node: its word in messages and in the language, its class, how it is written (an
 * operator with its power, loose to tight; CALL with its arguments; PLAIN: in a way of its own),
 * and when it holds: a boolean operator of which operands, a comparison of which order. A boolean
 * operator needs a row here and nothing else: property_resolve writes it out by its truth. */
#define TRUTH(none, b, a, both) ((none) | (b) << 1 | (a) << 2 | (both) << 3)
#define ORDER(less, equal, greater) ((less) | (equal) << 1 | (greater) << 2)
#define AST_KIND_ROWS(X)                                                                           \
    X(AST_NUMBER, "number", VALUE, PLAIN, 0, 0)                                                    \
    X(AST_STRING, "text", VALUE, PLAIN, 0, 0)                                                      \
    X(AST_NAME, "name", VALUE, PLAIN, 0, 0)                                                        \
    X(AST_TRUE, "true", VALUE, PLAIN, 0, 0)                                                        \
    X(AST_FALSE, "false", VALUE, PLAIN, 0, 0)                                                      \
    X(AST_NEGATE, "-", ARITHMETIC, PREFIX, 9, 0)                                                   \
    X(AST_ABS, "abs", ARITHMETIC, CALL, 1, 0)                                                      \
    X(AST_ADD, "+", ARITHMETIC, LEFT, 7, 0)                                                        \
    X(AST_SUBTRACT, "-", ARITHMETIC, LEFT, 7, 0)                                                   \
    X(AST_MULTIPLY, "*", ARITHMETIC, LEFT, 8, 0)                                                   \
    X(AST_DIVIDE, "/", ARITHMETIC, LEFT, 8, 0)                                                     \
    X(AST_LT, "<", COMPARISON, SINGLE, 6, ORDER(1, 0, 0))                                          \
    X(AST_LE, "<=", COMPARISON, SINGLE, 6, ORDER(1, 1, 0))                                         \
    X(AST_GT, ">", COMPARISON, SINGLE, 6, ORDER(0, 0, 1))                                          \
    X(AST_GE, ">=", COMPARISON, SINGLE, 6, ORDER(0, 1, 1))                                         \
    X(AST_EQ, "==", COMPARISON, SINGLE, 6, ORDER(0, 1, 0))                                         \
    X(AST_NE, "!=", COMPARISON, SINGLE, 6, ORDER(1, 0, 1))                                         \
    X(AST_NOT, "not", BOOLEAN, PREFIX, 5, TRUTH(1, 1, 0, 0))                                       \
    X(AST_AND, "and", BOOLEAN, LEFT, 3, TRUTH(0, 0, 0, 1))                                         \
    X(AST_OR, "or", BOOLEAN, LEFT, 2, TRUTH(0, 1, 1, 1))                                           \
    X(AST_IMPLIES, "->", BOOLEAN, RIGHT, 1, TRUTH(1, 1, 0, 1))                                     \
    X(AST_PREVIOUSLY, "previously", PAST, PREFIX, 5, 0)                                            \
    X(AST_ONCE, "once", PAST, PREFIX, 5, 0)                                                        \
    X(AST_HISTORICALLY, "historically", PAST, PREFIX, 5, 0)                                        \
    X(AST_SINCE, "since", PAST, RIGHT, 4, 0)                                                       \
    X(AST_RISE, "rise", PAST, CALL, 1, 0)                                                          \
    X(AST_FALL, "fall", PAST, CALL, 1, 0)                                                          \
    X(AST_ALWAYS, "always", FUTURE, PREFIX, 5, 0)                                                  \
    X(AST_EVENTUALLY, "eventually", FUTURE, PREFIX, 5, 0)                                          \
    X(AST_NEXT, "next", FUTURE, PREFIX, 5, 0)                                                      \
    X(AST_UNTIL, "until", FUTURE, RIGHT, 4, 0)                                                     \
    /* of an interval */                                                                           \
    X(AST_DIFF, "diff", AGGREGATE, CALL, 1, 0)                                                     \
    X(AST_MIN, "min", AGGREGATE, CALL, 1, 0)                                                       \
    X(AST_MAX, "max", AGGREGATE, CALL, 1, 0)                                                       \
    X(AST_AVG, "avg", AGGREGATE, CALL, 1, 0)                                                       \
    X(AST_INTEGRAL, "integral", AGGREGATE, CALL, 1, 0)                                             \
    X(AST_RATE, "rate", AGGREGATE, CALL, 1, 0)                                                     \
    X(AST_FIRST, "first", AGGREGATE, CALL, 1, 0)                                                   \
    X(AST_LAST, "last", AGGREGATE, CALL, 1, 0)                                                     \
    X(AST_COUNT, "count", AGGREGATE, CALL, 1, 0)                                                   \
    X(AST_DURATION, "duration", AGGREGATE, PLAIN, 0, 0)                                            \
    /* p, q (NULL for maximal runs), a = interval expression or, for a nested one, the condition   \
     * after `where` (NULL when none) with `relation` set */                                       \
    X(AST_QUANTIFIED, "quantifier", QUANTIFIED, PLAIN, 0, 0)                                       \
    /* of what was observed; a list's text is as a trace holds it */                               \
    X(AST_LIST, "list", OBSERVED, PLAIN, 0, 0)                                                     \
    X(AST_PREVIOUS, "previous", OBSERVED, CALL, 1, 0) /* of a, in the state before */              \
    X(AST_SIZE, "size", OBSERVED, CALL, 1, 0)         /* texts of a list, characters of a text */  \
    X(AST_CONTAINS, "contains", OBSERVED, CALL, 2, 0) /* a list a text, or a text a piece of it */ \
    X(AST_PREFIX, "prefix", OBSERVED, CALL, 2, 0)     /* a is the beginning of b */                \
    X(AST_ITEM, "item", OBSERVED, CALL, 2, 0) /* of a the text at b; below 0: from the end */      \
    X(AST_TRIM, "trim", OBSERVED, CALL, 1, 0) /* the text a without blanks at its ends */

#define AST_KIND(kind, word, class, how, power, truth) kind,
enum ast_kind { AST_KIND_ROWS(AST_KIND) };
#undef AST_KIND
enum { AST_KINDS = AST_TRIM + 1 };

enum ast_class {
    CLASS_VALUE,
    CLASS_ARITHMETIC,
    CLASS_COMPARISON,
    CLASS_BOOLEAN,
    CLASS_PAST,
    CLASS_FUTURE,
    CLASS_AGGREGATE,
    CLASS_QUANTIFIED,
    CLASS_OBSERVED
};

struct ast_operator {
    const char *word;
    enum ast_class class;
    uint8_t arguments; /* of calls */
    uint8_t truth;     /* of boolean operators TRUTH, of comparisons ORDER */
};
extern const struct ast_operator ast_operators[AST_KINDS];

static inline enum ast_class ast_class(enum ast_kind kind)
{
    return ast_operators[kind].class;
}

/* kind, word, whether it is over the figures of all closed intervals: decided when the trace has
 * ended */
#define QUANTIFIER_ROWS(X)                                                                         \
    X(QUANT_FIRST, "first", 0)                                                                     \
    X(QUANT_FORALL, "forall", 0)                                                                   \
    X(QUANT_EXISTS, "exists", 0)                                                                   \
    X(QUANT_SHARE, "share", 1)           /* a = condition, op and b = the bound on the share */    \
    X(QUANT_PERCENTILE, "percentile", 1) /* a = comparison of the figure of that rank (number) */  \
    X(QUANT_MEAN, "mean", 1)             /* a = comparison of the mean */

/* kind, word, whether it is one of Allen's, which exclude each other; ours have meanings of their
 * own (docs/properties.md) */
#define RELATION_ROWS(X)                                                                           \
    X(RELATION_NONE, "", 0)                                                                        \
    X(RELATION_DURING, "during", 0)                                                                \
    X(RELATION_OVERLAPS, "overlaps", 0)                                                            \
    X(RELATION_BEFORE, "before", 0)                                                                \
    X(RELATION_WITHIN, "within", 0)                                                                \
    X(ALLEN_BEFORE, "before", 1)                                                                   \
    X(ALLEN_AFTER, "after", 1)                                                                     \
    X(ALLEN_MEETS, "meets", 1)                                                                     \
    X(ALLEN_MET_BY, "met_by", 1)                                                                   \
    X(ALLEN_OVERLAPS, "overlaps", 1)                                                               \
    X(ALLEN_OVERLAPPED_BY, "overlapped_by", 1)                                                     \
    X(ALLEN_STARTS, "starts", 1)                                                                   \
    X(ALLEN_STARTED_BY, "started_by", 1)                                                           \
    X(ALLEN_DURING, "during", 1)                                                                   \
    X(ALLEN_CONTAINS, "contains", 1)                                                               \
    X(ALLEN_FINISHES, "finishes", 1)                                                               \
    X(ALLEN_FINISHED_BY, "finished_by", 1)                                                         \
    X(ALLEN_EQUALS, "equals", 1)

#define ROW_KIND(kind, word, special) kind,
enum quantifier { QUANTIFIER_ROWS(ROW_KIND) };
enum relation { RELATION_ROWS(ROW_KIND) };
#undef ROW_KIND
enum { QUANTIFIERS = QUANT_MEAN + 1, RELATIONS = ALLEN_EQUALS + 1 };

struct ast_word {
    const char *word;
    bool special; /* quantifiers: over all figures; relations: Allen's */
};
extern const struct ast_word ast_quantifiers[QUANTIFIERS], ast_relations[RELATIONS];

static inline bool quantifier_samples(enum quantifier quantifier)
{
    return ast_quantifiers[quantifier].special;
}

enum bound_kind { BOUND_NONE, BOUND_STEPS, BOUND_TIME };
enum { PROPERTY_MAX_EACH = 4 };

struct ast {
    enum ast_kind kind;
    uint32_t line, column;
    const char *source; /* slice of the file's text */
    const char *opened; /* the bracket around it; NULL */
    size_t source_length;
    struct ast *a, *b;
    const char *text; /* names and strings */
    double number;
    struct unit unit; /* numbers */
    bool has_unit;    /* numbers: a unit was written */
    bool quoted;      /* names in backquotes */
    /* temporal operators: low <= distance <= bound, in steps or nanoseconds */
    enum bound_kind bound_kind;
    bool bound_strict, low_strict; /* < instead of <= */
    bool unbounded;                /* no upper end */
    int64_t low, bound;
    /* quantifiers */
    enum quantifier quantifier;
    enum ast_kind compare; /* QUANT_SHARE: of the share with b */
    enum relation relation;
    struct ast *p, *q;
    bool slice;                  /* p and q are the ends of a slice */
    const struct ast *condition; /* a, where this was written a -> b */
    /* names, after resolution: exactly one is set for a let or a property */
    struct let_statement *let;
    size_t property; /* SIZE_MAX when it is not a property */
};

struct let_statement {
    const char *name;
    struct ast *value;
    uint32_t line, column;
    int mark; /* being written out: met again, it is defined by itself */
};

struct unit_statement {
    const char *name;
    const char *text; /* as written */
    struct unit unit;
    uint32_t line, column;
};

struct flag_statement { /* monotone NAME, linear NAME */
    const char *name;
    bool linear;
    uint32_t line, column;
};

struct property_statement {
    const char *name;
    struct ast *body;
    const char *source; /* one line, blanks folded */
    tac_property_kind kind;
    const struct ast *each[PROPERTY_MAX_EACH]; /* for each: the variables, as names */
    size_t each_count;
    uint32_t line, column;
    int mark;
    size_t automaton_states, automaton_clocks; /* temporal properties */
};

/* observe NAME = FUNCTION(SELECTOR), or written in place: then the text is the name. */
struct observe_statement {
    tac_observable observable;
    uint32_t line, column;
};

#define PROPERTY_MAX_OBSERVED 500
#define PROPERTY_MAX_SIZE ((size_t)4 << 20)
#define PROPERTY_MAX_DEPTH 200
#define PROPERTY_MAX_COUNT 10000

struct tac_properties {
    tac_arena arena;
    const char *file;
    const char *text;
    size_t size;
    TAC_VEC(struct let_statement *) lets;
    TAC_VEC(struct unit_statement) units;
    TAC_VEC(struct flag_statement) flags;
    TAC_VEC(struct property_statement) properties;
    TAC_VEC(struct observe_statement) observes;
};

/* Parses text (kept in properties->text) into properties; errors go to diagnostics. */
void property_parse_text(tac_properties *properties, tac_diagnostics *diagnostics);
/* Resolves lets and property names, refuses cycles, duplicates and misplaced operators, sets each
 * property's kind. Of boolean operators only not, and, or are left. */
void property_resolve(tac_properties *properties, tac_diagnostics *diagnostics);

const struct unit_statement *property_unit_of(const tac_properties *properties, const char *name);
/* The declaration of an observable, or NULL. */
const struct observe_statement *property_observe_of(const tac_properties *properties,
                                                    const char *name);
bool property_flag_of(const tac_properties *properties, const char *name, bool linear);

/* Does the tree contain a property name or a quantifier outside relations? Then boolean operators
 * above it combine verdicts. */
bool ast_is_combination(const struct ast *ast);
/* Does the tree (lets included) contain a future operator? */
bool ast_has_future(const struct ast *ast);
/* Does any temporal operator of the tree (lets included) have a bound that does not start at 0? */
bool ast_has_low_bound(const struct ast *ast);
/* A name for messages: "eventually[1 s, 2 s]"; lives in the arena. */
const char *ast_operator_text(tac_arena *arena, const struct ast *ast);
/* "diff(rxData) < 8000 kB": the slice with blanks folded; lives in the arena. */
const char *ast_source(tac_arena *arena, const struct ast *ast);
/* What stands for a name that a let gave; all else as it is. */
static inline const struct ast *ast_meant(const struct ast *ast)
{
    while (ast->kind == AST_NAME && ast->let)
        ast = ast->let->value;
    return ast;
}
static inline const char *ast_kind_word(enum ast_kind kind) /* "diff", "always", "<", ... */
{
    return ast_operators[kind].word;
}
