/* Mined patterns as candidates: the blocks of a pattern one after the other, the shortest known way
 * between them, and the event that failed. A good guess saves the whole search. */
#include "reproduce/cause.h"

enum { MOST_GUESSES = 3 };

const tac_cluster_result *hunt_cluster(const struct hunt *hunt, const struct cause *cause)
{
    for (size_t i = 0; hunt->mined && i < hunt->mined->cluster_count; i++)
        if (cause->kind == TAC_FAILURE_CRASH && !strcmp(hunt->mined->clusters[i].name, cause->name))
            return &hunt->mined->clusters[i];
    return NULL;
}

/* Goes to the block's place and does its input; false when that is not known. */
static bool add_block(const struct hunt *hunt, const struct trail *trail, uint32_t block,
                      uint32_t *at, struct script *out)
{
    const struct places *places = &hunt->seen;
    const struct step_table *steps = &hunt->known.steps;
    uint32_t state, input, last = trail->script.at[trail->script.count - 1];
    tac_runs_block(hunt->source.mined, block, &state, &input);
    uint32_t place = tac_names_find(&places->names, tac_token_text(hunt->source.mined, state));
    const char *event = tac_token_text(hunt->source.mined, input);
    if (place == TAC_NONE || !places_path(places, *at, place, out))
        return false;
    uint32_t step = places_step_named(places, steps, place, event);
    if (step == TAC_NONE && !strcmp(steps->at.at[last].event, event))
        step = last; /* where it was done, the app always failed */
    if (step == TAC_NONE)
        return false;
    tac_vec_push(out, step);
    *at = places_next(places, place, step);
    return true;
}

static bool guess_of(const struct hunt *hunt, const struct trail *trail,
                     const tac_mined_pattern *pattern, struct script *out)
{
    uint32_t at = hunt->seen.start, last = trail->script.at[trail->script.count - 1];
    if (pattern->form == TAC_G4 || pattern->form == TAC_G5)
        return false;
    for (uint32_t i = 0; i < pattern->block_count; i++)
        if (!add_block(hunt, trail, pattern->blocks[i], &at, out))
            return false;
    if (out->at[out->count - 1] == last)
        return out->count < trail->script.count;
    bool way = places_path(&hunt->seen, at, trail->at.at[trail->script.count - 1], out);
    tac_vec_push(out, last);
    return way && out->count < trail->script.count;
}

tac_status reduce_by_patterns(struct hunt *hunt, struct judge *judge, const struct cause *cause,
                              struct trail *trail, tac_error *err)
{
    const tac_cluster_result *cluster = hunt_cluster(hunt, cause);
    tac_status status = TAC_OK;
    bool taken = false;
    for (size_t i = 0, tried = 0;
         cluster && trail->script.count > 1 && i < cluster->pattern_count && tried < MOST_GUESSES &&
         status == TAC_OK && !taken;
         i++) {
        struct script guess = {0};
        if (guess_of(hunt, trail, &cluster->patterns[i], &guess)) {
            tried++;
            status = reduce_try(judge, &hunt->seen, trail, &guess, &taken, err);
        }
        tac_vec_free(&guess);
    }
    return status;
}
