/* Finite-trace temporal formulas as minimal automata.
 *
 * A formula becomes a hash-consed graph in negation normal form (formula.c). Its states
 * are positive combinations of "next" obligations, kept as antichains of conjunctions with
 * subsumption, which is canonical for monotone functions, so exploration ends
 * (progress.c). Progressing every state over every class of letters gives an automaton,
 * which is minimised (dfa.c).
 *
 * Small step bounds are counted in states. Large ones, and bounds in time, are counted by clocks: a
 * clock holds a deadline; an automaton with clocks sees, besides the letter, which of its deadlines
 * have passed, and each transition says where the clocks of its target come from.
 *
 * Verdicts are four-valued: true or false when no continuation changes it, else presumably true or
 * presumably false by what holds if the trace ends here. */
#pragma once

#include "property/temporal/duties.h"

enum formula_op {
    FORMULA_FALSE,
    FORMULA_TRUE,
    FORMULA_ATOM,
    FORMULA_NOT_ATOM,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_NEXT,      /* there is a next state, and a holds there */
    FORMULA_WEAK_NEXT, /* if there is a next state, a holds there */
    FORMULA_UNTIL,     /* eventually b = true until b */
    FORMULA_RELEASE    /* always b = false release b */
};

enum formula_bound { UNBOUNDED, STEPS, CLOCK };

struct formula {
    uint32_t op, a, b; /* a = atom for the atoms */
    uint32_t bound_kind;
    uint64_t bound; /* steps, or index of the clock's kind */
};

/* How long a clock runs. */
struct clock_kind {
    bool steps; /* counts states; otherwise nanoseconds */
    bool strict;
    int64_t amount;
};

struct formulas {
    TAC_VEC(struct formula) nodes; /* 0 = false, 1 = true */
    tac_names index;
    TAC_VEC(struct clock_kind) clocks;
    TAC_VEC(uint32_t) atoms; /* column bit nodes */
    tac_u64map implied;      /* memo of ltlf_implies */
};

void ltlf_init(struct formulas *formulas);
void ltlf_free(struct formulas *formulas);
uint32_t ltlf_make(struct formulas *formulas, enum formula_op op, uint32_t a, uint32_t b,
                   enum formula_bound kind, uint64_t bound);
/* How far state formulas are split into atoms: every comparison is one, or only those that test a
 * discrete variable for its values, or none is split. */
enum grain { GRAIN_FINE, GRAIN_VALUES, GRAIN_COARSE };
uint32_t ltlf_build(struct formulas *formulas, struct property_compiler *compiler,
                    const struct ast *ast, enum grain grain);
/* A sound, incomplete test that a implies b in every non-empty trace. */
bool ltlf_implies(struct formulas *formulas, uint32_t a, uint32_t b);

/* --- progress.c: obligations ------------------------------------------------------------------ */

#define NO_CLOCK 0xffffu
#define FRESH_CLOCK 0xfffeu

/* One obligation on the next state. Clocks of one formula are numbered from the oldest. */
struct obligation {
    uint32_t formula;
    uint16_t weak; /* also met when there is no next state */
    uint16_t clock;
};

/* A clock in use: which formula started it, and its number there. */
struct clock_use {
    uint32_t formula;
    uint32_t clock;
};

struct obligations {
    struct formulas *formulas;
    tac_names terms;         /* sorted arrays of obligations: a conjunction */
    tac_names states;        /* sorted arrays of term ids: a disjunction */
    tac_u64map expanded;     /* (formula, letter) -> state */
    tac_u64map joined;       /* (state, state) -> both */
    tac_u64map united;       /* (state, state) -> either */
    tac_u64map renumbered;   /* state -> with its clocks numbered anew */
    const uint64_t *letters; /* per letter the set of true atoms */
    uint32_t never, done;    /* the states that hold never and always */
    uint64_t work, most;     /* elementary steps so far, and how many there may be */
    bool overflow;           /* too large or too much work: give up */
};

/* most: the elementary steps (comparisons of obligations and the like) after which it is given up.
 */
void obligations_init(struct obligations *obligations, struct formulas *formulas,
                      const uint64_t *letters, uint64_t most);
