/* What do the failing runs have in common? Temporal patterns that tell labelled runs apart, and a
 * predictor made of them (the mining paper).
 *
 * A run is a strict alternation of state events (what the screen shows) and input events (what the
 * user did). Runs are read into a set, normalised and clustered while they are read; the set is
 * then mined cluster by cluster against the passing runs. docs/mining.md has the exact definitions
 * of the templates, figures and scores. */
#ifndef TACTUS_MINING_H
#define TACTUS_MINING_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

/* --- Runs ------------------------------------------------------------------------------------- */

typedef struct tac_runs tac_runs;

/* What crashes of one exception are one by: the app's topmost frame (with the statement, where its
 * source could be read), all the app's frames, or the message without its numbers. */
typedef enum tac_cluster_by {
    TAC_CLUSTER_BY_FRAME,
    TAC_CLUSTER_BY_STACK,
    TAC_CLUSTER_BY_MESSAGE
} tac_cluster_by;

typedef struct tac_runs_options {
    const char *states;    /* regular expression of state tokens; NULL = "^s" */
    const char *packages;  /* comma-separated package prefixes of the app; NULL = every frame that
                            * no framework prefix claims */
    const char *framework; /* more framework prefixes, comma-separated; NULL = the built-in ones */
    const char *const *rules; /* identifier rules, tried before the built-in ones:
                               * "constant:REGEX=TEXT" or "order:REGEX=TEXT" ('#' = the number) */
    size_t rule_count;
    bool plain;             /* no built-in identifier rules */
    const char *labels;     /* file of "NAME LABEL" lines that decides the labels, or NULL */
    const char *state_of;   /* traces: the variable that is the state ("activity", "screen");
                             * NULL = state, else screen, else activity */
    const char *properties; /* property file, with property: label by verdict; or NULL */
    const char *property;   /* name of the property in it */
    size_t memory;       /* bytes of runs kept in memory; what is beyond goes to a temporary file in
                          * TMPDIR (/var/tmp); 0 = 1 GiB */
    const char *mapping; /* mapping file of ProGuard or R8 for obfuscated stacks, or NULL */
    tac_cluster_by by;
} tac_runs_options;

/* options may be NULL; texts are copied. A wrong expression or rule is TAC_E_USAGE. */
tac_status tac_runs_new(const tac_runs_options *options, tac_runs **out, tac_error *err);
/* Adds the runs of a file (text, JSON Lines, a trace; plain, .gz, .xz or "-"), of a DroidBot output
 * folder, or of every file of a folder. May be called again for more. */
tac_status tac_runs_read(tac_runs *runs, const char *path, tac_watch *watch, tac_error *err);
void tac_runs_free(tac_runs *runs);

size_t tac_runs_count(const tac_runs *runs);

/* --- Mining ----------------------------------------------------------------------------------- */

/* The templates of docs/mining.md. G1E: blocks in order with gaps, complete with the input of the
 * last one. TAC_HAS (the event occurs), TAC_END (the run ends so) and TAC_MANY (the event occurs so
 * many times) are features of predictors only; a mined pattern never has them. */
typedef enum tac_template {
    TAC_G1,
    TAC_G2,
    TAC_G2E,
    TAC_G3,
    TAC_G4,
    TAC_G5,
    TAC_G1E,
    TAC_HAS,
    TAC_END,
    TAC_MANY
} tac_template;
#define TAC_TEMPLATES 7
#define TAC_MINE_AUTO (-1.0) /* a threshold that follows from the number of failing runs */

typedef enum tac_screen {
    TAC_SCREEN_SCORE, /* keep what the failing runs show clearly more often than the passing ones */
    TAC_SCREEN_THRESHOLD, /* the paper's R_i minus R_0: drop what passes the thresholds on all
                             passing runs */
    TAC_SCREEN_NONE
} tac_screen;

typedef struct tac_mine_options {
    unsigned templates;       /* bit 1 << tac_template; 0: all of them, but for G1E with `all` */
    double support;           /* G1, G4; TAC_MINE_AUTO: 0.6, less when nothing is found so */
    double confidence;        /* G2, G2E, G3, G5; TAC_MINE_AUTO: 0.9 with `all`, else any */
    uint64_t min_occurrences; /* G2, G2E, G3, G5; 0: half of the failing runs, 2 .. 10 */
    unsigned depth;           /* 6: the greatest number of blocks */
    uint64_t min_rest;        /* 10: G5, events after the blocks for an occurrence to count */
    const char *cluster;      /* only this one, or NULL */
    bool all;                 /* every pattern over the thresholds: no screening, no folding */
    bool merge;               /* all failing runs as one cluster, named "fail" */
    tac_screen screen;
    uint64_t limit; /* the most patterns of a cluster with `all`; 0 = 5,000,000 */
    bool
        paper_weights; /* train: weights of templates by one grid search (the paper, section 8.2) */
} tac_mine_options;

tac_mine_options tac_mine_defaults(void);

