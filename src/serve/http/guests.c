#include "serve/http/guests.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <sys/socket.h>
#include <time.h>

enum { MOST_WAITING = 200, REQUEST_SECONDS = 15 };

static struct guest *guest_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void leave_list(struct guests *guests, struct guest *guest)
{
    if (!guest->waited_for)
        return;
    *(guest->earlier ? &guest->earlier->later : &guests->first) = guest->later;
    *(guest->later ? &guest->later->earlier : &guests->last) = guest->earlier;
    guest->earlier = guest->later = NULL;
    guest->waited_for = false;
    guests->waiting -= !guest->trusted && !guest->shut;
}

static void join_list(struct guests *guests, struct guest *guest)
{
    assert(!guest->waited_for);
    guest->deadline = tac_now() + REQUEST_SECONDS;
    assert(!guests->last || guests->last->deadline <= guest->deadline);
    guest->earlier = guests->last;
    *(guests->last ? &guests->last->later : &guests->first) = guest;
    guests->last = guest;
    guest->waited_for = true;
    guests->waiting += !guest->trusted && !guest->shut;
    if (guests->first == guest)
        pthread_cond_signal(&guests->changed);
}

/* The socket is closed by the server's own loop, which hears of it. */
static void shut_guest(struct guests *guests, struct guest *guest)
{
    if (guest->shut)
        return;
    guests->waiting -= guest->waited_for && !guest->trusted;
    guest->shut = true;
    shutdown(guest->socket, SHUT_RDWR);
}

static void make_room(struct guests *guests)
{
    struct guest *oldest = guests->first;
    while (oldest && (oldest->trusted || oldest->shut))
        oldest = oldest->later;
    if (oldest)
        shut_guest(guests, oldest);
}

void guests_on_connection(void *context, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode code)
{
    struct guests *guests = context;
    pthread_mutex_lock(&guests->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct guest *guest = tac_calloc(1, sizeof *guest);
        guest->socket = info ? info->connect_fd : -1;
        *own = guest;
        if (guests->waiting >= MOST_WAITING)
            make_room(guests);
        join_list(guests, guest);
    } else if (*own) {
        leave_list(guests, *own);
        free(*own);
        *own = NULL;
    }
    pthread_mutex_unlock(&guests->lock);
}

void guests_request_is_whole(struct guests *guests, struct MHD_Connection *connection)
{
    struct guest *guest = guest_of(connection);
    pthread_mutex_lock(&guests->lock);
    if (guest)
        leave_list(guests, guest);
    pthread_mutex_unlock(&guests->lock);
}

void guests_next_request(struct guests *guests, struct MHD_Connection *connection)
{
    struct guest *guest = guest_of(connection);
    pthread_mutex_lock(&guests->lock);
    if (guest) {
        leave_list(guests, guest);
        join_list(guests, guest);
    }
    pthread_mutex_unlock(&guests->lock);
}

void guests_trust(struct guests *guests, struct MHD_Connection *connection)
{
    struct guest *guest = guest_of(connection);
    pthread_mutex_lock(&guests->lock);
    if (guest && !guest->trusted) {
        guests->waiting -= guest->waited_for && !guest->shut;
        guest->trusted = true;
    }
    pthread_mutex_unlock(&guests->lock);
}

static void *watch_guests(void *context)
{
    struct guests *guests = context;
    pthread_mutex_lock(&guests->lock);
    while (!guests->ending) {
        double now = tac_now();
        struct guest *next = guests->first;
        for (; next && next->deadline <= now; next = next->later)
            shut_guest(guests, next);
        if (!next) {
            pthread_cond_wait(&guests->changed, &guests->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += (time_t)(next->deadline - now) + 1;
        pthread_cond_timedwait(&guests->changed, &guests->lock, &until);
    }
    pthread_mutex_unlock(&guests->lock);
    return NULL;
}

void guests_start(struct guests *guests)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&guests->lock, NULL);
    pthread_cond_init(&guests->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    guests->watched = !pthread_create(&guests->watchman, NULL, watch_guests, guests);
}

void guests_stop(struct guests *guests)
{
    pthread_mutex_lock(&guests->lock);
    guests->ending = true;
    pthread_cond_signal(&guests->changed);
    pthread_mutex_unlock(&guests->lock);
    if (guests->watched)
        pthread_join(guests->watchman, NULL);
    pthread_cond_destroy(&guests->changed);
    pthread_mutex_destroy(&guests->lock);
}
