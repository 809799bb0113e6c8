/* Adaptation rules (the adaptation paper): reading them, finding every
 * fault pattern exactly, explaining it, repairing it.
 *
 * A loaded rule set is read-only and lives in flat arrays; everything refers to everything by
 * index. docs/rules.md is the reference of the two rule languages and of the semantics. */
#ifndef TACTUS_RULES_H
#define TACTUS_RULES_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/verdict.h"
#include "tactus/watch.h"
#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

#define TAC_RULES_NONE UINT32_MAX

/* --- A rule set --- */

typedef enum tac_monotone {
    TAC_MONOTONE_NO,
    TAC_MONOTONE_RISING,
    TAC_MONOTONE_FALLING
} tac_monotone;

typedef struct tac_rules_group {
    const char *name; /* variables of one group are refreshed together */
    uint32_t line;
    uint64_t every_ms; /* how often it is refreshed; 0 = whenever it changes */
    uint64_t hold_ms;  /* how long a value must have stood before it counts */
    bool declared;     /* by a statement of its own, not only named by a sensor */
} tac_rules_group;

typedef struct tac_rules_sensor {
    const char *name, *label;
    uint32_t group, line;
    uint32_t first_value, value_count; /* into values; value_count 0 = a number */
    tac_monotone monotone;
} tac_rules_sensor;

typedef struct tac_rules_variable {
    const char *name;  /* of a derived variable its test: "speed > 5" */
    const char *label; /* "" when none */
    uint32_t group, line;
    uint32_t sensor;  /* that it was derived from, or TAC_RULES_NONE */
    double threshold; /* of a number: the test is "> threshold" when strict, else ">=" */
    bool strict;
    uint32_t value; /* of an enumerated sensor: the test is "== value", from 0 on */
    tac_monotone monotone;
} tac_rules_variable;

typedef enum tac_rules_operator {
    TAC_RULES_FALSE,
    TAC_RULES_TRUE,
    TAC_RULES_VARIABLE, /* left = variable */
    TAC_RULES_RULE,     /* left = rule: its predicate */
    TAC_RULES_NOT,      /* left */
    TAC_RULES_AND,      /* left, right */
    TAC_RULES_OR,
    TAC_RULES_IMPLIES
} tac_rules_operator;

/* Operands of NOT, AND, OR, IMPLIES are indices into nodes, smaller than the node's own. */
typedef struct tac_rules_node {
    tac_rules_operator op;
    uint32_t left, right;
} tac_rules_node;

/* nodes[first .. root], operands before operators. */
typedef struct tac_rules_predicate {
    uint32_t first, root;
} tac_rules_predicate;

typedef struct tac_rules_state {
    const char *name;
    uint32_t first_edge, edge_count, line;
} tac_rules_state;

typedef struct tac_rules_rule {
    const char *name;
    tac_rules_predicate when;
    uint32_t to, priority; /* smaller = higher */
    uint32_t first_action, action_count, line;
} tac_rules_rule;

/* A rule as active in one state: the paper's "rule". Grouped by state, there sorted by priority,
 * then by order in the file. */
typedef struct tac_rules_edge {
    uint32_t state, rule;
} tac_rules_edge;

typedef struct tac_rules_action {
    uint32_t variable;
    bool value;
} tac_rules_action;

typedef struct tac_rules_constraint {
    tac_rules_predicate holds;
    uint32_t line; /* of the sensor for derived constraints */
    bool derived;
} tac_rules_constraint;

typedef struct tac_rules_expectation {
    tac_rules_predicate when;
    uint32_t state, line;
} tac_rules_expectation;

typedef struct tac_rules {
    const char *app, *file;
    const tac_rules_group *groups;
    const tac_rules_sensor *sensors;
    const char *const *values; /* of enumerated sensors */
    const tac_rules_variable *variables;
    const tac_rules_state *states;
    const tac_rules_rule *rules;
    const tac_rules_edge *edges;
    const tac_rules_action *actions;
    const tac_rules_constraint *constraints;
    const tac_rules_expectation *expectations;
    const tac_rules_node *nodes;
    uint32_t group_count, sensor_count, variable_count, state_count, rule_count, edge_count,
        action_count, constraint_count, expectation_count, node_count;
    uint32_t initial;
    struct tac_rules_storage *storage; /* private */
} tac_rules;

