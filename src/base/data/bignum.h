/* GMP glue: exact counts as decimal text. */
#pragma once

#include <gmp.h>
#include <stdint.h>

char *tac_big_text(const mpz_t value); /* decimal; the caller's */
/* As decimal up to max_digits, beyond that "m*2^k" with m odd; the caller's. */
char *tac_big_text_short(const mpz_t value, size_t max_digits);
void tac_big_from_u64(mpz_t out, uint64_t value);
