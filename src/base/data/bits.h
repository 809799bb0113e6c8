/* Bit sets over 0 .. n-1 in arrays of 64-bit words. */
#pragma once

#include "base/data/alloc.h"
#include <stdbool.h>
#include <stdint.h>

static inline size_t tac_bits_words(size_t bits)
{
    return (bits + 63) / 64;
}
static inline uint64_t *tac_bits_new(size_t bits)
{
    return tac_calloc(tac_bits_words(bits) + 1, 8);
}
static inline bool tac_bits_get(const uint64_t *set, size_t i)
{
    return (set[i / 64] >> (i % 64)) & 1;
}
static inline void tac_bits_set(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}
static inline void tac_bits_clear(uint64_t *set, size_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}
size_t tac_bits_count(const uint64_t *set, size_t words);
/* The first set bit at or after `from`, or SIZE_MAX. */
size_t tac_bits_next(const uint64_t *set, size_t bits, size_t from);
