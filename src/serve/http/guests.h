/* Connections, and for how long each may take.
 *
 * A connection whose request has not come whole within some seconds is shut, however busily it
 * sends single bytes. More than MOST_WAITING such connections are not kept either: the oldest goes
 * when another comes, so that those who ask at once always find a place. A connection that has
 * shown the secret is never the one that goes.
 *
 * Invariant: those that wait stand in a list in the order of their deadlines. The thread that looks
 * after them sleeps until the first deadline, and for good when nobody waits. */
#pragma once

#include "base/late/microhttpd.h"
#include <pthread.h>
#include <stdbool.h>

struct guest {
    int socket;
    double deadline;
    bool waited_for; /* it is in the list: its request has not come whole */
    bool trusted, shut;
    struct guest *earlier, *later;
};

struct guests {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t watchman;
    struct guest *first, *last; /* that are waited for */
    unsigned waiting;           /* of them, neither trusted nor shut */
    bool watched, ending;
};

void guests_start(struct guests *guests);
void guests_stop(struct guests *guests);
/* MHD_OPTION_NOTIFY_CONNECTION; context is the struct guests. */
void guests_on_connection(void *context, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode code);
/* The request is whole and will be answered; the next one is waited for. */
void guests_request_is_whole(struct guests *guests, struct MHD_Connection *connection);
void guests_next_request(struct guests *guests, struct MHD_Connection *connection);
void guests_trust(struct guests *guests, struct MHD_Connection *connection);
