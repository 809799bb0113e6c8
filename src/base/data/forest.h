/* Union-find over 0 .. n-1 in an array of parents, which the caller owns and starts with each
 * index its own parent. The smaller index becomes the root, so that a group is known by its first
 * member. Paths are halved while they are walked: next to constant cost. */
#pragma once

#include <stdint.h>

static inline uint32_t tac_forest_root(uint32_t *forest, uint32_t i)
{
    while (forest[i] != i) {
        forest[i] = forest[forest[i]];
        i = forest[i];
    }
    return i;
}

static inline void tac_forest_join(uint32_t *forest, uint32_t a, uint32_t b)
{
    a = tac_forest_root(forest, a);
    b = tac_forest_root(forest, b);
    forest[a < b ? b : a] = a < b ? a : b;
}
