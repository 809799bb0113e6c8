/* Pairing of begins and ends, in order of time.
 *
 * On a track (a thread, or a named track) an end closes the innermost begin: last in, first out. An
 * asynchronous slice is found by its key instead. What remains is open at the end; an end that
 * nothing waits for is an end without begin. Both are normal: recordings start and stop in the
 * middle of things. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct open_slice {
    int64_t begin;
    uint32_t name;
    uint32_t below;  /* the slice under it on its track, place + 1; 0 = none */
    uint32_t depth;  /* from 1 */
    int64_t payload; /* the user's */
};

struct slices {
    tac_u64map tracks; /* track -> place + 1 of its innermost open slice */
    TAC_VEC(struct open_slice) open;
    TAC_VEC(uint32_t) free;
    uint64_t closed, ends_without_begin, now_open;
    uint32_t deepest;
};

/* A zeroed struct is empty. */
void slices_begin(struct slices *slices, uint64_t track, int64_t time, uint32_t name,
                  int64_t payload);
/* The slice that ends; false when none is open there. */
bool slices_end(struct slices *slices, uint64_t track, struct open_slice *out);
/* The same where an end tells its name: the innermost of that name, else the innermost. */
bool slices_end_named(struct slices *slices, uint64_t track, uint32_t name, struct open_slice *out);
void slices_free(struct slices *slices);
