/* Network scenarios: bandwidth, delay and loss over time. */
#pragma once

#include "network/network.h"
#include <stddef.h>
#include <stdint.h>

/* One way of the network. */
struct segment_way {
    double rate;          /* bits per second; 0 = no connection */
    double delay, jitter; /* seconds; the jitter is the most that is added */
    double loss;          /* probability that a packet is lost, 0 .. 1 */
    double burst;         /* mean number of packets lost in a row; 0 = each by itself */
    uint32_t queue;       /* packets that may wait; 0 = as many as 0.2 s carry, at least 32 */
};

/* The network from `start` seconds until the next segment. */
struct segment {
    double start;
    char *name;
    struct segment_way down, up;
};

struct scenario {
    char *name, *title;
    struct segment *segments; /* in order of time; the first starts at 0 */
    size_t count;
    double length; /* seconds until it starts over */
};

/* A built-in name, a file, or "LATENCY_MS,DOWN,UP" (kbit/s) for a network that never changes. */
tac_status scenario_open(const char *name_or_file, struct scenario **out, tac_error *err);
tac_status scenario_parse(const char *name, const char *text, size_t size, struct scenario **out,
                          tac_error *err);
void scenario_free(struct scenario *s);
/* The segment in force at a time; *cursor speeds up calls with growing times. */
const struct segment *scenario_at(const struct scenario *s, double time, size_t *cursor);
