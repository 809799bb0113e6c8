/* See loop.h. */
#include "network/loop.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "network/namespace.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PACKET = 65536, BATCH = 64, EVENTS = 64 };

/* A packet on its way. */
struct held {
    int64_t arrival;
    uint8_t *data;
    uint32_t size;
};

struct link_loop {
    struct link_ends ends;
    int epoll;
    struct gateway *gateway;
    struct lane lanes[LINK_WAYS];
    struct lane_segment *segments[LINK_WAYS];
    struct {
        TAC_VEC(struct held) list; /* in order of arrival, from `head` on */
        size_t head;
    } air[LINK_WAYS];
    int64_t origin;
    bool ordered; /* there is a scenario */
    uint8_t packet[MOST_PACKET];
};

uint64_t link_tag(enum link_topic topic, uint32_t index)
{
    return (uint64_t)topic << 32 | index;
}

static int64_t now_of(const struct link_loop *loop)
{
    int64_t since = tac_clock(CLOCK_MONOTONIC) - loop->origin;
    return since > 0 ? since : 0;
}

static void count(_Atomic uint64_t *packets, _Atomic uint64_t *bytes, uint32_t size)
{
    /* Only this process writes. */
    atomic_store_explicit(packets, atomic_load_explicit(packets, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    atomic_store_explicit(bytes, atomic_load_explicit(bytes, memory_order_relaxed) + size,
                          memory_order_relaxed);
}

static void deliver(struct link_loop *loop, enum link_way way, const uint8_t *packet, uint32_t size)
{
    struct link_count *counts = &loop->ends.shared->count[way];
    if (way == LINK_UP)
        gateway_take(loop->gateway, packet, size);
    else if (write(loop->ends.near, packet, size) < 0)
        return;
    count(&counts->arrived_packets, &counts->arrived_bytes, size);
}

static void offer(struct link_loop *loop, enum link_way way, const uint8_t *packet, uint32_t size)
{
    struct link_count *counts = &loop->ends.shared->count[way];
    int64_t arrival = 0, now = now_of(loop);
    count(&counts->packets, &counts->bytes, size);
    enum lane_fate fate = lane_offer(&loop->lanes[way], now, size, &arrival);
    if (fate == LANE_LOST) {
        count(&counts->lost_packets, &counts->lost_bytes, size);
    } else if (fate == LANE_FULL) {
        count(&counts->queue_packets, &counts->queue_bytes, size);
    } else if (arrival <= now + 1000 && loop->air[way].head == loop->air[way].list.count) {
        deliver(loop, way, packet, size);
    } else {
        struct held held = {.arrival = arrival, .size = size, .data = tac_alloc(size)};
        memcpy(held.data, packet, size);
        tac_vec_push(&loop->air[way].list, held);
    }
}

static void send_down(void *context, const uint8_t *packet, uint32_t size)
{
    offer(context, LINK_DOWN, packet, size);
}

static void read_device(struct link_loop *loop, int device, enum link_way way)
{
    for (int i = 0; i < BATCH; i++) {
        ssize_t size = read(device, loop->packet, sizeof loop->packet);
        if (size <= 0)
            return;
        if (loop->packet[0] >> 4 == 4) /* the link carries IPv4 */
            offer(loop, way, loop->packet, (uint32_t)size);
    }
}

/* Hands over what has arrived; the time of the next arrival, or LANE_NEVER. */
static int64_t deliver_due(struct link_loop *loop)
{
    int64_t next = LANE_NEVER;
    for (enum link_way way = 0; way < LINK_WAYS; way++) {
        int64_t now = now_of(loop);
        while (loop->air[way].head < loop->air[way].list.count &&
               loop->air[way].list.at[loop->air[way].head].arrival <= now) {
            struct held held = loop->air[way].list.at[loop->air[way].head++];
            deliver(loop, way, held.data, held.size);
            free(held.data);
        }
        size_t left = loop->air[way].list.count - loop->air[way].head;
        if (loop->air[way].head > 1024 && left < loop->air[way].head) {
            memmove(loop->air[way].list.at, loop->air[way].list.at + loop->air[way].head,
                    left * sizeof(struct held));
            loop->air[way].list.count = left;
            loop->air[way].head = 0;
        }
        if (left && loop->air[way].list.at[loop->air[way].head].arrival < next)
            next = loop->air[way].list.at[loop->air[way].head].arrival;
    }
    return next;
}

/* Who started the link has ended, or wants no more of it. */
static _Noreturn void end_link(const struct link_loop *loop)
{
    name_space_clear(loop->ends.app);
    _exit(0);
}

static bool read_whole(int from, void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t part = recv(from, (char *)to + done, size - done, 0);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        done += (size_t)part;
    }
    return true;
}

/* Packets of the time before arrive at once: their scenario is over. */
static void take_order(struct link_loop *loop)
{
    struct link_order order;
    if (!read_whole(loop->ends.control, &order, sizeof order))
        end_link(loop);
    for (int i = 0; i < 32 && loop->ordered; i++) { /* what was sent before belongs to before */
        read_device(loop, loop->ends.near, LINK_UP);
        read_device(loop, loop->ends.far, LINK_DOWN);
    }
    for (enum link_way way = 0; way < LINK_WAYS; way++) {
        free(loop->segments[way]);
        loop->segments[way] = tac_calloc(order.count, sizeof **loop->segments);
        if (!read_whole(loop->ends.control, loop->segments[way],
                        order.count * sizeof **loop->segments))
            end_link(loop);
        for (size_t i = loop->air[way].head; i < loop->air[way].list.count; i++)
            loop->air[way].list.at[i].arrival = 0;
        lane_begin(&loop->lanes[way], loop->segments[way], order.count, order.length,
                   order.seed * LINK_WAYS + way);
    }
    loop->origin = order.origin;
    loop->ordered = true;
    if (send(loop->ends.control, "", 1, MSG_NOSIGNAL) != 1)
        end_link(loop);
}

static void handle(struct link_loop *loop, const struct epoll_event *event)
{
    enum link_topic topic = (enum link_topic)(event->data.u64 >> 32);
    if (topic == TOPIC_NEAR)
        read_device(loop, loop->ends.near, LINK_UP);
    else if (topic == TOPIC_FAR)
        read_device(loop, loop->ends.far, LINK_DOWN);
    else if (topic == TOPIC_CONTROL)
        take_order(loop);
    else if (topic == TOPIC_END)
        end_link(loop);
    else
        gateway_event(loop->gateway, topic, (uint32_t)event->data.u64, event->events);
}

static void watch_fd(int epoll, int fd, enum link_topic topic)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = link_tag(topic, 0)};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
        _exit(1);
}

