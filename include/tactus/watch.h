/* Progress and cancellation of long work.
 *
 * The library never prints. Work that may take over a second takes a tac_watch (NULL = nobody is
 * watching) and calls tac_watch_tick every few thousand steps; false means "stop, keep what is
 * finished, return TAC_E_INTERRUPTED". */
#ifndef TACTUS_WATCH_H
#define TACTUS_WATCH_H

#include "tactus/api.h"
#include <stdbool.h>
#include <stdint.h>

TAC_BEGIN_DECLARATIONS

typedef struct tac_watch tac_watch;
struct tac_watch {
    /* done of total units (total 0 = unknown); returns false to stop. Must be cheap. */
    bool (*tick)(tac_watch *self, const char *what, uint64_t done, uint64_t total);
};

static inline bool tac_watch_tick(tac_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    return !watch || watch->tick(watch, what, done, total);
}

TAC_END_DECLARATIONS

#endif
