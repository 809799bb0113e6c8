/* See slices.h. Asynchronous slices are tracks whose key is theirs: two of one key nest. */
#include "trace/timeline/slices.h"
#include "base/check.h"

void slices_begin(struct slices *slices, uint64_t track, int64_t time, uint32_t name,
                  uint32_t extra)
{
    uint32_t place;
    if (slices->free.count) {
        place = tac_vec_pop(&slices->free);
    } else {
        place = (uint32_t)slices->open.count;
        tac_vec_push(&slices->open, (struct open_slice){0});
    }
    uint64_t *top = tac_u64map_at(&slices->tracks, track, 0, NULL);
    assert(place < slices->open.count && *top <= slices->open.count);
    slices->open.at[place] =
        (struct open_slice){.begin = time, .name = name, .extra = extra, .below = (uint32_t)*top};
    *top = place + 1;
    slices->now_open++;
    uint64_t *depth = tac_u64map_at(&slices->depths, track, 0, NULL);
    if (++*depth > slices->deepest)
        slices->deepest = (uint32_t)*depth;
}

bool slices_end(struct slices *slices, uint64_t track, struct open_slice *out)
{
    uint64_t *top = tac_u64map_find(&slices->tracks, track);
    if (!top || !*top) {
        slices->ends_without_begin++;
        return false;
    }
    uint32_t place = (uint32_t)*top - 1;
    assert(place < slices->open.count && slices->now_open);
    *out = slices->open.at[place];
    *top = out->below;
    tac_vec_push(&slices->free, place);
    slices->now_open--;
    slices->closed++;
    --*tac_u64map_at(&slices->depths, track, 1, NULL);
    return true;
}

void slices_free(struct slices *slices)
{
    tac_u64map_free(&slices->tracks);
    tac_u64map_free(&slices->depths);
    tac_vec_free(&slices->open);
    tac_vec_free(&slices->free);
}
