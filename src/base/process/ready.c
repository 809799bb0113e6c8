/* Waiting for a socket. See ready.h. */
#include "base/process/ready.h"
#include "base/data/text.h"
#include <errno.h>
#include <math.h>
#include <poll.h>

bool tac_wait_ready(int fd, short events, double limit)
{
    for (;;) {
        double left = limit - tac_now();
        struct pollfd p = {.fd = fd, .events = events};
        int n = poll(&p, 1, left > 0 ? (int)fmin(ceil(left * 1000), 1e6) : 0);
        if (n > 0 || (n < 0 && errno != EINTR))
            return true;
        if (n == 0 && tac_now() >= limit)
            return false;
    }
}
