/* One order for what happened on the device and what the instruments measured.
 *
 * Each has a clock of its own; the timeline merges them by the host's time and keeps the value of
 * every variable. A sample of an instrument is a state of its own; at a state of the device the
 * instrument's last sample counts, and its energy is integrated up to that very moment (power is
 * taken as straight between two samples, so the sum is the trapezoid rule).
 *
 * The same merge is done twice: during the run for the monitor, as far as the instruments have
 * delivered, and at its end for the trace, when the clocks are known better. O(1) per state and
 * instrument. */
#pragma once

#include "run/probe_set.h"
#include "tactus/trace.h"

/* A time on the clock of one of the probe set's sources. */
struct run_moment {
    int64_t time;
    size_t source;
};

/* Something that happened on a device. */
struct record {
    struct run_moment moment;
    uint32_t event;
};

/* Records in the order of their coming, with a row of symbols (places) and numbers each. */
struct record_list {
    const struct record *records;
    const uint32_t *places;
    const double *numbers;
    size_t count;
};

struct timeline_cursor {
    size_t next;   /* sample */
    double energy; /* J up to the sample before it */
};

struct timeline {
    const struct probe_set *probes;
    size_t next; /* record */
    struct timeline_cursor *cursors;
    /* the state that is shown: */
    int64_t time; /* nanoseconds since the start, never decreasing */
    uint32_t event;
    uint32_t *places; /* place_count of them */
    double *numbers;  /* one per column */
    size_t place_count;
};

void timeline_start(struct timeline *timeline, const struct probe_set *probes, size_t place_count);
/* Goes on to the next state. False when all was shown, or when the next one comes after
 * `covered` (nanoseconds since the start). */
bool timeline_next(struct timeline *timeline, struct record_list list, int64_t covered);
void timeline_free(struct timeline *timeline);
