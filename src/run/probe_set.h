/* Everything that is measured during a run: devices, which are read when something happens, and
 * instruments beside them, which sample all the time; each has a clock of its own. They fill the
 * columns of the trace.
 *
 * The first device is the one under test: readings carry its time, and its clock decides when the
 * run began. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "device/device.h"
#include "instrument/instrument.h"
#include "instrument/run_clock.h"

struct probe_source {
    tac_device *device; /* outlives the set */
    size_t probe_count; /* of the device */
    uint32_t *column;   /* per probe of the device: its column, or TAC_NONE when not recorded */
    double *reading;    /* per probe of the device: the last one */
    struct run_clock clock;
};

/* What an instrument gives: power W, current A, voltage V, and the integral of the power in J. */
enum { PROBE_POWER, PROBE_CURRENT, PROBE_VOLTAGE, PROBE_ENERGY, PROBE_SAMPLED };

struct probe_instrument {
    struct instrument *instrument; /* outlives the set */
    uint32_t column[PROBE_SAMPLED];
    power_samples samples;  /* of the run so far */
    struct run_clock clock; /* complete when the run has ended */
};

/* One variable of the trace. Counters (monotone) start at 0 with the run. */
struct probe_column {
    const char *name, *unit;
    bool monotone;
    bool sampled; /* filled by an instrument */
    /* of a counter: what is taken off it (NaN before the first reading), and its last reading */
    double first, last;
};

/* A counter fell: the process, the phone or its statistics began anew. */
struct probe_reset {
    const char *name;
    int64_t time; /* on the clock of the device under test */
    double from, to;
};

struct probe_set {
    TAC_VEC(struct probe_source) sources;
    TAC_VEC(struct probe_instrument) instruments;
    TAC_VEC(struct probe_column) columns;
    TAC_VEC(struct probe_reset) resets;
    tac_names names; /* owns the columns' names */
};

/* Which probes of a device are recorded: those named, or all when none is. URIs of instruments in
 * the list are passed over. */
struct probe_choice {
    const char *const *names;
    size_t count;
};

/* A zeroed set is empty. Adds the chosen probes of a device as columns, each name behind the prefix
 * ("" for the device under test). A name that an earlier source has keeps that source's column. */
tac_status probe_set_add_device(struct probe_set *set, tac_device *device, const char *prefix,
                                struct probe_choice choice, tac_error *err);
/* Adds an instrument's columns; where the device has a probe of the same name, the instrument's
 * takes its place. Those of a second instrument are power2, current2, ... */
void probe_set_add_instrument(struct probe_set *set, struct instrument *meter);
/* Does the device have every chosen probe? If not: TAC_E_USAGE with those it has. */
tac_status probe_set_check_choice(tac_device *device, struct probe_choice choice, tac_error *err);
/* Reads every device. values has one entry per column (NaN = not measurable now; those of
 * instruments are left alone); *time is on the clock of the device under test. Samples that came
 * meanwhile are collected; an instrument that failed fails the reading. */
tac_status probe_set_measure(struct probe_set *set, double *values, int64_t *time, tac_error *err);
/* The start of the run: reads every clock and starts the instruments. */
tac_status probe_set_start(struct probe_set *set, tac_error *err);
/* Its end: reads the clocks again, and waits for the samples up to now. */
tac_status probe_set_finish(struct probe_set *set, tac_error *err);
/* Up to when, in nanoseconds since the start, every instrument has delivered. */
int64_t probe_set_covered(const struct probe_set *set);
/* An array of {"probe","time","from","to"}, seconds since the start; the caller's. */
json_t *probe_set_resets_json(const struct probe_set *set);
/* An array with what the trace says about each instrument; the caller's. */
json_t *probe_set_instruments_json(const struct probe_set *set);
/* Of the device under test. */
const struct run_clock *probe_set_clock(const struct probe_set *set);
/* Stops the instruments if need be. */
void probe_set_free(struct probe_set *set);
