/* What other modules use of this one beside tactus/mining.h. */
#pragma once

#include "tactus/mining.h"
#include "tactus/verdict.h"

#define TAC_RUN_PASSED 0u             /* cluster of the passing runs, named "0" */
#define TAC_RUN_UNLABELLED UINT32_MAX /* a run whose verdict nobody gave */

/* Adding to a run: state and input events in order, then its end. A run that ended while an input
 * was handled simply ends in that input. label NULL = unlabelled, "0" = pass. */
void tac_runs_state(tac_runs *runs, const char *token);
void tac_runs_input(tac_runs *runs, const char *token);
void tac_runs_end(tac_runs *runs, const char *label);

/* Files of folders that were not taken for runs; borrowed. */
const char *const *tac_runs_left_out(const tac_runs *runs, size_t *count);
size_t tac_runs_clusters(const tac_runs *runs); /* the passing cluster included, even when empty */
const char *tac_runs_cluster_name(const tac_runs *runs, uint32_t cluster);
uint32_t tac_runs_label(const tac_runs *runs, size_t run); /* a cluster or TAC_RUN_UNLABELLED */
char *tac_runs_name(const tac_runs *runs, size_t run);     /* file, or file:line; the caller's */

/* The name of the cluster of a failure, "exception at package.Class.method": the exception at the
 * root of the stack and the first frame of the app from there outwards; see docs/mining.md. The
 * stack may stand in a log of any layout. packages as above. Never NULL; the caller's. */
char *tac_stack_cluster(const char *exception, const char *stack, const char *packages,
                        const char *framework);

/* The name of the cluster that a crash has, or would have, in this set: as above, but by the frames
 * that the crashes of the set have taught. place: as tac_crash.place, or NULL. Never NULL; the
 * caller's. */
char *tac_runs_crash_cluster(const tac_runs *runs, const char *exception, const char *stack,
                             const char *place);

/* The identity of a crash, 12 hexadecimal digits: a hash of its exception and its place, the same
 * for every browser, device, build and run. place: with the statement that threw, as
 * tac_crash.place; NULL or "" where nobody has read the source. */
#define TAC_FINDING_ID 13
void tac_stack_finding(const char *exception, const char *stack, const char *place,
                       char id[TAC_FINDING_ID]);

#define TAC_CAUSE_LEVEL 0.05 /* a pattern with a greater corrected p is not listed as a cause */
#define TAC_MINE_MAX_DEPTH 32

const char *tac_template_name(tac_template form); /* "g1" ... */
size_t tac_token_count(const tac_runs *runs);
const char *tac_token_text(const tac_runs *runs, uint32_t token);
bool tac_token_is_state(const tac_runs *runs, uint32_t token);
void tac_runs_block(const tac_runs *runs, uint32_t block, uint32_t *state, uint32_t *input);
/* What the pattern says, without figures; the caller's. */
char *tac_pattern_claim(const tac_runs *runs, const tac_mined_pattern *pattern);
/* One sentence for a person: what follows what, how often, in which share of the runs. */
char *tac_pattern_sentence(const tac_runs *runs, const tac_mined_pattern *pattern, uint32_t failing,
                           uint32_t passing);

/* One verdict a cluster (or one inconclusive verdict); *count of them; the caller's. */
tac_verdict *tac_mine_verdicts(const tac_runs *runs, const tac_mine_result *result, size_t *count);
void tac_mine_verdicts_free(tac_verdict *verdicts, size_t count);

typedef struct tac_predict_figures {
    uint64_t tp, tn, fp, fn;
    double accuracy, precision, recall, f2, mcc; /* NaN where undefined */
    double f2_low, f2_high; /* 95 % interval of f2 on other runs of the same kind; NaN: not known */
} tac_predict_figures;

void tac_predict_figures_finish(tac_predict_figures *figures); /* the ratios from the counts */

/* What was learned, for a person: weights, threshold and patterns of each cluster. */
void tac_predictor_text(const tac_predictor *predictor, FILE *out);
/* Reading options that the model asks for (the state expression); borrowed. */
const char *tac_predictor_states(const tac_predictor *predictor);
/* The identifier rules of the runs that it was learned from, the built-in ones among them: runs are
 * to be read by these, and `plain`. False when an older file does not say; borrowed. */
bool tac_predictor_rules(const tac_predictor *predictor, const char *const **rules, size_t *count);

/* The predicted cluster's name, or NULL for pass; borrowed. */
const char *tac_prediction_label(const tac_prediction *prediction, size_t run);
/* False when no run had a label. Unlabelled runs are left out of the figures. */
bool tac_prediction_figures(const tac_prediction *prediction, tac_predict_figures *figures,
                            tac_predict_figures *always_pass);
/* The figures of what the rules are compared with: always pass, always fail, a tree on the events
 * that occur, logistic regression on sequences. The last two are all 0 when the model has none. */
#define TAC_BASELINES 4
bool tac_prediction_baselines(const tac_prediction *prediction,
                              tac_predict_figures figures[TAC_BASELINES]);
const char *
tac_baseline_name(unsigned baseline); /* "always_pass", "always_fail", "tree", "ngram" */
/* What cross-validation says about all clusters together, and the baselines; false: nothing. */
bool tac_predictor_figures(const tac_predictor *predictor, tac_predict_figures *figures,
                           tac_predict_figures baselines[TAC_BASELINES]);
void tac_prediction_text(const tac_prediction *prediction, bool verbose, FILE *out);

/* The leading patterns (at most limit a cluster) as properties that runs which avoid the pattern
 * satisfy, in the language of `tactus check`. */
void tac_mine_properties(const tac_runs *runs, const tac_mine_result *result, size_t limit,
                         FILE *out);
