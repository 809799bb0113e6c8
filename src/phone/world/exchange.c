/* The exchange: phones of one process hand messages to each other directly; phones of several
 * processes through datagram sockets in one folder, a socket per process.
 *
 * A datagram is one JSON object {"channel", "text", "sent"}; `sent` is the sender's virtual time in
 * seconds. The kernel keeps a datagram until its receiver looks, and a phone looks at the start of
 * every call, so a message sent by one phone's command is there before the next command of another
 * phone. No connection, no handshake, no thread: a peer that is gone is known at once, because its
 * socket refuses. */
#include "phone/world/exchange.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "phone/phone.h"
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_DATAGRAM = 32 * 1024 };
static const double send_seconds = 2;
static const char suffix[] = ".phone";

struct tac_exchange {
    TAC_VEC(struct sim *) members;
    char *folder, *own; /* NULL: this process alone */
    int socket;
};

static bool address_of(const char *path, struct sockaddr_un *out)
{
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof out->sun_path)
        return false;
    memcpy(out->sun_path, path, strlen(path));
    return true;
}

/* The name is the process's number and the first free count, so that nothing in use is replaced. */
static tac_status bind_own(tac_exchange *x, tac_error *err)
{
    for (unsigned count = 0; count < 1000; count++) {
        struct sockaddr_un at;
        free(x->own);
        x->own = tac_format("%s/%ld-%u%s", x->folder, (long)getpid(), count, suffix);
        if (!address_of(x->own, &at))
            return tac_fail_at(err, TAC_E_USAGE, x->folder, 0, 0,
                               "the path of an exchange may have at most %zu bytes; choose a "
                               "shorter one",
                               sizeof at.sun_path - 1 - (strlen(x->own) - strlen(x->folder)));
        if (!bind(x->socket, (struct sockaddr *)&at, sizeof at))
            return TAC_OK;
        if (errno != EADDRINUSE)
            break;
    }
    return tac_fail_errno(err, errno, x->folder, "cannot open a socket for the exchange");
}

static tac_status open_socket(tac_exchange *x, tac_error *err)
{
    if (mkdir(x->folder, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, x->folder, "cannot create the folder of the exchange");
    x->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (x->socket < 0)
        return tac_fail_errno(err, errno, x->folder, "cannot open a socket for the exchange");
    tac_status st = bind_own(x, err);
    if (st) { /* what is there is not ours to remove */
        free(x->own);
        x->own = NULL;
    }
    return st;
}

tac_status tac_exchange_open(const char *folder, tac_exchange **out, tac_error *err)
{
    tac_exchange *x = tac_calloc(1, sizeof *x);
    x->socket = -1;
    x->folder = folder ? tac_strdup(folder) : NULL;
    tac_status st = folder ? open_socket(x, err) : TAC_OK;
    if (st)
        tac_exchange_free(x);
    else
        *out = x;
    return st;
}

void tac_exchange_free(tac_exchange *x)
{
    if (!x)
        return;
    if (x->socket >= 0)
        close(x->socket);
    if (x->own)
        unlink(x->own);
    tac_vec_free(&x->members);
    free(x->own);
    free(x->folder);
    free(x);
}

void sim_exchange_join(tac_exchange *exchange, struct sim *s)
{
    s->exchange = exchange;
    if (exchange)
        tac_vec_push(&exchange->members, s);
}

void sim_exchange_leave(struct sim *s)
{
    tac_exchange *x = s->exchange;
    for (size_t i = 0; x && i < x->members.count; i++)
        if (x->members.at[i] == s)
            x->members.at[i--] = tac_vec_pop(&x->members);
    s->exchange = NULL;
}

/* --- other processes --- */

static bool send_to(const tac_exchange *x, const char *path, const char *data, size_t size)
{
    struct sockaddr_un at;
    double limit = tac_now() + send_seconds;
    if (!address_of(path, &at))
        return false;
    for (;;) {
        ssize_t n = sendto(x->socket, data, size, MSG_NOSIGNAL, (struct sockaddr *)&at, sizeof at);
        if (n >= 0)
            return true;
        if (errno == ECONNREFUSED)
            unlink(path); /* its process was killed */
        if ((errno != EAGAIN && errno != EINTR) || tac_now() >= limit)
            return false;
        poll(NULL, 0, 5);
    }
}

/* Returns how many took it. */
static size_t send_to_all(struct sim *s, const char *channel, const char *text)
{
    const tac_exchange *x = s->exchange;
    json_t *message = json_pack("{s:o, s:o, s:f}", "channel", tac_json_string(channel), "text",
                                tac_json_string(text), "sent", s->now);
    char *data = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    size_t taken = 0;
    DIR *folder = opendir(x->folder);
    for (struct dirent *entry; folder && data && (entry = readdir(folder));) {
        char *path = tac_format("%s/%s", x->folder, entry->d_name);
        if (tac_ends_with(entry->d_name, suffix) && strcmp(path, x->own) != 0) {
            if (send_to(x, path, data, strlen(data)))
                taken++;
            else
                sim_log(s, 'W', TAC_LOG_LOST_TAG,
                        "the phone %s is gone: a message on '%s' was lost", entry->d_name, channel);
        }
        free(path);
    }
    if (folder)
        closedir(folder);
    free(data);
    return taken;
}

void sim_exchange_post(struct sim *s, const char *channel, const char *text)
{
    tac_exchange *x = s->exchange;
    size_t taken = x && x->folder ? send_to_all(s, channel, text) : 0;
    for (size_t i = 0; x && i < x->members.count; i++)
        if (x->members.at[i] != s) {
            sim_mail_deliver(x->members.at[i], channel, text, s->now);
            taken++;
        }
    if (!taken)
        sim_log(s, 'W', TAC_LOG_LOST_TAG, "no other phone is there: a message on '%s' was lost",
                channel);
}

/* A datagram that is no message is nobody's message. */
static void take_datagram(const tac_exchange *x, const char *data, size_t size)
{
    json_t *message = json_loadb(data, size, 0, NULL);
    const char *channel = json_string_value(json_object_get(message, "channel"));
    const char *text = json_string_value(json_object_get(message, "text"));
    const json_t *sent = json_object_get(message, "sent");
    for (size_t i = 0; channel && text && json_is_number(sent) && i < x->members.count; i++)
        sim_mail_deliver(x->members.at[i], channel, text, json_number_value(sent));
    json_decref(message);
}

void sim_exchange_collect(tac_exchange *x)
{
    char data[MOST_DATAGRAM];
    if (!x || x->socket < 0)
        return;
    for (ssize_t n; (n = recv(x->socket, data, sizeof data, 0)) > 0;)
        take_datagram(x, data, (size_t)n);
}
