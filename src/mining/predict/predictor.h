/* A learned predictor: names instead of numbers, so that it fits any set of runs. */
#pragma once

#include "base/io/json.h"
#include "mining/runs/described.h"
#include "mining/search/candidates.h"

#define FEATURES 5 /* G1, G2 with G2E, G3, G4, G5 */
#define MASKS 32   /* sets of features */
#define WEIGHT_SUM 10

/* Feature of a template, 0 .. FEATURES-1. */
unsigned feature_of(tac_template template);

struct known_block {
    const char *state, *input;
};

struct known_pattern {
    tac_template template;
    uint32_t block_count;
    const struct known_block *blocks;
    const char *tail;
    bool tail_is_state;
    uint32_t times; /* TAC_MANY */
    double score;
    const char *sentence;
};

enum { CONDITIONS = 3 };
struct known_condition {
    uint32_t pattern; /* of the cluster */
    bool absent;
};
/* Points for runs that show, or lack, up to CONDITIONS patterns. */
struct known_rule {
    struct known_condition *conditions;
    unsigned count;
    double points;
    const char *sentence;
};

struct known_cluster {
    const char *name;
    uint32_t runs;
    bool by_rules;    /* points of rules; else the paper's weights of templates */
    double bias, cut; /* a run is a member when bias and points sum to more than the cut */
    TAC_VEC(struct known_rule) rules;
    unsigned weights[FEATURES];
    unsigned threshold; /* a run is a member when its sum is higher */
    unsigned folds;     /* of the cross-validation; 0 = too few runs for one */
    tac_predict_figures validated;
    TAC_VEC(struct known_pattern) patterns;
};

/* What the rules are compared with. */
enum baseline { ALWAYS_PASS, ALWAYS_FAIL, TREE, SEQUENCES, BASELINES };

struct baseline_figures {
    tac_predict_figures of[BASELINES];
    bool learned; /* the tree and the regression are known */
};

enum { TREE_DEPTH = 5, TREE_NODES = 63 };
struct tree_model {
    uint32_t
        feature[TREE_NODES]; /* children of n: 2n + 1 without it, 2n + 2 with; TAC_NONE: leaf */
    bool fails[TREE_NODES];
};

struct tac_predictor {
    bool validated; /* cross-validated, baselines included */
    tac_predict_figures figures;
    struct baseline_figures baselines;
    struct known_cluster tree_events, sequences; /* patterns only; sequences: score = weight */
    struct tree_model tree;
    double sequence_bias;
    tac_arena arena; /* every text */
    const char *states;
    bool knows_rules; /* the file, or the training, says which identifier rules there were */
    TAC_VEC(const char *) rules; /* of the arena */
    uint64_t min_rest;
    uint32_t passing, failing;
    TAC_VEC(struct known_cluster) clusters;
};

/* Runs by the set of features that fire. */
struct masks {
    uint64_t fail[MASKS], pass[MASKS];
};

struct grid_choice {
    unsigned weights[FEATURES];
    unsigned threshold; /* 0 .. WEIGHT_SUM-1 */
    tac_predict_figures figures;
};

/* F2 rewards calling everything a failure where failures are many, so weights are chosen as if at
 * most one run in RARITY failed: passing runs count this much more. 1 where failures are rare. */
#define RARITY 10
double passing_weight(uint64_t fail, uint64_t pass);
double weighted_f2(double tp, double fn, double fp, double pass_weight);

/* The best point by that F2 of the whole grid: all weights that sum to WEIGHT_SUM times all
 * thresholds, 1,001 x 10. Ties: greater MCC, then weights on the features that tell more apart. */
struct grid_choice search_grid(const struct masks *masks);

/* Adds a pattern by its names to a cluster of the predictor. */
void know_pattern(struct tac_predictor *predictor, const struct tac_runs *runs,
                  const struct candidates *list, size_t index, uint32_t pass_count,
                  struct known_cluster *cluster);
/* Rules for every cluster, chosen and validated by nested cross-validation (train_rules.c). */
tac_status train_rules(struct tac_predictor *predictor, const struct tac_runs *runs,
                       const tac_mine_options *options, tac_watch *watch, tac_error *err);

/* The table of the predictor and the baselines. */
void print_comparison(const tac_predict_figures *own, const struct baseline_figures *all,
                      FILE *out);
DESCRIBED(predictor_figures, tac_predict_figures);
DESCRIBED(baseline_figures, struct baseline_figures);
