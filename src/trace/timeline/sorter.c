/* See sorter.h. */
#include "trace/timeline/sorter.h"
#include "base/check.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEMORY = 1 << 15, START = 1 << 12, BUFFER_MAX = 1 << 12, BUFFERS = 1 << 18 };
enum { DIGIT_BITS = 11, DIGIT_MASK = (1 << DIGIT_BITS) - 1, DIGITS = 6 };

struct key {
    uint64_t time; /* since the earliest */
    uint32_t index;
};

/* Least significant digits first, which keeps equal times in order; as many passes as the range of
 * times has digits. The events themselves move once. */
static void sort(struct sorter *sorter)
{
    size_t count = sorter->count;
    int64_t first = sorter->events[0].time;
    uint64_t range = 0;
    struct key *keys = tac_alloc(count * sizeof *keys), *others = tac_alloc(count * sizeof *others);
    assert(count <= UINT32_MAX);
    for (size_t i = 1; i < count; i++)
        first = sorter->events[i].time < first ? sorter->events[i].time : first;
    for (size_t i = 0; i < count; i++) {
        keys[i] = (struct key){(uint64_t)sorter->events[i].time - (uint64_t)first, (uint32_t)i};
        range |= keys[i].time;
    }
    uint32_t(*places)[1 << DIGIT_BITS] = tac_calloc(DIGITS, sizeof *places);
    unsigned digits = 0;
    while (digits < DIGITS && range >> (digits * DIGIT_BITS))
        digits++;
    for (size_t i = 0; i < count; i++)
        for (unsigned d = 0; d < digits; d++)
            places[d][keys[i].time >> (d * DIGIT_BITS) & DIGIT_MASK]++;
    for (unsigned d = 0; d < digits; d++) {
        uint32_t sum = 0;
        for (size_t i = 0; i <= DIGIT_MASK; i++) {
            uint32_t here = places[d][i];
            places[d][i] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            others[places[d][keys[i].time >> (d * DIGIT_BITS) & DIGIT_MASK]++] = keys[i];
        struct key *sorted = others;
        others = keys;
        keys = sorted;
    }
    free(places);
    sorter->spare = tac_realloc(sorter->spare, sorter->capacity, sizeof *sorter->spare);
    for (size_t i = 0; i < count; i++)
        sorter->spare[i] = sorter->events[keys[i].index];
    struct timeline_event *unsorted = sorter->events;
    sorter->events = sorter->spare;
    sorter->spare = unsorted;
    free(keys);
    free(others);
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
                 (struct sorted_stretch){.from = sorter->written, .count = sorter->count});
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
static bool comes_before(const struct sorter *sorter, size_t a, size_t b)
{
    const struct sorted_stretch *x = &sorter->stretches.at[a], *y = &sorter->stretches.at[b];
    int64_t left = x->buffer[x->at].time, right = y->buffer[y->at].time;
    return left < right || (left == right && a < b);
}

static void sift_down(struct sorter *sorter, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1, place = sorter->heap[at];
        if (child >= sorter->heap_count)
            return;
        if (child + 1 < sorter->heap_count &&
            comes_before(sorter, sorter->heap[child + 1], sorter->heap[child]))
            child++;
        if (comes_before(sorter, place, sorter->heap[child]))
            return;
        sorter->heap[at] = sorter->heap[child];
        sorter->heap[child] = place;
        at = child;
    }
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
    sorter->events = sorter->spare = NULL;
    size_t count = sorter->stretches.count;
    sorter->buffer_size = BUFFERS / (count + 1);
    if (sorter->buffer_size > BUFFER_MAX)
        sorter->buffer_size = BUFFER_MAX;
    if (sorter->buffer_size < 16)
        sorter->buffer_size = 16;
    sorter->heap = tac_calloc(count, sizeof *sorter->heap);
    for (size_t i = 0; i < count && !status; i++) {
        struct sorted_stretch *stretch = &sorter->stretches.at[i];
        stretch->buffer = tac_calloc(sorter->buffer_size, sizeof *stretch->buffer);
        status = refill(sorter, stretch, err);
        sorter->heap[sorter->heap_count++] = i;
    }
    for (size_t i = sorter->heap_count / 2; !status && i-- > 0;)
        sift_down(sorter, i);
    return status;
}

/* The event given last is consumed here: it stays valid until the next call. */
static tac_status drop_top(struct sorter *sorter, tac_error *err)
{
    struct sorted_stretch *top = &sorter->stretches.at[sorter->heap[0]];
    if (++top->at == top->filled) {
        if (top->count) {
            tac_status status = refill(sorter, top, err);
            if (status)
                return status;
        } else {
            sorter->heap[0] = sorter->heap[--sorter->heap_count];
        }
    }
    sift_down(sorter, 0);
    return TAC_OK;
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
        const struct sorted_stretch *top = &sorter->stretches.at[sorter->heap[0]];
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
    free(sorter->events);
    free(sorter->spare);
    *sorter = (struct sorter){0};
}
