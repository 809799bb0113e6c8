/* Waiting for a socket, with a limit. */
#pragma once

#include <stdbool.h>

/* Waits for poll's events; limit as tac_now counts. False when it has passed; true also when the
 * socket is broken, because the read or write that follows says what is wrong. */
bool tac_wait_ready(int fd, short events, double limit);
