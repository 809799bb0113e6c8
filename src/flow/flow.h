/* What other modules use of this one beside tactus/flow.h. */
#pragma once

#include "tactus/flow.h"
#include "tactus/verdict.h"

/* Which orders of several devices are one flow: "independent", those that differ in steps that
 * share no channel; "observed", those of them that the requirements cannot tell apart; "all", none.
 * NULL when there is one device. */
const char *tac_flow_orders(const tac_flow_engine *engine);

/* What the counting took, as model checkers report it. */
typedef struct tac_flow_effort {
    size_t state_bytes;     /* of one state, its row in the tables included */
    uint64_t depth;         /* events of the longest flow that was followed */
    uint64_t states, steps; /* remembered, each once; steps between them */
    size_t memory;          /* bytes of all tables */
    double seconds;         /* by the clock, of the last count */
} tac_flow_effort;

/* Of the last tac_flow_count of this engine. */
void tac_flow_effort_of(const tac_flow_engine *engine, tac_flow_effort *effort);

/* What was counted, in one sentence, with the counts as statistics; the caller frees it. */
void tac_flow_counts_verdict(const tac_flow_counts *counts, const tac_flow_options *options,
                             const char *subject, tac_verdict *verdict);

void tac_cover_suite_verdict(const tac_cover_suite *suite, const char *goal, const char *subject,
                             tac_verdict *verdict);

/* What sampling until something is covered came to. */
typedef struct tac_sample_coverage {
    uint64_t flows;
    size_t covered, enough; /* of the items asked for, what was to be covered */
    size_t total;           /* feasible items */
    char **infeasible;      /* items that no flow within the length has; owned */
    size_t infeasible_count;
} tac_sample_coverage;

/* Samples until the goal is covered (or `sampling->count` flows, 0 = at most 1,000,000), and tells
 * what was covered (tac_sample_coverage_free). */
tac_status tac_flow_sample_covering(tac_flow_engine *engine, const tac_flow_sampling *sampling,
                                    const tac_cover_options *goal, tac_flow_visit visit,
                                    void *context, tac_sample_coverage *out, tac_error *err);
void tac_sample_coverage_free(tac_sample_coverage *coverage); /* what it holds */
