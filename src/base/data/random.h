/* Seeded, repeatable randomness (xoshiro256**), the same on every machine. */
#pragma once

#include <stdint.h>

typedef struct tac_random {
    uint64_t s[4];
} tac_random;

void tac_random_seed(tac_random *random, uint64_t seed);
uint64_t tac_random_next(tac_random *random);
uint64_t tac_random_below(tac_random *random,
                          uint64_t bound);  /* unbiased, 0 .. bound-1; bound > 0 */
double tac_random_unit(tac_random *random); /* [0, 1) */
