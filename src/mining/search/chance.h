/* What the figures of a pattern are worth, after a search that compared very many.
 *
 * The probability of a pattern's figures, were the verdicts dealt to the runs by chance, is the
 * tail of the hypergeometric distribution. It is corrected for the search in two ways, and the
 * better one counts, doubled for the choice:
 *   permutations  the verdicts are dealt out anew PERMUTATIONS times, among runs of like length;
 *                 each time the least probability over all patterns of the family is noted. The
 *                 corrected p is the share of deals, the real one included, that get as low: the
 *                 maximum statistic of Westfall and Young over all templates together. The family
 *                 is listed once for the set and does not look at verdicts.
 *   counting      the probability times the number of patterns of its template and depth that the
 *                 runs' events allow (Bonferroni), depth d with the share 2^-d. For patterns that
 *                 are too many to list: long ones with gaps.
 * Both hold the chance of any false cause in a cluster to the level. */
#pragma once

#include "mining/search/candidates.h"

#define PERMUTATIONS 199

struct chance;

struct chance *chance_new(const struct mine_task *task);
void chance_free(struct chance *evidence); /* NULL is fine */
/* The natural logarithm of the probability that a pattern which fail + pass runs show is shown by
 * at least `fail` of the cluster's. */
double chance_log_p(struct chance *evidence, uint32_t fail, uint32_t pass);
/* Corrected for the search, and for the number of clusters; at most 1. fail: failing runs that show
 * the pattern; one run alone is never evidence. The permutations are made
 * when they are first needed. */
double chance_corrected(struct chance *evidence, tac_template template, uint32_t blocks,
                        uint32_t fail, double log_p);

struct lift {
    double ratio, low, high;
};
/* The ratio of the shares a/n and b/m with its 95 % interval, on the logarithmic scale with a half
 * added to each count (Walter 1975), so that it is finite also where no passing run shows the
 * pattern. */
struct lift lift_of(uint32_t a, uint32_t n, uint32_t b, uint32_t m);
double log_hypergeometric_tail(uint32_t a, uint32_t x, uint32_t n, uint32_t all);

/* The family of permutations (family.c): sets of rows, a row being a run of the cluster or a
 * passing one, that some pattern is shown by. */
struct pattern_family {
    const struct mine_task *task;
    uint32_t rows, fail;    /* the first `fail` rows are the cluster's */
    uint32_t *length;       /* per row: events */
    struct run_view *views; /* per row */
    size_t *from;           /* per row: its first position; positions of all rows in order */
    size_t sets;            /* that were visited */
    unsigned listed_depth[TAC_TEMPLATES]; /* blocks up to which every pattern was visited */
};
typedef void visit_rows(void *context, const uint32_t *rows, uint32_t count);
void family_make(const struct mine_task *task, struct pattern_family *family);
/* Every set once or more often, ascending rows; sets of one row or of all are left out. */
void family_visit(struct pattern_family *family, visit_rows *visit, void *context);
void family_free(struct pattern_family *family);
