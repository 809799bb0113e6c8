/* The syntax tree of a property file, and the file itself once loaded.
 *
 * The tree is untyped: whether a name is a number, a discrete value or an event is known when it is
 * bound to a trace. All nodes and texts live in one arena. */
#ifndef TAC_PROPERTY_AST_H
#define TAC_PROPERTY_AST_H

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "property/language/unit.h"
#include "tactus/property.h"

enum ast_kind {
    /* values */
    AST_NUMBER,
    AST_STRING,
    AST_NAME,
    AST_TRUE,
    AST_FALSE,
    /* arithmetic */
    AST_NEGATE,
    AST_ABS,
    AST_ADD,
    AST_SUBTRACT,
    AST_MULTIPLY,
    AST_DIVIDE,
    /* comparisons */
    AST_LT,
    AST_LE,
    AST_GT,
    AST_GE,
    AST_EQ,
    AST_NE,
    /* boolean */
    AST_NOT,
    AST_AND,
    AST_OR,
    AST_IMPLIES,
    /* past */
    AST_PREVIOUSLY,
    AST_ONCE,
    AST_HISTORICALLY,
    AST_SINCE,
    AST_RISE,
    AST_FALL,
    /* future */
    AST_ALWAYS,
    AST_EVENTUALLY,
    AST_NEXT,
    AST_UNTIL,
    /* interval aggregates */
    AST_DIFF,
    AST_MIN,
    AST_MAX,
    AST_AVG,
    AST_INTEGRAL,
    AST_RATE,
    AST_FIRST,
    AST_LAST,
    AST_COUNT,
    AST_DURATION,
    /* quantifiers: p, q (NULL for maximal runs), a = interval expression or, for a nested one, the
     * condition after `where` (NULL when none) with `relation` set */
    AST_QUANTIFIED,
    /* values of what was observed */
    AST_LIST,     /* text = the list as a trace holds it */
    AST_PREVIOUS, /* of a, in the state before */
    AST_SIZE,     /* texts of a list, characters of a text */
    AST_CONTAINS, /* a list a text, or a text a piece of it */
    AST_PREFIX,   /* a is the beginning of b */
    AST_ITEM,     /* of the list a the text at place b, from 0; from the end below 0 */
    AST_TRIM      /* the text a without blanks at its ends */
};

enum quantifier {
    QUANT_FIRST,
    QUANT_FORALL,
    QUANT_EXISTS,
    /* over the figures of all closed intervals: decided when the trace has ended */
    QUANT_SHARE,      /* a = condition, op and b = the bound on the share */
    QUANT_PERCENTILE, /* a = comparison of the figure of that rank (number, 0 .. 100) */
    QUANT_MEAN        /* a = comparison of the mean */
};
enum relation {
    RELATION_NONE,
    RELATION_DURING, /* these four have meanings of their own (docs/properties.md) */
    RELATION_OVERLAPS,
    RELATION_BEFORE,
    RELATION_WITHIN,
    /* Allen's, which exclude each other */
    ALLEN_BEFORE,
    ALLEN_AFTER,
    ALLEN_MEETS,
    ALLEN_MET_BY,
    ALLEN_OVERLAPS,
    ALLEN_OVERLAPPED_BY,
    ALLEN_STARTS,
    ALLEN_STARTED_BY,
    ALLEN_DURING,
    ALLEN_CONTAINS,
    ALLEN_FINISHES,
    ALLEN_FINISHED_BY,
    ALLEN_EQUALS
};
enum bound_kind { BOUND_NONE, BOUND_STEPS, BOUND_TIME };
enum { PROPERTY_MAX_EACH = 4 };

struct ast {
    enum ast_kind kind;
    uint32_t line, column;
    const char *source; /* slice of the file's text */
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
    bool slice; /* p and q are the ends of a slice */
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
 * property's kind. */
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
const char *ast_kind_word(enum ast_kind kind); /* "diff", "always", "<", ... */

#endif
