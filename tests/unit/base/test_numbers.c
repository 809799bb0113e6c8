/* Randomness is repeatable and fair; big numbers print as promised. */
#include "base/data/bignum.h"
#include "base/data/random.h"
#include "tactus_test.h"

TEST(random_is_the_same_everywhere)
{
    tac_random random;
    tac_random_seed(&random, 42);
    uint64_t first = tac_random_next(&random);
    tac_random_seed(&random, 42);
    CHECK(tac_random_next(&random) == first);
    /* xoshiro256** seeded by splitmix64(42), computed by hand once */
    CHECK(first == 0x15780b2e0c2ec716u);
}

TEST(random_below_is_fair)
{
    tac_random random;
    tac_random_seed(&random, 7);
    unsigned counts[6] = {0};
    for (int i = 0; i < 60000; i++)
        counts[tac_random_below(&random, 6)]++;
    for (int i = 0; i < 6; i++)
        CHECK(counts[i] > 9600 && counts[i] < 10400);
    double unit = tac_random_unit(&random);
    CHECK(unit >= 0 && unit < 1);
}

TEST(big_numbers_are_short_beyond_the_digits)
{
    mpz_t value;
    mpz_init_set_str(value, "11170451526802909352147262635115", 10);
    char *text = tac_big_text_short(value, 60);
    CHECK_STR(text, "11170451526802909352147262635115");
    free(text);
    mpz_set_ui(value, 3);
    mpz_mul_2exp(value, value, 5000);
    text = tac_big_text_short(value, 60);
    CHECK_STR(text, "3*2^5000");
    free(text);
    mpz_ui_pow_ui(value, 10, 59);
    text = tac_big_text_short(value, 60);
    CHECK_EQ(strlen(text), 60);
    free(text);
    tac_big_from_u64(value, UINT64_MAX);
    text = tac_big_text(value);
    CHECK_STR(text, "18446744073709551615");
    free(text);
    mpz_clear(value);
}
