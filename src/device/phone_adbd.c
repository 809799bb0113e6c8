/* The built-in phone as an adb daemon. Packets have a head of six little-endian words (command, two
 * arguments, length, sum of the bytes, inverted command) and data; CNXN greets, OPEN starts a
 * stream, WRTE carries data and is answered by OKAY before the next may follow, CLSE ends.
 *
 * One connection at a time, one thread: commands are done one after the other, as they arrive. */
#include "base/text.h"
#include "device/adb_client.h"
#include "device/phone_daemon.h"
#include "device/sim_exchange.h"
#include "tactus/phone.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define ID(a, b, c, d)                                                                             \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define CNXN ID('C', 'N', 'X', 'N')
#define AUTH ID('A', 'U', 'T', 'H')
#define OPEN ID('O', 'P', 'E', 'N')
#define OKAY ID('O', 'K', 'A', 'Y')
#define WRTE ID('W', 'R', 'T', 'E')
#define CLSE ID('C', 'L', 'S', 'E')

enum { VERSION = 0x01000001, MOST_DATA = 1 << 20, CHUNK = 64 * 1024, MOST_STREAMS = 64, HEAD = 24 };
static const double send_seconds = 10;

typedef enum stream_kind { FREE, OUTPUT, SYNC, INSTALL, FOLLOW_LOG } stream_kind;
typedef struct stream {
    stream_kind kind;
    uint32_t local, remote;
    tac_str out;
    size_t sent;
    bool waiting, ended, framed;
    phone_sync sync;
    uint64_t left; /* bytes of an install still to come */
    uint64_t next; /* line of the log */
} stream;

typedef struct adb_daemon {
    phone phone;
    const tac_phone_options *options;
    int fd;
    uint32_t last_id;
    stream streams[MOST_STREAMS];
} adb_daemon;

static tac_status send_packet(adb_daemon *d, uint32_t command, uint32_t a, uint32_t b,
                              const void *data, size_t size)
{
    unsigned char head[HEAD];
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const unsigned char *)data)[i];
    const uint32_t words[] = {command, a, b, (uint32_t)size, sum, command ^ 0xffffffffu};
    for (int i = 0; i < 6; i++)
        adb_put_u32(head + 4 * i, words[i]);
    double limit = tac_now() + send_seconds;
    tac_status st = adb_write_all(d->fd, "adbd", head, HEAD, limit, NULL);
    return st || !size ? st : adb_write_all(d->fd, "adbd", data, size, limit, NULL);
}

static void free_stream(stream *s)
{
    tac_str_free(&s->out);
    phone_sync_free(&s->sync);
    *s = (stream){0};
}

static void add_output(stream *s, int id, const char *data, size_t size)
{
    unsigned char head[5] = {(unsigned char)id};
    if (s->framed) {
        adb_put_u32(head + 1, (uint32_t)size);
        tac_str_add_bytes(&s->out, (const char *)head, sizeof head);
    } else if (id == 3) {
        return;
    }
    tac_str_add_bytes(&s->out, data, size);
}

/* Sends what may be sent now. */
static tac_status pump(adb_daemon *d, stream *s)
{
    if (s->kind == FOLLOW_LOG) {
        tac_str lines = {0};
        phone_log_since(&d->phone, &s->next, &lines);
        if (lines.length)
            add_output(s, 1, lines.text, lines.length);
        tac_str_free(&lines);
    }
    if (s->waiting)
        return TAC_OK;
    size_t left = s->out.length - s->sent;
    if (left) {
        size_t n = left < CHUNK ? left : CHUNK;
        tac_status st = send_packet(d, WRTE, s->local, s->remote, s->out.text + s->sent, n);
        s->sent += n;
        s->waiting = true;
        if (s->sent == s->out.length) {
            tac_str_clear(&s->out);
            s->sent = 0;
        }
        return st;
    }
    if (!s->ended)
        return TAC_OK;
    tac_status st = send_packet(d, CLSE, s->local, s->remote, NULL, 0);
    free_stream(s);
    return st;
}

