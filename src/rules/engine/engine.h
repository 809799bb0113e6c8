/* Private: what an engine gets and what it fills in.
 *
 * Every engine fills of the findings: deterministic, the counts of every state, pairs, groups, dead
 * rules (without reasons), dead and unreachable states, unstable triples, breaches, paths and
 * cycles. Reasons, expectations, hazards and the Table 2 convention are added by check/. */
#pragma once

#include "rules/engine/diagram.h"
#include "rules/findings/findings.h"

struct rules_run {
    const tac_rules *rules;
    const tac_rules_options *options;
    const struct components *components;
    tac_rules_findings *out;
    bool ignore_constraints; /* Table 2 */
    bool sets_only;          /* Table 2 and repair: no paths */
    uint64_t work;           /* budget of exact sets and of paths, each */
    uint64_t asked;          /* how often the budget was looked at */
    bool interrupted;        /* by the watch, in work that may be given up */
};

tac_status rules_engine_lean(struct rules_run *run, tac_error *err);
tac_status rules_engine_hybrid(struct rules_run *run, tac_error *err);
tac_status rules_engine_symbolic(struct rules_run *run, tac_error *err);
tac_status rules_engine_enumerative(struct rules_run *run, tac_error *err);

/* --- Reporting, shared by the engines --------------------------------------------------------- */

void rules_report_pair(struct rules_run *run, const struct window *window, uint32_t state,
                       uint32_t rule_a, uint32_t rule_b, tac_bdd inputs);
/* Of the edges [first, end) of a state, by what triggers them (by edge): the exact sets of rules
 * that fire together, two or more. */
void rules_report_groups(struct rules_run *run, const struct window *window, uint32_t first,
                         uint32_t end, const tac_bdd *trigger);
/* The same, and every pair of them that fires together. */
void rules_report_clashes(struct rules_run *run, const struct window *window, uint32_t first,
                          uint32_t end, const tac_bdd *trigger);
/* Inputs of the edge after whose action, a cube, a constraint does not hold. */
void rules_report_breach(struct rules_run *run, const struct window *window, uint32_t edge,
                         tac_bdd trigger, tac_bdd action);
/* The unstable triples of the state, its stable and one; trigger and unstable (those inputs after
 * which something fires again) are by edge. Where no two rules fire together the triggers are
 * disjoint and counts are added up, without any union. */
void rules_report_transitions(struct rules_run *run, const struct window *window, uint32_t state,
                              const tac_bdd *trigger, const tac_bdd *unstable);
void rules_report_dead_rule(struct rules_run *run, uint32_t state, uint32_t rule);
/* live[edge]: marks dead states, and states that no live edges lead to from the initial one. */
void rules_report_reachability(struct rules_run *run, const bool *live);

/* Over a whole window: for each edge the inputs that trigger it, for each state those that trigger
 * anything, for each edge its action as a cube. */
struct edge_sets {
    struct window *window;
    tac_bdd *trigger, *enabled, *action;
};
/* Every race and cycle path, by depth-first search; one budget for all. */
void rules_enumerate_paths(struct rules_run *run, const struct edge_sets *sets);

/* Whether exact sets of so many states that lead into each other, over so many variables, have a
 * chance within the default budget; always when a budget was given. */
bool rules_exact_worthwhile(const struct rules_run *run, size_t states, size_t variables);
/* How large the node table may grow while exact sets are computed. */
size_t rules_exact_nodes(const struct rules_run *run);
/* Work since `start` (nodes made) within the budget, no failure, and the watch lets it go on. */
bool rules_within_budget(struct rules_run *run, uint64_t start, uint64_t work);
uint64_t rules_work_now(void);
/* Processor time in seconds: what statistics are measured in, so that other programs do not count.
 */
double rules_now(void);

#define EXACT_NODES 1000000   /* size of the node table while exact sets are computed */
#define DEFAULT_WORK 4000000u /* nodes made */
#define EXACT_SIZE 640        /* states on cycles times variables: beyond, exact sets explode */
#define DEFAULT_PATHS 20000u
#define MAX_DEPTH_OF_PATHS 4000
