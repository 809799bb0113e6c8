/* Everything that is measured during a run: devices, which are read when something happens, and
 * instruments beside them, which sample all the time; each has a clock of its own. They fill the
 * columns of the trace.
 *
 * The first device is the one under test: readings carry its time, and its clock decides when the
 * run began. */
#ifndef TAC_RUN_PROBE_SET_H
#define TAC_RUN_PROBE_SET_H

#include "base/data/map.h"
#include "base/data/vec.h"
#include "instrument/instrument.h"
#include "instrument/run_clock.h"
#include "tactus/device.h"

typedef struct probe_source {
    tac_device *device; /* outlives the set */
    size_t probe_count; /* of the device */
    uint32_t *column;   /* per probe of the device: its column, or TAC_NONE when not recorded */
    double *reading;    /* per probe of the device: the last one */
    run_clock clock;
} probe_source;

/* What an instrument gives: power W, current A, voltage V, and the integral of the power in J. */
enum { PROBE_POWER, PROBE_CURRENT, PROBE_VOLTAGE, PROBE_ENERGY, PROBE_SAMPLED };

typedef struct probe_instrument {
    instrument *instrument; /* outlives the set */
    uint32_t column[PROBE_SAMPLED];
    power_samples samples; /* of the run so far */
    run_clock clock;       /* complete when the run has ended */
} probe_instrument;

/* One variable of the trace. Counters (monotone) start at 0 with the run. */
typedef struct probe_column {
    const char *name, *unit;
    bool monotone;
    bool sampled; /* filled by an instrument */
    double first; /* a counter's first reading, NaN before it */
} probe_column;

typedef struct probe_set {
    TAC_VEC(probe_source) sources;
    TAC_VEC(probe_instrument) instruments;
    TAC_VEC(probe_column) columns;
    tac_names names; /* owns the columns' names */
} probe_set;

/* Which probes of a device are recorded: those named, or all when none is. URIs of instruments in
 * the list are passed over. */
typedef struct probe_choice {
    const char *const *names;
    size_t count;
} probe_choice;

/* A zeroed set is empty. Adds the chosen probes of a device as columns, each name behind the prefix
 * ("" for the device under test). A name that an earlier source has keeps that source's column. */
tac_status probe_set_add_device(probe_set *set, tac_device *device, const char *prefix,
                                probe_choice choice, tac_error *err);
/* Adds an instrument's columns; where the device has a probe of the same name, the instrument's
 * takes its place. Those of a second instrument are power2, current2, ... */
void probe_set_add_instrument(probe_set *set, instrument *meter);
/* Does the device have every chosen probe? If not: TAC_E_USAGE with those it has. */
tac_status probe_set_check_choice(tac_device *device, probe_choice choice, tac_error *err);
/* Reads every device. values has one entry per column (NaN = not measurable now; those of
 * instruments are left alone); *time is on the clock of the device under test. Samples that came
 * meanwhile are collected; an instrument that failed fails the reading. */
tac_status probe_set_measure(probe_set *set, double *values, int64_t *time, tac_error *err);
/* The start of the run: reads every clock and starts the instruments. */
tac_status probe_set_start(probe_set *set, tac_error *err);
/* Its end: reads the clocks again, and waits for the samples up to now. */
tac_status probe_set_finish(probe_set *set, tac_error *err);
/* Up to when, in nanoseconds since the start, every instrument has delivered. */
int64_t probe_set_covered(const probe_set *set);
/* An array with what the trace says about each instrument; the caller's. */
json_t *probe_set_instruments_json(const probe_set *set);
/* Of the device under test. */
const run_clock *probe_set_clock(const probe_set *set);
/* Stops the instruments if need be. */
void probe_set_free(probe_set *set);

#endif
