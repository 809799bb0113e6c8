/* One connection of the phone that speaks adb, as a reader of bytes that writes bytes. Packets have
 * a head of six little-endian words (command, two arguments, length, sum of the bytes, inverted
 * command) and data; CNXN greets, OPEN starts a stream, WRTE carries data and is answered by OKAY
 * before the next may follow, CLSE ends.
 *
 * A head whose last word is not the inverted command, a length above 1 MiB and a wrong sum break
 * the protocol: the connection is dropped, as Android's daemon does. The sum counts only until both
 * ends have greeted with a version that leaves it out (0x01000001, since 2017). Packets for streams
 * that do not exist, unknown commands and streams before the greeting are passed over. */
#include "device/android/wire/wire.h"
#include "phone/adbd/daemon.h"

#define ID(a, b, c, d)                                                                             \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define CNXN ID('C', 'N', 'X', 'N')
#define AUTH ID('A', 'U', 'T', 'H')
#define OPEN ID('O', 'P', 'E', 'N')
#define OKAY ID('O', 'K', 'A', 'Y')
#define WRTE ID('W', 'R', 'T', 'E')
#define CLSE ID('C', 'L', 'S', 'E')

enum {
    VERSION = 0x01000001,
    MOST_DATA = 1 << 20,
    CHUNK = 64 * 1024,
    MOST_STREAMS = 64,
    MOST_WAITING = 128 << 20, /* bytes of one stream that the other end has not taken */
    HEAD = 24
};

enum stream_kind { FREE, OUTPUT, SYNC, INSTALL, FOLLOW_LOG };
struct stream {
    enum stream_kind kind;
    uint32_t local, remote;
    tac_str out;
    size_t sent;
    bool waiting, ended, framed;
    struct phone_sync sync;
    uint64_t left; /* bytes of an install still to come */
    struct phone_log_view view;
};

struct phone_wire {
    struct phone *phone;
    bool unauthorized, offline;
    bool greeted, unchecked; /* the other end greeted; sums are no longer sent */
    uint32_t last_id;
    tac_str in, *out;
    struct stream streams[MOST_STREAMS];
};

static void send_packet(struct phone_wire *w, uint32_t command, uint32_t a, uint32_t b,
                        const void *data, size_t size)
{
    unsigned char head[HEAD];
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const unsigned char *)data)[i];
    const uint32_t words[] = {command, a, b, (uint32_t)size, sum, command ^ 0xffffffffu};
    for (int i = 0; i < 6; i++)
        adb_put_u32(head + 4 * i, words[i]);
    tac_str_add_bytes(w->out, (const char *)head, HEAD);
    if (size)
        tac_str_add_bytes(w->out, data, size);
}

static void free_stream(struct stream *s)
{
    tac_str_free(&s->out);
    phone_sync_free(&s->sync);
    *s = (struct stream){0};
}

static void add_output(struct stream *s, int id, const char *data, size_t size)
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
static void pump(struct phone_wire *w, struct stream *s)
{
    if (s->kind == FOLLOW_LOG && s->out.length < MOST_WAITING) {
        tac_str lines = {0};
        phone_log_follow(w->phone, &s->view, &lines);
        if (lines.length)
            add_output(s, 1, lines.text, lines.length);
        tac_str_free(&lines);
    }
    if (s->waiting)
        return;
    size_t left = s->out.length - s->sent;
    if (left) {
        size_t n = left < CHUNK ? left : CHUNK;
        send_packet(w, WRTE, s->local, s->remote, s->out.text + s->sent, n);
        s->sent += n;
        s->waiting = true;
        if (s->sent == s->out.length) {
            tac_str_clear(&s->out);
            s->sent = 0;
        }
    } else if (s->ended) {
        send_packet(w, CLSE, s->local, s->remote, NULL, 0);
        free_stream(s);
    }
}