static void run_shell(adb_daemon *d, stream *s, const char *command)
{
    tac_str out = {0};
    int code = phone_run(&d->phone, command, &out);
    s->kind = OUTPUT;
    if (!d->phone.hung && !d->phone.dead) {
        for (size_t at = 0; at < out.length; at += CHUNK)
            add_output(s, 1, out.text + at, out.length - at < CHUNK ? out.length - at : CHUNK);
        add_output(s, 3, (const char[]){(char)code}, 1);
        s->ended = true;
    }
    tac_str_free(&out);
}

/* `logcat` that does not end by itself; adb logcat puts an export and an exec before it. */
static bool follows_log(const char *command)
{
    const char *logcat = strstr(command, "exec logcat");
    if (strncmp(command, "logcat", 6) != 0 && !logcat)
        return false;
    static const char *const ends[] = {" -d", " '-d'", " -c", " '-c'", " -t", " '-t'"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strstr(command, ends[i]))
            return false;
    return true;
}

/* The service of a stream; false: there is none of that name. */
static bool open_service(adb_daemon *d, stream *s, const char *name)
{
    const char *command = strchr(name, ':');
    if (!command)
        return false;
    command++;
    s->framed = !strncmp(name, "shell,", 6) && strstr(name, "v2") && strstr(name, "v2") < command;
    const char *size = strstr(command, "-S");
    if (!strncmp(name, "sync:", 5)) {
        s->kind = SYNC;
    } else if (!strncmp(name, "exec:cmd", 8) && strstr(command, "install") && size) {
        s->kind = INSTALL;
        s->left = strtoull(size + 2 + strspn(size + 2, " '"), NULL, 10);
    } else if (follows_log(command) && !strncmp(name, "shell", 5)) {
        s->kind = FOLLOW_LOG;
    } else if (!strncmp(name, "shell", 5) || !strncmp(name, "exec:", 5)) {
        run_shell(d, s, command);
    } else {
        return false;
    }
    return true;
}

static tac_status on_open(adb_daemon *d, uint32_t remote, const char *name)
{
    stream *s = NULL;
    for (size_t i = 0; i < MOST_STREAMS && !s; i++)
        if (d->streams[i].kind == FREE)
            s = &d->streams[i];
    if (!s)
        return send_packet(d, CLSE, 0, remote, NULL, 0);
    *s = (stream){.local = ++d->last_id, .remote = remote};
    if (!open_service(d, s, name)) {
        free_stream(s);
        return send_packet(d, CLSE, 0, remote, NULL, 0);
    }
    if (d->phone.dead)
        return TAC_E_DEVICE;
    tac_status st = send_packet(d, OKAY, s->local, remote, NULL, 0);
    for (size_t i = 0; i < MOST_STREAMS && !st; i++)
        if (d->streams[i].kind != FREE && (&d->streams[i] == s || d->streams[i].kind == FOLLOW_LOG))
            st = pump(d, &d->streams[i]);
    return st;
}

static tac_status on_data(adb_daemon *d, stream *s, const char *data, size_t size)
{
    tac_status st = send_packet(d, OKAY, s->local, s->remote, NULL, 0);
    if (s->kind == SYNC) {
        s->ended = !phone_sync_feed(&d->phone, &s->sync, data, size, &s->out);
    } else if (s->kind == INSTALL) {
        s->left -= size < s->left ? size : s->left;
        if (!s->left) {
            tac_str_add(&s->out, "Success\n");
            s->ended = true;
        }
    }
    return st ? st : pump(d, s);
}

static tac_status greet(adb_daemon *d)
{
    const sim_app *app = d->phone.sim->app;
    if (d->options->unauthorized)
        return send_packet(d, AUTH, 1, 0, "01234567890123456789", 20);
    char *banner = tac_format("device::ro.product.name=%s;ro.product.model=%s;ro.product.device=%s;"
                              "features=shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir",
                              app->device_name, app->device_name, app->device_name);
    tac_status st = send_packet(d, CNXN, VERSION, MOST_DATA, banner, strlen(banner));
    free(banner);
    return st;
}

