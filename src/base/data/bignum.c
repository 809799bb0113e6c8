/* GMP glue. See bignum.h. */
#include "base/data/bignum.h"
#include "base/data/alloc.h"
#include <string.h>

char *tac_big_text(const mpz_t value)
{
    char *text = tac_alloc(mpz_sizeinbase(value, 10) + 2);
    return mpz_get_str(text, 10, value);
}

char *tac_big_text_short(const mpz_t value, size_t max_digits)
{
    /* mpz_sizeinbase may be one too large, never too small. */
    if (mpz_sizeinbase(value, 10) <= max_digits + 1) {
        char *text = tac_big_text(value);
        if (strlen(text) - (text[0] == '-') <= max_digits)
            return text;
        free(text);
    }
    mp_bitcnt_t twos = mpz_scan1(value, 0);
    mpz_t odd;
    mpz_init(odd);
    mpz_tdiv_q_2exp(odd, value, twos);
    char *digits = tac_big_text(odd);
    char *text = tac_format("%s*2^%lu", digits, (unsigned long)twos);
    free(digits);
    mpz_clear(odd);
    return text;
}

void tac_big_from_u64(mpz_t out, uint64_t value)
{
    mpz_import(out, 1, -1, sizeof value, 0, 0, &value);
}
