/* One search over the failing runs of a job: its thresholds, the engines, the figures on failing
 * and passing runs, the ranks. The passing runs are not mined: what the failing ones yield is
 * measured on them once. */
#pragma once

#include "mining/cluster/tokens.h"
#include "mining/search/chance.h"

/* All failing runs that are looked at together, and what is known about them. */
struct cluster_search {
    const struct cluster_job *job;
    uint32_t *cuts;
    struct token_facts facts;
    struct mine_task task;
    struct chance *evidence;
};

/* Occurrences that a pattern must have where none are given: half of the failing runs, between 2
 * and 10. */
uint64_t scaled_occurrences(uint32_t runs);
void cluster_search_start(struct cluster_search *s, const struct cluster_job *job);
void cluster_search_end(struct cluster_search *s);
/* The share of the failing runs that a pattern must have. */
void cluster_search_support(struct cluster_search *s, double support);
/* Patterns of all templates asked for; examined: per template, the depth that was reached. */
tac_status cluster_search_run(const struct mine_task *task, struct candidates *out,
                              unsigned *examined, tac_error *err);
/* figures, completion, fired: see measure.h; the last two may be NULL. */
tac_status cluster_measure(const struct mine_task *task, const struct selection *set,
                           const struct candidates *list, tac_figures *figures, double *completion,
                           uint64_t *fired, tac_error *err);
/* Completions on the cluster, figures on the passing runs, ranks. */
tac_status cluster_judge(struct cluster_search *s, struct candidates *list, tac_error *err);
/* Corrected probabilities of a list that is shown as it is: everything, marked. The least. */
double cluster_mark_causes(struct cluster_search *s, struct candidates *list);
