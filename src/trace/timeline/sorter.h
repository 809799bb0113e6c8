/* Events in any order go in, events in order of time come out; equal times keep their order.
 *
 * Recordings are not sorted: each CPU and each thread writes its own buffer. Events are gathered in
 * memory; a full memory is sorted and written to a temporary file without a name, and at the end
 * the sorted stretches are merged. Memory is constant, disk is 32 bytes per event past the first
 * quarter of a million. Radix sort within memory, a heap over the stretches behind it. */
#ifndef TAC_TRACE_SORTER_H
#define TAC_TRACE_SORTER_H

#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

struct timeline_event {
    int64_t time;
    uint32_t kind, name; /* the user's, like the rest */
    uint64_t track;
    union {
        double number;
        int64_t integer;
    };
};

struct sorted_stretch {
    uint64_t from, count; /* events of the file that are left */
    struct timeline_event *buffer;
    size_t at, filled;
};

struct sorter {
    size_t memory; /* events kept; 0 = 32,768 */
    struct timeline_event *events, *spare;
    size_t count, capacity;
    int64_t last;
    bool in_order; /* as far as added since the last spill */
    int file;      /* 0 while nothing was written */
    uint64_t written;
    TAC_VEC(struct sorted_stretch) stretches;
    size_t buffer_size; /* events per stretch while merging */
    size_t *heap;       /* of stretches, the earliest event on top */
    size_t heap_count;
    size_t next; /* of events, when nothing was written */
    uint64_t added;
};

/* A zeroed struct is empty. */
tac_status sorter_add(struct sorter *sorter, const struct timeline_event *event, tac_error *err);
/* After the last event; then sorter_next gives them. */
tac_status sorter_finish(struct sorter *sorter, tac_error *err);
/* *event NULL at the end; valid until the next call. */
tac_status sorter_next(struct sorter *sorter, const struct timeline_event **event, tac_error *err);
void sorter_free(struct sorter *sorter);

#endif
