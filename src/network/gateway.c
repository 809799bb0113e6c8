/* The far end of a link: carries the app's connections on to the host's own network.
 *
 * The kernel of the far namespace speaks TCP with the app over the link, as a server's would, so
 * losses are repaired by the ends as on a real path. When a SYN has come up the link, the host's
 * side is connected first; then somebody listens on that port of the far namespace and the SYN is
 * let in, or it is refused as the host refused. Bytes are then copied between the two sockets.
 * Datagrams need no state of TCP and are carried one by one (datagrams.c). */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "network/datagrams.h"
#include "network/namespace.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RELAYS = 4096, BUFFER = 256 << 10, MOST_SYN = 120, PATIENCE = 150 };

enum relay_state { RELAY_FREE, RELAY_CONNECTING, RELAY_WAITING, RELAY_OPEN };

/* Bytes that go one way. */
struct relay_flow {
    uint8_t *data;
    size_t from, to;
    bool ended, closed; /* nothing more comes; the other side was told */
};

struct relay {
    enum relay_state state;
    int host, link;
    struct packet_about syn;
    uint8_t packet[MOST_SYN];
    uint32_t packet_size;
    bool tried_six; /* the host's loopback has two addresses */
    time_t since;
    struct relay_flow up, down;
    uint32_t host_watch, link_watch;
};

struct listener {
    int fd;
    uint16_t port;
};

struct gateway {
    struct gateway_options options;
    TAC_VEC(struct relay *) relays;
    TAC_VEC(struct listener) listeners;
    struct datagrams *datagrams;
    uint32_t own;
};

struct gateway *gateway_new(const struct gateway_options *options)
{
    struct gateway *gateway = tac_calloc(1, sizeof *gateway);
    gateway->options = *options;
    gateway->own = ntohl(inet_addr(TAC_NETWORK_HOST));
    gateway->datagrams = datagrams_new(options, gateway->own);
    return gateway;
}

