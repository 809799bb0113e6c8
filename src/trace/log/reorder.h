/* Records in the order of their times, though a log prints them slightly out of it.
 *
 * Buffers of several processes are merged by the logger, so a record may come late by milliseconds
 * up to half a minute. Records wait here until nothing earlier can come: until one is `window`
 * newer. A step back beyond the window is another matter, a clock that was set: the caller tells.
 */
#pragma once

#include "base/data/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct log_entry {
    int64_t time;
    int64_t arrival; /* of a log that grows: by this machine's clock */
    uint64_t order;  /* in the file */
    size_t line;
    char level;
    char *tag, *message; /* one allocation: free(tag) */
    size_t tag_length;
};

struct reorder {
    int64_t window, newest; /* nanoseconds */
    uint64_t pushed;
    TAC_VEC(struct log_entry) heap; /* the earliest first; equal times in the order of the file */
};

/* Takes the entry's texts. */
void reorder_push(struct reorder *reorder, struct log_entry entry);
/* The next entry was there at `latest` already. */
bool reorder_waited(const struct reorder *reorder, int64_t latest);
/* The next entry whose turn it is (or, to flush, the next one); false: none. Its texts are the
 * caller's. */
bool reorder_pop(struct reorder *reorder, bool flush, struct log_entry *out);
void reorder_free(struct reorder *reorder);
