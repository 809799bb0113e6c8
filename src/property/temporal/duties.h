/* Temporal formulas with any bounds, nested in any way, by queues of obligations.
 *
 * Where no automaton of modest size exists (bounds that do not start at 0, timed operators inside
 * timed operators) a formula is progressed state by state: what remains to be shown is a
 * conjunction of duties. A duty is an operator that was started at some state ("until, from
 * there"), or a disjunction or conjunction of such. Operators whose window has not opened yet sleep
 * in a queue per operator and cost nothing; a duty that another one implies is dropped, so that
 * "always (p -> eventually[<= t] q)" keeps one duty, the most urgent.
 *
 * What is unknown is taken twice, as all that the formula hopes for and as none of it: two states
 * of duties that go the same way as long as everything is known (monitor/part.c).
 *
 * The verdict is true or false as soon as the three-valued reading of the formula on the states
 * seen so far decides it; else presumably what holds if the trace ends here. Memory is that of the
 * open duties, at most DUTY_MOST. */
#pragma once

#include "property/compile/chunk.h"
#include "property/compile/compile.h"

enum goal_op {
    GOAL_FALSE,
    GOAL_TRUE,
    GOAL_ATOM,
    GOAL_AND,
    GOAL_OR,
    GOAL_NEXT, /* a in the next state, within the window; weak: or there is none such */
    GOAL_UNTIL,
    GOAL_RELEASE /* dual of until: b up to and including a, or throughout the window */
};

struct goal {
    enum goal_op op;
    uint32_t a, b; /* goals */
    uint32_t atom; /* GOAL_ATOM: a bit column */
    bool negated;  /* GOAL_ATOM */
    bool weak;     /* GOAL_NEXT */
    struct time_window window;
    const struct ast *ast; /* for messages */
};

/* Invariant: the parts of a goal have smaller indices; the root is the last. */
struct goals {
    TAC_VEC(struct goal) nodes;
    uint32_t root;
    uint32_t trigger; /* in "always (trigger -> ...)": its column; else COLUMN_NONE */
};

enum { DUTY_MOST = 1 << 18 };

enum duty_op { DUTY_FALSE, DUTY_TRUE, DUTY_OPEN, DUTY_AND, DUTY_OR };

struct duty {
    uint32_t op;
    uint32_t a, b; /* DUTY_AND, DUTY_OR; DUTY_OPEN: a = goal, b = 0 */
    int64_t start; /* DUTY_OPEN: time or index of the state where it was started; 0 when its goal
                      has no window */
};

typedef TAC_VEC(struct duty) duty_vec;

struct duty_queue { /* sleeping duties of one goal, by their start */
    TAC_VEC(int64_t) starts;
    size_t head;
};

struct duty_state {
    duty_vec now, next; /* trees; now.at[roots[i]] are the conjuncts */
    TAC_VEC(uint32_t) roots, next_roots;
    struct duty_queue *sleeping; /* per goal */
    size_t asleep, asleep_bad;   /* all of them; those that are false at the end of the trace */
    bool bad;                    /* false if the trace ended here */
    bool started;
    bool doubtful;     /* what is unknown does not hold; else it does */
    uint32_t overflow; /* the goal with too many open duties, or COLUMN_NONE */
    tac_answer answer;
};

void goals_build(struct property_compiler *compiler, const struct ast *ast, struct goals *out);
/* The goal "eventually ast, from the next state on", for interval ends that look ahead. */
void goals_build_end(struct property_compiler *compiler, const struct ast *ast, struct goals *out);
void goals_free(struct goals *goals);

void duties_init(const struct goals *goals, struct duty_state *state);
void duties_reset(const struct goals *goals, struct duty_state *state);
void duties_copy(const struct goals *goals, struct duty_state *to, const struct duty_state *from);
bool duties_equal(const struct goals *goals, const struct duty_state *a,
                  const struct duty_state *b);
void duties_free(const struct goals *goals, struct duty_state *state);
/* State i of the chunk; the answer is in state->answer. */
void duties_step(const struct goals *goals, struct duty_state *state, const struct chunk *chunk,
                 size_t i);
/* No state came, but time has reached `now`: deadlines before it have passed. */
void duties_tick(const struct goals *goals, struct duty_state *state, int64_t now);
