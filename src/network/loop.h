/* The process of a link: packets between the app's TUN device (near) and the gateway's (far), held
 * back and lost as two lanes say; and the gateway, which carries connections on to the host's own
 * network. One process, one epoll loop. */
#pragma once

#include "network/lane.h"
#include <stdatomic.h>

enum link_way { LINK_DOWN, LINK_UP, LINK_WAYS };

/* Written by the link, read by who started it. */
struct link_count {
    _Atomic uint64_t packets, bytes, lost_packets, lost_bytes, queue_packets, queue_bytes,
        arrived_packets, arrived_bytes;
};
struct link_shared {
    struct link_count count[LINK_WAYS];
};

/* What is said to the link: this, then `count` segments of the down way and as many of the up way.
 * It answers with one byte. */
struct link_order {
    uint64_t seed, count;
    int64_t length; /* of the scenario, nanoseconds */
    int64_t origin; /* its start on the monotonic clock */
};

struct link_ends {
    int near, far; /* TUN devices */
    int keeper;    /* asks for listeners: namespace.h */
    int control;   /* orders; closed: the end */
    uint64_t app;  /* number of the app's namespace: who lives there ends with the link */
    struct link_shared *shared;
};

_Noreturn void link_process(const struct link_ends *ends);

/* --- between loop.c and gateway.c --- */

/* What an epoll event is about: a kind and an index. */
enum link_topic {
    TOPIC_NEAR,
    TOPIC_FAR,
    TOPIC_CONTROL,
    TOPIC_END,
    TOPIC_LISTENER,
    TOPIC_HOST_END,
    TOPIC_LINK_END,
    TOPIC_DATAGRAMS
};

struct gateway;
struct gateway_options {
    int epoll, far, keeper;
    /* Puts a packet on its way down. */
    void (*send_down)(void *context, const uint8_t *packet, uint32_t size);
    void *context;
};
struct gateway *gateway_new(const struct gateway_options *options);
/* A packet has come up the link. */
void gateway_take(struct gateway *gateway, const uint8_t *packet, uint32_t size);
void gateway_event(struct gateway *gateway, enum link_topic topic, uint32_t index, uint32_t events);

uint64_t link_tag(enum link_topic topic, uint32_t index);
