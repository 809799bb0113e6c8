/* Patterns while they are mined: blocks live in one growing array. */
#pragma once

#include "mining/runs/runs.h"

extern const char *const mine_template_words[TAC_MANY + 1];

struct candidate {
    tac_template template;
    uint32_t block_count;
    uint32_t start; /* of its blocks in the list's array */
    uint32_t tail;
    uint32_t times; /* TAC_MANY: at least so many; else 0 */
    uint32_t folded;
    tac_figures fail, pass;
    double score, completion;
    double log_p, p;     /* of its figures, and corrected for the search */
    uint32_t whole_pass; /* passing runs in full length that show it */
    uint32_t ties;       /* patterns with another tail and the same figures that were not kept */
    uint32_t equally;    /* others that the runs speak for as much, ties included */
    uint32_t attributed;
    bool cause;
    bool told; /* G5: so much follows its blocks that x would have come */
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

/* Two patterns say the same when their keys are equal. Returns the length of the key. */
#define CANDIDATE_KEY (TAC_MINE_MAX_DEPTH + 3)
size_t candidate_key(const struct candidates *list, const struct candidate *c,
                     uint32_t key[CANDIDATE_KEY]);

/* One block sequence contains the other, in order. */
bool blocks_contain(const uint32_t *longer, uint32_t count, const uint32_t *shorter,
                    uint32_t wanted);

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
    bool any_confidence;          /* G2, G2E, G5: the share of runs decides, not the confidence */
    bool keep_variants;           /* no folding */
    double clusters;              /* that are searched at once: p is corrected for them too */
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

struct chance;
/* Scores, probabilities and ranks; keeps what the screen lets through unless task->all. */
void rank_candidates(const struct mine_task *task, struct chance *evidence, tac_screen screen,
                     const tac_figures *whole_pass, struct candidates *list);
/* Of ranked candidates, those that are causes beyond chance, each with the number of runs that it
 * explains; the others are folded into them. fired: a row of bits over task->fail per candidate.
 * explained: bits, set for the runs that a cause explains. Returns the least corrected p seen. */
double select_causes(const struct mine_task *task, struct chance *evidence, const uint64_t *fired,
                     struct candidates *list, uint64_t *explained);
