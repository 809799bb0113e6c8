/* What the parts of the portal share. */
#pragma once

#include "base/late/microhttpd.h"
#include "serve/http/gate.h"
#include "serve/http/guests.h"
#include "serve/http/route.h"
#include "serve/serve.h"
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

struct helper;     /* serve/programs/helper.h: programs that answer requests */
struct job_stream; /* serve/jobs/stream.h */

struct tac_portal {
    char *folder;   /* absolute, for messages and library calls */
    int root;       /* the folder, opened */
    char *program;  /* of the long work */
    char *address;  /* of the page, with the secret */
    char *password; /* NULL without --listen */
    char *listen;   /* as it was given, or NULL */
    uint16_t port;
    struct route_table routes;
    struct gate gate;
    struct guests guests;
    struct MHD_Daemon *daemon;
    pthread_mutex_t saving; /* one save at a time: compare and replace belong together */
    pthread_mutex_t lock;   /* over what follows */
    pthread_cond_t calmer;  /* working has become less */
    bool ending;
    unsigned working; /* requests that a thread works on, and streams */
    struct helper *helpers;
    struct job_stream *streams;
    unsigned stream_count;
    pthread_mutex_t password_lock; /* one guess at a time */
};