static void run_shell(struct phone_wire *w, struct stream *s, const char *command)
{
    tac_str out = {.cap = PHONE_MOST_FILE};
    int code = phone_run(w->phone, command, &out);
    s->kind = OUTPUT;
    if (!w->phone->hung && !w->phone->dead) {
        for (size_t at = 0; at < out.length; at += CHUNK)
            add_output(s, 1, out.text + at, out.length - at < CHUNK ? out.length - at : CHUNK);
        add_output(s, 3, (const char[]){(char)code}, 1);
        s->ended = true;
    }
    tac_str_free(&out);
}

static void finish_install(struct stream *s, bool done)
{
    tac_str_add(&s->out, done ? "Success\n" : "Failure [INSTALL_PARSE_FAILED_NOT_APK]\n");
    s->ended = true;
}

/* The service of a stream; false: there is none of that name. */
static bool open_service(struct phone_wire *w, struct stream *s, const char *name)
{
    const char *command = strchr(name, ':');
    if (!command)
        return false;
    command++;
    const char *v2 = strstr(name, "v2"), *size = strstr(command, "-S");
    bool shell = !strncmp(name, "shell", 5), exec = !strncmp(name, "exec:", 5);
    s->framed = !strncmp(name, "shell,", 6) && v2 && v2 < command;
    if (!strncmp(name, "sync:", 5)) {
        s->kind = SYNC;
    } else if (!strncmp(name, "exec:cmd", 8) && strstr(command, "install") && size) {
        s->kind = INSTALL;
        s->left = strtoull(size + 2 + strspn(size + 2, " '"), NULL, 10);
        if (!s->left)
            finish_install(s, false);
    } else if (shell && phone_follows_log(w->phone, command, &s->view)) {
        s->kind = FOLLOW_LOG;
    } else if (shell || exec) {
        run_shell(w, s, command);
    } else {
        return false;
    }
    return true;
}

/* Lines of the log go before the output of the command that caused them, so that whoever has read
 * the one has the other. */
static void pump_logs(struct phone_wire *w)
{
    for (size_t i = 0; i < MOST_STREAMS; i++)
        if (w->streams[i].kind == FOLLOW_LOG)
            pump(w, &w->streams[i]);
}

static void on_open(struct phone_wire *w, uint32_t remote, const char *name)
{
    struct stream *s = NULL;
    if (!w->greeted || w->unauthorized || !remote)
        return;
    for (size_t i = 0; i < MOST_STREAMS && !s; i++)
        if (w->streams[i].kind == FREE)
            s = &w->streams[i];
    if (s)
        *s = (struct stream){.local = ++w->last_id, .remote = remote};
    if (!s || !open_service(w, s, name)) {
        send_packet(w, CLSE, 0, remote, NULL, 0);
        if (s)
            free_stream(s);
        return;
    }
    send_packet(w, OKAY, s->local, remote, NULL, 0);
    pump_logs(w);
    if (s->kind != FREE && s->kind != FOLLOW_LOG)
        pump(w, s);
}

static void on_data(struct phone_wire *w, struct stream *s, const char *data, size_t size)
{
    send_packet(w, OKAY, s->local, s->remote, NULL, 0);
    if (s->kind == SYNC && !s->ended) {
        s->ended = !phone_sync_feed(w->phone, &s->sync, data, size, &s->out) ||
                   s->out.length > MOST_WAITING;
    } else if (s->kind == INSTALL && !s->ended) {
        s->left -= size < s->left ? size : s->left;
        if (!s->left)
            finish_install(s, true);
    }
    pump(w, s);
}

static void close_streams(struct phone_wire *w)
{
    for (size_t i = 0; i < MOST_STREAMS; i++)
        free_stream(&w->streams[i]);
}

static void greet(struct phone_wire *w)
{
    if (w->unauthorized) {
        send_packet(w, AUTH, 1, 0, "01234567890123456789", 20);
        return;
    }
    const char *name = w->phone->sim->app->device_name;
    tac_str banner = {0};
    tac_str_addf(&banner,
                 "device::ro.product.name=%s;ro.product.model=%s;ro.product.device=%s;"
                 "features=shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir",
                 name, name, name);
    send_packet(w, CNXN, VERSION, MOST_DATA, banner.text, banner.length);
    tac_str_free(&banner);
}

