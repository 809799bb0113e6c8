/* A real link: kernel sockets at both ends, an independent count of packets at the interface.
 * Skipped where namespaces or TUN devices cannot be made. */
#include "base/data/alloc.h"
#include "network/network.h"
#include "tactus_test.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

static tac_network *open_link(const char *scenario, uint64_t seed)
{
    tac_error err;
    tac_network *network = NULL;
    tac_status status = tac_network_open(scenario, seed, &network, &err);
    if (status == TAC_E_MISSING)
        SKIP("no network of its own here: %s", err.message);
    if (status != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s", err.message);
    return network;
}

static int listen_here(int kind, uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, kind, 0);
    struct timeval patience = {60, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) ||
        getsockname(fd, (struct sockaddr *)&address, &size))
        abort();
    if (kind == SOCK_STREAM && listen(fd, 8))
        abort();
    *port = ntohs(address.sin_port);
    return fd;
}

static struct sockaddr_in far_address(uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(port),
                                .sin_addr.s_addr = inet_addr(TAC_NETWORK_HOST)};
}

static int wait_for(pid_t child)
{
    int ended = 0;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128;
}

/* --- what the programs inside do; their exit code says how it went --- */

enum { TRANSFER = 300000 };

static void fetch(const tac_network *network, uint16_t port)
{
    struct sockaddr_in to = far_address(port);
    static char bytes[65536];
    size_t got = 0;
    int fd = tac_network_enter(network) ? socket(AF_INET, SOCK_STREAM, 0) : -1;
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to))
        _exit(errno == ECONNREFUSED ? 3 : 2);
    for (ssize_t part; (part = recv(fd, bytes, sizeof bytes, 0)) > 0; got += (size_t)part)
        for (ssize_t i = 0; i < part; i++)
            if (bytes[i] != (char)((got + (size_t)i) % 251))
                _exit(4);
    _exit(got == TRANSFER ? 0 : 5);
}

static void send_numbers(const tac_network *network, uint16_t port, int count)
{
    struct sockaddr_in to = far_address(port);
    int fd = tac_network_enter(network) ? socket(AF_INET, SOCK_DGRAM, 0) : -1;
    for (int i = 0; i <= count && fd >= 0; i++) {
        uint16_t number = (uint16_t)i;
        if (sendto(fd, &number, sizeof number, 0, (struct sockaddr *)&to, sizeof to) < 0)
            _exit(2);
        usleep(200);
    }
    _exit(fd < 0);
}

/* Sees every packet of the namespace's device, as tcpdump would; until a signal. */
static void count_packets(const tac_network *network, int to)
{
    uint64_t counts[4] = {0}; /* in: packets, bytes; out: packets, bytes */
    unsigned char packet[2048];
    int fd = tac_network_enter(network) ? socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)) : -1;
    int big = 8 << 20;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big);
    (void)!write(to, counts, sizeof counts); /* ready */
    struct timeval patience = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    for (;;) {
        struct sockaddr_ll from;
        socklen_t size = sizeof from;
        ssize_t got =
            recvfrom(fd, packet, sizeof packet, MSG_TRUNC, (struct sockaddr *)&from, &size);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            break; /* a second without packets: the transfer is over */
        if (got < 0)
            _exit(2);
        if (from.sll_hatype != ARPHRD_NONE)
            continue;
        int way = from.sll_pkttype == PACKET_OUTGOING ? 2 : 0;
        counts[way]++;
        counts[way + 1] += (uint64_t)got;
    }
    (void)!write(to, counts, sizeof counts);
    _exit(0);
}

/* --- the tests --- */

static void serve_once(int listener)
{
    int fd = accept(listener, NULL, NULL);
    static char bytes[TRANSFER];
    for (size_t i = 0; i < TRANSFER; i++)
        bytes[i] = (char)(i % 251);
    for (size_t done = 0; fd >= 0 && done < TRANSFER;) {
        ssize_t part = send(fd, bytes + done, TRANSFER - done, MSG_NOSIGNAL);
        if (part <= 0)
            break;
        done += (size_t)part;
    }
    if (fd >= 0)
        close(fd);
}

static char *scenario_file(double loss, double delay)
{
    char *path = tac_format("/tmp/tactus-link-%d.json", (int)getpid());
    FILE *file = fopen(path, "w");
    fprintf(
        file,
        "{\"tactus-scenario\": 1, \"segments\": [{\"name\": \"only\", \"seconds\": 100, \"down\": "
        "20000, \"up\": 20000, \"delay\": %g, \"jitter\": 0, \"loss\": %g}]}",
        delay, loss);
    fclose(file);
    return path;
}

