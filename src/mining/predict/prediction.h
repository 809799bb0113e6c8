/* What a predictor says about a set of runs: predict.c makes it, prediction_figures.c compares it
 * with the labels of the runs, prediction_show.c tells it. */
#pragma once

#include "mining/predict/learn.h"

struct cluster_firing {
    uint64_t *fired; /* rows per pattern of the cluster */
    double *sum;     /* per run: weights of the templates, or points of the rules */
};

struct tac_prediction {
    const struct tac_predictor *predictor;
    const struct tac_runs *runs;
    size_t words;
    struct cluster_firing *clusters;
    struct learn_rows rows; /* copies of a run are one */
    uint32_t *predicted;    /* per run: cluster of the predictor, or TAC_NONE for pass */
    uint8_t *tree_fails, *sequences_fail; /* per run: what the baselines say; NULL: not known */
};

/* fired: rows of so many words per pattern of the rule's cluster. */
bool known_rule_holds(const struct known_rule *rule, const uint64_t *fired, size_t words,
                      size_t run);
/* A run whose sum is higher is a member. */
double known_cluster_threshold(const struct known_cluster *cluster);
