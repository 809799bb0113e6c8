/* One way of a shaped link: when a packet arrives, or that it does not.
 *
 * A packet waits until those before it have been sent, takes the time that the rate asks for (over
 * the changes of the scenario, exactly), then the delay and a share of the jitter; packets stay in
 * order, as on a radio link that delivers in order. Whether packet number n is lost depends on the
 * seed, n and the loss of the moment alone. Times are nanoseconds since the scenario's start.
 * O(1) amortised per packet while times grow. */
#pragma once

#include "base/data/vec.h"
#include "network/scenario.h"
#include <math.h>

/* The same without names, as it goes to the process of the link. */
struct lane_segment {
    int64_t start; /* nanoseconds */
    struct segment_way way;
};

enum lane_fate { LANE_PASSES, LANE_LOST, LANE_FULL };

struct lane {
    const struct lane_segment *segments;
    size_t count;
    int64_t length;      /* of the scenario */
    double cycle_bits;   /* what one turn of the scenario carries */
    uint64_t seed, next; /* number of the next packet */
    size_t cursor;
    int64_t free_at;             /* the packets so far have been sent then */
    int64_t last_arrival;        /* of the packets so far */
    bool bad;                    /* in a burst of losses */
    TAC_VEC(int64_t) departures; /* of packets that may still be waiting, from `head` on */
    size_t head;
};

#define LANE_NEVER INT64_MAX

/* The segments are borrowed; the last one lasts until `length`. */
void lane_begin(struct lane *lane, const struct lane_segment *segments, size_t count,
                int64_t length, uint64_t seed);
void lane_free(struct lane *lane);
/* What becomes of a packet of so many bytes that is offered now; *arrival when it passes. Times of
 * calls never fall. */
enum lane_fate lane_offer(struct lane *lane, int64_t now, uint32_t size, int64_t *arrival);

/* One random number in [0, 1) decides: each packet by itself, or by a chain of good and bad times
 * (Gilbert) with the given mean loss and mean length of a burst. */
static inline bool way_loses(const struct segment_way *way, bool *bad, double random)
{
    if (!(way->burst > 1) || way->loss >= 1) {
        *bad = false;
        return random < way->loss;
    }
    double into = way->loss / (way->burst * (1 - way->loss));
    *bad = *bad ? random >= 1 / way->burst : random < into;
    return *bad;
}
