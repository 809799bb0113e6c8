/* Private: the paper's encoding (section 3.4), used by the hybrid and the symbolic engine.
 *
 * BDD variables in the paper's order: the context variables 0 .. n-1, the present state, the next
 * state, the rule, then a second copy of the context after the action. Only variables that some
 * action sets have that copy; all others stay as they are, so the relation between input and next
 * input is exact (the paper's image of the trigger set loses which input becomes which). */
#pragma once

#include "base/data/arena.h"
#include "rules/engine/engine.h"

struct activation {
    struct rules_run *run;
    struct window window; /* whole */
    uint32_t *state_bits, *next_bits, *rule_bits;
    size_t state_width, rule_width;
    uint32_t *set_variables, *set_copies; /* variables that actions set, and their copies */
    size_t set_count;
    tac_bdd state_set, next_set, rule_set, copy_set, context_set; /* as sets of variables; kept */
    tac_bdd after_set;         /* next state, rule, copies; kept */
    tac_bdd_pairs *advance;    /* state -> next state, set variables -> copies */
    tac_bdd_pairs *go_back;    /* next state -> state */
    tac_bdd *of;               /* by state: its activation (Algorithm 1), kept */
    tac_bdd *trigger, *action; /* by edge, decoded from the activations; kept */
    tac_bdd *enabled;          /* by state: inputs that trigger anything; kept */
    double paths;              /* of all activations */
    size_t nodes;
    tac_arena memory; /* of these arrays */
};

/* Builds the activation of every state. */
tac_status rules_activation_open(struct activation *a, struct rules_run *run, tac_error *err);
void rules_activation_close(struct activation *a);

tac_bdd rules_encode_state(const struct activation *a, uint32_t state);
tac_bdd rules_encode_next(const struct activation *a, uint32_t state);
tac_bdd rules_encode_rule(const struct activation *a, uint32_t rule);

/* From a->trigger, a->action and the sets of each edge after which something fires: the counts
 * stable and one, the triples and the breaches. */
void rules_activation_report(struct activation *a, uint32_t state, const tac_bdd *unstable);
/* Whether exact sets have a chance, as far as the edges that go on tell. */
bool rules_activation_worthwhile(const struct activation *a);
/* Lists the paths when the exact sets were affordable, else says that they are not known. */
void rules_activation_paths(struct activation *a, bool affordable);