/* SIGTERM, also when the parent dies, comes as something to read. */
static int watch_for_end(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&all);
    sigaddset(&all, SIGTERM);
    return signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

_Noreturn void link_process(const struct link_ends *ends)
{
    struct link_loop *loop = tac_calloc(1, sizeof *loop);
    loop->ends = *ends;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    struct gateway_options gateway = {.epoll = loop->epoll,
                                      .far = ends->far,
                                      .keeper = ends->keeper,
                                      .send_down = send_down,
                                      .context = loop};
    loop->gateway = gateway_new(&gateway);
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
    take_order(loop); /* the first one, before any packet */
    watch_fd(loop->epoll, ends->near, TOPIC_NEAR);
    watch_fd(loop->epoll, ends->far, TOPIC_FAR);
    watch_fd(loop->epoll, ends->control, TOPIC_CONTROL);
    watch_fd(loop->epoll, watch_for_end(), TOPIC_END);
    for (;;) {
        struct epoll_event events[EVENTS];
        int64_t next = deliver_due(loop), wait = next == LANE_NEVER ? 0 : next - now_of(loop);
        struct timespec timeout = {0};
        if (wait > 0)
            timeout = (struct timespec){wait / 1000000000, wait % 1000000000};
        int ready =
            epoll_pwait2(loop->epoll, events, EVENTS, next == LANE_NEVER ? NULL : &timeout, NULL);
        if (ready < 0 && errno != EINTR)
            end_link(loop);
        for (int i = 0; i < ready; i++)
            handle(loop, &events[i]);
    }
}
