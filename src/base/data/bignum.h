/* GMP glue: exact counts as decimal text. */
#ifndef TAC_BASE_BIGNUM_H
#define TAC_BASE_BIGNUM_H

#include "base/data/random.h"
#include <gmp.h>

char *tac_big_text(const mpz_t value); /* decimal; the caller's */
/* As decimal up to max_digits, beyond that "m*2^k" with m odd; the caller's. */
char *tac_big_text_short(const mpz_t value, size_t max_digits);
void tac_big_from_u64(mpz_t out, uint64_t value);
/* Uniform in 0 .. bound-1; bound > 0. */
void tac_big_random_below(mpz_t out, tac_random *random, const mpz_t bound);

#endif
