/* The model of one way of a link, against one that carries bits microsecond by microsecond. */
#include "base/data/random.h"
#include "network/lane.h"
#include "tactus_test.h"

static const int64_t us = 1000, ms = 1000000, s = 1000000000;

static struct lane_segment segment(int64_t start, double rate, double delay, double loss)
{
    return (struct lane_segment){start, {.rate = rate, .delay = delay, .loss = loss}};
}

/* --- the reference: a queue that is emptied every microsecond --- */

struct slow {
    const struct lane_segment *segments;
    size_t count;
    int64_t length, now;
    double left[4096]; /* bits of the packets that wait */
    int64_t sent[4096];
    size_t first, end;
};

static const struct segment_way *way_at(const struct slow *slow, int64_t time)
{
    size_t found = 0;
    for (size_t i = 0; i < slow->count; i++)
        if (slow->segments[i].start <= time % slow->length)
            found = i;
    return &slow->segments[found].way;
}

static void carry_until(struct slow *slow, int64_t time)
{
    for (; slow->now < time; slow->now += us) {
        double bits = way_at(slow, slow->now)->rate * 1e-6;
        while (bits > 0 && slow->first < slow->end) {
            double part = bits < slow->left[slow->first] ? bits : slow->left[slow->first];
            slow->left[slow->first] -= part;
            bits -= part;
            if (slow->left[slow->first] > 1e-9)
                break;
            slow->sent[slow->first++] = slow->now + us;
        }
    }
}

TEST(packets_leave_when_the_reference_says)
{
    tac_random random;
    tac_random_seed(&random, 7);
    for (int round = 0; round < 20; round++) {
        struct lane_segment segments[4];
        size_t count = 1 + tac_random_below(&random, 4);
        int64_t start = 0;
        for (size_t i = 0; i < count; i++) {
            double rate =
                tac_random_below(&random, 4) ? 1e5 * (1 + tac_random_unit(&random) * 40) : 0;
            segments[i] = segment(start, i ? rate : 1e6, 0.001 * (double)i, 0);
            segments[i].way.queue = 4000;
            start += ms * (int64_t)(5 + tac_random_below(&random, 40));
        }
        struct lane lane = {0};
        static struct slow slow;
        slow = (struct slow){.segments = segments, .count = count, .length = start};
        lane_begin(&lane, segments, count, start, 1);
        int64_t now = 0, arrivals[200], last = 0;
        for (size_t n = 0; n < 200; n++) {
            uint32_t size = 40 + (uint32_t)tac_random_below(&random, 1460);
            now += us * (int64_t)tac_random_below(&random, 20000);
            REQUIRE(lane_offer(&lane, now, size, &arrivals[n]) == LANE_PASSES);
            carry_until(&slow, now);
            slow.left[slow.end++] = size * 8;
        }
        while (slow.first < slow.end && slow.now < now + 60 * s)
            carry_until(&slow, slow.now + ms);
        for (size_t n = 0; n < 200; n++) {
            REQUIRE(n < slow.first);
            int64_t there = slow.sent[n] + (int64_t)(way_at(&slow, slow.sent[n] - us)->delay * 1e9);
            int64_t also = slow.sent[n] + (int64_t)(way_at(&slow, slow.sent[n])->delay * 1e9);
            last = there > last ? there : last;
            /* the reference is exact to 2 us, and a border of segments may lie within them */
            CHECK(llabs(arrivals[n] - last) <= 3 * us || llabs(arrivals[n] - also) <= 3 * us ||
                  arrivals[n] == arrivals[n ? n - 1 : 0]);
        }
        lane_free(&lane);
    }
}

static void losses(uint64_t seed, double burst, int64_t step, bool *out, size_t count)
{
    struct lane_segment one = segment(0, 1e9, 0.01, 0.1);
    struct lane lane = {0};
    int64_t arrival;
    one.way.burst = burst;
    one.way.jitter = 0.02;
    lane_begin(&lane, &one, 1, 3600 * s, seed);
    for (size_t n = 0; n < count; n++)
        out[n] = lane_offer(&lane, (int64_t)n * step, 100 + (uint32_t)(step % 1000), &arrival) ==
                 LANE_LOST;
    lane_free(&lane);
}

enum { MANY = 20000 };

TEST(the_same_seed_loses_the_same_packets_at_any_speed)
{
    static bool a[MANY], b[MANY], c[MANY];
    for (int burst = 0; burst < 8; burst += 4) {
        losses(5, burst, 10 * us, a, MANY);
        losses(5, burst, 777 * us, b, MANY);
        losses(6, burst, 10 * us, c, MANY);
        CHECK(!memcmp(a, b, sizeof a));
        CHECK(memcmp(a, c, sizeof a) != 0);
    }
}

TEST(losses_are_as_many_and_as_long_as_asked)
{
    static bool lost[MANY];
    for (int burst = 0; burst <= 5; burst += 5) {
        size_t count = 0, bursts = 0;
        losses(11, burst, 10 * us, lost, MANY);
        for (size_t n = 0; n < MANY; n++) {
            count += lost[n];
            bursts += lost[n] && (!n || !lost[n - 1]);
        }
        double share = (double)count / MANY, length = (double)count / (double)bursts;
        CHECK(fabs(share - 0.1) < 0.02);
        CHECK(burst ? fabs(length - burst) < 0.8 : fabs(length - 1 / 0.9) < 0.1);
    }
}

TEST(a_full_queue_drops_and_a_dead_network_carries_nothing)
{
    struct lane_segment one = segment(0, 12e6, 0, 0), dead = segment(0, 0, 0, 0);
    struct lane lane = {0};
    int64_t arrival;
    size_t full = 0;
    one.way.queue = 10;
    lane_begin(&lane, &one, 1, s, 1);
    for (int i = 0; i < 30; i++)
        full += lane_offer(&lane, 0, 1500, &arrival) == LANE_FULL;
    CHECK_EQ(full, 20);
    /* 12 Mbit/s: a packet per millisecond */
    CHECK_EQ(arrival, 10 * ms);
    CHECK(lane_offer(&lane, 5 * ms, 1500, &arrival) == LANE_PASSES);
    CHECK_EQ(arrival, 11 * ms);
    lane_begin(&lane, &dead, 1, s, 1);
    CHECK(lane_offer(&lane, 0, 100, &arrival) == LANE_FULL);
    lane_free(&lane);
}

TEST(a_scenario_without_a_network_for_a_while_holds_packets_back)
{
    struct lane_segment two[] = {segment(0, 0, 0.01, 0), segment(2 * s, 1e6, 0.01, 0)};
    struct lane lane = {0};
    int64_t arrival;
    lane_begin(&lane, two, 2, 3 * s, 1);
    CHECK(lane_offer(&lane, s, 1250, &arrival) == LANE_PASSES);
    CHECK_EQ(arrival, 2 * s + 10 * ms + 10 * ms);
    /* the turn after: 3 s is 0 s again */
    CHECK(lane_offer(&lane, 4 * s, 1250, &arrival) == LANE_PASSES);
    CHECK_EQ(arrival, 5 * s + 20 * ms);
    lane_free(&lane);
}
