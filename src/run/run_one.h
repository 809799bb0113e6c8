/* One run on a device: a flow step by step, or random events. */
#ifndef TAC_RUN_ONE_H
#define TAC_RUN_ONE_H

#include "run/recorder.h"
#include "tactus/flow_file.h"
#include "tactus/run.h"
#include <regex.h>

/* How a run ended, apart from failures of the device itself. */
typedef enum run_end { RUN_PASS, RUN_FAIL, RUN_CRASH, RUN_ABORTED } run_end;

typedef struct run_context {
    const tac_run_options *options;
    tac_device *device;
    probe_set probes;
    run_recorder recorder;
    regex_t *patterns; /* compiled, options->pattern_count of them */
    uint64_t seed;
    run_end end;
    size_t steps; /* events performed */
    char message[1400];
    double sample, think, deadline;
} run_context;

const char *run_end_name(run_end end);

/* Executes the flow. TAC_OK whatever the app did (context->end and message tell); an error is a
 * failure of the device or of recording, which leaves no verdict. */
tac_status run_flow(run_context *context, const tac_flow *flow, tac_error *err);
tac_status run_monkey(run_context *context, tac_error *err);

/* Shared by both: drains the log into events, measures, records one state, sees a crash or a
 * violation (context->end then is no longer RUN_PASS). event NULL = none. */
tac_status run_observe(run_context *context, const char *event, tac_error *err);
/* Lets seconds pass, observing every sample. */
tac_status run_wait(run_context *context, double seconds, tac_error *err);
/* Looks where the app is now. */
tac_status run_locate(run_context *context, const char *place, tac_error *err);

#endif
