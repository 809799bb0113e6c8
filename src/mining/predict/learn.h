/* Learning from runs as rows of yes-or-no features. A row is a distinct run: runs with the same
 * events are one row with their numbers as weights, so that copies of a run never stand on both
 * sides of a validation. */
#pragma once

#include "mining/cluster/cluster.h"
#include "mining/predict/predictor.h"

struct learn_rows {
    const struct tac_runs *runs;
    TAC_VEC(uint32_t) ids; /* per row: one of its runs */
    TAC_VEC(uint32_t) of;  /* per run: its row */
    double *pass, *fail;   /* per row: passing runs, failing runs of the cluster in question */
    uint8_t *fold;  /* per row: 0 .. OUTER_FOLDS - 1, whose runs are held out for the figures */
    uint8_t *inner; /* per row: 0 .. INNER_FOLDS - 1, held out to choose the model */
};
enum { OUTER_FOLDS = 10, INNER_FOLDS = 5 };

void learn_rows_make(const struct tac_runs *runs, struct learn_rows *rows);
/* Weights: cluster against passing; TAC_NONE: every failing run. */
void learn_rows_weigh(struct learn_rows *rows, uint32_t cluster);
void learn_rows_free(struct learn_rows *rows);

/* The rows that show each feature. */
struct columns {
    uint32_t count, rows;
    size_t *from;
    uint32_t *row;
};
tac_status columns_make(const struct learn_rows *rows, const struct candidates *features,
                        uint64_t min_rest, tac_watch *watch, struct columns *out, tac_error *err);
void columns_free(struct columns *columns);

/* Events, contiguous sequences, ends of runs, repetitions, pairs in order, "before any x" of the
 * rows in `use` (features.c). most: about so many sequences. */
void list_features(const struct learn_rows *rows, const uint8_t *use, struct candidates *out);
void list_events(const struct learn_rows *rows, const uint8_t *use, struct candidates *out);
void list_sequences(const struct learn_rows *rows, const uint8_t *use, size_t most,
                    struct candidates *out);

/* --- Rules (boost.c) -------------------------------------------------------------------------- */

struct learn_settings {
    unsigned conditions;    /* that a rule may have */
    const uint8_t *allowed; /* per feature: rules may ask for it; NULL: for all */
};

enum { MOST_RULES = 32 };

struct scored_rule {
    uint32_t feature[CONDITIONS];
    bool absent[CONDITIONS];
    unsigned count; /* of features */
    double points;
};

struct rule_model {
    double bias, threshold;
    struct scored_rule rules[MOST_RULES];
    unsigned count;
};

/* use: rows to learn from. Rules are added one by one, so a beginning of the list is a model too;
 * after each of the `marks` (ascending numbers of rules) the points are fitted together and the
 * model is kept. models: one per mark. */
void boost_fit(const struct columns *columns, const struct learn_rows *rows, const uint8_t *use,
               const struct learn_settings *settings, const unsigned *marks, unsigned mark_count,
               struct rule_model *models);
void rule_scores(const struct columns *columns, const struct rule_model *model, double *scores);

/* --- Choosing (choose.c) ---------------------------------------------------------------------- */

/* Adds the runs of a row: true positives, true negatives, false positives, false negatives. */
void count_row(const struct learn_rows *rows, uint32_t r, bool fails, double counts[4]);

struct trainer {
    struct tac_predictor *predictor;
    struct learn_rows rows;
    const tac_mine_options *options;
    tac_watch *watch;
    tac_error *err;
};

/* What is learned from: features that some rows suggest, and the rows that show them. */
struct lesson {
    struct candidates features;
    struct columns columns;
    uint8_t *plain; /* per feature: about what occurs, how often, or how runs end */
};
/* Features are mined and listed from the rows in use; columns are of all rows (train_rules.c).
 * Freed by the caller on failure too. */
tac_status lesson_make(struct trainer *t, const uint8_t *use, struct lesson *out);
void lesson_free(struct lesson *lesson);

/* What models of every kind and size say about rows that they were not learned from. */
enum { MODEL_KINDS = 3 };
struct trials {
    float *score[MODEL_KINDS]; /* size * rows + row */
};
void trials_make(const struct trainer *t, struct trials *out);
void trials_free(struct trials *trials);
/* Models of the rows inside; keep[row] gets their scores of that row, where it is not NULL. */
tac_status try_models(struct trainer *t, const uint8_t *inside, struct trials *const *keep);
/* The kind and size that the trials speak for, learned from the rows in use. Without rules where
 * nothing does better than chance. */
tac_status learn_chosen(struct trainer *t, const uint8_t *use, const struct trials *trials,
                        struct lesson *lesson, struct rule_model *model);
/* The same, with trials by cross-validation among all rows that have weight. */
tac_status learn_model(struct trainer *t, struct lesson *lesson, struct rule_model *model);

/* Judges each row by a model that had no part of its fold: fails[row] (validate.c). */
tac_status judge_held_out(struct trainer *t, uint8_t *fails);
/* Rows with weight outside the two folds. */
void rows_outside(const struct trainer *t, unsigned fold, unsigned other, uint8_t *use);

/* --- Baselines (baselines.c) ------------------------------------------------------------------ */

void tree_fit(const struct columns *columns, const struct learn_rows *rows, const uint8_t *use,
              struct tree_model *out);
void tree_apply(const struct columns *columns, const struct tree_model *model, uint8_t *fails);

struct linear_model {
    double bias, *weight; /* per feature; owned */
};
void linear_fit(const struct columns *columns, const struct learn_rows *rows, const uint8_t *use,
                struct linear_model *out);
void linear_apply(const struct columns *columns, const struct linear_model *model, uint8_t *fails);
