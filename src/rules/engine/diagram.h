/* Predicates as decision diagrams, in a window of the variables.
 *
 * A window is a choice of variables and their order. The whole window has all of them in the order
 * of the file. A small window has only those that the rules at hand use, closed under the
 * constraints: the variables fall into components that share no constraint, so everything outside
 * the window is one exact factor of every count. Diagrams in a small window are small whatever the
 * number of variables of the rule set.
 *
 * Shared by the engines together with the BDD wrapper; it decides nothing about faults. */
#pragma once

#include "base/bdd/bdd.h"
#include "base/data/vec.h"
#include "tactus/rules.h"

struct components; /* of the variables under the constraints, with their numbers of valid inputs */

struct window {
    const tac_rules *rules;
    const struct components *components;
    uint32_t *local_of;            /* variable -> BDD variable, or TAC_RULES_NONE */
    TAC_VEC(uint32_t) variable_of; /* BDD variable -> variable */
    tac_bdd valid;                 /* all constraints inside; kept */
    mpz_t outside;                 /* valid inputs outside = outside * 2^outside_shift */
    uint64_t outside_shift;
    bool open;
    size_t sealed; /* variables whose constraints are in `valid` */
    /* predicates of rules already translated in this window */
    tac_bdd *rule_sets;
    uint32_t *rule_stamps, *rule_added, stamp;
    TAC_VEC(tac_bdd) scratch;
};

/* With ignore_constraints every input is valid. TAC_E_INPUT when no input is valid, naming the
 * constraint that contradicts those before it. Needs an open manager. */
tac_status rules_components_open(const tac_rules *rules, bool ignore_constraints,
                                 struct components **out, tac_error *err);
void rules_components_close(struct components *components);
/* BDD variables that counting the components needs. */
size_t rules_components_widest(const tac_rules *rules);
/* marks[v] of every variable that the predicate names, itself or through a rule. */
void rules_mark_variables(const tac_rules *rules, tac_rules_predicate predicate, bool *marks);

void rules_window_open(struct window *window, const tac_rules *rules,
                       const struct components *components);
void rules_window_close(struct window *window);
/* Empties the window; diagrams made in it lose their meaning. */
void rules_window_clear(struct window *window);
void rules_window_add_rule(struct window *window, uint32_t rule); /* its predicate */
void rules_window_add_variable(struct window *window, uint32_t variable);
void rules_window_add_all(struct window *window);
/* After the last addition: builds `valid`. */
void rules_window_seal(struct window *window);
void rules_window_seal_all(struct window *window); /* with all variables */
/* After further additions to a sealed window: what was made in it keeps its meaning. */
void rules_window_extend(struct window *window);

/* Temporaries of the caller's scope. */
tac_bdd rules_window_predicate(struct window *window, tac_rules_predicate predicate);
tac_bdd rules_window_rule(struct window *window,
                          uint32_t rule); /* lives until the window is cleared */
/* The action's assignments as a cube of BDD variables. */
tac_bdd rules_window_action(struct window *window, const tac_rules_rule *rule);

/* Priorities within one state, whose edges are asked for from the first to the last. */
struct firing {
    tac_bdd higher; /* inputs that some rule of a higher priority takes */
    tac_bdd level;  /* inputs that some edge asked for so far takes */
};
/* The valid inputs that trigger edge e of the state. */
tac_bdd rules_window_trigger(struct window *window, const tac_rules_state *state, uint32_t e,
                             struct firing *firing);

/* Valid inputs in the set, counted over all variables of the rule set. */
void rules_window_count(const struct window *window, tac_bdd set, tac_rules_count *out);
/* Count, cube and example; cubes up to max_cubes. */
void rules_window_inputs(const struct window *window, tac_bdd set, size_t max_cubes,
                         tac_rules_inputs *out);
/* The first input of the set as one '0' or '1' per variable of the rule set; the caller's. */
char *rules_window_example(const struct window *window, tac_bdd set);
