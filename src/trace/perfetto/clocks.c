/* See clocks.h. */
#include "trace/perfetto/clocks.h"
#include "base/check.h"
#include "trace/perfetto/wire.h"

enum { SEQUENCE_CLOCK_FIRST = 64, SEQUENCE_CLOCK_LAST = 127 };

static uint64_t key_of(uint32_t sequence, uint32_t id)
{
    bool own = id >= SEQUENCE_CLOCK_FIRST && id <= SEQUENCE_CLOCK_LAST;
    return (uint64_t)(own ? sequence : 0) << 32 | id;
}

static struct clock_line *line_of(struct clocks *clocks, uint32_t sequence, uint32_t id)
{
    bool is_new;
    uint64_t *at =
        tac_u64map_at(&clocks->index, key_of(sequence, id), clocks->lines.count, &is_new);
    if (is_new)
        tac_vec_push(&clocks->lines, (struct clock_line){.unit = 1});
    assert(*at < clocks->lines.count);
    return &clocks->lines.at[*at];
}

static void read_clock(struct clocks *clocks, struct wire wire)
{
    struct wire_small read = wire_small(wire);
    uint64_t unit = read.number[4];
    struct clock_reading reading = {.id = (uint32_t)read.number[1],
                                    .value = read.number[2],
                                    .incremental = read.number[3] != 0,
                                    .unit = unit && unit <= 1000000000000u ? unit : 1};
    tac_vec_push(&clocks->readings, reading);
}

/* Wraps around instead of overflowing: hostile values give odd times, nothing worse. */
static int64_t in_nanoseconds(uint64_t ticks, uint64_t unit)
{
    return (int64_t)(ticks * unit);
}

/* Ties stay in order of time; a snapshot that repeats a time replaces nothing. */
static void add_tie(struct clock_line *line, int64_t time, int64_t boot)
{
    tac_vec_push(&line->ties, (struct clock_tie){time, boot});
    for (size_t i = line->ties.count - 1; i && line->ties.at[i - 1].time > time; i--) {
        line->ties.at[i] = line->ties.at[i - 1];
        line->ties.at[i - 1] = (struct clock_tie){time, boot};
    }
}

static bool reading_of(const struct clocks *clocks, uint32_t id, int64_t *time)
{
    for (size_t i = 0; i < clocks->readings.count; i++)
        if (clocks->readings.at[i].id == id) {
            *time = in_nanoseconds(clocks->readings.at[i].value, clocks->readings.at[i].unit);
            return true;
        }
    return false;
}

/* The instant of the snapshot in boot time: its own reading, else through another clock that is
 * tied already, else monotonic (or the first clock) stands in for boot. */
static int64_t instant_of(struct clocks *clocks, uint32_t sequence)
{
    int64_t boot, time;
    if (reading_of(clocks, CLOCK_BOOT_ID, &boot))
        return boot;
    for (size_t i = 0; i < clocks->readings.count; i++) {
        const struct clock_reading *reading = &clocks->readings.at[i];
        const uint64_t *at = tac_u64map_find(&clocks->index, key_of(sequence, reading->id));
        if (at && reading->id <= CLOCK_BOOT_ID && clocks->lines.at[*at].ties.count)
            if (clocks_to_boot(clocks, sequence, reading->id, reading->value, &boot))
                return boot;
    }
    if (reading_of(clocks, CLOCK_MONOTONIC_ID, &time))
        return time;
    return clocks->readings.count
               ? in_nanoseconds(clocks->readings.at[0].value, clocks->readings.at[0].unit)
               : 0;
}

static void keep_offsets(struct clocks *clocks, int64_t boot)
{
    int64_t time;
    if (!clocks->has_realtime && reading_of(clocks, CLOCK_REALTIME_ID, &time)) {
        clocks->has_realtime = true;
        clocks->realtime_minus_boot = (int64_t)((uint64_t)time - (uint64_t)boot);
    }
    if (!clocks->has_monotonic && reading_of(clocks, CLOCK_MONOTONIC_ID, &time)) {
        clocks->has_monotonic = true;
        clocks->monotonic_minus_boot = (int64_t)((uint64_t)time - (uint64_t)boot);
    }
}

void clocks_snapshot(struct clocks *clocks, uint32_t sequence, const void *data, size_t size)
{
    struct wire wire = wire_over(data, size), part;
    clocks->readings.count = 0;
    clocks->primary = (uint32_t)wire_small(wire).number[2];
    while (wire_part(&wire, 1, &part))
        read_clock(clocks, part);
    if (!clocks->readings.count)
        return;
    int64_t boot = instant_of(clocks, sequence);
    for (size_t i = 0; i < clocks->readings.count; i++) {
        const struct clock_reading *reading = &clocks->readings.at[i];
        struct clock_line *line = line_of(clocks, sequence, reading->id);
        line->unit = reading->unit;
        line->incremental = reading->incremental;
        line->last = reading->value;
        add_tie(line, in_nanoseconds(reading->value, reading->unit), boot);
    }
    keep_offsets(clocks, boot);
}

static int64_t by_ties(const struct clock_line *line, int64_t time)
{
    size_t low = 0, high = line->ties.count; /* ties before low are at or before time */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (line->ties.at[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    const struct clock_tie *tie = &line->ties.at[low ? low - 1 : 0];
    return (int64_t)((uint64_t)time + ((uint64_t)tie->boot - (uint64_t)tie->time));
}

bool clocks_to_boot(struct clocks *clocks, uint32_t sequence, uint32_t id, uint64_t time,
                    int64_t *boot)
{
    if (id == 0 || id == CLOCK_BOOT_ID) {
        *boot = (int64_t)time;
        return true;
    }
    const uint64_t *at = tac_u64map_find(&clocks->index, key_of(sequence, id));
    if (!at || !clocks->lines.at[*at].ties.count)
        return false;
    struct clock_line *line = &clocks->lines.at[*at];
    if (line->incremental)
        time = line->last += time;
    *boot = by_ties(line, in_nanoseconds(time, line->unit));
    return true;
}

int64_t clocks_known_to_boot(const struct clocks *clocks, uint32_t id, int64_t time)
{
    const uint64_t *at = tac_u64map_find(&clocks->index, key_of(0, id));
    return at && clocks->lines.at[*at].ties.count ? by_ties(&clocks->lines.at[*at], time) : time;
}

void clocks_free(struct clocks *clocks)
{
    for (size_t i = 0; i < clocks->lines.count; i++)
        tac_vec_free(&clocks->lines.at[i].ties);
    tac_vec_free(&clocks->lines);
    tac_vec_free(&clocks->readings);
    tac_u64map_free(&clocks->index);
}
