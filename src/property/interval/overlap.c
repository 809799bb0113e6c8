/* Slices may overlap: frames in flight, one function on several threads. Every slice of a recording
 * ends in a state whose `dur` is its length, so an end tells which begin is its own; each open
 * slice is followed on its own, and all are judged in the order of their ends.
 *
 * Between two ends every open slice takes the states in between: what is measured of it is measured
 * as if it were alone. Memory: the slices that are open, at most OVERLAP_MOST. Cost: per begin or
 * end, one extension for every open slice. */
#include "property/interval/interval.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

enum { OVERLAP_MOST = 1 << 16 };

struct open_slice_track {
    tac_interval current;
    struct accumulator *acc;
    union end_value *ends;
};

struct overlap_state {
    TAC_VEC(struct open_slice_track) tracks; /* all have their arrays; in order of their begins */
    size_t count;                            /* the first of them are open */
    bool overflow;
};

struct overlap_state *overlap_new(void)
{
    return tac_calloc(1, sizeof(struct overlap_state));
}

void overlap_free(struct overlap_state *overlap)
{
    if (!overlap)
        return;
    for (size_t i = 0; i < overlap->tracks.count; i++) {
        free(overlap->tracks.at[i].acc);
        free(overlap->tracks.at[i].ends);
    }
    tac_vec_free(&overlap->tracks);
    free(overlap);
}

void overlap_reset(struct overlap_state *overlap)
{
    overlap->count = 0;
    overlap->overflow = false;
}

bool overlap_overflow(const struct overlap_state *overlap)
{
    return overlap->overflow;
}

static struct open_slice_track *add_track(const struct interval_plan *plan,
                                          struct overlap_state *overlap)
{
    assert(overlap->count <= overlap->tracks.count);
    if (overlap->count == overlap->tracks.count)
        tac_vec_push(
            &overlap->tracks,
            ((struct open_slice_track){
                .acc = tac_calloc(plan->measures.count + 1, sizeof(struct accumulator)),
                .ends = tac_calloc(2 * plan->watched.count + 1, sizeof(union end_value))}));
    return &overlap->tracks.at[overlap->count++];
}

void overlap_copy(const struct interval_plan *plan, struct overlap_state *to,
                  const struct overlap_state *from)
{
    assert(to != from);
    overlap_reset(to);
    to->overflow = from->overflow;
    for (size_t i = 0; i < from->count; i++) {
        struct open_slice_track *track = add_track(plan, to);
        const struct open_slice_track *source = &from->tracks.at[i];
        track->current = source->current;
        memcpy(track->acc, source->acc, plan->measures.count * sizeof *track->acc);
        memcpy(track->ends, source->ends, 2 * plan->watched.count * sizeof *track->ends);
    }
}

/* Exchanges what the state follows with a track. */
static void exchange(struct interval_state *state, struct open_slice_track *track)
{
    struct open_slice_track held = {state->current, state->acc, state->ends};
    state->current = track->current;
    state->acc = track->acc;
    state->ends = track->ends;
    *track = held;
}

static void extend_all(const struct interval_plan *plan, struct interval_state *state,
                       const struct chunk *chunk, size_t from, size_t to, size_t closing)
{
    for (size_t t = 0; from < to && t < state->overlap->count; t++) {
        struct open_slice_track *track = &state->overlap->tracks.at[t];
        exchange(state, track);
        interval_extend(plan, state, chunk, from, to, t == closing);
        exchange(state, track);
    }
}

/* The open slice that began when the one that ends here did; SIZE_MAX when there is none. */
static size_t ending_track(const struct interval_plan *plan, const struct overlap_state *overlap,
                           const struct chunk *chunk, size_t i)
{
    enum { ROUNDING = 1000 }; /* lengths are given in ms: a microsecond is within their rounding */
    double length = column_numbers(chunk->program, plan->length)[i] * plan->length_ns;
    size_t best = SIZE_MAX;
    double least = ROUNDING;
    if (isnan(length))
        return SIZE_MAX;
    for (size_t t = 0; t < overlap->count; t++) {
        double since = (double)(chunk->time[i] - overlap->tracks.at[t].current.t_from);
        double distance = fabs(since - length);
        if (distance < least) {
            least = distance;
            best = t;
        }
    }
    return best;
}

static void start_track(const struct interval_plan *plan, struct interval_state *state,
                        const struct chunk *chunk, size_t i)
{
    struct overlap_state *overlap = state->overlap;
    if (overlap->count == OVERLAP_MOST) {
        overlap->overflow = true;
        return;
    }
    struct open_slice_track *track = add_track(plan, overlap);
    exchange(state, track);
    interval_begin(plan, state, chunk, i);
    exchange(state, track);
}

/* Takes the track out; what it measured is the state's from now on. */
static void close_track(struct interval_state *state, size_t t)
{
    struct overlap_state *overlap = state->overlap;
    assert(t < overlap->count);
    struct open_slice_track closed = overlap->tracks.at[t];
    memmove(&overlap->tracks.at[t], &overlap->tracks.at[t + 1],
            (overlap->count - t - 1) * sizeof closed);
    overlap->tracks.at[--overlap->count] = closed;
    exchange(state, &overlap->tracks.at[overlap->count]);
    state->open = false;
}

bool overlap_track(const struct interval_plan *plan, struct interval_state *state,
                   const struct chunk *chunk, size_t *at, size_t limit)
{
    struct overlap_state *overlap = state->overlap;
    const uint8_t *p = column_bits(chunk->program, plan->p);
    const uint8_t *q = column_bits(chunk->program, plan->q);
    size_t unknown = interval_first_unknown(chunk, plan->p, *at, limit);
    uint32_t guilty = unknown < limit ? plan->p : plan->q;
    size_t known = interval_first_unknown(chunk, plan->q, *at, unknown);
    if (state->doubt) {
        *at = limit;
        return false;
    }
    while (*at < known) {
        const uint8_t *begin = memchr(p + *at, 1, known - *at);
        size_t next = begin ? (size_t)(begin - p) : known;
        const uint8_t *end = overlap->count ? memchr(q + *at, 1, next - *at) : NULL;
        next = end ? (size_t)(end - q) : next;
        size_t closing = end ? ending_track(plan, overlap, chunk, next) : SIZE_MAX;
        extend_all(plan, state, chunk, *at, next < known ? next + 1 : known, closing);
        if (next < known && !end)
            start_track(plan, state, chunk, next);
        *at = next < known ? next + 1 : known;
        if (closing != SIZE_MAX) {
            close_track(state, closing);
            return true;
        }
    }
    if (known < limit) { /* which slices are open is not known any more */
        overlap->count = 0;
        interval_doubt(state, column_blame(chunk->program, known < unknown ? plan->q : guilty,
                                           known, chunk->first, chunk->time));
        *at = limit;
    }
    state->open = overlap->count > 0;
    if (state->open) /* the oldest: what a silence is measured by */
        state->current = overlap->tracks.at[0].current;
    return false;
}
