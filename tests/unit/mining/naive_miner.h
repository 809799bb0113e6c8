/* The definitions of docs/mining.md, word for word, on plain event sequences: rescans every run for
 * every pattern. The oracle of the tests and the peer of bench/mining. */
#ifndef TAC_TEST_NAIVE_MINER_H
#define TAC_TEST_NAIVE_MINER_H

#include "tactus/mining.h"

#define NAIVE_MAX_DEPTH 8

/* Events are numbers: states 0 .. states-1, inputs states .. states+inputs-1. */
struct naive_run {
    const uint16_t *events;
    uint32_t length;
};

struct naive_task {
    const struct naive_run *fail, *pass; /* pass already cut */
    const struct naive_run *whole_pass;  /* uncut: which x may stand in G4 */
    uint32_t fail_count, pass_count;
    unsigned states, inputs, depth;
    double support, confidence;
    uint64_t min_occurrences, min_rest;
};

struct naive_pattern {
    tac_template template;
    unsigned block_count;
    uint16_t blocks[NAIVE_MAX_DEPTH][2];
    uint16_t tail;
    tac_figures fail, pass;
};

typedef void naive_report(void *context, const struct naive_pattern *pattern);

/* Every pattern over the thresholds. G1 by Algorithm 1 of the paper (with the depth corrected);
 * G2 to G5 over every block sequence whose prefix occurs at all. */
void naive_mine(const struct naive_task *task, tac_template template, naive_report *report,
                void *context);
/* The figures of one pattern on some runs. */
tac_figures naive_figures(const struct naive_pattern *pattern, const struct naive_run *runs,
                          uint32_t count, uint64_t min_rest);

#endif
