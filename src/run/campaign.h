/* What the files of a campaign share. */
#ifndef TAC_RUN_CAMPAIGN_H
#define TAC_RUN_CAMPAIGN_H

#include "base/str.h"
#include "run/flow_set.h"
#include "run/run_one.h"
#include "tactus/run.h"
#include "tactus/store.h"

/* Run number id stands for one (scenario, repeat, flow); flows vary fastest, scenarios slowest, so
 * that neighbouring runs share a scenario. */
typedef struct run_campaign {
    const tac_run_options *options;
    flow_set flows; /* empty for random runs */
    tac_properties *properties;
    regex_t *patterns;
    tac_store *store;
    size_t run_count;
    TAC_VEC(int64_t) to_do; /* runs without a row, in order */
    size_t batch_size;      /* runs per worker process */
    size_t done;            /* finished by this call */
    tac_error failure;      /* what ended the campaign early */
} run_campaign;

size_t campaign_flow_of(const run_campaign *campaign, int64_t id);
uint32_t campaign_repeat_of(const run_campaign *campaign, int64_t id);
const char *campaign_scenario_of(const run_campaign *campaign, int64_t id); /* "" when none */

/* campaign_worker.c: executes batch number `batch`; the work function of the pool. */
void campaign_work(void *data, size_t batch, tac_str *out);

/* campaign_folder.c: opens the folder, refuses another campaign's, copies the inputs, finds what is
 * left to do. */
tac_status campaign_open_folder(run_campaign *campaign, tac_error *err);
/* DIR/KIND/000123.EXT; the caller's. */
char *campaign_path(const run_campaign *campaign, const char *kind, int64_t id,
                    const char *extension);

/* campaign_summary.c: verdicts.json, from the store. */
tac_status campaign_summarise(const run_campaign *campaign, json_t **summary, tac_error *err);

#endif
