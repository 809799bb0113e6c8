/* Templates written by the user: which names make the formula tell failing runs from passing ones?
 */
#pragma once

#include "tactus/mining.h"

typedef struct tac_template_instance {
    char *formula;           /* with the names in place of the placeholders */
    size_t failing, passing; /* runs in which it holds */
    double p;                /* corrected for all instances, by dealing the verdicts at random */
    size_t equal;            /* others that hold in the same runs */
} tac_template_instance;

typedef struct tac_template_cluster {
    uint32_t cluster;        /* TAC_RUN_UNLABELLED: all failing runs together */
    size_t failing, passing; /* runs; passing ones are cut to the lengths of failing ones */
    tac_template_instance *instances; /* by p, then by how many runs they tell apart */
    size_t count;
    size_t tried; /* assignments of names to placeholders */
} tac_template_cluster;

typedef struct tac_template_result {
    char *text; /* the template */
    tac_template_cluster *clusters;
    size_t count;
} tac_template_result;

/* The formula: names, not (!), and (&), or (|), ->, <->, G, F, X, U, W, parentheses. Names that are
 * neither states nor inputs of the runs are placeholders, at most three. Of `options` cluster and
 * merge count. */
tac_status tac_mine_template(const tac_runs *runs, const char *text,
                             const tac_mine_options *options, tac_watch *watch,
                             tac_template_result *out, tac_error *err);
void tac_template_result_free(tac_template_result *result);
/* Instances with p of at most 0.05, or with `all` every one, at most `limit` of a cluster (0: no
 * limit). */
void tac_template_text(const tac_runs *runs, const tac_template_result *result, size_t limit,
                       bool all, FILE *out);
json_t *tac_template_json(const tac_runs *runs, const tac_template_result *result, size_t limit,
                          bool all); /* the caller's */
