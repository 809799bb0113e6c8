/* Everything that is measured during a run: a list of sources, each a device with probes and a
 * clock of its own, and the columns of the trace that they fill.
 *
 * The first source is the device under test: readings carry its time, and its clock decides when
 * the run began. */
#ifndef TAC_RUN_PROBE_SET_H
#define TAC_RUN_PROBE_SET_H

#include "base/map.h"
#include "base/vec.h"
#include "run/run_clock.h"
#include "tactus/device.h"

typedef struct probe_source {
    tac_device *device; /* outlives the set */
    size_t probe_count; /* of the device */
    uint32_t *column;   /* per probe of the device: its column, or TAC_NONE when not recorded */
    double *reading;    /* per probe of the device: the last one */
    run_clock clock;
} probe_source;

/* One variable of the trace. Counters (monotone) start at 0 with the run. */
typedef struct probe_column {
    const char *name, *unit;
    bool monotone;
    double first; /* a counter's first reading, NaN before it */
} probe_column;

typedef struct probe_set {
    TAC_VEC(probe_source) sources;
    TAC_VEC(probe_column) columns;
    tac_names names; /* owns the columns' names */
} probe_set;

/* Which probes of a device are recorded; a zeroed one means all. */
typedef struct probe_choice {
    const char *const *names;
    size_t count;
} probe_choice;

/* A zeroed set is empty. Adds the chosen probes of a device as columns, each name behind the prefix
 * ("" for the device under test). A name that an earlier source has keeps that source's column. */
tac_status probe_set_add_device(probe_set *set, tac_device *device, const char *prefix,
                                probe_choice choice, tac_error *err);
/* Does the device have every chosen probe? If not: TAC_E_USAGE with those it has. */
tac_status probe_set_check_choice(tac_device *device, probe_choice choice, tac_error *err);
/* Reads every source. values has one entry per column (NaN = not measurable now); *time is on the
 * clock of the device under test. */
tac_status probe_set_measure(probe_set *set, double *values, int64_t *time, tac_error *err);
/* Reads every clock: 0 at the start of the run, 1 at its end. */
tac_status probe_set_read_clocks(probe_set *set, int which, tac_error *err);
/* Of the device under test. */
const run_clock *probe_set_clock(const probe_set *set);
void probe_set_free(probe_set *set);

#endif
