/* Which blocks and states still follow a place of a run, for the search of patterns with gaps. */
#pragma once

#include "base/check.h"
#include "mining/runs/runs.h"

struct last_block {
    uint32_t last, block;
    uint32_t first, count; /* its positions */
};

struct last_state {
    uint32_t last, state; /* index of the state event: i is the state of block i */
};

/* Run r has blocks.at[block_from[r]] .. blocks.at[block_from[r + 1] - 1], latest first; its states
 * are found the same way. */
struct last_occurrences {
    TAC_VEC(struct last_block) blocks;
    TAC_VEC(struct last_state) states;
    TAC_VEC(uint32_t) positions;
    size_t *block_from, *state_from; /* per run, count of runs + 1 */
};

/* Blocks that fewer than `least` runs show are left out; runs_with: runs per block. */
void last_occurrences_find(const struct selection *set, const uint32_t *runs_with, uint32_t least,
                           struct last_occurrences *out);
void last_occurrences_free(struct last_occurrences *found);

/* The first position of the block after `end`; it has one. */
static inline uint32_t next_position(const struct last_occurrences *found,
                                     const struct last_block *block, uint32_t end)
{
    const uint32_t *positions = found->positions.at + block->first;
    uint32_t low = 0, high = block->count - 1; /* the last one is after end */
    assert(block->count > 0 && positions[high] > end);
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (positions[middle] > end)
            high = middle;
        else
            low = middle + 1;
    }
    return positions[low];
}
