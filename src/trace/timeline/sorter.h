/* Events in any order go in, events in order of time come out; equal times keep their order.
 *
 * Recordings are not sorted: each CPU and each thread writes its own buffer. Events are gathered in
 * memory; a full memory is sorted and written to a temporary file without a name, and at the end
 * the sorted stretches are merged. Memory is constant, disk is 32 bytes per event past the first
 * 32,768. Radix sort within memory, behind it a heap over the stretches that overlap: a step costs
 * the logarithm of their number, not of all stretches. */
#pragma once

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
    int64_t first, last;  /* times of the whole */
    struct timeline_event *buffer;
    size_t at, filled;
};

/* The earliest event of a stretch that is left. */
struct merge_head {
    int64_t time;
    size_t stretch;
};

struct sorter {
    size_t memory; /* events kept; 0 = 32,768 */
    struct timeline_event *events, *spare;
    uint64_t *keys, *spare_keys; /* while sorting */
    size_t count, capacity;
    int64_t last;
    bool in_order; /* as far as added since the last spill */
    int file;      /* 0 while nothing was written */
    uint64_t written;
    TAC_VEC(struct sorted_stretch) stretches;
    size_t buffer_size;         /* events per stretch while merging */
    struct merge_head *waiting; /* all stretches by their first event */
    size_t joined;              /* so many of them have been in the heap */
    int64_t next_joins;         /* when the next one does */
    struct merge_head *heap;    /* of the stretches that are being merged, the earliest on top */
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
