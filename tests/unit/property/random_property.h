/* Random traces, and random parts of properties, each as the text that the library reads and as
 * what the reference judges, made together; and the library's monitor fed with such a trace. */
#ifndef RANDOM_PROPERTY_H
#define RANDOM_PROPERTY_H

#include "reference.h"

#include "base/data/random.h"
#include "base/data/str.h"
#include "tactus/property.h"

/* 1 .. most states. */
void random_trace(tac_random *random, struct ref_trace *t, size_t most);

/* Nodes of formulas by their index. */
int add_node(struct ref_formula *f, struct ref_node node);
int random_formula(tac_random *random, struct ref_formula *f, tac_str *text, int depth,
                   bool future);

/* [p, q], or [p] when there is no q. */
void random_ends(tac_random *random, struct ref_formula *p, struct ref_formula *q, bool *has_q,
                 tac_str *text);

struct bound {
    enum ref_figure figure;
    int op; /* < <= > >= == != */
    int tenths;
};

extern const char *const comparison_signs[];

struct bound random_bound_on(tac_random *random, tac_str *text);
/* The truth of a comparison, and its margin where it has one. */
bool bound_holds(const struct ref_trace *t, struct ref_interval at, const struct bound *b,
                 bool *has_margin, mpq_t margin);

/* Both abort on errors. */
tac_monitor *monitor_of(const tac_properties *properties);
/* The whole trace, in random pieces. */
void feed_pieces(tac_monitor *monitor, const struct ref_trace *t, tac_random *random);

#endif
