/* xoshiro256** by Blackman and Vigna (public domain algorithm), seeded by splitmix64. */
#include "base/data/random.h"

void tac_random_seed(tac_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->s[i] = z ^ (z >> 31);
    }
}

static uint64_t rotate_left(uint64_t value, int by)
{
    return (value << by) | (value >> (64 - by));
}

uint64_t tac_random_next(tac_random *random)
{
    uint64_t *s = random->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t tac_random_below(tac_random *random, uint64_t bound)
{
    /* Values under 2^64 mod bound would make small results likelier: draw again. */
    uint64_t reject_below = -bound % bound;
    uint64_t value;
    do
        value = tac_random_next(random);
    while (value < reject_below);
    return value % bound;
}

double tac_random_unit(tac_random *random)
{
    return (double)(tac_random_next(random) >> 11) * 0x1.0p-53;
}
