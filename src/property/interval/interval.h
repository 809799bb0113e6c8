/* Interval properties: QUANTIFIER [p, q] expression.
 *
 * The plan is what was written, the state is what was seen. A state is plain data of fixed size, so
 * that the verdict "if the trace ended here" is found on a copy of it. */
#pragma once

#include "property/compile/chunk.h"
#include "property/compile/compile.h"
#include "property/interval/sample.h"
#include "property/temporal/duties.h"

/* An aggregate over the states of an interval. */
struct interval_measure {
    enum ast_kind op; /* AST_DIFF .. AST_COUNT */
    uint32_t node;    /* column: numbers, or bits for AST_COUNT */
    bool linear;
    bool monotone; /* the column is a variable declared monotone */
};

enum figure_op {
    FIGURE_CONSTANT,
    FIGURE_MEASURE, /* a = index of the measure */
    FIGURE_DURATION,
    FIGURE_NEGATE,
    FIGURE_ABS,
    FIGURE_ADD,
    FIGURE_SUBTRACT,
    FIGURE_MULTIPLY,
    FIGURE_DIVIDE
};
struct figure {
    enum figure_op op;
    uint32_t a, b;
    double value;
};

struct comparison {
    enum ast_kind op;      /* AST_LT .. AST_NE */
    uint32_t a, b;         /* figures, in `unit` */
    const char *text;      /* as written */
    const char *left;      /* the left side as written */
    const char *unit_text; /* of what is reported: the figures times shown.num / shown.den */
    struct unit shown;
    struct unit unit;
    bool constant; /* the right side is a constant */
};

enum clause_op {
    CLAUSE_TRUE,
    CLAUSE_FALSE,
    CLAUSE_COMPARISON, /* a = index */
    CLAUSE_NOT,
    CLAUSE_AND,
    CLAUSE_OR,
    CLAUSE_RELATION /* a = index of the relation; decided apart, true until then */
};
struct clause {
    enum clause_op op;
    uint32_t a, b;
};

/* A comparison that stays violated once it is while the interval grows. */
struct alarm {
    uint32_t comparison;
    enum ast_kind op; /* AST_DIFF, AST_LAST, AST_MIN, AST_MAX, or AST_DURATION */
    uint32_t measure;
};

struct interval_plan;

enum { RELATIONS_MOST = 8 };

struct interval_relation {
    enum relation relation;
    struct interval_plan *inner;
};

struct interval_plan {
    enum quantifier quantifier;
    double rank;            /* QUANT_PERCENTILE */
    enum ast_kind share_op; /* QUANT_SHARE: of the share, in %, with share_bound */
    double share_bound;
    tac_semantics semantics;
    uint32_t p, q;    /* bit nodes; q = COLUMN_NONE: an end that looks ahead */
    bool runs;        /* maximal runs of p: q is its negation, and the end is no part of them */
    bool ahead;       /* the interval ends where end_goals is shown */
    bool slice;       /* p and q are the ends of a slice */
    uint32_t length;  /* slices that may overlap: the number node of an end's length, or NONE */
    double length_ns; /* what makes nanoseconds of it */
    struct goals end_goals;
    TAC_VEC(struct interval_measure) measures;
    TAC_VEC(struct figure) figures;
    TAC_VEC(struct comparison) comparisons;
    TAC_VEC(struct clause) clauses; /* the last one is the root; none = true */
    TAC_VEC(struct alarm) alarms;
    TAC_VEC(uint32_t) watched; /* slots whose values are shown at both ends */
    bool margin_common;        /* all comparisons are in one unit */
    /* One relation of the first four as a conjunct, whose condition never lacks something
     * observed, is decided in constant memory (relation.c): it is in `relation` and `inner`. All
     * others are in `relations` (related.c). */
    enum relation relation;
    struct interval_plan *inner;
    TAC_VEC(struct interval_relation) relations;
    bool observed;   /* its expression speaks of what was observed, which may be missing */
    bool tells_each; /* a listener may want every closed interval */
};

struct accumulator {
    double first, last, least, most, sum;
    double scale; /* the largest operand of the sum */
    uint64_t count;
    uint64_t maybe;                          /* states that may count, too */
    bool first_unknown, last_unknown, holes; /* holes: of the states that were taken, some */
    struct column_unknown blame;
};

/* A value of a watched slot: a number or a symbol. */
union end_value {
    double number;
    uint32_t symbol;
};

