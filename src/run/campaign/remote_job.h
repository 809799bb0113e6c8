/* A campaign that others planned, made ready for the devices here. */
#pragma once

#include "run/campaign/remote.h"

enum { MOST_LISTED = 64 };

/* Texts of a plan, borrowed from it. */
struct plan_texts {
    const char *at[MOST_LISTED];
    size_t count;
};

struct worker_job {
    struct run_campaign campaign;
    tac_run_options options;
    json_t *plan;
    struct plan_texts scenarios, patterns, probes;
    char *model, *flows, *properties, *actions, *capabilities; /* fetched files */
};

/* Everything that is needed before the first run, from the database to the devices' plan. After a
 * failure too the job is freed with worker_job_free. */
tac_status worker_job_prepare(struct worker_job *job, const tac_run_options *given,
                              const char *address, tac_error *err);
void worker_job_free(struct worker_job *job); /* what it holds */
