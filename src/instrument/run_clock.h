/* The device's clock against the host's: read before and after a run, corrected linearly between.
 */
#pragma once

#include "device/device.h"
#include <jansson.h>

struct run_clock {
    int64_t device[2]; /* readings at the start and the end, nanoseconds */
    int64_t offset[2]; /* device minus host at those moments */
    int64_t uncertainty[2];
    int64_t start; /* the host's time that counts as 0 */
};

/* which: 0 at the start, 1 at the end. Until the end is read the start's offset holds throughout.
 */
tac_status run_clock_read(struct run_clock *clock, tac_device *device, int which, tac_error *err);
/* Nanoseconds since the start, on the host's clock. */
int64_t run_clock_correct(const struct run_clock *clock, int64_t device_time);
/* From the first to the second reading, on the device's clock; on the host's where that one was set
 * back. Never negative. */
double run_clock_seconds(const struct run_clock *clock);
/* {"start","offset","offset_end","uncertainty"}: the host's date of 0 (left out when unknown), the
 * rest in seconds; the caller's. */
json_t *run_clock_json(const struct run_clock *clock);