/* Reads and validates a file (text, or JSON when its first character is '{'). All errors and
 * warnings go to diagnostics (not NULL) with their places; any error gives TAC_E_INPUT and no rule
 * set. */
tac_status tac_rules_load(const char *path, tac_diagnostics *diagnostics, tac_rules **out,
                          tac_error *err);
tac_status tac_rules_parse(const char *name, const char *text, size_t size,
                           tac_diagnostics *diagnostics, tac_rules **out, tac_error *err);
void tac_rules_free(tac_rules *rules);
/* As a text file; reading it back gives an equal rule set. */
tac_status tac_rules_write(const tac_rules *rules, FILE *out, tac_error *err);

/* --- Analysis --- */

typedef enum tac_rules_engine {
    TAC_RULES_LEAN,
    TAC_RULES_HYBRID,
    TAC_RULES_SYMBOLIC,
    TAC_RULES_ENUMERATIVE
} tac_rules_engine;

typedef struct tac_rules_options {
    tac_rules_engine engine;
    bool table2;        /* count as the paper's Table 2 does */
    bool hazards;       /* look for asynchronous hazards */
    bool paths;         /* keep every race and cycle path */
    uint64_t work;      /* budget of the exact race and cycle sets in nodes made; 0 = default */
    uint32_t max_paths; /* 0 = 20,000 */
    size_t max_bytes;   /* memory of the analysis; 0 = default */
    tac_watch *watch;   /* may be NULL */
} tac_rules_options;

/* mantissa * 2^shift, or unknown because a budget was passed. */
typedef struct tac_rules_count {
    mpz_t mantissa;
    uint64_t shift;
    bool known;
} tac_rules_count;

/* A set of inputs: how many, and what they look like. Values are one char per variable. */
typedef struct tac_rules_inputs {
    tac_rules_count count;
    char *cube; /* '0', '1', '*': every valid input it matches is in the set; no literal can go */
    char *example; /* '0', '1': the first input of the set in the cube; NULL = the set is empty */
    char **cubes;  /* disjoint cubes that make up the set; only for paths */
    size_t cube_count;
    bool cubes_truncated;
} tac_rules_inputs;

typedef enum tac_rules_existence {
    TAC_RULES_NO,  /* proved: there is none */
    TAC_RULES_YES, /* the witness shows it */
    TAC_RULES_UNKNOWN
} tac_rules_existence;

/* A run of one state, on one input: rules[i] leads from states[i] to states[i+1]. A run that never
 * ends is told until a state comes again with the same input: its last state is states[loop]. */
typedef struct tac_rules_witness {
    tac_rules_existence exists;
    uint32_t *states, *rules;
    size_t length, loop;
    size_t at_least; /* no such run is shorter; equal to length when this is a shortest one */
    /* The input: these variables; every other one as in the findings' some_input, or in any other
     * valid way. */
    uint32_t *variables;
    bool *values;
    size_t literal_count;
    tac_rules_count inputs; /* that take these very transitions */
} tac_rules_witness;

typedef struct tac_rules_state_findings {
    tac_rules_count nondeterministic, stable, one, race, cycle;
    tac_rules_witness race_witness, cycle_witness;
    uint32_t dead_rules; /* how many rules are dead here */
    bool dead, unreachable;
} tac_rules_state_findings;

typedef struct tac_rules_clash { /* two or more rules that fire together */
    uint32_t state;
    uint32_t *rules; /* in the order of the state's edges */
    size_t rule_count;
    tac_rules_inputs inputs;
} tac_rules_clash;

