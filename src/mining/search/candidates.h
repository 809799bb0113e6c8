/* Patterns while they are mined: blocks live in one growing array. */
#ifndef TAC_MINING_CANDIDATES_H
#define TAC_MINING_CANDIDATES_H

#include "mining/runs/runs.h"

struct candidate {
    tac_template template;
    uint32_t block_count;
    uint32_t start; /* of its blocks in the list's array */
    uint32_t tail;
    uint32_t folded;
    tac_figures fail, pass;
    double score, completion;
};

struct candidates {
    TAC_VEC(struct candidate) at;
    TAC_VEC(uint32_t) blocks;
};

static inline const uint32_t *blocks_of(const struct candidates *list, const struct candidate *c)
{
    return list->blocks.at + c->start;
}

void candidates_add(struct candidates *list, tac_template template, const uint32_t *blocks,
                    uint32_t block_count, uint32_t tail, const tac_figures *fail);
void candidates_append(struct candidates *list, const struct candidates *source, size_t index);
void candidates_free(struct candidates *list);

/* A threshold as the decimal fraction that the user wrote, so that "at least" has no rounding. */
struct threshold {
    uint64_t numerator, denominator;
};

struct threshold threshold_of(double value);
static inline bool reaches(struct threshold t, uint64_t part, uint64_t whole)
{
    return (unsigned __int128)part * t.denominator >= (unsigned __int128)t.numerator * whole;
}

/* What the engines are told. */
struct mine_task {
    const struct tac_runs *runs;
    struct selection fail; /* the cluster, uncut */
    struct selection pass; /* passing runs, cut to matched lengths */
    struct threshold support, confidence;
    uint32_t min_runs; /* the least number of runs that reaches the support */
    uint64_t min_occurrences, min_rest;
    unsigned depth, templates;
    bool all;                     /* every pattern; else the leading ones */
    bool keep_variants;           /* no folding */
    uint64_t limit;               /* with all */
    const uint8_t *in_pass;       /* per token: occurs in a passing run */
    const double *pass_share;     /* per token: share of passing runs (cut) that show it */
    const double *late_share;     /* the same, in the second half of the run */
    const uint8_t *failure_state; /* per token: seen only as the last event of failing runs */
    tac_watch *watch;
};

/* The leading patterns that a bounded search keeps per template. */
#define LEADING 400

/* Each adds its patterns with their figures on the cluster; examined: blocks up to which the search
 * is complete. */
tac_status mine_gapped(const struct mine_task *task, tac_template template, struct candidates *out,
                       unsigned *examined, tac_error *err);
tac_status mine_contiguous(const struct mine_task *task, struct candidates *out, tac_error *err);
tac_status mine_before(const struct mine_task *task, struct candidates *out, tac_error *err);

tac_status limit_passed(const struct mine_task *task, tac_template template, tac_error *err);

/* The figures of every pattern on a set of runs, in one pass over the runs. completion (per
 * pattern, may be NULL): mean number of events until it is first complete. fired (may be NULL): bit
 * run of row pattern, rows of tac_bits_words(set->count) words. */
struct measure_request {
    const struct candidates *patterns;
    const struct selection *set;
    uint64_t min_rest;
    tac_figures *figures; /* per pattern */
    double *completion;
    uint64_t *fired;
    tac_watch *watch;
};
tac_status measure(const struct measure_request *request, tac_error *err);

/* Ranks by score; screens and folds unless task->all. */
void rank_candidates(const struct mine_task *task, tac_screen screen, const tac_figures *whole_pass,
                     struct candidates *list);

#endif
