/* Forked processes that work for their parent (pool.h, worker.h). */
#pragma once

#include "tactus/error.h"
#include <sys/types.h>

/* Forks. ends are those of a pipe or a pair of sockets: ends[0] is the parent's, ends[1] the
 * child's, and each side has the other's closed. The child (*pid 0) dies with its parent and leaves
 * SIGINT, SIGTERM and SIGHUP to it. On failure both ends are closed. */
tac_status tac_child_fork(const int ends[2], pid_t *pid, tac_error *err);
/* Ends the child at once: nothing of the parent's is flushed or freed. */
_Noreturn void tac_child_exit(int code);
