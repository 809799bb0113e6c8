/* Bit sets: the operations that are more than one line. */
#include "base/data/bits.h"

size_t tac_bits_count(const uint64_t *set, size_t words)
{
    size_t count = 0;
    for (size_t i = 0; i < words; i++)
        count += (size_t)__builtin_popcountll(set[i]);
    return count;
}

size_t tac_bits_next(const uint64_t *set, size_t bits, size_t from)
{
    if (from >= bits)
        return SIZE_MAX;
    size_t word = from / 64;
    uint64_t rest = set[word] & (~(uint64_t)0 << (from % 64));
    while (!rest) {
        if (++word >= tac_bits_words(bits))
            return SIZE_MAX;
        rest = set[word];
    }
    size_t found = word * 64 + (size_t)__builtin_ctzll(rest);
    return found < bits ? found : SIZE_MAX;
}
