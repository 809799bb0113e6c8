/* The clocks of a Perfetto trace, brought to one: boot time.
 *
 * A snapshot gives the values of several clocks at one instant. A time of clock c is read by the
 * latest snapshot that has c at or before it, else by the first one. Clocks 64 to 127 belong to one
 * packet sequence; an incremental clock counts from the time before on the same sequence. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLOCK_REALTIME_ID = 1,
    CLOCK_REALTIME_COARSE_ID,
    CLOCK_MONOTONIC_ID,
    CLOCK_MONOTONIC_COARSE_ID,
    CLOCK_MONOTONIC_RAW_ID,
    CLOCK_BOOT_ID
};

struct clock_reading {
    uint32_t id;
    uint64_t value;
    bool incremental;
    uint64_t unit; /* nanoseconds per tick */
};

struct clock_tie {
    int64_t time, boot; /* nanoseconds */
};

struct clock_line {
    TAC_VEC(struct clock_tie) ties; /* in order of time */
    uint64_t unit;
    bool incremental;
    uint64_t last; /* incremental: the time before, in ticks */
};

struct clocks {
    tac_u64map index; /* sequence << 32 | id -> line */
    TAC_VEC(struct clock_line) lines;
    TAC_VEC(struct clock_reading) readings; /* of the snapshot that was read last */
    uint32_t primary;                       /* of that snapshot; 0 = not said */
    bool has_realtime;
    int64_t realtime_minus_boot, monotonic_minus_boot; /* by the first snapshot that has both */
    bool has_monotonic;
};

/* Field 6 of a packet of the sequence. */
void clocks_snapshot(struct clocks *clocks, uint32_t sequence, const void *data, size_t size);
/* Boot time of a packet's timestamp; false when no snapshot has the clock. The state of incremental
 * clocks moves: call once per packet, in file order. */
bool clocks_to_boot(struct clocks *clocks, uint32_t sequence, uint32_t id, uint64_t time,
                    int64_t *boot);
/* A time of a clock that all sequences share, in nanoseconds (logs, events with times of their
 * own); the same time where no snapshot has the clock. */
int64_t clocks_known_to_boot(const struct clocks *clocks, uint32_t id, int64_t time);
void clocks_free(struct clocks *clocks);
