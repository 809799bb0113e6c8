/* Skipping by jumping.
 *
 * Everything before `done` is settled. A skip of s events goes, by the shortest known way, from the
 * place at `done` to the place before the event done + s, and on from there. The longest skip that
 * still fails is looked for: first the jump to the last event; at the beginning of a long run then
 * from the end backwards, because what matters is mostly near the end; otherwise by doubling from
 * the shortest skip. What follows the longest skip matters, so it is settled with it. */
#include "base/check.h"
#include "reproduce/reduce/reduce.h"

struct jump {
    struct judge *judge;
    const struct places *places;
    struct trail *trail;
    size_t done;
    TAC_VEC(size_t) skips; /* those whose way is shorter than what is skipped, ascending */
};

/* The candidate of a skip; false when no shorter way is known. *way is its length. */
static bool candidate_of(const struct jump *jump, size_t skip, struct script *out, size_t *way)
{
    const struct trail *trail = jump->trail;
    assert(jump->done + skip < trail->script.count);
    tac_vec_append(out, trail->script.at, jump->done);
    if (!places_path(jump->places, trail->at.at[jump->done], trail->at.at[jump->done + skip], out))
        return false;
    *way = out->count - jump->done;
    tac_vec_append(out, trail->script.at + jump->done + skip,
                   trail->script.count - jump->done - skip);
    return *way < skip;
}

static void list_skips(struct jump *jump)
{
    jump->skips.count = 0;
    for (size_t skip = 1; jump->done + skip < jump->trail->script.count; skip++) {
        struct script candidate = {0};
        size_t way;
        if (candidate_of(jump, skip, &candidate, &way))
            tac_vec_push(&jump->skips, skip);
        tac_vec_free(&candidate);
    }
}

static tac_status skip_fails(const struct jump *jump, size_t index, bool *fails, tac_error *err)
{
    struct script candidate = {0};
    size_t way;
    candidate_of(jump, jump->skips.at[index], &candidate, &way);
    tac_status status = judge_fails(jump->judge, &candidate, fails, err);
    tac_vec_free(&candidate);
    return status;
}

/* Between one that fails (or SIZE_MAX for none yet) and one that does not. */
static tac_status bisect(const struct jump *jump, size_t fails, size_t passes, size_t *best,
                         tac_error *err)
{
    tac_status status = TAC_OK;
    while (status == TAC_OK && fails + 1 < passes) {
        size_t middle = fails + (passes - fails) / 2;
        bool failed;
        status = skip_fails(jump, middle, &failed, err);
        if (failed)
            fails = middle;
        else
            passes = middle;
    }
    *best = fails;
    return status;
}

static tac_status from_the_front(const struct jump *jump, size_t *best, tac_error *err)
{
    tac_status status = TAC_OK;
    size_t fails = SIZE_MAX, next = 0;
    bool failed = true;
    while (status == TAC_OK && next < jump->skips.count) {
        status = skip_fails(jump, next, &failed, err);
        if (!failed)
            break;
        fails = next;
        next = next * 2 + 1;
    }
    *best = fails;
    if (status == TAC_OK && fails != SIZE_MAX)
        status =
            bisect(jump, fails, next < jump->skips.count ? next : jump->skips.count, best, err);
    return status;
}

static tac_status from_the_end(const struct jump *jump, size_t *best, tac_error *err)
{
    tac_status status = TAC_OK;
    size_t count = jump->skips.count, passes = count;
    *best = SIZE_MAX;
    for (size_t back = 1; status == TAC_OK && passes > 0; back *= 2) {
        size_t index = back < count ? count - 1 - back : 0;
        bool failed;
        if (index >= passes) /* a single one, which was tried */
            break;
        status = skip_fails(jump, index, &failed, err);
        if (failed)
            return status == TAC_OK ? bisect(jump, index, passes, best, err) : status;
        passes = index;
    }
    return status;
}

/* Takes a skip, and settles the event that follows it. */
static void take(struct jump *jump, size_t index)
{
    struct script candidate = {0};
    size_t way;
    candidate_of(jump, jump->skips.at[index], &candidate, &way);
    struct trail followed = places_follow(jump->places, &jump->judge->known->steps, &candidate);
    /* what the run itself saw beyond the way is better than what the places say */
    size_t rest = jump->done + jump->skips.at[index], to = jump->done + way;
    for (size_t i = 0; rest + i < jump->trail->at.count; i++)
        followed.at.at[to + i] = jump->trail->at.at[rest + i];
    trail_free(jump->trail);
    *jump->trail = followed;
    tac_vec_free(&candidate);
    jump->done += way + 1;
}

static tac_status settle_next(struct jump *jump, size_t round, tac_error *err)
{
    size_t best = SIZE_MAX;
    bool failed = false;
    tac_status status = TAC_OK;
    list_skips(jump);
    if (!jump->skips.count) {
        jump->done++;
        return TAC_OK;
    }
    if (round < 4 || !(round & (round - 1))) { /* now and then: it rarely helps in between */
        status = skip_fails(jump, jump->skips.count - 1, &failed, err);
        if (failed)
            best = jump->skips.count - 1;
    }
    if (status == TAC_OK && !failed)
        status = round ? from_the_front(jump, &best, err) : from_the_end(jump, &best, err);
    if (status == TAC_OK && best != SIZE_MAX)
        take(jump, best);
    else
        jump->done++;
    return status;
}

tac_status reduce_by_jumps(struct judge *judge, const struct places *places, struct trail *trail,
                           tac_error *err)
{
    struct jump jump = {.judge = judge, .places = places, .trail = trail};
    tac_status status = TAC_OK;
    for (size_t round = 0; status == TAC_OK && jump.done + 1 < trail->script.count; round++)
        status = settle_next(&jump, round, err);
    tac_vec_free(&jump.skips);
    return status;
}
