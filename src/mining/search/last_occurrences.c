/* Which blocks and states still follow a place of a run: each that the run holds, by its last
 * occurrence, latest first, so that a walk over those that follow a place ends at the first that
 * does not; and the positions of each block in order.
 *
 * A run is walked from its end, so what is met first occurs last: the lists are in order as they
 * are made. Cost: linear in the events of the runs. */
#include "mining/search/last_occurrences.h"

/* slot: per block TAC_NONE, before and afterwards. */
static void index_blocks(struct last_occurrences *out, const struct run_view *view,
                         const uint32_t *runs_with, uint32_t least, uint32_t *slot)
{
    size_t from = out->blocks.count;
    for (uint32_t i = view->count; i-- > 0;) {
        uint32_t block = view->blocks[i];
        if (runs_with[block] < least)
            continue;
        if (slot[block] == TAC_NONE) {
            slot[block] = (uint32_t)out->blocks.count;
            tac_vec_push(&out->blocks, (struct last_block){i, block, 0, 0});
        }
        out->blocks.at[slot[block]].count++;
    }
    uint32_t at = (uint32_t)out->positions.count;
    for (size_t k = from; k < out->blocks.count; k++) {
        out->blocks.at[k].first = at;
        at += out->blocks.at[k].count;
        out->blocks.at[k].count = 0;
    }
    tac_vec_reserve(&out->positions, at);
    out->positions.count = at;
    for (uint32_t i = 0; i < view->count; i++) {
        if (slot[view->blocks[i]] == TAC_NONE)
            continue;
        struct last_block *entry = &out->blocks.at[slot[view->blocks[i]]];
        out->positions.at[entry->first + entry->count++] = i;
    }
    for (size_t k = from; k < out->blocks.count; k++)
        slot[out->blocks.at[k].block] = TAC_NONE;
}

static void index_states(struct last_occurrences *out, const struct tac_runs *runs,
                         const struct run_view *view, uint32_t *seen, uint32_t stamp)
{
    for (uint32_t i = view->count + 1; i-- > 0;) {
        uint32_t state = state_after(runs, view, i - 1);
        if (state == TAC_NONE || seen[state] == stamp)
            continue;
        seen[state] = stamp;
        tac_vec_push(&out->states, (struct last_state){i, state});
    }
}

void last_occurrences_find(const struct selection *set, const uint32_t *runs_with, uint32_t least,
                           struct last_occurrences *out)
{
    size_t blocks = set->runs->blocks.count + 1;
    uint32_t *seen = tac_calloc(set->runs->tokens.count + 1, sizeof *seen);
    uint32_t *slot = tac_alloc(blocks * sizeof *slot);
    memset(slot, 0xff, blocks * sizeof *slot);
    *out = (struct last_occurrences){0};
    out->block_from = tac_calloc(set->count + 1, sizeof *out->block_from);
    out->state_from = tac_calloc(set->count + 1, sizeof *out->state_from);
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        index_blocks(out, &view, runs_with, least, slot);
        index_states(out, set->runs, &view, seen, r + 1);
        out->block_from[r + 1] = out->blocks.count;
        out->state_from[r + 1] = out->states.count;
    }
    assert(out->block_from[set->count] == out->blocks.count);
    assert(out->state_from[set->count] == out->states.count);
    free(seen);
    free(slot);
}

void last_occurrences_free(struct last_occurrences *found)
{
    tac_vec_free(&found->blocks);
    tac_vec_free(&found->states);
    tac_vec_free(&found->positions);
    free(found->block_from);
    free(found->state_from);
}