struct interval_record {
    bool set;
    uint64_t order; /* 0 for the first closed interval, 1 for the next, ... */
    tac_interval interval;
    bool holds, has_margin;
    bool untested; /* something observed was missing, and the rest does not decide */
    bool unknown;  /* something is not known, and the rest does not decide */
    struct column_unknown blame;
    double margin;
    double scale;          /* the largest operand of the first comparison's figure */
    union end_value *ends; /* 2 per watched slot: at from, at to */
    double *sides;         /* 2 per comparison: left, right; then, per comparison, its told */
};
/* What is known of a comparison: its sides, or no more than what follows for all they may be. */
enum told { TOLD_SIDES, TOLD_TRUE, TOLD_FALSE, TOLD_UNKNOWN };
static inline size_t interval_sides(const struct interval_plan *plan)
{
    return 3 * plan->comparisons.count;
}

/* Closed intervals whose relation to an inner one is not known yet: all have the same fate, so
 * their number, the first of them and the one whose margin counts are enough (relation.c), unless
 * a listener wants each. */
struct pending_group {
    uint64_t count;
    struct interval_record first, tightest;
    TAC_VEC(struct interval_record) each;
};

/* By whether the rest of the expression is known: an interval of which it is not is violated when
 * the relation fails, and untested or unknown otherwise. */
enum { PENDING_TOLD, PENDING_UNTESTED, PENDING_UNKNOWN, PENDING_KINDS };
struct pending_groups {
    struct pending_group of[PENDING_KINDS];
};

struct interval_state {
    /* the interval being followed */
    bool open;
    bool flag, last_p, last_q, captured; /* the other readings */
    tac_interval current;                /* from; to = last state seen inside */
    struct accumulator *acc;             /* per measure */
    union end_value *ends;               /* per watched slot: at from, now */
    double *figures;                     /* scratch: values, least and most they may be */
    bool doubt; /* an end is not known: whether one is open is told by the next state that ends any
                   and begins none */
    /* what was found */
    uint64_t closed; /* intervals met so far, judged or not */
    uint64_t intervals, violated;
    uint64_t untested; /* closed, but something observed was missing that would have decided */
    uint64_t unknowns; /* not decided for what is not known; stretches of doubt included */
    uint64_t doubts;
    struct column_unknown blame; /* of the first of them */
    bool has_margin;
    double margin;
    struct interval_record deciding, tightest, scratch;
    bool decided;
    uint64_t decided_state;
    int64_t decided_time;
    bool alarmed;
    tac_early_alarm alarm;
    uint32_t alarm_comparison;
    double alarm_sides[2];
    uint64_t swallowed; /* slices that began inside another and were not followed */
    uint64_t states;    /* consumed */
    int64_t now;        /* time of the last state */
    /* relations */
    struct pending_groups waiting, inside, outside;
    struct interval_record candidate;
    uint64_t good_count; /* closed inner intervals that satisfy the condition */
    tac_interval good_first, good_last;
    struct interval_state *inner;
    struct related_state *related; /* when the plan has `relations` */
    struct overlap_state *overlap; /* when the plan has `length` */
    struct duty_state end;         /* an end that looks ahead, since `current.from` */
    struct sample_store samples;   /* share, percentile, mean: a figure per closed interval */
    double *scales;                /* scratch, beside figures */
};

/* --- compile.c -------------------------------------------------------------------------------- */

void interval_compile(struct property_compiler *compiler, const struct ast *ast,
                      tac_semantics semantics, struct interval_plan *out);
void interval_plan_free(struct interval_plan *plan);

/* --- track.c: where intervals begin and end, what they measure -------------------------------- */

/* Follows the states *at .. limit - 1 of the chunk until an interval closes (true; its extent is in
 * state->current) or the limit is reached. *at is the next state to look at. */
bool interval_track(const struct interval_plan *plan, struct interval_state *state,
                    const struct chunk *chunk, size_t *at, size_t limit);
/* State i starts the interval; states from .. to - 1 join it, and the last of them closes it when
 * closing is set. */
void interval_begin(const struct interval_plan *plan, struct interval_state *state,
                    const struct chunk *chunk, size_t i);
void interval_extend(const struct interval_plan *plan, struct interval_state *state,
                     const struct chunk *chunk, size_t from, size_t to, bool closing);
/* Time has reached `now` after state `last` without a state: raises the alarm of a duration. */
void interval_tick(const struct interval_plan *plan, struct interval_state *state, uint64_t last,
                   int64_t now);
/* From state i on it is not known whether an interval is open. */
void interval_doubt(struct interval_state *state, struct column_unknown blame);
/* The first state in from .. limit - 1 of which the column is not known. */
size_t interval_first_unknown(const struct chunk *chunk, uint32_t node, size_t from, size_t limit);

