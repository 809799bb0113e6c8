/* The built-in phone as an adb daemon: the socket around phone_wire.c. One connection at a time,
 * one thread: commands are done one after the other, as they arrive. */
#include "base/data/text.h"
#include "device/android/wire/client.h"
#include "phone/adbd/daemon.h"
#include "tactus/phone.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static const double send_seconds = 10;

/* Answers what has come, or what happened meanwhile. False: the other end is gone; *st says whether
 * it broke the protocol. */
static bool serve_once(struct phone_wire *wire, int fd, char *data, size_t room, tac_str *out,
                       tac_status *st, tac_error *err)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    tac_str_clear(out);
    if (poll(&ready, 1, 200) == 0) {
        phone_wire_idle(wire, out);
    } else {
        ssize_t n = read(fd, data, room);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            return true;
        if (n <= 0)
            return false;
        *st = phone_wire_feed(wire, data, (size_t)n, out, err);
    }
    return !out->length ||
           !adb_write_all(fd, "adbd", out->text, out->length, tac_now() + send_seconds, NULL);
}

/* Until the other end goes away or breaks the protocol, or the phone dies. err says which protocol
 * error, if it was one. */
static tac_status serve_connection(struct phone *p, const tac_phone_options *options, int fd,
                                   tac_watch *watch, tac_error *err)
{
    struct phone_wire *wire = phone_wire_new(p, options->unauthorized, options->offline);
    enum { ROOM = 64 * 1024 };
    char *data = tac_alloc(ROOM);
    tac_str out = {0};
    tac_status st = TAC_OK;
    bool there = true;
    while (there && !st && !p->dead && tac_watch_tick(watch, "phone", 0, 0)) {
        sim_live_on(p->sim);
        there = serve_once(wire, fd, data, ROOM, &out, &st, err);
    }
    tac_str_free(&out);
    free(data);
    phone_wire_free(wire);
    return st;
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

static void accept_connections(struct phone *p, const tac_phone_options *options, int listener,
                               tac_watch *watch)
{
    while (!p->dead && tac_watch_tick(watch, "phone", 0, 0)) {
        struct pollfd ready = {.fd = listener, .events = POLLIN};
        sim_live_on(p->sim);
        if (poll(&ready, 1, 200) <= 0)
            continue;
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            continue;
        int one = 1;
        tac_error err;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (serve_connection(p, options, fd, watch, &err) && options->dropped)
            options->dropped(err.message, options->context);
        close(fd);
    }
}

void phone_free(struct phone *p)
{
    while (p->files.count)
        phone_remove_file(p, p->files.at[0].path);
    tac_vec_free(&p->files);
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
    if (!st)
        st = tac_device_open(uri, &device, &p.device, err);
    int listener = -1;
    if (!st) {
        p.sim = sim_of(p.device);
        st = start_listening(options, &listener, err);
    }
    if (!st) {
        accept_connections(&p, options, listener, watch);
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