TEST(a_transfer_over_a_lossy_link_is_whole_and_counted_as_an_observer_counts)
{
    char *path = scenario_file(0.04, 0.005);
    tac_network *network = open_link(path, 3);
    tac_error err;
    uint16_t port;
    int listener = listen_here(SOCK_STREAM, &port), pair[2];
    uint64_t seen[4];
    REQUIRE(network && !pipe(pair));
    pid_t observer = fork();
    if (observer == 0)
        count_packets(network, pair[1]);
    REQUIRE(read(pair[0], seen, sizeof seen) == sizeof seen);
    pid_t client = fork();
    if (client == 0)
        fetch(network, port);
    serve_once(listener);
    CHECK_EQ(wait_for(client), 0);
    REQUIRE(read(pair[0], seen, sizeof seen) == sizeof seen);
    CHECK_EQ(wait_for(observer), 0);
    tac_network_state state;
    REQUIRE(tac_network_look(network, &state, &err) == TAC_OK);
    CHECK(!strcmp(state.segment, "only") && state.down == 20e6 && state.loss == 0.04);
    CHECK_EQ(state.down_count.arrived_packets, seen[0]);
    CHECK_EQ(state.down_count.arrived_bytes, seen[1]);
    CHECK_EQ(state.up_count.packets, seen[2]);
    CHECK_EQ(state.up_count.bytes, seen[3]);
    CHECK(state.down_count.lost_packets > 0 && state.up_count.lost_packets > 0);
    CHECK_EQ(state.down_count.packets, state.down_count.lost_packets +
                                           state.down_count.queue_packets +
                                           state.down_count.arrived_packets);
    /* what was lost was sent again: more than the content and its headers */
    CHECK(state.down_count.bytes >
          TRANSFER + TRANSFER / 1448 * 52 + state.down_count.lost_bytes / 2);
    tac_network_free(network);
    close(listener);
    unlink(path);
    free(path);
}

TEST(a_closed_port_refuses_and_the_link_goes_on)
{
    tac_network *network = open_link("20,20000,20000", 1);
    uint16_t port, other;
    int listener = listen_here(SOCK_STREAM, &port), closed = listen_here(SOCK_STREAM, &other);
    REQUIRE(network);
    close(closed);
    pid_t client = fork();
    if (client == 0)
        fetch(network, other);
    CHECK_EQ(wait_for(client), 3);
    client = fork();
    if (client == 0)
        fetch(network, port);
    serve_once(listener);
    CHECK_EQ(wait_for(client), 0);
    tac_network_free(network);
    close(listener);
}

enum { NUMBERS = 150 }; /* fewer than a socket holds */

static size_t which_arrive(tac_network *network, bool *arrived)
{
    uint16_t port, number;
    size_t count = 0;
    int socket_fd = listen_here(SOCK_DGRAM, &port);
    pid_t client = fork();
    memset(arrived, 0, NUMBERS);
    if (client == 0)
        send_numbers(network, port, NUMBERS);
    int code = wait_for(client);
    struct timeval patience = {3, 0};
    setsockopt(socket_fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    while (recv(socket_fd, &number, sizeof number, 0) == sizeof number) {
        if (number < NUMBERS)
            arrived[number] = true;
        count += number < NUMBERS;
        if (number >= NUMBERS - 1)
            break; /* in order: no other comes */
    }
    close(socket_fd);
    return code ? 0 : count;
}

TEST(the_same_seed_loses_the_same_datagrams)
{
    char *path = scenario_file(0.1, 0.002);
    tac_network *network = open_link(path, 21);
    tac_error err;
    bool first[NUMBERS], again[NUMBERS], other[NUMBERS];
    REQUIRE(network);
    size_t count = which_arrive(network, first);
    REQUIRE(tac_network_begin(network, NULL, 21, &err) == TAC_OK);
    which_arrive(network, again);
    REQUIRE(tac_network_begin(network, NULL, 22, &err) == TAC_OK);
    which_arrive(network, other);
    CHECK(count > NUMBERS / 2 && count < NUMBERS);
    CHECK(!memcmp(first, again, NUMBERS - 1));
    CHECK(memcmp(first, other, NUMBERS - 1) != 0);
    tac_network_free(network);
    unlink(path);
    free(path);
}

static pid_t child_named_link(void)
{
    char path[64], text[512];
    for (pid_t pid = getpid() + 1; pid < getpid() + 4000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        int parent = 0, group = 0;
        char *end = NULL;
        if (file && fgets(text, sizeof text, file))
            end = strrchr(text, ')');
        if (file)
            fclose(file);
        /* the link leads a process group of its own, the keeper does not */
        if (end && sscanf(end, ") %*c %d %d", &parent, &group) == 2 && parent == getpid() &&
            group == pid)
            return pid;
    }
    return 0;
}

TEST(a_killed_link_is_noticed_and_nothing_stays)
{
    tac_network *network = open_link("ideal", 1);
    tac_network_state state;
    tac_error err;
    REQUIRE(network);
    pid_t link = child_named_link();
    REQUIRE(link > 0);
    kill(link, SIGKILL);
    tac_status status = TAC_OK;
    for (int i = 0; i < 2000 && status == TAC_OK; i++) {
        status = tac_network_look(network, &state, &err);
        usleep(5000);
    }
    CHECK(status == TAC_E_DEVICE && strstr(err.message, "has ended"));
    CHECK(tac_network_begin(network, NULL, 1, &err) == TAC_E_DEVICE);
    tac_network_free(network);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

TEST(unknown_scenarios_are_refused_before_anything_is_made)
{
    tac_error err;
    tac_network *network = NULL;
    CHECK(tac_network_open("cafee", 1, &network, &err) == TAC_E_INPUT);
    CHECK(strstr(err.message, "did you mean 'cafe'"));
    CHECK(!network);
}