/* --- overlap.c: slices, which may overlap ----------------------------------------------------- */

struct overlap_state *overlap_new(void);
void overlap_reset(struct overlap_state *overlap);
void overlap_copy(const struct interval_plan *plan, struct overlap_state *to,
                  const struct overlap_state *from);
void overlap_free(struct overlap_state *overlap);
bool overlap_overflow(const struct overlap_state *overlap);
bool overlap_track(const struct interval_plan *plan, struct interval_state *state,
                   const struct chunk *chunk, size_t *at, size_t limit);

/* --- state.c ---------------------------------------------------------------------------------- */

void interval_state_init(const struct interval_plan *plan, struct interval_state *state);
/* As after interval_state_init, without allocating. */
void interval_state_reset(const struct interval_plan *plan, struct interval_state *state);
void interval_state_copy(const struct interval_plan *plan, struct interval_state *to,
                         const struct interval_state *from);
void interval_state_free(const struct interval_plan *plan, struct interval_state *state);
void interval_record_init(const struct interval_plan *plan, struct interval_record *record);
void interval_record_copy(const struct interval_plan *plan, struct interval_record *to,
                          const struct interval_record *from);
/* Nothing waits any more. */
void interval_pending_clear(struct pending_group *group);

/* --- evaluate.c: the expression over a closed interval ---------------------------------------- */

/* Fills record for the interval in state->current. unfinished: it is a run that goes on, of which
 * only what its end cannot change is told. */
void interval_evaluate(const struct interval_plan *plan, struct interval_state *state,
                       struct interval_record *record, bool unfinished);
/* The expression of a record again, with these values of its relations. blame: what they lack where
 * one is unknown; none: what was observed. */
void interval_judge_related(const struct interval_plan *plan, struct interval_record *record,
                            const tac_truth *relations, const struct column_unknown *blame);
/* The left side, or the right one when they are equal up to rounding: within 4 units in the last
 * place of the largest operand of the sums they came from (scale; 0 = no sum: exact). */
double comparison_snap(double left, double right, double scale);
double comparison_margin(enum ast_kind op, double left, double right);
bool comparison_holds(enum ast_kind op, double left, double right);

/* --- judge.c: what a closed interval means ---------------------------------------------------- */

/* Is the margin nearer to what counts, the least or (`exists`) the greatest, than that of the
 * record kept so far? Of equal ones, or without margins, the first counts. */
bool interval_is_tighter(const struct interval_plan *plan, const struct interval_record *record,
                         const struct interval_record *kept);
/* Counts a judged interval and keeps it as a witness if it is one. now: the state that told. */
void interval_count(const struct interval_plan *plan, struct interval_state *state,
                    const struct interval_record *record, uint64_t now, int64_t now_time);

struct interval_listener {
    void (*closed)(void *context, const struct interval_record *record);
    void *context;
};
void interval_feed(const struct interval_plan *plan, struct interval_state *state,
                   const struct chunk *chunk, const struct interval_listener *listener);
/* Ends the trace. Afterwards the answer is final. */
void interval_end(const struct interval_plan *plan, struct interval_state *state,
                  const struct interval_listener *listener);
/* Slices that were not followed because another one was open, nested intervals included. */
uint64_t interval_swallowed(const struct interval_plan *plan, const struct interval_state *state);
tac_answer interval_answer(const struct interval_plan *plan, const struct interval_state *state,
                           bool ended);

/* --- related.c: several relations, and all of Allen's ----------------------------------------- */

/* Whether a stands to b as the relation says. */
bool interval_stands(enum relation relation, const tac_interval *a, const tac_interval *b);
struct related_state *related_new(const struct interval_plan *plan);
void related_reset(const struct interval_plan *plan, struct related_state *state);
void related_copy(const struct interval_plan *plan, struct related_state *to,
                  const struct related_state *from);
void related_free(const struct interval_plan *plan, struct related_state *state);
/* The state of the inner interval of one relation. */
const struct interval_state *related_inner(const struct related_state *state, size_t relation);
bool related_overflow(const struct related_state *state);
void related_feed(const struct interval_plan *plan, struct interval_state *state,
                  const struct chunk *chunk, const struct interval_listener *listener);
void related_end(const struct interval_plan *plan, struct interval_state *state,
                 const struct interval_listener *listener);

/* --- relation.c ------------------------------------------------------------------------------- */

void relation_feed(const struct interval_plan *plan, struct interval_state *state,
                   const struct chunk *chunk, const struct interval_listener *listener);
void relation_end(const struct interval_plan *plan, struct interval_state *state,
                  const struct interval_listener *listener);
