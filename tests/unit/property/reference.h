/* A slow, direct reading of the property language: every operator by its definition, recursively
 * over the whole trace, figures as exact rationals. Nothing here is shared with the library. */
#ifndef PROPERTY_REFERENCE_H
#define PROPERTY_REFERENCE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REF_STATES = 1100, REF_NODES = 64, REF_NONE = 1000 };

/* p, q, r are booleans, x is tenths / 10, key is 0 .. 2, event too, or REF_NONE; time in
 * nanoseconds. */
struct ref_trace {
    size_t count;
    int64_t time[REF_STATES];
    bool p[REF_STATES], q[REF_STATES], r[REF_STATES];
    int tenths[REF_STATES];
    int event[REF_STATES], key[REF_STATES];
    int shown; /* the key whose events are seen; REF_NONE: all */
};

enum ref_op {
    REF_P,
    REF_Q,
    REF_R,
    REF_EVENT, /* value = which */
    REF_X,     /* x < value tenths */
    REF_NOT,
    REF_AND,
    REF_OR,
    REF_IMPLIES,
    REF_PREVIOUSLY,
    REF_ONCE,
    REF_HISTORICALLY,
    REF_SINCE,
    REF_RISE,
    REF_FALL,
    REF_ALWAYS,
    REF_EVENTUALLY,
    REF_NEXT,
    REF_UNTIL
};

struct ref_node {
    enum ref_op op;
    int a, b, value;
    bool bounded, steps, low_strict, high_strict, endless;
    int64_t low, high;
};

struct ref_formula {
    struct ref_node node[REF_NODES];
    int count; /* the root is the last */
};

/* State formulas (no future operators) at state i. */
bool ref_state(const struct ref_trace *t, const struct ref_formula *f, int node, size_t i);
/* If the trace ended after `count` states: does the formula hold at state i? */
bool ref_ended(const struct ref_trace *t, size_t count, const struct ref_formula *f, int node,
               size_t i);
/* 1, 0, or -1 when states after `count` may decide: the three-valued reading. */
int ref_known(const struct ref_trace *t, size_t count, const struct ref_formula *f, int node,
              size_t i);

struct ref_interval {
    size_t from, to;
    bool run; /* its end, `to`, is no part of it */
};
/* The intervals of [p, q] in the first `count` states (q NULL: maximal runs, with the first state
 * after each); q may look ahead. Returns their number; *open: one is left open. */
size_t ref_intervals(const struct ref_trace *t, size_t count, const struct ref_formula *p,
                     const struct ref_formula *q, struct ref_interval *out, bool *open);

enum ref_figure {
    FIG_DIFF,
    FIG_MIN,
    FIG_MAX,
    FIG_AVG,
    FIG_INTEGRAL,
    FIG_RATE,
    FIG_FIRST,
    FIG_LAST,
    FIG_COUNT, /* of r */
    FIG_DURATION,
    FIGURES
};
/* False: no value (or an infinite one: *infinite). */
bool ref_figure(const struct ref_trace *t, struct ref_interval at, enum ref_figure figure,
                mpq_t out, bool *infinite);

/* 0 .. 3: during, overlaps, before, within; 4 .. 16: Allen's in the order of the language. */
bool ref_related(int relation, struct ref_interval a, struct ref_interval b);

#endif
