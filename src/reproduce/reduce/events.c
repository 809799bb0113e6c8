/* Leaving out cycles and single events. See reduce.h. */
#include "base/check.h"
#include "reproduce/reduce/reduce.h"

enum { MOST_CYCLES = 24 };

tac_status reduce_try(struct judge *judge, const struct places *places, struct trail *trail,
                      const struct script *candidate, bool *taken, tac_error *err)
{
    tac_status status = judge_fails(judge, candidate, taken, err);
    if (status == TAC_OK && *taken) {
        struct trail followed = places_follow(places, &judge->known->steps, candidate);
        trail_free(trail);
        *trail = followed;
    }
    assert(trail->at.count == trail->script.count + 1);
    return status;
}

static tac_status try_without(struct judge *judge, const struct places *places, struct trail *trail,
                              size_t from, size_t count, bool *taken, tac_error *err)
{
    struct script candidate = script_without(&trail->script, from, count);
    tac_status status = reduce_try(judge, places, trail, &candidate, taken, err);
    tac_vec_free(&candidate);
    return status;
}

/* The longest cycle of at most `most` events that has not been tried: from *from on. */
static bool find_cycle(const struct trail *trail, size_t most, size_t *from, size_t *length)
{
    size_t count = trail->script.count;
    for (size_t n = most < count ? most : count; n > 0; n--)
        for (size_t i = 0; i + n < count; i++) /* the last event stays */
            if (trail->at.at[i] != TAC_NONE && trail->at.at[i] == trail->at.at[i + n] &&
                (n < *length || (n == *length && i > *from))) {
                *from = i;
                *length = n;
                return true;
            }
    return false;
}

tac_status reduce_cycles(struct judge *judge, const struct places *places, struct trail *trail,
                         tac_error *err)
{
    tac_status status = TAC_OK;
    size_t from = 0, length = SIZE_MAX;
    for (unsigned refused = 0; refused < MOST_CYCLES && status == TAC_OK;) {
        /* single events are left out below, one by one */
        if (!find_cycle(trail, length, &from, &length) || length < 2)
            break;
        bool taken;
        status = try_without(judge, places, trail, from, length, &taken, err);
        if (taken)
            length++, from = SIZE_MAX; /* the same length again, from the beginning */
        else
            refused++;
    }
    return status;
}

/* From the end to the front; what can be left out makes the next piece twice as large. */
static tac_status sweep(struct judge *judge, const struct places *places, struct trail *trail,
                        bool *any, tac_error *err)
{
    tac_status status = TAC_OK;
    size_t piece = 1;
    *any = false;
    for (size_t end = trail->script.count; end > 0 && status == TAC_OK;) {
        bool taken;
        if (piece > end)
            piece = end;
        status = try_without(judge, places, trail, end - piece, piece, &taken, err);
        if (taken) {
            end -= piece;
            piece *= 2;
            *any = true;
        } else if (piece > 1) {
            piece = 1;
        } else {
            end--;
        }
    }
    return status;
}

static bool goes_back(const struct judge *judge, uint32_t step)
{
    const tac_flow_step *at = &judge->known->steps.at.at[step];
    return at->action_count == 1 && at->actions[0].kind == TAC_ACTION_BACK;
}

/* Detours that places did not show: an event and the way back from where it led. */
static tac_status drop_detours(struct judge *judge, const struct places *places,
                               struct trail *trail, bool *any, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 1; i < trail->script.count && status == TAC_OK; i++) {
        bool taken = false;
        if (goes_back(judge, trail->script.at[i]) && !goes_back(judge, trail->script.at[i - 1]))
            status = try_without(judge, places, trail, i - 1, 2, &taken, err);
        *any = *any || taken;
        i -=
            taken; /* what follows stands here now; at worst a known candidate is asked for again */
    }
    return status;
}

tac_status reduce_events(struct judge *judge, const struct places *places, struct trail *trail,
                         bool *minimal, tac_error *err)
{
    tac_status status = TAC_OK;
    uint32_t tries = 0;
    /* a sweep that changed nothing, with as many tries as the search has come to ask for */
    for (bool any = true; status == TAC_OK && (any || tries != judge->tries);) {
        tries = judge->tries;
        status = sweep(judge, places, trail, &any, err);
        if (status == TAC_OK && !any)
            status = drop_detours(judge, places, trail, &any, err);
    }
    *minimal = status == TAC_OK;
    return status;
}

tac_status reduce_ending(struct judge *judge, const struct places *places, struct trail *trail,
                         tac_error *err)
{
    tac_status status = TAC_OK;
    size_t low = 0, high = trail->script.count; /* so many events are enough */
    while (low < high && status == TAC_OK) {
        size_t middle = low + (high - low) / 2;
        bool taken;
        status =
            try_without(judge, places, trail, middle, trail->script.count - middle, &taken, err);
        if (taken)
            high = middle;
        else
            low = middle + 1;
    }
    return status;
}