static void watch_end(struct gateway *gateway, int fd, uint32_t *watched, uint32_t wanted,
                      enum link_topic topic, uint32_t index)
{
    struct epoll_event event = {.events = wanted, .data.u64 = link_tag(topic, index)};
    if (*watched == wanted)
        return;
    epoll_ctl(gateway->options.epoll, *watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    *watched = wanted;
}

static void end_relay(struct relay *relay, bool abort_link)
{
    if (abort_link && relay->link >= 0) {
        struct linger now = {.l_onoff = 1};
        setsockopt(relay->link, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    if (relay->host >= 0)
        close(relay->host);
    if (relay->link >= 0)
        close(relay->link);
    free(relay->up.data);
    free(relay->down.data);
    *relay = (struct relay){.host = -1, .link = -1};
}

static void refuse(struct gateway *gateway, struct relay *relay)
{
    uint8_t packet[64];
    uint32_t size = packet_refuse(&relay->syn, packet);
    end_relay(relay, false);
    gateway->options.send_down(gateway->options.context, packet, size);
}

/* --- a new connection --- */

static bool connect_host(struct gateway *gateway, struct relay *relay, uint32_t index)
{
    struct sockaddr_in four = {.sin_family = AF_INET,
                               .sin_port = htons(relay->syn.to_port),
                               .sin_addr.s_addr = htonl(relay->syn.to)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6,
                               .sin6_port = htons(relay->syn.to_port),
                               .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int family = relay->tried_six ? AF_INET6 : AF_INET, on = 1;
    if (relay->syn.to == gateway->own)
        four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const struct sockaddr *to =
        relay->tried_six ? (const struct sockaddr *)&six : (const struct sockaddr *)&four;
    relay->host = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (relay->host < 0)
        return false;
    setsockopt(relay->host, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(relay->host, to, relay->tried_six ? sizeof six : sizeof four) &&
        errno != EINPROGRESS) {
        close(relay->host);
        relay->host = -1;
        return false;
    }
    relay->host_watch = 0;
    watch_end(gateway, relay->host, &relay->host_watch, EPOLLOUT, TOPIC_HOST_END, index);
    return true;
}

/* Also the second address of the host's loopback. */
static bool connect_any(struct gateway *gateway, struct relay *relay, uint32_t index)
{
    bool again = relay->host >= 0; /* the first attempt has failed */
    if (again)
        close(relay->host);
    relay->host = -1;
    if (!again && connect_host(gateway, relay, index))
        return true;
    if (relay->syn.to != gateway->own || relay->tried_six)
        return false;
    relay->tried_six = true;
    return connect_host(gateway, relay, index);
}

static time_t seconds(void)
{
    return (time_t)(tac_clock(CLOCK_MONOTONIC_COARSE) / 1000000000);
}

/* A place for one more; those that the app gave up before they were open make room. */
static bool find_place(struct gateway *gateway, uint32_t *index)
{
    for (uint32_t i = 0; i < gateway->relays.count; i++) {
        struct relay *relay = gateway->relays.at[i];
        if (relay->state == RELAY_WAITING && seconds() - relay->since > PATIENCE)
            end_relay(relay, true);
        if (relay->state == RELAY_FREE) {
            *index = i;
            return true;
        }
    }
    if (gateway->relays.count >= MOST_RELAYS)
        return false;
    *index = (uint32_t)gateway->relays.count;
    tac_vec_push(&gateway->relays, tac_calloc(1, sizeof(struct relay)));
    return true;
}

static struct relay *find_relay(struct gateway *gateway, const struct packet_about *about,
                                uint32_t *index)
{
    for (uint32_t i = 0; i < gateway->relays.count; i++) {
        struct relay *relay = gateway->relays.at[i];
        if ((relay->state == RELAY_CONNECTING || relay->state == RELAY_WAITING) &&
            relay->syn.from_port == about->from_port && relay->syn.to_port == about->to_port &&
            relay->syn.to == about->to) {
            *index = i;
            return relay;
        }
    }
    return NULL;
}

static void let_in(struct gateway *gateway, const uint8_t *packet, uint32_t size)
{
    if (write(gateway->options.far, packet, size) < 0)
        return; /* as if it were lost */
}

static void take_syn(struct gateway *gateway, const struct packet_about *about,
                     const uint8_t *packet, uint32_t size)
{
    uint32_t index;
    struct relay *relay = find_relay(gateway, about, &index);
    if (relay && relay->state == RELAY_WAITING)
        let_in(gateway, packet, size);
    if (relay || size > MOST_SYN)
        return;
    struct relay refused = {.syn = *about, .host = -1, .link = -1};
    if (!find_place(gateway, &index)) {
        refuse(gateway, &refused);
        return;
    }
    relay = gateway->relays.at[index];
    *relay = (struct relay){.state = RELAY_CONNECTING,
                            .host = -1,
                            .link = -1,
                            .syn = *about,
                            .packet_size = size,
                            .since = seconds()};
    memcpy(relay->packet, packet, size);
    if (!connect_any(gateway, relay, index))
        refuse(gateway, relay);
}

static bool listen_on(struct gateway *gateway, uint16_t port)
{
    for (size_t i = 0; i < gateway->listeners.count; i++)
        if (gateway->listeners.at[i].port == port)
            return true;
    int fd = name_space_listen(gateway->options.keeper, port);
    if (fd < 0)
        return false;
    struct epoll_event event = {.events = EPOLLIN,
                                .data.u64 =
                                    link_tag(TOPIC_LISTENER, (uint32_t)gateway->listeners.count)};
    epoll_ctl(gateway->options.epoll, EPOLL_CTL_ADD, fd, &event);
    tac_vec_push(&gateway->listeners, (struct listener){fd, port});
    return true;
}

static void host_answered(struct gateway *gateway, struct relay *relay, uint32_t index)
{
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(relay->host, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) {
        if (!connect_any(gateway, relay, index))
            refuse(gateway, relay);
        return;
    }
    if (!listen_on(gateway, relay->syn.to_port)) {
        refuse(gateway, relay);
        return;
    }
    /* Nothing is asked of the host until the app's side is there. */
    epoll_ctl(gateway->options.epoll, EPOLL_CTL_DEL, relay->host, NULL);
    relay->host_watch = 0;
    relay->state = RELAY_WAITING;
    let_in(gateway, relay->packet, relay->packet_size);
}

/* --- an open connection --- */

/* True while something moved; *dead when a side is broken. */
static bool pump(struct relay_flow *flow, int from, int to, bool *dead)
{
    ssize_t size = 0;
    bool reading = flow->from == flow->to && !flow->ended, moved;
    if (flow->from < flow->to) {
        size = send(to, flow->data + flow->from, flow->to - flow->from, MSG_NOSIGNAL);
        flow->from += size > 0 ? (size_t)size : 0;
        moved = size > 0;
    } else if (reading) {
        size = recv(from, flow->data, BUFFER, 0);
        flow->from = 0;
        flow->to = size > 0 ? (size_t)size : 0;
        flow->ended = size == 0;
        moved = size >= 0;
    } else {
        moved = !flow->closed;
        if (moved)
            shutdown(to, SHUT_WR);
        flow->closed = true;
    }
    *dead |= size < 0 && errno != EAGAIN && errno != EINTR;
    return moved;
}

static uint32_t wanted(const struct relay_flow *in, const struct relay_flow *out)
{
    return (!in->ended && in->from == in->to ? (uint32_t)EPOLLIN : 0) |
           (out->from < out->to ? (uint32_t)EPOLLOUT : 0) | EPOLLRDHUP;
}

static void carry(struct gateway *gateway, struct relay *relay, uint32_t index)
{
    bool dead = false;
    for (int i = 0; i < 16 && !dead; i++) {
        bool up = pump(&relay->up, relay->link, relay->host, &dead);
        bool down = pump(&relay->down, relay->host, relay->link, &dead);
        if (!up && !down)
            break;
    }
    bool over = relay->up.closed && relay->down.closed;
    if (dead || over) {
        end_relay(relay, dead);
        return;
    }
    uint32_t host = wanted(&relay->down, &relay->up), link = wanted(&relay->up, &relay->down);
    if (relay->down.ended)
        host &= ~(uint32_t)EPOLLRDHUP;
    if (relay->up.ended)
        link &= ~(uint32_t)EPOLLRDHUP;
    watch_end(gateway, relay->host, &relay->host_watch, host, TOPIC_HOST_END, index);
    watch_end(gateway, relay->link, &relay->link_watch, link, TOPIC_LINK_END, index);
}

static void accept_one(struct gateway *gateway, int fd)
{
    struct sockaddr_in from, to;
    socklen_t from_size = sizeof from, to_size = sizeof to;
    uint32_t index;
    int on = 1;
    if (getpeername(fd, (struct sockaddr *)&from, &from_size) ||
        getsockname(fd, (struct sockaddr *)&to, &to_size)) {
        close(fd);
        return;
    }
    struct packet_about about = {.from_port = ntohs(from.sin_port),
                                 .to = ntohl(to.sin_addr.s_addr),
                                 .to_port = ntohs(to.sin_port)};
    struct relay *relay = find_relay(gateway, &about, &index);
    if (!relay || relay->state != RELAY_WAITING) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    relay->link = fd;
    relay->state = RELAY_OPEN;
    relay->up.data = tac_alloc(BUFFER);
    relay->down.data = tac_alloc(BUFFER);
    carry(gateway, relay, index);
}

/* --- what comes --- */

void gateway_take(struct gateway *gateway, const uint8_t *packet, uint32_t size)
{
    struct packet_about about;
    bool known = packet_read(packet, size, &about);
    if (known && about.protocol == PACKET_UDP)
        datagrams_take(gateway->datagrams, &about);
    else if (known && (about.flags & (PACKET_SYN | PACKET_ACK)) == PACKET_SYN)
        take_syn(gateway, &about, packet, size);
    else
        let_in(gateway, packet, size);
}

void gateway_event(struct gateway *gateway, enum link_topic topic, uint32_t index, uint32_t events)
{
    (void)events;
    if (topic == TOPIC_DATAGRAMS) {
        datagrams_event(gateway->datagrams, index);
        return;
    }
    if (topic == TOPIC_LISTENER) {
        int fd;
        while ((fd = accept4(gateway->listeners.at[index].fd, NULL, NULL,
                             SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
            accept_one(gateway, fd);
        return;
    }
    struct relay *relay = gateway->relays.at[index];
    if (relay->state == RELAY_CONNECTING)
        host_answered(gateway, relay, index);
    else if (relay->state == RELAY_OPEN)
        carry(gateway, relay, index);
}
