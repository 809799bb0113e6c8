/* Private to the files about repairs. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "rules/check/check.h"
#include "rules/language/write.h"

#define MAX_REPAIR_EDITS 6
#define MAX_PLANS 3000
#define MAX_CANDIDATES 30000
#define MOST_BY_CHANCE 20     /* candidates, where hazards with chance are counted for each */
#define MAX_PRIORITIES 500000 /* choices of priorities judged */
#define MOST_COMPARED 3000    /* pairs of repairs looked at for being the same */
#define LARGE_RULE_SET 500    /* active rules from which fewer plans are ranked */
#define MAX_PLANS_OF_LARGE 40

typedef TAC_VEC(struct rules_edit) edit_list;

/* Edits that work (or help), not yet ranked. */
struct repair_plan {
    struct rules_edit *edits; /* the arena's */
    size_t count;
};

struct repair {
    const tac_rules *rules;
    const tac_rules_repair_options *options;
    tac_arena arena; /* texts of edits */
    TAC_VEC(struct repair_plan) plans;
    tac_names seen;      /* plans already found, as text */
    uint64_t candidates; /* rule sets analysed */
    bool stopped;        /* a cap was reached */
    bool interrupted;
    bool cut_short; /* a rule set with the fault was left because it had as many edits as allowed */
    bool by_states; /* cycle inputs are too many to compute: states with a cycle are counted */
    uint32_t *loop_states, *loop_rules; /* then: a shortest cycle, which shall end */
    size_t loop_length;
};

/* The rule set with the edits, by writing it and reading it again; NULL when the edits make no rule
 * set (a circle of references, say). */
tac_rules *rules_repair_apply(const tac_rules *rules, const struct rules_edit *edits, size_t count);
/* Remembers the plan unless it is known already. */
void rules_repair_record(struct repair *r, const struct rules_edit *edits, size_t count);

/* Edits that touch the first fault of the kind found in `findings` of the edited set `now`. Indices
 * are those of the unedited set; what edits added is not edited again. */
void rules_repair_candidates(struct repair *r, const tac_rules *now,
                             const tac_rules_findings *findings, edit_list *out);
/* Thresholds in the predicate of the rule, and in those it refers to, moved to every other place
 * among the tests of their sensor: onto them, between them, beyond them (thresholds.c). */
void rules_repair_thresholds(struct repair *r, const tac_rules *now, uint32_t rule, edit_list *out);
/* Priorities that put the rule in a different place among the rules it competes with. */
void rules_repair_slots(const tac_rules *rules, const uint64_t *places, uint32_t rule,
                        edit_list *out);
/* Places stand for priorities: those of the numbers, and between two numbers others, for levels of
 * their own just before the larger one. */
uint64_t rules_place_of_number(uint32_t priority);

/* Every way to remove nondeterminism by changing the priorities of exactly `edits` rules or fewer:
 * exhaustive. True when it was completed. */
bool rules_repair_priorities(struct repair *r, uint32_t edits, bool *complete, tac_error *err);

/* Inputs, over all states, on which a state now reacts differently: leads elsewhere. origin[state
 * of `after`] is the state of `before` it stems from. */
tac_status rules_changed(const tac_rules *before, const tac_rules *after, const uint32_t *origin,
                         tac_rules_count *out, tac_error *err);

/* Records a repair that leaves no cycle, found by cutting all of them, when there is one
 * (cycles.c).
 */
void rules_repair_all_cycles(struct repair *r);

/* Whether some input goes round these states by these rules for ever; actions are not looked at. */
bool rules_loop_possible(const tac_rules *rules, const uint32_t *states, const uint32_t *loop,
                         size_t length);

/* The first cycle that the findings show, if any; borrowed. */
bool rules_first_cycle(const tac_rules_findings *f, const uint32_t **states, const uint32_t **rules,
                       size_t *length);

/* Numbers of faults, multiplied out; negative = unknown (measure.c). */
struct measure {
    mpz_t by_fault[6];
    mpz_t cycle_states; /* with a cycle, or perhaps; negative when the cycle inputs are known */
};

void rules_measure_init(struct measure *m);
void rules_measure_clear(struct measure *m);
void rules_measure_findings(struct measure *m, const tac_rules_findings *f);
/* As texts, "?" where unknown; they are the caller's. */
tac_rules_fault_counts rules_measure_texts(const struct measure *m);
void rules_multiply_out(mpz_t out, const tac_rules_count *count);
/* The findings that a repair of the fault sought is judged by. */
tac_status rules_repair_analyse(const struct repair *r, const tac_rules *rules, bool paths,
                                bool quick, tac_rules_findings **out, tac_error *err);

/* The plans as repairs, verified, the best first, those that behave alike merged (rank.c). */
void rules_repair_rank(struct repair *r, const struct measure *before, tac_rules_repairs *out);

char *rules_repair_sentence(const tac_rules *rules, const struct rules_edit *edit);
