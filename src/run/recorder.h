/* What happens during one run, as states of an enriched trace.
 *
 * States are kept in memory until the run has ended, because the device's clock can only be
 * corrected then; the properties are checked while they arrive. */
#ifndef TAC_RUN_RECORDER_H
#define TAC_RUN_RECORDER_H

#include "base/map.h"
#include "base/vec.h"
#include "run/probe_set.h"
#include "tactus/device.h"
#include "tactus/property.h"

struct record {
    int64_t time; /* on the device's clock */
    uint32_t event, activity, place;
};

typedef struct run_recorder {
    probe_set *probes; /* borrowed */
    size_t probe_count;
    tac_names symbols;
    TAC_VEC(struct record) records;
    TAC_VEC(double) numbers; /* probe_count per record */
    double *current;         /* the probes' last readings, counters from the run's start on */
    uint32_t activity, place;
    const char *place_name; /* "state" or "screen" */
    tac_trace_variable *variables;
    tac_monitor *monitor; /* NULL when there are no properties */
    size_t property_count;
    bool watch_alarms; /* early alarms stop the run */
    bool violated;     /* a property is violated, or an alarm was raised */
} run_recorder;

/* properties may be NULL. The probe set is complete and outlives the recorder. */
tac_status recorder_start(run_recorder *recorder, probe_set *probes, const char *place_name,
                          const tac_properties *properties, bool watch_alarms, const char *name,
                          tac_error *err);
/* Reads every probe. */
tac_status recorder_measure(run_recorder *recorder, int64_t *time, tac_error *err);
/* Where the app is from now on; NULL keeps what was. */
void recorder_set(run_recorder *recorder, const char *activity, const char *place);
/* One state with the current values; event NULL = none. Times never go back: an earlier time is
 * moved up to the last one. */
tac_status recorder_add(run_recorder *recorder, int64_t time, const char *event, tac_error *err);
/* The whole trace as JSON Lines, times corrected by the clocks of the probe set; late is meta data
 * known only now. */
tac_status recorder_write(const run_recorder *recorder, const char *path, const json_t *meta,
                          const json_t *late, tac_error *err);
void recorder_free(run_recorder *recorder);

#endif
