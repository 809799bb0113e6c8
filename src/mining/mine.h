/* Mining one cluster against the passing runs; mine.c does it for all, predict.c for folds. */
#ifndef TAC_MINING_MINE_H
#define TAC_MINING_MINE_H

#include "mining/search/candidates.h"

/* A selection of runs that owns its arrays. */
struct run_ids {
    TAC_VEC(uint32_t) at;
};

struct cluster_job {
    const struct tac_runs *runs;
    const tac_mine_options *options;
    const uint32_t *fail, *pass; /* run ids */
    uint32_t fail_count, pass_count;
    tac_watch *watch;
    bool keep_variants; /* rank and screen, but fold nothing */
};

/* Ranked patterns with all figures. counts and examined: TAC_TEMPLATES entries each. */
tac_status mine_cluster(const struct cluster_job *job, struct candidates *out, uint64_t *counts,
                        unsigned *examined, tac_error *err);
/* Events kept of each passing run: the lengths of the failing runs in turn. The caller's. */
uint32_t *matched_cuts(const struct cluster_job *job);
/* Every failing run; with merge in one list, else those of the cluster. */
void collect_runs(const struct tac_runs *runs, uint32_t cluster, bool merge, struct run_ids *out);
/* The cluster of a name; of a crash also by its frame alone. TAC_NONE: there is none. */
uint32_t find_cluster(const struct tac_runs *runs, const char *name);
void find_ending(const struct cluster_job *job, uint32_t min_runs, const uint32_t *cuts,
                 tac_cluster_result *out);

#endif
