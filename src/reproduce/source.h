/* What a campaign's folder holds for a search: its runs as scripts, where they went, how they
 * failed, and the options that they were executed with. */
#pragma once

#include "mining/mining.h"
#include "reproduce/known/places.h"
#include "run/campaign/campaign.h"

/* A run of the campaign. Texts belong to the source. */
struct source_run {
    int64_t id;
    size_t flow;          /* index in `flows`, for runs of flows */
    const char *scenario; /* "" for none */
    tac_stored_end end;
    const char *message;
    size_t steps; /* events that were performed */
    char *trace;
    json_t *performed;   /* random runs: what was done; NULL when the trace does not say */
    const char *cluster; /* as `tactus mine` has it; "" for a run that did not crash */
    TAC_VEC(const char *) violated;
    TAC_VEC(size_t) violated_after; /* of each: events when that was decided; SIZE_MAX: unknown */
    struct trail trail;             /* what it did and where it was (source_trails) */
    uint32_t mined;                 /* its number in `mined`, or TAC_NONE */
};

struct source {
    const char *folder;
    bool random; /* random or adaptive runs; else flows */
    struct flow_set flows;
    TAC_VEC(struct source_run) runs;
    tac_names texts;
    tac_arena arena;
    json_t *plan;        /* of the campaign */
    tac_run_options run; /* as the campaign was executed; devices are left to the caller */
    char *properties;    /* its property file, or NULL */
    char *model;         /* its model, or NULL */
    tac_flow start;      /* random runs: the app that was driven, as a flow says it */
    tac_runs *mined;     /* the crashed and the passing runs; NULL when they cannot be compared */
};

/* Reads the folder. TAC_E_INPUT when it is not a campaign's. */
tac_status source_open(const char *folder, tac_watch *watch, struct source *out, tac_error *err);
/* Every run as numbers of steps, and the places that they saw. */
tac_status source_trails(struct source *source, struct step_table *steps, struct places *places,
                         tac_error *err);
/* The cluster that a crash belongs to; borrowed from the source. */
const char *source_cluster(struct source *source, const char *exception, const char *stack,
                           const char *place);
/* "'save': ..." of "step 3, 'save': ...". */
const char *source_step_message(const char *message);
void source_close(struct source *source);