typedef struct tac_rules_dead_rule {
    uint32_t state, rule;
    bool unsatisfiable; /* else always pre-empted */
    uint32_t *by;       /* rules that together pre-empt it; none of them can be left out */
    size_t by_count;
} tac_rules_dead_rule;

typedef struct tac_rules_unstable { /* taking the rule here, another one fires at once */
    uint32_t state, rule, next;
    tac_rules_count inputs;
} tac_rules_unstable;

/* rules[i] leads from states[i] to states[i+1]. A cycle's last state is states[loop] again, with
 * the same input. */
typedef struct tac_rules_path {
    uint32_t *states, *rules;
    size_t length; /* transitions */
    bool cycle;
    size_t loop;
    tac_rules_inputs inputs;
} tac_rules_path;

/* A cycle, turned so that the alphabetically first state comes first. */
typedef struct tac_rules_cycle {
    uint32_t *states;
    size_t length;
    tac_rules_inputs inputs; /* inputs that keep its first state in this cycle */
    bool monotone_relevant;  /* some monotone variable is free to move */
    bool persists;           /* moving monotone variables never ends it */
} tac_rules_cycle;

typedef struct tac_rules_breach { /* an action after which the constraints do not hold */
    uint32_t state, rule;
    tac_rules_inputs inputs;
} tac_rules_breach;

typedef struct tac_rules_unmet { /* an expectation that some inputs do not meet from this state */
    uint32_t expectation, state;
    tac_rules_inputs inputs;
    uint32_t ends_in; /* where the example's run ends; TAC_RULES_NONE = never stable */
} tac_rules_unmet;

typedef struct tac_rules_hazards {
    bool known;
    mpz_t total, of;             /* over all states */
    mpz_t possible, possible_of; /* with changes that monotone variables allow only */
    bool chance; /* several rules may fire together: orders differ when their ways to end do */
    bool rates;  /* some group has a rate */
    bool rates_known;
    mpz_t rated; /* changes for which two readings that the rates allow end differently */
    struct tac_rules_state_hazards {
        mpz_t hazards, of;
    } * states;
    /* One example: from `state`, input `before` becomes `after`; two orders of the groups end in
     * `ends` (TAC_RULES_NONE = never stable). */
    bool has_example;
    uint32_t state;
    char *before, *after;
    uint32_t *order[2];
    bool *together[2]; /* this group is read together with the one before it */
    size_t order_count;
    uint32_t ends[2];
} tac_rules_hazards;

typedef struct tac_rules_statistics {
    /* Processor time: start-up; finding the faults; race and cycle sets and paths; cubes, examples
     * and reasons (not part of the others). */
    double prepare_ms, detect_ms, exact_ms, describe_ms, witness_ms;
    uint64_t nodes_made;
    double activation_nodes, activation_paths; /* of the engine's activation diagrams (Table 4) */
} tac_rules_statistics;

typedef struct tac_rules_findings {
    tac_rules_engine engine;
    bool table2, deterministic, truncated;
    bool witnesses;   /* were sought */
    char *some_input; /* a valid input, one '0' or '1' per variable */
    tac_rules_count valid_inputs;
    tac_rules_state_findings *states; /* one per state */
    tac_rules_clash *pairs, *groups;
    tac_rules_dead_rule *dead_rules;
    tac_rules_unstable *unstable;
    tac_rules_path *paths; /* all when asked for, else one for each state, kind and first rule */
    tac_rules_cycle *cycles;
    tac_rules_breach *breaches;
    tac_rules_unmet *unmet;
    size_t pair_count, group_count, dead_rule_count, unstable_count, path_count, cycle_count,
        breach_count, unmet_count;
    bool groups_known, paths_known, cycles_known, unmet_known;
    uint64_t race_paths, cycle_paths; /* distinct, over all states */
    tac_rules_hazards *hazards;       /* NULL unless asked for */
    tac_rules_statistics statistics;
    uint32_t state_count; /* of the rule set analysed */
} tac_rules_findings;

