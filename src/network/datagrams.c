/* See datagrams.h. */
#include "network/datagrams.h"
#include "base/data/alloc.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PAIRS = 512, MOST_SIZE = 65507, NAMES_PORT = 53 };

struct pair {
    int fd; /* -1: free */
    struct packet_about about;
    int64_t used; /* a count that grows: the oldest makes room */
};

struct datagrams {
    struct gateway_options options;
    uint32_t own, name_server;
    int64_t clock;
    struct pair pairs[MOST_PAIRS];
    uint8_t text[MOST_SIZE], packet[MOST_SIZE + 64];
};

/* The first IPv4 address that the host asks for names. */
static uint32_t host_name_server(void)
{
    FILE *file = fopen("/etc/resolv.conf", "re");
    char line[256], address[64];
    uint32_t found = INADDR_LOOPBACK;
    struct in_addr four;
    while (file && found == INADDR_LOOPBACK && fgets(line, sizeof line, file))
        if (sscanf(line, " nameserver %63s", address) == 1 && inet_pton(AF_INET, address, &four))
            found = ntohl(four.s_addr);
    if (file)
        fclose(file);
    return found;
}

struct datagrams *datagrams_new(const struct gateway_options *options, uint32_t own)
{
    struct datagrams *datagrams = tac_calloc(1, sizeof *datagrams);
    datagrams->options = *options;
    datagrams->own = own;
    datagrams->name_server = host_name_server();
    for (size_t i = 0; i < MOST_PAIRS; i++)
        datagrams->pairs[i].fd = -1;
    return datagrams;
}

static bool open_pair(struct datagrams *datagrams, struct pair *pair, uint32_t index)
{
    uint32_t to = pair->about.to;
    if (to == datagrams->own)
        to = pair->about.to_port == NAMES_PORT ? datagrams->name_server : INADDR_LOOPBACK;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(pair->about.to_port),
                                  .sin_addr.s_addr = htonl(to)};
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = link_tag(TOPIC_DATAGRAMS, index)};
    pair->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (pair->fd >= 0 && !connect(pair->fd, (struct sockaddr *)&address, sizeof address) &&
        !epoll_ctl(datagrams->options.epoll, EPOLL_CTL_ADD, pair->fd, &event))
        return true;
    if (pair->fd >= 0)
        close(pair->fd);
    pair->fd = -1;
    return false;
}

void datagrams_take(struct datagrams *datagrams, const struct packet_about *about)
{
    uint32_t oldest = 0;
    if (about->to == UINT32_MAX || about->to >> 28 == 14)
        return; /* to everybody: nobody else is here */
    for (uint32_t i = 0; i < MOST_PAIRS; i++) {
        struct pair *pair = &datagrams->pairs[i];
        if (pair->fd >= 0 && pair->about.from_port == about->from_port &&
            pair->about.to_port == about->to_port && pair->about.to == about->to) {
            pair->used = ++datagrams->clock;
            (void)!send(pair->fd, about->payload, about->payload_size, MSG_NOSIGNAL);
            return;
        }
        if (pair->fd < 0
                ? datagrams->pairs[oldest].fd >= 0
                : pair->used < datagrams->pairs[oldest].used && datagrams->pairs[oldest].fd >= 0)
            oldest = i;
    }
    struct pair *pair = &datagrams->pairs[oldest];
    if (pair->fd >= 0)
        close(pair->fd);
    *pair = (struct pair){.fd = -1, .about = *about, .used = ++datagrams->clock};
    if (open_pair(datagrams, pair, oldest))
        (void)!send(pair->fd, about->payload, about->payload_size, MSG_NOSIGNAL);
}

void datagrams_event(struct datagrams *datagrams, uint32_t index)
{
    struct pair *pair = &datagrams->pairs[index];
    ssize_t size = pair->fd >= 0 ? recv(pair->fd, datagrams->text, sizeof datagrams->text, 0) : -1;
    if (size < 0)
        return;
    struct packet_about answer = {.from = pair->about.to,
                                  .from_port = pair->about.to_port,
                                  .to = pair->about.from,
                                  .to_port = pair->about.from_port,
                                  .payload = datagrams->text,
                                  .payload_size = (uint32_t)size};
    uint32_t whole = packet_datagram(&answer, datagrams->packet);
    datagrams->options.send_down(datagrams->options.context, datagrams->packet, whole);
}