/* How often a pattern is seen on a set of runs. */
typedef struct tac_figures {
    uint32_t runs;               /* runs with at least one occurrence of the whole pattern */
    uint32_t prefix_runs;        /* runs with at least one occurrence of its condition */
    uint32_t occurrences;        /* of the whole pattern, continuation included */
    uint32_t prefix_occurrences; /* of the condition: the blocks before the continuation */
} tac_figures;

typedef struct tac_mined_pattern {
    tac_template form;
    uint32_t block_count;
    const uint32_t *blocks; /* ids; tac_pattern_formula writes them */
    uint32_t tail;          /* token: the state or input that follows; x of G4 and G5 */
    uint32_t folded;        /* how many redundant patterns stand behind this one */
    tac_figures fail;       /* on the cluster */
    tac_figures pass;       /* on the passing runs, cut to lengths like the cluster's */
    double score;           /* -1 .. 1: share of failing minus share of passing runs that show it */
    double completion;      /* mean event at which it is complete in the failing runs */
    double p;               /* corrected for everything that was searched */
    double lift, lift_low, lift_high; /* ratio of the shares, and its 95 % interval */
    uint32_t equally_supported;       /* other patterns that the runs speak for as much */
    uint32_t attributed;              /* failing runs that it explains and no pattern before it */
    bool cause;                       /* p is at most TAC_CAUSE_LEVEL */
    uint32_t times;                   /* TAC_MANY: at least so many; else 0 */
} tac_mined_pattern;

typedef struct tac_cluster_result {
    uint32_t cluster;
    const char *name;
    uint32_t runs, passing;           /* runs of the cluster, and passing runs compared with */
    uint64_t counts[TAC_TEMPLATES];   /* with `all`: exact; else the patterns kept */
    unsigned examined[TAC_TEMPLATES]; /* blocks up to which the search is complete */
    tac_mined_pattern *patterns;      /* ranked; owned */
    size_t pattern_count;
    char *why;        /* why these runs are one cluster; owned */
    uint32_t *ending; /* longest sequence of tokens that the support's share of runs ends in */
    size_t ending_count;
    uint32_t *run_ids;     /* the cluster's runs; owned */
    uint32_t *attribution; /* of each: the pattern that explains it, or UINT32_MAX; owned */
    uint32_t unexplained;  /* runs that no pattern explains */
    double least_p;        /* the smallest corrected p that was seen; 1 when there is none */
    uint32_t ending_runs, ending_pass; /* failing runs that end so, passing runs that contain it */
    uint32_t *storage;                 /* private */
} tac_cluster_result;

typedef struct tac_mine_result {
    tac_cluster_result *clusters; /* largest first; owned */
    size_t cluster_count;
    uint32_t passing, failing, unlabelled;
    tac_mine_options options;
} tac_mine_result;

/* Unlabelled runs are TAC_E_INPUT naming the first. One class only is no error: the result then has
 * passing or failing 0, and no patterns. With `all`, more
 * patterns than `limit` are TAC_E_LIMIT. */
tac_status tac_mine(const tac_runs *runs, const tac_mine_options *options, tac_watch *watch,
                    tac_mine_result **out, tac_error *err);
void tac_mine_result_free(tac_mine_result *result);

/* The pattern as a formula; the caller's. */
char *tac_pattern_formula(const tac_runs *runs, const tac_mined_pattern *pattern);
/* The document of `tactus mine --json`; the caller's. limit 0 = every pattern. */
json_t *tac_mine_json(const tac_runs *runs, const tac_mine_result *result, size_t limit);
void tac_mine_text(const tac_runs *runs, const tac_mine_result *result, size_t limit, bool verbose,
                   FILE *out);

/* --- Prediction ------------------------------------------------------------------------------- */

typedef struct tac_predictor tac_predictor;

/* Learns a short list of rules with points for each cluster; what the rules may ask and how many
 * there are is chosen by cross-validation inside the cross-validation that is reported, with copies
 * of a run kept together. With paper_weights: weights and thresholds of section 8.2, whose reported
 * figures are the best of the whole grid. TAC_E_INPUT when there is only one class. */
tac_status tac_predictor_train(const tac_runs *runs, const tac_mine_options *options,
                               tac_watch *watch, tac_predictor **out, tac_error *err);
tac_status tac_predictor_load(const char *path, tac_predictor **out, tac_error *err);
json_t *tac_predictor_json(const tac_predictor *predictor); /* the model file; the caller's */
void tac_predictor_free(tac_predictor *predictor);

typedef struct tac_prediction tac_prediction;

tac_status tac_predict(const tac_predictor *predictor, const tac_runs *runs, tac_watch *watch,
                       tac_prediction **out, tac_error *err);
json_t *
tac_prediction_json(const tac_prediction *prediction); /* of `predict --json`; the caller's */
void tac_prediction_free(tac_prediction *prediction);

TAC_END_DECLARATIONS

#endif
