/* A binary heap. Cost: logarithmic in the records of one window. */
#include "trace/log/reorder.h"
#include "base/check.h"

enum { MOST_WAITING = 1 << 18 };

static bool before(const struct log_entry *a, const struct log_entry *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void swap(struct log_entry *a, struct log_entry *b)
{
    struct log_entry kept = *a;
    *a = *b;
    *b = kept;
}

void reorder_push(struct reorder *r, struct log_entry entry)
{
    entry.order = r->pushed++;
    if (!entry.order || entry.time > r->newest)
        r->newest = entry.time;
    tac_vec_push(&r->heap, entry);
    for (size_t i = r->heap.count - 1; i && before(&r->heap.at[i], &r->heap.at[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap(&r->heap.at[i], &r->heap.at[(i - 1) / 2]);
}

bool reorder_waited(const struct reorder *r, int64_t latest)
{
    return r->heap.count && r->heap.at[0].arrival <= latest;
}

bool reorder_pop(struct reorder *r, bool flush, struct log_entry *out)
{
    bool due = r->heap.count && (flush || r->heap.count > MOST_WAITING ||
                                 r->heap.at[0].time < r->newest - r->window);
    if (!due)
        return false;
    *out = r->heap.at[0];
    r->heap.at[0] = tac_vec_pop(&r->heap);
    for (size_t i = 0;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < r->heap.count && before(&r->heap.at[left], &r->heap.at[least]))
            least = left;
        if (right < r->heap.count && before(&r->heap.at[right], &r->heap.at[least]))
            least = right;
        if (least == i)
            break;
        swap(&r->heap.at[i], &r->heap.at[least]);
        i = least;
    }
    assert(!r->heap.count || !before(&r->heap.at[0], out));
    return true;
}

void reorder_free(struct reorder *r)
{
    for (size_t i = 0; i < r->heap.count; i++)
        free(r->heap.at[i].tag);
    tac_vec_free(&r->heap);
}
