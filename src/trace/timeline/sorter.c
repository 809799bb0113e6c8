/* See sorter.h. */
#include "trace/timeline/sorter.h"
#include "base/check.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEMORY = 1 << 15, START = 1 << 12, BUFFER_MAX = 1 << 12, BUFFERS = 1 << 18 };
enum { DIGIT_BITS = 11, DIGIT_MASK = (1 << DIGIT_BITS) - 1, DIGITS = 6 };

/* Keys are the time since the earliest event above, the place of the event below `place_bits`.
 * Least significant digits first, as many passes as the range of times has digits; the order in
 * which they were added is that of the places. */
static void sort_keys(struct sorter *sorter, size_t count, unsigned place_bits, uint64_t range)
{
    uint32_t(*places)[1 << DIGIT_BITS] = tac_calloc(DIGITS, sizeof *places);
    unsigned digits = 0;
    while (digits < DIGITS && range >> (digits * DIGIT_BITS))
        digits++;
    for (size_t i = 0; i < count; i++)
        for (unsigned d = 0; d < digits; d++)
            places[d][sorter->keys[i] >> (d * DIGIT_BITS + place_bits) & DIGIT_MASK]++;
    for (unsigned d = 0; d < digits; d++) {
        uint32_t sum = 0;
        for (size_t i = 0; i <= DIGIT_MASK; i++) {
            uint32_t here = places[d][i];
            places[d][i] = sum;
            sum += here;
        }
        uint64_t *from = sorter->keys, *to = sorter->spare_keys;
        for (size_t i = 0; i < count; i++)
            to[places[d][from[i] >> (d * DIGIT_BITS + place_bits) & DIGIT_MASK]++] = from[i];
        sorter->keys = to;
        sorter->spare_keys = from;
    }
    free(places);
}

struct placed {
    int64_t time;
    uint64_t place;
};

static int by_time_and_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->place > y->place) - (x->place < y->place);
}

/* Times so far apart that a key has no room for the place: centuries, or days among many events. */
static void sort_far(struct sorter *sorter)
{
    size_t count = sorter->count;
    struct placed *all = tac_alloc(count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = (struct placed){sorter->events[i].time, i};
    qsort(all, count, sizeof *all, by_time_and_place);
    for (size_t i = 0; i < count; i++)
        sorter->keys[i] = all[i].place;
    free(all);
}

/* The events themselves move once. */
static void sort(struct sorter *sorter)
{
    size_t count = sorter->count;
    int64_t first = sorter->events[0].time, last = first;
    unsigned place_bits = 0;
    for (size_t i = 1; i < count; i++) {
        first = sorter->events[i].time < first ? sorter->events[i].time : first;
        last = sorter->events[i].time > last ? sorter->events[i].time : last;
    }
    while (count >> place_bits)
        place_bits++;
    uint64_t range = (uint64_t)last - (uint64_t)first;
    sorter->spare = tac_realloc(sorter->spare, sorter->capacity, sizeof *sorter->spare);
    sorter->keys = tac_realloc(sorter->keys, sorter->capacity, sizeof *sorter->keys);
    sorter->spare_keys = tac_realloc(sorter->spare_keys, sorter->capacity, sizeof *sorter->keys);
    assert(place_bits < 64);
    if (range >> (64 - place_bits)) {
        sort_far(sorter);
    } else {
        for (size_t i = 0; i < count; i++)
            sorter->keys[i] =
                ((uint64_t)sorter->events[i].time - (uint64_t)first) << place_bits | i;
        sort_keys(sorter, count, place_bits, range);
    }
    uint64_t place = ((uint64_t)1 << place_bits) - 1;
    for (size_t i = 0; i < count; i++)
        sorter->spare[i] = sorter->events[sorter->keys[i] & place];
    struct timeline_event *unsorted = sorter->events;
    sorter->events = sorter->spare;
    sorter->spare = unsorted;
    for (size_t i = 1; i < count; i++)
        assert_costly(sorter->events[i - 1].time <= sorter->events[i].time);
}

static tac_status write_all(int file, const void *data, size_t size, tac_error *err)
{
    const char *at = data;
    while (size) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return tac_fail_errno(err, errno, NULL, "cannot write the temporary file for sorting");
        at += done;
        size -= (size_t)done;
    }
    return TAC_OK;
}

