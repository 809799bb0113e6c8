/* From a failing run to the shortest one: for each way in which runs of a campaign failed, a
 * minimal sequence of events that still fails so, found by executing candidates
 * (docs/reproduce.md).
 *
 *   DIR/journal.jsonl     every execution, as it ended: a search that was stopped continues
 *   DIR/reproduce.json    the result; also CAMPAIGN/reproduce.json. What earlier calls found of
 * other causes of the campaign stays there DIR/crash-1/...       per cause: flow.jsonl, exports,
 * catch.props, steps.txt; the number is the cause's among all of the campaign */
#pragma once

#include "run/run.h"

typedef struct tac_reproduce_options {
    const char *campaign;          /* a folder of tac_run_campaign */
    const char *campaign_name;     /* what the result calls it; NULL = the folder */
    const char *folder;            /* where the search lives; created when absent */
    int64_t run;                   /* only what this run shows, from it; negative = any */
    const char *cluster;           /* only this cluster of crashes or failing steps; may be NULL */
    const char *property;          /* only violations of this property; may be NULL */
    const tac_run_device *devices; /* as for a campaign; devices without names share the work */
    size_t device_count;
    tac_device_options device_options; /* app, fast and realtime: the campaign's when not given */
    const char *model;        /* for short cuts; NULL = the campaign's own, if it has one */
    uint32_t needed, tries;   /* a candidate counts when so many of so many fail; 0 = 2, 3 */
    uint32_t replays;         /* of the result; 0 = 10 */
    uint32_t parallel;        /* workers per device; 0 = 1 */
    uint64_t execution_limit; /* 0 = none */
    bool plain;               /* delta debugging alone, to compare with: no knowledge of screens */
    /* How a person executes the result: the campaign of its flow in the caller's words, as in
     * tac_run_options; the library frees it. May be NULL. */
    char *(*describe)(const tac_run_options *run);
    const char *command; /* kept with the result: what a person gives again; may be NULL */
    tac_watch *watch;    /* may be NULL */
} tac_reproduce_options;

typedef enum tac_failure_kind {
    TAC_FAILURE_CRASH,
    TAC_FAILURE_PROPERTY,
    TAC_FAILURE_STEP /* a step that could not be done */
} tac_failure_kind;

typedef enum tac_experiment {
    TAC_EXPERIMENT_CONFIRMED, /* with the event the failure does not come, without it it does */
    TAC_EXPERIMENT_REFUTED,   /* it comes all the same */
    TAC_EXPERIMENT_OPEN       /* the event could not be put there, or something else failed */
} tac_experiment;

/* "crashes unless x came before": x was put before, and this is what came of it. */
typedef struct tac_counterfactual {
    char *pattern, *claim, *inserted;
    bool is_state; /* x is a state that was visited, not an event */
    char *device;  /* whose event it is; "" for a state */
    uint32_t tried, failed;
    uint32_t control_tried, control_failed; /* the same way without x; 0 where it is the result */
    tac_experiment verdict;
} tac_counterfactual;

typedef struct tac_reproduced_step {
    char *event, *text;
} tac_reproduced_step;

typedef struct tac_reproduction {
    tac_failure_kind kind;
    char *name; /* the cluster, or the property */
    bool reproduced;
    bool complete; /* false: the search for it was stopped */
    char *message; /* why not; "" otherwise */
    uint64_t runs; /* of the campaign that failed so */
    int64_t from_run;
    char *scenario; /* "" for none */
    uint64_t steps_before, steps_after, executions;
    uint64_t search_executions; /* of these, until the sequence was found */
    uint32_t needed, tries;     /* what a candidate had to do in the end */
    bool flaky, one_minimal;
    uint32_t replays, replays_failed;
    tac_counterfactual *counterfactuals;
    size_t counterfactual_count;
    char *failure, *text;
    tac_reproduced_step *steps;
    size_t step_count;
    /* paths below the folder as given, and a command line; "" when there is none */
    char *flow, *maestro, *webdriver, *wdio, *uiautomator, *properties, *replay;
} tac_reproduction;

typedef struct tac_reproduce_result {
    char *campaign, *folder, *command;
    bool complete; /* false: stopped before its end, the same call continues */
    uint64_t executions;
    tac_reproduction *causes; /* by how many runs failed so, most first */
    size_t cause_count;
    tac_run_lost_device *lost; /* devices that went away */
    size_t lost_count;
} tac_reproduce_result;

/* Searches. *out (tac_reproduce_free) is set whenever the search could begin, also when it was
 * interrupted or the devices went away: it then holds the causes that are done. A name that the
 * campaign does not have is TAC_E_USAGE. */
tac_status tac_reproduce(const tac_reproduce_options *options, tac_reproduce_result **out,
                         tac_error *err);
void tac_reproduce_free(tac_reproduce_result *result);
/* TAC_VIOLATED when something was reproduced, else TAC_INCONCLUSIVE. */
tac_answer tac_reproduce_answer(const tac_reproduce_result *result);
/* The document of docs/reproduce.md; the caller's. */
json_t *tac_reproduce_json(const tac_reproduce_result *result);
void tac_reproduce_text(const tac_reproduce_result *result, FILE *out);
/* "crash", "property", "step"; "confirmed by experiment", "refuted", "inconclusive" */
const char *tac_failure_kind_name(tac_failure_kind kind);
const char *tac_experiment_name(tac_experiment verdict);