static tac_status on_packet(adb_daemon *d, const unsigned char *head, const char *data, size_t size)
{
    uint32_t command = adb_get_u32(head), a = adb_get_u32(head + 4), b = adb_get_u32(head + 8);
    if (d->options->offline)
        return TAC_OK;
    if (command == CNXN)
        return greet(d);
    if (command == AUTH) /* a signature: ask for the next; the last answer is a public key */
        return a == 2 ? greet(d) : TAC_OK;
    if (command == OPEN)
        return d->options->unauthorized ? TAC_OK : on_open(d, a, data);
    for (size_t i = 0; i < MOST_STREAMS; i++) {
        stream *s = &d->streams[i];
        if (s->kind == FREE || s->local != b)
            continue;
        if (command == WRTE)
            return on_data(d, s, data, size);
        if (command == OKAY) {
            s->waiting = false;
            return pump(d, s);
        }
        if (command == CLSE) {
            free_stream(s);
            return send_packet(d, CLSE, b, a, NULL, 0);
        }
    }
    return TAC_OK;
}

/* Until the other end goes away or the phone dies. */
static void serve_connection(adb_daemon *d, tac_watch *watch)
{
    char *data = tac_alloc(MOST_DATA + 1);
    for (;;) {
        struct pollfd p = {.fd = d->fd, .events = POLLIN};
        if (!tac_watch_tick(watch, "phone", 0, 0))
            break;
        sim_exchange_collect(d->phone.sim->exchange);
        if (poll(&p, 1, 200) == 0)
            continue;
        unsigned char head[HEAD];
        double limit = tac_now() + send_seconds;
        if (adb_read_exactly(d->fd, "adbd", head, HEAD, limit, NULL))
            break;
        uint32_t size = adb_get_u32(head + 12);
        if (size > MOST_DATA || adb_read_exactly(d->fd, "adbd", data, size, limit, NULL))
            break;
        data[size] = '\0';
        if (on_packet(d, head, data, size) || d->phone.dead)
            break;
    }
    free(data);
    for (size_t i = 0; i < MOST_STREAMS; i++)
        free_stream(&d->streams[i]);
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

static void accept_connections(adb_daemon *d, int listener, tac_watch *watch)
{
    while (!d->phone.dead && tac_watch_tick(watch, "phone", 0, 0)) {
        struct pollfd p = {.fd = listener, .events = POLLIN};
        sim_exchange_collect(d->phone.sim->exchange);
        if (poll(&p, 1, 200) <= 0)
            continue;
        d->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (d->fd < 0)
            continue;
        int one = 1;
        setsockopt(d->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        serve_connection(d, watch);
        close(d->fd);
    }
}

tac_status tac_phone_serve(const char *uri, const tac_phone_options *options, tac_watch *watch,
                           tac_error *err)
{
    if (strncmp(uri, "sim:", 4) != 0)
        return tac_fail(err, TAC_E_USAGE,
                        "phone: \"%s\" is no app of the built-in phone; give "
                        "sim:APPFILE",
                        uri);
    adb_daemon *d = tac_calloc(1, sizeof *d);
    d->options = options;
    tac_device_options device = options->device;
    tac_status st = TAC_OK;
    if (options->exchange)
        st = tac_exchange_open(options->exchange, &device.exchange, err);
    if (!st)
        st = tac_device_open(uri, &device, &d->phone.device, err);
    int listener = -1;
    if (!st) {
        d->phone.sim = sim_of(d->phone.device);
        st = start_listening(options, &listener, err);
    }
    if (!st) {
        accept_connections(d, listener, watch);
        close(listener);
        if (d->phone.dead)
            st = tac_fail(err, TAC_E_DEVICE, "phone: died of the injected fault");
    }
    while (d->phone.files.count)
        phone_remove_file(&d->phone, d->phone.files.at[0].path);
    tac_vec_free(&d->phone.files);
    phone_free_log(&d->phone);
    tac_str_free(&d->phone.typed);
    free(d->phone.focus);
    tac_device_free(d->phone.device);
    if (options->exchange)
        tac_exchange_free(device.exchange);
    free(d);
    return st;
}