static void on_stream(struct phone_wire *w, uint32_t command, uint32_t remote, uint32_t local,
                      const char *data, size_t size)
{
    for (size_t i = 0; i < MOST_STREAMS; i++) {
        struct stream *s = &w->streams[i];
        bool closing = command == CLSE && !remote;
        if (s->kind == FREE || s->local != local || (s->remote != remote && !closing))
            continue;
        if (command == WRTE) {
            on_data(w, s, data, size);
        } else if (command == OKAY) {
            s->waiting = false;
            pump(w, s);
        } else if (command == CLSE) {
            send_packet(w, CLSE, s->local, s->remote, NULL, 0);
            free_stream(s);
        }
        return;
    }
}

static void on_packet(struct phone_wire *w, const unsigned char *head, const char *data,
                      size_t size)
{
    uint32_t command = adb_get_u32(head), a = adb_get_u32(head + 4), b = adb_get_u32(head + 8);
    if (w->offline)
        return;
    if (command == CNXN) { /* a new greeting ends what was open */
        close_streams(w);
        w->greeted = true;
        w->unchecked = a >= VERSION;
        greet(w);
    } else if (command == AUTH) { /* a signature: ask for the next; the last is a public key */
        if (a == 2)
            greet(w);
    } else if (command == OPEN) {
        on_open(w, a, data);
    } else {
        on_stream(w, command, a, b, data, size);
    }
}

/* --- packets out of bytes --- */

static tac_status check_head(const unsigned char *head, tac_error *err)
{
    uint32_t command = adb_get_u32(head), size = adb_get_u32(head + 12);
    uint32_t magic = adb_get_u32(head + 20);
    if (magic != (command ^ 0xffffffffu))
        return tac_fail(err, TAC_E_DEVICE,
                        "phone: what connected does not speak adb: the command %08x has the "
                        "inverse %08x",
                        command, magic);
    if (size > MOST_DATA)
        return tac_fail(err, TAC_E_DEVICE, "phone: a packet of %u bytes; at most %d are taken",
                        size, MOST_DATA);
    return TAC_OK;
}

static tac_status check_sum(const struct phone_wire *w, const unsigned char *head, const char *data,
                            size_t size, tac_error *err)
{
    uint32_t sum = 0, said = adb_get_u32(head + 16);
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)data[i];
    if (sum == said || w->unchecked)
        return TAC_OK;
    return tac_fail(err, TAC_E_DEVICE,
                    "phone: a packet of %zu bytes whose sum is %u, not %u as its head says", size,
                    sum, said);
}

tac_status phone_wire_feed(struct phone_wire *w, const void *bytes, size_t count, tac_str *out,
                           tac_error *err)
{
    tac_str_add_bytes(&w->in, bytes, count);
    w->out = out;
    size_t at = 0;
    tac_status st = TAC_OK;
    while (!st && !w->phone->dead && w->in.length - at >= HEAD) {
        unsigned char head[HEAD];
        memcpy(head, w->in.text + at, HEAD);
        st = check_head(head, err);
        size_t size = adb_get_u32(head + 12);
        if (st || w->in.length - at - HEAD < size)
            break;
        char *data = tac_strndup(w->in.text + at + HEAD, size);
        st = check_sum(w, head, data, size, err);
        if (!st)
            on_packet(w, head, data, size);
        free(data);
        at += HEAD + size;
    }
    if (at) {
        memmove(w->in.text, w->in.text + at, w->in.length - at);
        w->in.length -= at;
    }
    return st;
}

void phone_wire_idle(struct phone_wire *w, tac_str *out)
{
    w->out = out;
    phone_collect_log(w->phone);
    pump_logs(w);
}

struct phone_wire *phone_wire_new(struct phone *p, bool unauthorized, bool offline)
{
    struct phone_wire *w = tac_calloc(1, sizeof *w);
    w->phone = p;
    w->unauthorized = unauthorized;
    w->offline = offline;
    return w;
}

void phone_wire_free(struct phone_wire *w)
{
    if (!w)
        return;
    close_streams(w);
    tac_str_free(&w->in);
    free(w);
}