void obligations_free(struct obligations *obligations);
uint32_t obligations_start(struct obligations *obligations, uint32_t formula);
/* The state after one letter; expired: which of the state's clocks (in the order of
 * obligations_clocks) have passed their deadline. Fresh clocks are FRESH_CLOCK. */
uint32_t obligations_step(struct obligations *obligations, uint32_t state, uint32_t letter,
                          unsigned expired);
bool obligations_accepting(const struct obligations *obligations, uint32_t state);
/* The clocks of a state in order; returns their number (at most `most` are written). */
size_t obligations_clocks(const struct obligations *obligations, uint32_t state,
                          struct clock_use *out, size_t most);
/* The same state with its clocks numbered 0, 1, ... per formula. */
uint32_t obligations_renumber(struct obligations *obligations, uint32_t state);

/* --- dfa.c ------------------------------------------------------------------------------------ */

enum { AUTOMATON_CLOCKS = 5 };

struct automaton {
    size_t states, letters, clocks; /* clocks = the most that any state has */
    uint32_t start;
    /* Without clocks next[state * letters + letter]; with clocks
     * next[first[state] + expired * letters + letter]. */
    uint32_t *next;
    size_t transitions;
    uint32_t *first;       /* only with clocks */
    uint8_t *clock_count;  /* per state */
    uint32_t *clock_kinds; /* AUTOMATON_CLOCKS per state: index into kinds */
    uint8_t *moves;   /* AUTOMATON_CLOCKS per transition: source clock, or 0xff = started now */
    uint8_t *answers; /* tac_answer per state */
    struct clock_kind *kinds;
    size_t kind_count;
    /* letter of a state = sum of weight over the atoms that hold in it */
    uint32_t *atoms, *weights;
    size_t atom_count;
};

/* What automata may cost, in elementary steps of some 20 ns: one property, and all of a file
 * together. Past that a property is watched by duties, which answer the same and need no
 * construction; every property may take AUTOMATON_WORK_ALWAYS, however many came before it. */
enum {
    AUTOMATON_WORK_EACH = 600000,
    AUTOMATON_WORK_ALL = 1200000,
    AUTOMATON_WORK_ALWAYS = 5000,
    AUTOMATON_WORK_EXPORT = 4 /* times as much for an export, which has nothing to fall back on */
};

/* False: it would be too large, or too much work. */
bool dfa_build(struct property_compiler *compiler, const struct ast *ast, struct automaton *out);
void dfa_free(struct automaton *automaton);
/* Merges equivalent states and sets the answers (minimise.c). accepting: per state. False:
 * it takes more than `most` elementary steps. */
bool dfa_minimise(struct automaton *automaton, uint8_t *accepting, uint64_t most);

/* --- run.c ------------------------------------------------------------------------------------ */

struct temporal_state {
    uint32_t state;
    int64_t deadline[AUTOMATON_CLOCKS];
    uint64_t since; /* the first state since which it has been (presumably) false */
    int64_t since_time;
    uint64_t changed; /* the last change between the four answers */
    bool decided;
    uint64_t decided_state;
    int64_t decided_time;
};

void temporal_start(const struct automaton *automaton, struct temporal_state *state);
/* Time has reached `now` after state `last` and no state came: is it decided whatever comes? */
void temporal_tick(const struct automaton *automaton, struct temporal_state *state, uint64_t last,
                   int64_t now);

/* --- queued.c: the same by duties ------------------------------------------------------------- */

/* The answer has changed in this state, or not. */
void temporal_note(struct temporal_state *state, tac_answer before, tac_answer after,
                   uint64_t index, int64_t time);

void queued_start(const struct goals *goals, struct duty_state *duties,
                  struct temporal_state *state);
void queued_feed(const struct goals *goals, struct duty_state *duties, struct temporal_state *state,
                 const struct chunk *chunk);
void queued_tick(const struct goals *goals, struct duty_state *duties, struct temporal_state *state,
                 uint64_t last, int64_t now);

/* scratch: room for COLUMN_CHUNK letters. */
void temporal_feed(const struct automaton *automaton, struct temporal_state *state,
                   const struct chunk *chunk, uint16_t *scratch);
