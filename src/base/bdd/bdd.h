/* Binary decision diagrams, on BuDDy: the only place in the project that sees <bdd.h>.
 *
 * BuDDy keeps its tables in global variables, so there is one manager per process, opened by
 * tac_bdd_start and closed by tac_bdd_stop; parallel work forks. Variables are numbered
 * 0 .. variables-1 from the root down and never reordered, so a variable's number is its level.
 *
 * Who owns a diagram. Every function below that returns a tac_bdd returns a *temporary*: it lives
 * until the scope it was made in is left. Nested expressions are therefore safe and leak nothing:
 *
 *     size_t scope = tac_bdd_scope();
 *     tac_bdd both = tac_bdd_and(tac_bdd_or(a, b), tac_bdd_not(c));
 *     result = tac_bdd_leave_with(scope, both);   (now a temporary of the outer scope)
 *
 * tac_bdd_keep makes a reference of its own, which tac_bdd_drop ends. Diagrams that are equal as
 * functions are equal as numbers.
 *
 * Failure (too many nodes, no memory) is sticky and needs no jump: from then on every operation
 * returns TAC_BDD_FALSE at once, so that loops over shrinking or growing sets end, and
 * tac_bdd_check turns the failure into TAC_E_LIMIT (exit 4). Results made since the failure mean
 * nothing: check before using them. */
#pragma once

#include "tactus/error.h"
#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int tac_bdd;

#define TAC_BDD_FALSE 0
#define TAC_BDD_TRUE 1

typedef struct tac_bdd_limits {
    size_t variables;   /* how many variables there are; at least 1 is made */
    size_t first_nodes; /* size of the node table at the start; 0 = 10,000 */
    size_t max_bytes;   /* cap on the memory of the tables; 0 = 1 GiB */
} tac_bdd_limits;

/* --- The manager ------------------------------------------------------------------------------ */

/* TAC_E_INTERNAL when one is already open in this process, TAC_E_LIMIT when the tables do not fit.
 */
tac_status tac_bdd_start(const tac_bdd_limits *limits, tac_error *err);
void tac_bdd_stop(void); /* harmless when none is open */
/* Makes sure that variables 0 .. variables-1 exist. */
void tac_bdd_more_variables(size_t variables);
size_t tac_bdd_variable_count(void);

bool tac_bdd_failed(void);
/* TAC_OK, or TAC_E_LIMIT: "WHAT needs more than N decision-diagram nodes ...". */
tac_status tac_bdd_check(const char *what, tac_error *err);
/* Work that may be given up: from here on the node table may not grow past max_nodes (or its
 * present size, if that is more). After a failure tac_bdd_recover makes the manager usable again
 * and returns true; everything kept before the failure is intact. tac_bdd_budget(0) restores the
 * limit of the start. */
void tac_bdd_budget(size_t max_nodes);
bool tac_bdd_recover(void);

typedef struct tac_bdd_statistics {
    uint64_t produced;   /* nodes made so far, ever: a machine-independent measure of work */
    size_t nodes_in_use; /* live or not yet collected */
    size_t nodes_allocated;
    size_t collections;
} tac_bdd_statistics;
void tac_bdd_statistics_now(tac_bdd_statistics *out);

/* --- Ownership -------------------------------------------------------------------------------- */

size_t tac_bdd_scope(void);
void tac_bdd_leave(size_t scope);
tac_bdd tac_bdd_leave_with(size_t scope, tac_bdd result);
tac_bdd tac_bdd_keep(tac_bdd set);
void tac_bdd_drop(tac_bdd set);
/* Keeps it in the place of what is kept there, which is dropped. */
void tac_bdd_hold(tac_bdd *place, tac_bdd set);
/* Places for kept sets, FALSE so far; freeing drops what they keep. */
tac_bdd *tac_bdd_places(size_t count);
void tac_bdd_places_free(tac_bdd *places, size_t count);

/* --- Functions -------------------------------------------------------------------------------- */