/* Needs the process's decision-diagram manager for itself. Contradictory constraints are
 * TAC_E_INPUT. */
tac_status tac_rules_check(const tac_rules *rules, const tac_rules_options *options,
                           tac_rules_findings **out, tac_error *err);
void tac_rules_findings_free(tac_rules_findings *findings);
/* Violated when there is a fault; inconclusive when none was found, but the hazards that were asked
 * for, or an expectation, were too large to compute; else holds. */
tac_answer tac_rules_answer(const tac_rules_findings *findings);

/* The document of "rules check --json", written as one line without ever being in memory as a
 * whole. */
tac_status tac_rules_findings_write(const tac_rules *rules, const tac_rules_findings *findings,
                                    bool paths, FILE *out, tac_error *err);
/* The report for the author of the rules; true when it leaves out entries that verbose has. */
bool tac_rules_findings_text(const tac_rules *rules, const tac_rules_findings *findings,
                             bool verbose, FILE *out);
/* One verdict on the rule set. */
void tac_rules_verdict(const tac_rules *rules, const tac_rules_findings *findings,
                       tac_verdict *verdict);

/* --- Repair --- */

typedef enum tac_rules_fault {
    TAC_RULES_NONDETERMINISM,
    TAC_RULES_DEAD,
    TAC_RULES_CYCLE,
    TAC_RULES_UNREACHABLE,
    TAC_RULES_RACE,
    TAC_RULES_HAZARD
} tac_rules_fault;

typedef struct tac_rules_repair_options {
    tac_rules_fault fault;
    uint32_t max_edits;     /* at most this many edits in one repair; 0 = 3 */
    uint32_t max_proposals; /* 0 = 20 */
    size_t max_bytes;
    tac_watch *watch;
} tac_rules_repair_options;

/* How many faults of each kind a rule set has; inputs summed over states. */
/* In the order of tac_rules_fault. */
typedef struct tac_rules_fault_counts {
    char *nondeterminism, *dead, *cycle, *unreachable, *race, *hazard; /* "?" = not computed */
    char *cycle_states; /* with a cycle; "?" unless the cycle inputs are too many to compute */
} tac_rules_fault_counts;

typedef struct tac_rules_proposal {
    char **edits; /* sentences: "priority of X: 5 -> 6" */
    size_t edit_count;
    bool removes;        /* the fault is gone; false = only less of it (races, hazards) */
    tac_rules *repaired; /* the rule set after the edits, read back and validated */
    tac_rules_fault_counts before, after;
    bool ends_cycle; /* cycles are left, but the one that the repairs name is gone */
    char *changed;   /* inputs, over all states, on which a state now leads elsewhere */
    char **same;     /* other edits that give the same behaviour, each as one sentence */
    size_t same_count;
} tac_rules_proposal;

typedef struct tac_rules_repairs {
    tac_rules_proposal *at; /* best first */
    size_t count, found;    /* listed; found in all */
    bool nothing_to_do;     /* the fault is not there */
    bool exhausted;         /* every candidate up to the smallest size that works was tried */
    uint32_t *cycle;        /* states of the cycle that ends_cycle speaks of; NULL = none */
    size_t cycle_length;
    bool more_may_help; /* edits were left to try when the limit on their number ended it */
    uint32_t max_edits;
    uint32_t least_edits; /* of the smallest repair found; 0 = none */
    uint32_t
        impossible_edits; /* with so many edits or fewer there is no repair: searched to the end */
    uint64_t candidates;  /* rule sets analysed */
    tac_rules_fault_counts before;
} tac_rules_repairs;

tac_status tac_rules_repair(const tac_rules *rules, const tac_rules_repair_options *options,
                            tac_rules_repairs **out, tac_error *err);
void tac_rules_repairs_free(tac_rules_repairs *repairs);
json_t *tac_rules_repairs_json(const tac_rules *rules, const tac_rules_repair_options *options,
                               const tac_rules_repairs *repairs);

TAC_END_DECLARATIONS

#endif
