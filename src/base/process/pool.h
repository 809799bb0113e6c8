/* A small pool of forked processes for independent items. Results come back in the order of the
 * items; a child that dies is reported for its item, the others go on.
 *
 * Each item has a child of its own (about a millisecond): it sees a copy of all memory, and only
 * the bytes it writes to `out` come back. Make items worth that cost; batch smaller ones. */
#pragma once

#include "base/data/str.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <stdint.h>

typedef enum tac_pool_end {
    TAC_POOL_DONE,    /* the work function returned */
    TAC_POOL_DIED,    /* killed by a signal or exited; detail = the signal or exit code */
    TAC_POOL_TIMEOUT, /* over the time limit, killed */
    TAC_POOL_MEMORY   /* memory exhausted under the limit */
} tac_pool_end;

typedef struct tac_pool_result {
    size_t item;
    tac_pool_end end;
    int detail;
    const char *data; /* what the child wrote; borrowed, valid during the callback */
    size_t size;
    double seconds;      /* wall time in the child */
    uint64_t peak_bytes; /* greatest resident size of that child */
} tac_pool_result;

typedef struct tac_pool_job {
    size_t items;
    unsigned jobs;         /* children at once; 0 = number of processors */
    double time_limit;     /* seconds per item; 0 = none */
    uint64_t memory_limit; /* bytes of address space per child; 0 = none */
    void (*work)(void *context, size_t item, tac_str *out);
    /* Called in the parent in item order. Returning false stops: children are ended. */
    bool (*result)(void *context, const tac_pool_result *result);
    void *context;
    tac_watch *watch; /* may be NULL; ticked once a result */
    const char *what; /* for the watch */
} tac_pool_job;

tac_status tac_pool_run(const tac_pool_job *job, tac_error *err);
