/* The built-in phone as an adb daemon: the sockets around wire.c. One thread: commands are done one
 * after the other, as they arrive on whichever connection, so that one that says nothing keeps
 * nobody waiting. */
#include "base/data/text.h"
#include "device/android/wire/client.h"
#include "phone/adbd/daemon.h"
#include "phone/phone.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 16, ROOM = 64 * 1024 };
static const double send_seconds = 10;

struct connection {
    int fd;
    struct phone_wire *wire;
    double active; /* when it last said something */
};

struct connections {
    struct phone *phone;
    const tac_phone_options *options;
    struct connection at[MOST_CONNECTIONS];
    size_t count;
    char *data; /* ROOM bytes */
    tac_str out;
};

static void drop(struct connections *all, size_t index, const char *why)
{
    struct connection *one = &all->at[index];
    if (why && all->options->dropped)
        all->options->dropped(why, all->options->context);
    phone_wire_free(one->wire);
    close(one->fd);
    *one = all->at[--all->count];
}

/* Sends what is in `out`. A reader that does not take it within send_seconds is gone. */
static bool answer(struct connections *all, size_t index)
{
    tac_str *out = &all->out;
    return !out->length || !adb_write_all(all->at[index].fd, "adbd", out->text, out->length,
                                          tac_now() + send_seconds, NULL);
}

/* Answers what has come. False: the other end is gone or broke the protocol; err says which. */
static bool hear(struct connections *all, size_t index, tac_error *err)
{
    struct connection *one = &all->at[index];
    ssize_t n = read(one->fd, all->data, ROOM);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (n <= 0)
        return false;
    one->active = tac_now();
    tac_str_clear(&all->out);
    tac_status st = phone_wire_feed(one->wire, all->data, (size_t)n, &all->out, err);
    return answer(all, index) && !st;
}

/* What happened on the phone meanwhile and is to be told (a log that is followed). */
static bool tell(struct connections *all, size_t index)
{
    tac_str_clear(&all->out);
    phone_wire_idle(all->at[index].wire, &all->out);
    return answer(all, index);
}

/* When all places are taken, the connection that was silent for longest gives way. */
static void take(struct connections *all, int listener)
{
    int one = 1, fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (all->count == MOST_CONNECTIONS) {
        size_t silent = 0;
        for (size_t i = 1; i < all->count; i++)
            silent = all->at[i].active < all->at[silent].active ? i : silent;
        drop(all, silent, "there are too many connections, and this one was silent for longest");
    }
    struct phone_wire *wire =
        phone_wire_new(all->phone, all->options->unauthorized, all->options->offline);
    all->at[all->count++] = (struct connection){fd, wire, tac_now()};
}

/* One round: waits a moment, then serves everybody who said something. */
static void serve_round(struct connections *all, int listener)
{
    struct pollfd ready[MOST_CONNECTIONS + 1];
    size_t count = all->count;
    for (size_t i = 0; i < count; i++)
        ready[i] = (struct pollfd){.fd = all->at[i].fd, .events = POLLIN};
    ready[count] = (struct pollfd){.fd = listener, .events = POLLIN};
    int heard = poll(ready, count + 1, 200);
    for (size_t i = count; i-- > 0;) { /* backwards: dropping moves the last one down */
        tac_error err = {0};
        if (heard > 0 && ready[i].revents) {
            if (!hear(all, i, &err))
                drop(all, i, err.status ? err.message : NULL);
        } else if (heard == 0 && !tell(all, i)) {
            drop(all, i, NULL);
        }
    }
    if (heard > 0 && ready[count].revents)
        take(all, listener);
}

static tac_status start_listening(const tac_phone_options *options, int *out, tac_error *err)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(options->port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return tac_fail_errno(err, errno, NULL, "phone: cannot open a socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 4) ||
        getsockname(fd, (struct sockaddr *)&at, &size)) {
        tac_status st = tac_fail(err, TAC_E_DEVICE, "phone: port %u of 127.0.0.1 is taken: %s",
                                 options->port, strerror(errno));
        close(fd);
        return st;
    }
    if (options->listening)
        options->listening(ntohs(at.sin_port), options->context);
    *out = fd;
    return TAC_OK;
}

static void serve(struct phone *p, const tac_phone_options *options, int listener, tac_watch *watch)
{
    struct connections all = {.phone = p, .options = options, .data = tac_alloc(ROOM)};
    while (!p->dead && tac_watch_tick(watch, "phone", 0, 0)) {
        sim_live_on(p->sim);
        serve_round(&all, listener);
    }
    while (all.count)
        drop(&all, 0, NULL);
    tac_str_free(&all.out);
    free(all.data);
}

void phone_free(struct phone *p)
{
    while (p->files.count)
        phone_remove_file(p, p->files.at[0].path);
    tac_vec_free(&p->files);
    tac_vec_free(&p->traffic.buckets);
    phone_replay_free(p->replay);
    phone_free_log(p);
    tac_str_free(&p->typed);
    free(p->focus);
}

tac_status tac_phone_serve(const char *uri, const tac_phone_options *options, tac_watch *watch,
                           tac_error *err)
{
    if (strncmp(uri, "sim:", 4) != 0)
        return tac_fail(err, TAC_E_USAGE,
                        "phone: '%s' is not an app of the built-in phone; give "
                        "sim:APPFILE",
                        uri);
    struct phone p = {.android = options->android ? options->android : PHONE_ANDROID};
    if (p.android < PHONE_ANDROID_FIRST || p.android > PHONE_ANDROID_LAST)
        return tac_fail(err, TAC_E_USAGE, "phone: it plays Android %d to %d, not %u",
                        PHONE_ANDROID_FIRST, PHONE_ANDROID_LAST, p.android);
    tac_device_options device = options->device;
    tac_status st = TAC_OK;
    if (options->exchange)
        st = tac_exchange_open(options->exchange, &device.exchange, err);
    if (!st && options->replay)
        st = phone_replay_open(options->replay, &p.replay, err);
    if (!st)
        st = tac_device_open(uri, &device, &p.device, err);
    int listener = -1;
    if (!st) {
        p.sim = sim_of(p.device);
        st = start_listening(options, &listener, err);
    }
    if (!st) {
        serve(&p, options, listener, watch);
        close(listener);
        if (p.dead)
            st = tac_fail(err, TAC_E_DEVICE, "phone: died of the injected fault");
    }
    phone_free(&p);
    tac_device_free(p.device);
    if (options->exchange)
        tac_exchange_free(device.exchange);
    return st;
}
