/* A forked process that is told what to do over a socket and answers in lines, for as long as its
 * parent wants. It sees a copy of all memory of the moment it was started, and dies with its
 * parent. (pool.h is for independent items that need no conversation.) */
#pragma once

#include "base/data/str.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <sys/types.h>

typedef struct tac_worker {
    pid_t pid; /* 0: none */
    int fd;
    tac_str pending; /* read, but not yet handed out */
    size_t taken;    /* bytes of `pending` that were handed out */
} tac_worker;

/* In the child: work(context, index, fd) and then exit. */
tac_status tac_worker_start(tac_worker *worker, void (*work)(void *context, size_t index, int fd),
                            void *context, size_t index, tac_error *err);
/* Everything, or false when the other side is gone. Both sides may call these. */
bool tac_worker_send(int fd, const void *data, size_t size);
bool tac_worker_receive(int fd, void *data, size_t size);
/* Has something come that was not received yet? Does not wait. */
bool tac_worker_has_more(int fd);
/* Reads what has come; false when the worker has ended. Does not wait. */
bool tac_worker_read(tac_worker *worker);
/* The next whole line without its end, borrowed until the next call; NULL when there is none. */
const char *tac_worker_line(tac_worker *worker);
/* Whether the process stands still because a signal stopped it (not one that waits). */
bool tac_worker_is_stopped(const tac_worker *worker);
/* Tells it that nothing more comes, gives it some seconds to end, then kills it. A zeroed worker is
 * fine. */
void tac_worker_end(tac_worker *worker, double seconds);
