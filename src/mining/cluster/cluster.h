/* Mining one cluster against the passing runs; mine.c does it for all, predict/train.c for folds.
 */
#pragma once

#include "mining/search/candidates.h"

struct cluster_job {
    const struct tac_runs *runs;
    const tac_mine_options *options;
    const uint32_t *fail, *pass; /* run ids */
    uint32_t fail_count, pass_count;
    uint32_t clusters; /* that are mined at once: p is corrected for them */
    tac_watch *watch;
    bool keep_variants; /* ranked patterns for a predictor: no causes are chosen */
    bool of_passing;    /* `fail` are the passing runs: what holds in them */
};

struct cluster_outcome {
    struct candidates patterns; /* ranked, with all figures */
    uint64_t counts[TAC_TEMPLATES];
    unsigned examined[TAC_TEMPLATES];
    uint32_t *attribution; /* per failing run: a pattern, or TAC_NONE */
    double least_p;
};

tac_status mine_cluster(const struct cluster_job *job, struct cluster_outcome *out, tac_error *err);
void cluster_outcome_free(struct cluster_outcome *outcome);
/* Events kept of each passing run, so that lengths are those of the failing runs: with `all` the
 * failing runs' lengths in turn, else the shortest for the shortest. The caller's. */
uint32_t *matched_cuts(const struct cluster_job *job);
uint32_t least_runs(struct threshold support, uint32_t runs);
void find_ending(const struct cluster_job *job, uint32_t min_runs, const uint32_t *cuts,
                 tac_cluster_result *out);