static tac_status open_file(struct sorter *sorter, tac_error *err)
{
    const char *folder = getenv("TMPDIR");
    char *name = tac_format("%s/tactus-sort-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(name);
    tac_status status = TAC_OK;
    if (file < 0)
        status = tac_fail_errno(err, errno, name, "cannot make a temporary file for sorting");
    else
        unlink(name);
    free(name);
    sorter->file = file < 0 ? 0 : file;
    return status;
}

static tac_status spill(struct sorter *sorter, tac_error *err)
{
    tac_status status = sorter->file ? TAC_OK : open_file(sorter, err);
    if (!sorter->in_order)
        sort(sorter);
    if (!status)
        status =
            write_all(sorter->file, sorter->events, sorter->count * sizeof *sorter->events, err);
    if (status)
        return status;
    tac_vec_push(&sorter->stretches,
                 (struct sorted_stretch){.from = sorter->written,
                                         .count = sorter->count,
                                         .first = sorter->events[0].time,
                                         .last = sorter->events[sorter->count - 1].time});
    sorter->written += sorter->count;
    sorter->count = 0;
    return TAC_OK;
}

tac_status sorter_add(struct sorter *sorter, const struct timeline_event *event, tac_error *err)
{
    size_t memory = sorter->memory ? sorter->memory : MEMORY;
    if (sorter->count == memory) {
        tac_status status = spill(sorter, err);
        if (status)
            return status;
    }
    if (sorter->count == sorter->capacity) {
        sorter->capacity = sorter->capacity ? sorter->capacity * 2 : START;
        sorter->events = tac_realloc(sorter->events, sorter->capacity, sizeof *sorter->events);
    }
    sorter->in_order = !sorter->count || (sorter->in_order && event->time >= sorter->last);
    sorter->last = event->time;
    sorter->events[sorter->count++] = *event;
    sorter->added++;
    return TAC_OK;
}

static tac_status refill(struct sorter *sorter, struct sorted_stretch *stretch, tac_error *err)
{
    size_t wanted =
        stretch->count < sorter->buffer_size ? (size_t)stretch->count : sorter->buffer_size;
    char *at = (char *)stretch->buffer;
    size_t size = wanted * sizeof *stretch->buffer;
    off_t from = (off_t)(stretch->from * sizeof *stretch->buffer);
    while (size) {
        ssize_t got = pread(sorter->file, at, size, from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return tac_fail_errno(err, got ? errno : EIO, NULL, "cannot read the temporary file");
        at += got;
        from += got;
        size -= (size_t)got;
    }
    stretch->from += wanted;
    stretch->count -= wanted;
    stretch->at = 0;
    stretch->filled = wanted;
    return TAC_OK;
}

/* Earlier stretches first where times are equal: they were added earlier. */
static bool comes_before(struct merge_head a, struct merge_head b)
{
    return a.time < b.time || (a.time == b.time && a.stretch < b.stretch);
}

static void sift_down(struct sorter *sorter, struct merge_head moved)
{
    struct merge_head *heap = sorter->heap;
    size_t at = 0, count = sorter->heap_count;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < count && comes_before(heap[child + 1], heap[child]))
            child++;
        if (child >= count || comes_before(moved, heap[child]))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void sift_up(struct sorter *sorter, struct merge_head moved)
{
    struct merge_head *heap = sorter->heap;
    size_t at = sorter->heap_count++;
    for (; at && comes_before(moved, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

static int by_first(const void *a, const void *b)
{
    const struct merge_head *x = a, *y = b;
    return comes_before(*x, *y) ? -1 : comes_before(*y, *x);
}

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How many stretches share a time, at most: so many buffers are needed at once. */
static size_t most_at_once(const struct sorter *sorter)
{
    size_t count = sorter->stretches.count, ended = 0, most = 0;
    int64_t *ends = tac_alloc(count * sizeof *ends);
    for (size_t i = 0; i < count; i++)
        ends[i] = sorter->stretches.at[i].last;
    qsort(ends, count, sizeof *ends, by_time);
    for (size_t i = 0; i < count; i++) {
        while (ends[ended] < sorter->waiting[i].time)
            ended++;
        most = i + 1 - ended > most ? i + 1 - ended : most;
    }
    free(ends);
    return most;
}

/* A stretch takes part in the merge from its first event on: recordings are nearly in order, so
 * that the heap stays at a few however many stretches there are. */
static tac_status join_waiting(struct sorter *sorter, tac_error *err)
{
    tac_status status = TAC_OK;
    while (!status && sorter->joined < sorter->stretches.count &&
           (!sorter->heap_count || sorter->waiting[sorter->joined].time <= sorter->heap[0].time)) {
        struct merge_head head = sorter->waiting[sorter->joined++];
        struct sorted_stretch *stretch = &sorter->stretches.at[head.stretch];
        stretch->buffer = tac_alloc(sorter->buffer_size * sizeof *stretch->buffer);
        status = refill(sorter, stretch, err);
        if (!status)
            sift_up(sorter, head);
    }
    sorter->next_joins =
        sorter->joined < sorter->stretches.count ? sorter->waiting[sorter->joined].time : INT64_MAX;
    return status;
}

tac_status sorter_finish(struct sorter *sorter, tac_error *err)
{
    if (!sorter->file) {
        if (!sorter->in_order && sorter->count)
            sort(sorter);
        return TAC_OK;
    }
    tac_status status = sorter->count ? spill(sorter, err) : TAC_OK;
    free(sorter->events);
    free(sorter->spare);
    free(sorter->keys);
    free(sorter->spare_keys);
    sorter->events = sorter->spare = NULL;
    sorter->keys = sorter->spare_keys = NULL;
    size_t count = sorter->stretches.count;
    sorter->heap = tac_calloc(count, sizeof *sorter->heap);
    sorter->waiting = tac_calloc(count, sizeof *sorter->waiting);
    for (size_t i = 0; i < count; i++)
        sorter->waiting[i] = (struct merge_head){sorter->stretches.at[i].first, i};
    qsort(sorter->waiting, count, sizeof *sorter->waiting, by_first);
    sorter->buffer_size = BUFFERS / (most_at_once(sorter) + 1);
    if (sorter->buffer_size > BUFFER_MAX)
        sorter->buffer_size = BUFFER_MAX;
    if (sorter->buffer_size < 16)
        sorter->buffer_size = 16;
    return status ? status : join_waiting(sorter, err);
}

/* The event given last is consumed here: it stays valid until the next call. */
static tac_status drop_top(struct sorter *sorter, tac_error *err)
{
    struct merge_head head = sorter->heap[0];
    struct sorted_stretch *top = &sorter->stretches.at[head.stretch];
    tac_status status = TAC_OK;
    if (++top->at == top->filled && top->count)
        status = refill(sorter, top, err);
    if (status)
        return status;
    if (top->at < top->filled) {
        head.time = top->buffer[top->at].time;
        sift_down(sorter, head);
    } else {
        free(top->buffer);
        top->buffer = NULL;
        if (--sorter->heap_count)
            sift_down(sorter, sorter->heap[sorter->heap_count]);
    }
    if (!sorter->heap_count || sorter->heap[0].time >= sorter->next_joins)
        status = join_waiting(sorter, err);
    return status;
}

tac_status sorter_next(struct sorter *sorter, const struct timeline_event **event, tac_error *err)
{
    *event = NULL;
    if (!sorter->file) {
        if (sorter->next < sorter->count)
            *event = &sorter->events[sorter->next++];
        return TAC_OK;
    }
    if (sorter->next++ && sorter->heap_count) {
        tac_status status = drop_top(sorter, err);
        if (status)
            return status;
    }
    if (sorter->heap_count) {
        const struct sorted_stretch *top = &sorter->stretches.at[sorter->heap[0].stretch];
        *event = &top->buffer[top->at];
    }
    return TAC_OK;
}

void sorter_free(struct sorter *sorter)
{
    if (sorter->file)
        close(sorter->file);
    for (size_t i = 0; i < sorter->stretches.count; i++)
        free(sorter->stretches.at[i].buffer);
    tac_vec_free(&sorter->stretches);
    free(sorter->heap);
    free(sorter->waiting);
    free(sorter->events);
    free(sorter->spare);
    free(sorter->keys);
    free(sorter->spare_keys);
    *sorter = (struct sorter){0};
}