tac_bdd tac_bdd_var(uint32_t variable);
tac_bdd tac_bdd_not_var(uint32_t variable);
tac_bdd tac_bdd_not(tac_bdd a);
/* The function whose value is bit 2 * a + b of truth; it depends on both. */
tac_bdd tac_bdd_apply(uint8_t truth, tac_bdd a, tac_bdd b);
tac_bdd tac_bdd_and(tac_bdd a, tac_bdd b);
tac_bdd tac_bdd_or(tac_bdd a, tac_bdd b);
tac_bdd tac_bdd_xor(tac_bdd a, tac_bdd b);
tac_bdd tac_bdd_diff(tac_bdd a, tac_bdd b); /* a and not b */
tac_bdd tac_bdd_implies(tac_bdd a, tac_bdd b);
tac_bdd tac_bdd_iff(tac_bdd a, tac_bdd b);
tac_bdd tac_bdd_ite(tac_bdd a, tac_bdd b, tac_bdd c);
/* a is a subset of b; builds no more than the difference. */
bool tac_bdd_subset(tac_bdd a, tac_bdd b);
bool tac_bdd_disjoint(tac_bdd a, tac_bdd b);

/* --- Sets of variables, cofactors, renaming --------------------------------------------------- */

/* The conjunction of the variables: how sets of variables are passed. */
tac_bdd tac_bdd_variables(const uint32_t *variables, size_t count);
/* The conjunction of the literals variables[i] = values[i]. */
tac_bdd tac_bdd_cube(const uint32_t *variables, const bool *values, size_t count);
/* width bits, variables[0] the most significant, equal to number. */
tac_bdd tac_bdd_number(const uint32_t *variables, size_t width, uint64_t number);
tac_bdd tac_bdd_exists(tac_bdd a, tac_bdd variables);
/* exists variables: a and b, without building a and b (the relational product). */
tac_bdd tac_bdd_and_exists(tac_bdd a, tac_bdd b, tac_bdd variables);
/* a with the literals of the cube substituted (the cofactor). */
tac_bdd tac_bdd_restrict(tac_bdd a, tac_bdd cube);

/* A simultaneous renaming from[i] -> to[i]; give both directions for a swap. Costs memory in the
 * number of variables: make each once. */
typedef struct tac_bdd_pairs tac_bdd_pairs;
tac_bdd_pairs *tac_bdd_pairs_new(const uint32_t *from, const uint32_t *to, size_t count);
void tac_bdd_pairs_free(tac_bdd_pairs *pairs); /* before tac_bdd_stop; NULL is fine */
tac_bdd tac_bdd_rename(tac_bdd a, const tac_bdd_pairs *pairs);

/* --- Looking inside --------------------------------------------------------------------------- */

uint32_t tac_bdd_top(tac_bdd a); /* its first variable; a is not a constant */
tac_bdd tac_bdd_low(tac_bdd a);  /* borrowed from a: no temporary is made */
tac_bdd tac_bdd_high(tac_bdd a);
size_t tac_bdd_node_count(tac_bdd a); /* without the constants */
double tac_bdd_path_count(tac_bdd a); /* paths to TRUE */

/* The number of models over `variables` variables (a superset of a's own), exactly, as
 * mantissa * 2^shift with mantissa odd or zero. Time is linear in the nodes of a, and free of the
 * number of variables: 20,000 of them cost nothing. */
void tac_bdd_count(tac_bdd a, size_t variables, mpz_t mantissa, uint64_t *shift);
/* The same multiplied out. */
void tac_bdd_count_full(tac_bdd a, size_t variables, mpz_t out);

/* values[v] = 0, 1 or -1 (either), for every variable of the manager. */
/* The model that is first when read as a number with variable 0 in front. a is not FALSE. */
void tac_bdd_first(tac_bdd a, signed char *values);
/* A path to TRUE with the fewest literals. a is not FALSE. */
void tac_bdd_shortest(tac_bdd a, signed char *values);
/* Disjoint cubes that make up a, in lexical order, until visit returns false. */
void tac_bdd_each_cube(tac_bdd a, bool (*visit)(void *context, const signed char *values),
                       void *context);
