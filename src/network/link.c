/* The network of an app, seen from who starts it: two namespaces, the process of the link between
 * them, and a page of memory with its counts. Everything ends with this process: the link and the
 * keeper die with it, the devices close with the link, the namespaces with their descriptors. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "network/loop.h"
#include "network/namespace.h"
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct tac_network {
    struct name_space app, gateway;
    struct scenario *scenario;
    struct link_shared *shared;
    pid_t process;
    int control;
    int64_t origin;
    size_t cursor;
};

static void run_link(const tac_network *network, int control, pid_t parent)
{
    const int kept[] = {network->app.tun, network->gateway.tun, network->gateway.keeper_end,
                        control};
    int moved[4];
    struct stat about = {0};
    fstat(network->app.net, &about);
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    setpgid(0, 0); /* a terminal's Ctrl-C is for who started it */
    signal(SIGPIPE, SIG_IGN);
    /* Nothing else of the parent's stays open, so that nobody waits for this process. */
    for (int i = 0; i < 4; i++)
        moved[i] = dup2(dup(kept[i]), 200 + i);
    close_range(3, 199, 0);
    close_range(204, ~0u, 0);
    struct link_ends ends = {.near = moved[0],
                             .far = moved[1],
                             .keeper = moved[2],
                             .control = moved[3],
                             .app = about.st_ino,
                             .shared = network->shared};
    link_process(&ends);
}

static tac_status start_link(tac_network *network, tac_error *err)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return tac_fail_errno(err, errno, NULL, "cannot start a network link");
    network->control = ends[0];
    network->process = fork();
    if (network->process == 0)
        run_link(network, ends[1], parent);
    close(ends[1]);
    if (network->process < 0)
        return tac_fail_errno(err, errno, NULL, "cannot start a network link");
    /* From here on the devices are the link's alone. */
    close(network->app.tun);
    close(network->gateway.tun);
    close(network->gateway.keeper_end);
    network->app.tun = network->gateway.tun = network->gateway.keeper_end = -1;
    return TAC_OK;
}

static tac_status link_is_gone(tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE,
                    "the process of the app's network link has ended; the app has no network");
}

static bool send_whole(int to, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t part = send(to, (const char *)data + done, size - done, MSG_NOSIGNAL);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        done += (size_t)part;
    }
    return true;
}

static bool give_order(tac_network *network, uint64_t seed)
{
    const struct scenario *scenario = network->scenario;
    struct link_order order = {.seed = seed,
                               .count = scenario->count,
                               .length = (int64_t)(scenario->length * 1e9),
                               .origin = tac_clock(CLOCK_MONOTONIC)};
    struct lane_segment *lane = tac_calloc(scenario->count, sizeof *lane);
    bool sent = send_whole(network->control, &order, sizeof order);
    for (enum link_way way = 0; way < LINK_WAYS && sent; way++) {
        for (size_t i = 0; i < scenario->count; i++)
            lane[i] = (struct lane_segment){.start = (int64_t)(scenario->segments[i].start * 1e9),
                                            .way = way == LINK_UP ? scenario->segments[i].up
                                                                  : scenario->segments[i].down};
        sent = send_whole(network->control, lane, scenario->count * sizeof *lane);
    }
    free(lane);
    char done;
    ssize_t size = -1;
    do
        size = sent ? recv(network->control, &done, 1, 0) : 0;
    while (size < 0 && errno == EINTR);
    network->origin = order.origin;
    network->cursor = 0;
    return size == 1;
}

tac_status tac_network_begin(tac_network *network, const char *scenario, uint64_t seed,
                             tac_error *err)
{
    struct scenario *next = NULL;
    tac_status status = scenario ? scenario_open(scenario, &next, err) : TAC_OK;
    if (status != TAC_OK)
        return status;
    if (next) {
        scenario_free(network->scenario);
        network->scenario = next;
    }
    return give_order(network, seed) ? TAC_OK : link_is_gone(err);
}

tac_status tac_network_open(const char *scenario, uint64_t seed, tac_network **out, tac_error *err)
{
    uint32_t host = ntohl(inet_addr(TAC_NETWORK_HOST));
    struct scenario *first = NULL;
    tac_status status = scenario_open(scenario, &first, err);
    if (status != TAC_OK)
        return status;
    tac_network *network = tac_calloc(1, sizeof *network);
    struct name_space none = {.tun = -1, .net = -1, .user = -1, .keeper_end = -1};
    *network =
        (tac_network){.app = none, .gateway = none, .scenario = first, .control = -1, .process = 0};
    network->shared = mmap(NULL, sizeof *network->shared, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (network->shared == MAP_FAILED)
        tac_out_of_memory(sizeof *network->shared);
    status = name_space_make(host + 1, host, false, &network->app, err);
    if (status == TAC_OK)
        status = name_space_make(host, host + 1, true, &network->gateway, err);
    if (status == TAC_OK)
        status = start_link(network, err);
    if (status == TAC_OK && !give_order(network, seed))
        status = link_is_gone(err);
    if (status == TAC_OK)
        *out = network;
    else
        tac_network_free(network);
    return status;
}

void tac_network_free(tac_network *network)
{
    if (!network)
        return;
    if (network->control >= 0)
        close(network->control);
    if (network->process > 0) { /* it ends everything that lives in the network, then itself */
        while (waitpid(network->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    name_space_free(&network->app);
    name_space_free(&network->gateway);
    scenario_free(network->scenario);
    munmap(network->shared, sizeof *network->shared);
    free(network);
}

static tac_network_count count_of(const struct link_count *from)
{
    return (tac_network_count){.packets = from->packets,
                               .bytes = from->bytes,
                               .lost_packets = from->lost_packets,
                               .lost_bytes = from->lost_bytes,
                               .queue_packets = from->queue_packets,
                               .queue_bytes = from->queue_bytes,
                               .arrived_packets = from->arrived_packets,
                               .arrived_bytes = from->arrived_bytes};
}

tac_status tac_network_look(tac_network *network, tac_network_state *out, tac_error *err)
{
    siginfo_t ended = {0};
    double since = (double)(tac_clock(CLOCK_MONOTONIC) - network->origin) / 1e9;
    const struct segment *now = scenario_at(network->scenario, since, &network->cursor);
    *out = (tac_network_state){.segment = now->name,
                               .down = now->down.rate,
                               .up = now->up.rate,
                               .delay = now->down.delay,
                               .up_delay = now->up.delay,
                               .loss = now->down.loss,
                               .up_loss = now->up.loss,
                               .since = since,
                               .down_count = count_of(&network->shared->count[LINK_DOWN]),
                               .up_count = count_of(&network->shared->count[LINK_UP])};
    /* Looked at, not collected: that is done at the end. */
    if (waitid(P_PID, (id_t)network->process, &ended, WEXITED | WNOHANG | WNOWAIT) ||
        ended.si_pid == network->process)
        return link_is_gone(err);
    return TAC_OK;
}

bool tac_network_enter(const tac_network *network)
{
    return name_space_enter(&network->app);
}

int tac_network_socket(const tac_network *network)
{
    return name_space_socket(&network->app);
}
