/* Worlds of observed values and formulas over them, both random, and the definition of what is true
 * in them: state by state, on plain C texts and arrays of them, by Kleene's three values. */
#ifndef OBSERVED_WORLD_H
#define OBSERVED_WORLD_H

#include "base/data/map.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "tactus/property.h"

enum { STATES = 40, MOST = 4, FALSE_, UNKNOWN, TRUE_ };

struct value {
    bool missing;
    double number;
    int text;
    int list[MOST], size;
};

struct world {
    size_t count;
    struct value n[STATES], m[STATES], s[STATES], v[STATES], l[STATES], k[STATES], b[STATES];
    int event[STATES];
};

/* --- A formula as a tree and as its text --- */

struct node {
    int op;
    struct node *a, *b;
    int word, number;
};
enum {
    N_N,
    N_M,
    N_CONST,
    N_SIZE_L,
    N_SIZE_S,
    N_PLUS,
    N_PREV, /* numbers */
    S_S,
    S_V,
    S_WORD,
    S_PREV,
    S_ITEM,
    S_TRIM, /* texts */
    L_L,
    L_K,
    L_LITERAL,
    L_PREV, /* lists */
    C_LESS,
    C_EQ_N,
    C_EQ_S,
    C_NE_S,
    C_EQ_L,
    C_NE_L,
    C_CONTAINS,
    C_CONTAINS_S,
    C_PREFIX,
    C_PREFIX_S,
    C_BOOL,
    C_BOOL_PREV,
    C_EVENT,
    C_NOT,
    C_AND,
    C_OR,
    C_IMPLIES,
    C_PREVIOUSLY,
    C_ONCE,
    C_HISTORICALLY,
    C_SINCE,
    C_RISE,
    C_FALL
};

/* What the formulas' names are, as statements of a property file. */
extern const char observed_declarations[];

struct node *observed_condition(tac_random *random, int depth);
void observed_drop(struct node *node);
void observed_show(tac_str *out, const struct node *node);
/* FALSE_, UNKNOWN or TRUE_ in state i. */
int observed_truth(const struct world *world, const struct node *node, long i);

struct world *observed_random(tac_random *random);
/* names holds the texts; the monitor borrows them until its last verdict. */
void observed_feed(tac_monitor *monitor, const struct world *world, tac_names *names,
                   tac_random *random);

#endif
