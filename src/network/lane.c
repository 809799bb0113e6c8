/* See lane.h. */
#include "network/lane.h"
#include "base/check.h"
#include "base/data/map.h"

enum { LEAST_QUEUE = 32, USUAL_PACKET = 1500 };
static const double second = 1e9;

void lane_begin(struct lane *lane, const struct lane_segment *segments, size_t count,
                int64_t length, uint64_t seed)
{
    assert(count > 0 && segments[0].start == 0 && length > segments[count - 1].start);
    lane->segments = segments;
    lane->count = count;
    lane->length = length;
    lane->seed = tac_hash_u64(seed);
    lane->next = 0;
    lane->cursor = 0;
    lane->free_at = lane->last_arrival = 0;
    lane->bad = false;
    lane->departures.count = lane->head = 0;
    lane->cycle_bits = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t end = i + 1 < count ? segments[i + 1].start : length;
        lane->cycle_bits += segments[i].way.rate * (double)(end - segments[i].start) / second;
    }
}

void lane_free(struct lane *lane)
{
    tac_vec_free(&lane->departures);
}

/* The segment of a time. */
static const struct lane_segment *lane_at(const struct lane *lane, int64_t time, size_t *cursor)
{
    int64_t within = time > 0 ? time % lane->length : 0;
    size_t i = *cursor < lane->count ? *cursor : 0;
    if (lane->segments[i].start > within)
        i = 0;
    if (i + 8 < lane->count && lane->segments[i + 8].start <= within) { /* far ahead */
        size_t low = i, high = lane->count;
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (lane->segments[middle].start <= within)
                low = middle;
            else
                high = middle;
        }
        i = low;
    }
    while (i + 1 < lane->count && lane->segments[i + 1].start <= within)
        i++;
    *cursor = i;
    return &lane->segments[i];
}

static int64_t end_of(const struct lane *lane, size_t segment, int64_t time)
{
    int64_t end = segment + 1 < lane->count ? lane->segments[segment + 1].start : lane->length;
    return time - time % lane->length + end;
}

/* When bits that begin to be sent at a time have all been sent. */
static int64_t sent_at(const struct lane *lane, int64_t start, double bits)
{
    size_t cursor = lane->cursor;
    if (!(lane->cycle_bits > 0))
        return LANE_NEVER;
    double turns = floor(bits / lane->cycle_bits);
    if (turns > 1e6)
        return LANE_NEVER;
    start += (int64_t)turns * lane->length;
    bits -= turns * lane->cycle_bits;
    for (;;) {
        double rate = lane_at(lane, start, &cursor)->way.rate;
        int64_t end = end_of(lane, cursor, start);
        double can = rate * (double)(end - start) / second;
        assert(end > start);
        if (rate > 0 && bits <= can)
            return start + (int64_t)ceil(bits / rate * second);
        bits -= can;
        start = end;
    }
}

static size_t waiting(struct lane *lane, int64_t now)
{
    while (lane->head < lane->departures.count && lane->departures.at[lane->head] <= now)
        lane->head++;
    if (lane->head > 4096 && lane->head * 2 > lane->departures.count) {
        size_t left = lane->departures.count - lane->head;
        memmove(lane->departures.at, lane->departures.at + lane->head,
                left * sizeof *lane->departures.at);
        lane->departures.count = left;
        lane->head = 0;
    }
    return lane->departures.count - lane->head;
}

static size_t queue_of(const struct segment_way *way)
{
    double usual = way->rate * 0.2 / (8 * USUAL_PACKET);
    return way->queue ? way->queue : usual > LEAST_QUEUE ? (size_t)fmin(usual, 1e6) : LEAST_QUEUE;
}

static double unit(uint64_t seed, uint64_t number, uint64_t use)
{
    return (double)(tac_hash_u64(seed ^ tac_hash_u64(number * 2 + use)) >> 11) * 0x1p-53;
}

enum lane_fate lane_offer(struct lane *lane, int64_t now, uint32_t size, int64_t *arrival)
{
    uint64_t number = lane->next++;
    const struct segment_way *way = &lane_at(lane, now, &lane->cursor)->way;
    /* The chain of losses goes on with every packet, so that it depends on nothing else. */
    bool lost = way_loses(way, &lane->bad, unit(lane->seed, number, 0));
    if (waiting(lane, now) >= queue_of(way))
        return LANE_FULL;
    int64_t start = lane->free_at > now ? lane->free_at : now;
    int64_t sent = sent_at(lane, start, (double)size * 8);
    if (sent == LANE_NEVER)
        return LANE_FULL;
    assert(sent >= start);
    lane->free_at = sent;
    tac_vec_push(&lane->departures, sent);
    if (lost)
        return LANE_LOST; /* it was sent all the same */
    size_t cursor = lane->cursor;
    way = &lane_at(lane, sent, &cursor)->way;
    double on_the_way = way->delay + way->jitter * unit(lane->seed, number, 1);
    int64_t there = sent + (int64_t)(on_the_way * second);
    lane->last_arrival = there > lane->last_arrival ? there : lane->last_arrival;
    *arrival = lane->last_arrival;
    return LANE_PASSES;
}
