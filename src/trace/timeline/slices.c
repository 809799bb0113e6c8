/* See slices.h. Asynchronous slices are tracks whose key is theirs: two of one key nest, or overlap
 * where their ends tell names. */
#include "trace/timeline/slices.h"
#include "base/check.h"

enum { TRACKS_KEPT = 1 << 16 };

/* Tracks of asynchronous slices come and go: those with nothing open are forgotten now and then, so
 * that memory follows what is open and not what has been. */
static void forget_empty(struct slices *slices)
{
    tac_u64map kept = {0};
    const tac_u64map_entry *track;
    for (size_t at = 0; (track = tac_u64map_next(&slices->tracks, &at));)
        if (track->value)
            *tac_u64map_at(&kept, track->key, 0, NULL) = track->value;
    tac_u64map_free(&slices->tracks);
    slices->tracks = kept;
}

void slices_begin(struct slices *slices, uint64_t track, int64_t time, uint32_t name,
                  int64_t payload)
{
    uint32_t place;
    if (slices->tracks.count > TRACKS_KEPT && slices->tracks.count > 4 * slices->now_open)
        forget_empty(slices);
    if (slices->free.count) {
        place = tac_vec_pop(&slices->free);
    } else {
        place = (uint32_t)slices->open.count;
        tac_vec_push(&slices->open, (struct open_slice){0});
    }
    uint64_t *top = tac_u64map_at(&slices->tracks, track, 0, NULL);
    assert(place < slices->open.count && *top <= slices->open.count);
    uint32_t depth = *top ? slices->open.at[*top - 1].depth + 1 : 1;
    slices->open.at[place] = (struct open_slice){
        .begin = time, .name = name, .payload = payload, .below = (uint32_t)*top, .depth = depth};
    *top = place + 1;
    slices->now_open++;
    if (depth > slices->deepest)
        slices->deepest = depth;
}

static void take_out(struct slices *slices, uint32_t place, struct open_slice *out)
{
    assert(place < slices->open.count && slices->now_open);
    *out = slices->open.at[place];
    tac_vec_push(&slices->free, place);
    slices->now_open--;
    slices->closed++;
}

bool slices_end(struct slices *slices, uint64_t track, struct open_slice *out)
{
    uint64_t *top = tac_u64map_find(&slices->tracks, track);
    if (!top || !*top) {
        slices->ends_without_begin++;
        return false;
    }
    take_out(slices, (uint32_t)*top - 1, out);
    *top = out->below;
    return true;
}

bool slices_end_named(struct slices *slices, uint64_t track, uint32_t name, struct open_slice *out)
{
    enum { LOOKED_AT = 64 };
    const uint64_t *top = tac_u64map_find(&slices->tracks, track);
    uint32_t above = top ? (uint32_t)*top : 0;
    if (!above || slices->open.at[above - 1].name == name)
        return slices_end(slices, track, out);
    for (int i = 0; i < LOOKED_AT && slices->open.at[above - 1].below; i++) {
        uint32_t at = slices->open.at[above - 1].below;
        if (slices->open.at[at - 1].name == name) {
            take_out(slices, at - 1, out);
            slices->open.at[above - 1].below = out->below;
            return true;
        }
        above = at;
    }
    return slices_end(slices, track, out);
}

void slices_free(struct slices *slices)
{
    tac_u64map_free(&slices->tracks);
    tac_vec_free(&slices->open);
    tac_vec_free(&slices->free);
}
