/* Statistics against figures computed by hand or known from tables. */
#include "base/data/random.h"
#include "report/project/statistics.h"
#include "tactus_test.h"

TEST(wilson_intervals_of_small_samples)
{
    double low, high;
    wilson_interval(0, 0, &low, &high);
    CHECK(low == 0 && high == 1);
    wilson_interval(2, 2, &low, &high);
    CHECK_NEAR(low, 0.3424, 1e-4);
    CHECK(high == 1);
    wilson_interval(8, 10, &low, &high);
    CHECK_NEAR(low, 0.4902, 1e-4);
    CHECK_NEAR(high, 0.9433, 1e-4);
}

TEST(median_and_spread)
{
    double values[] = {9, 1, 5, 3};
    CHECK_NEAR(median_of(values, 4), 4, 1e-12);
    CHECK_NEAR(spread_of(values, 4), 6 - 2.5, 1e-12);
    CHECK(isnan(median_of(values, 0)));
}

TEST(fishers_tea_and_equal_shares)
{
    CHECK_NEAR(fisher_exact(3, 4, 1, 4), 34.0 / 70, 1e-9); /* the lady tasting tea */
    CHECK_NEAR(fisher_exact(5, 5, 0, 5), 2.0 / 252, 1e-9);
    CHECK_NEAR(fisher_exact(3, 10, 3, 10), 1, 1e-9);
}

/* The definition: of all ways to choose which values are the first sample, how many are as far out
 * as the one seen? */
static double rank_sum_by_counting(const double *a, size_t n, const double *b, size_t m)
{
    size_t count = n + m, extreme = 0, all = 0;
    double values[16], ranks[16], seen = 0, middle = (double)n * (double)(count + 1) / 2;
    for (size_t i = 0; i < count; i++)
        values[i] = i < n ? a[i] : b[i - n];
    for (size_t i = 0; i < count; i++) {
        ranks[i] = 0.5;
        for (size_t k = 0; k < count; k++)
            ranks[i] += values[k] < values[i] ? 1 : values[k] > values[i] ? 0 : 0.5;
    }
    for (size_t i = 0; i < n; i++)
        seen += ranks[i];
    for (unsigned choice = 0; choice < 1u << count; choice++) {
        if ((size_t)__builtin_popcount(choice) != n)
            continue;
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += choice >> i & 1 ? ranks[i] : 0;
        all++;
        extreme += fabs(sum - middle) >= fabs(seen - middle) - 1e-9;
    }
    return (double)extreme / (double)all;
}

TEST(the_rank_sum_test_is_its_definition)
{
    tac_random random;
    tac_random_seed(&random, 7);
    for (size_t round = 0; round < test_scale(300); round++) {
        double a[6], b[6];
        size_t n = 1 + tac_random_below(&random, 6), m = 1 + tac_random_below(&random, 6);
        uint64_t kinds = 1 + tac_random_below(&random, 12); /* few kinds of values: many ties */
        for (size_t i = 0; i < n; i++)
            a[i] = (double)tac_random_below(&random, kinds);
        for (size_t i = 0; i < m; i++)
            b[i] = (double)tac_random_below(&random, kinds) + (double)(round % 3);
        CHECK_NEAR(rank_sum(a, n, b, m), rank_sum_by_counting(a, n, b, m), 1e-9);
    }
    CHECK(rank_sum(NULL, 0, (double[]){1}, 1) == 1);
}

TEST(the_rank_sum_test_of_many_runs_is_close_to_exact)
{
    double a[40], b[40];
    for (size_t i = 0; i < 40; i++) {
        a[i] = (double)(i * 7 % 40);
        b[i] = (double)(i * 11 % 40) + 8;
    }
    double exact = rank_sum(a, 30, b, 30), approximate = rank_sum(a, 40, b, 40);
    CHECK(exact > 0.0005 && exact < 0.1);
    CHECK(approximate < exact && approximate > 1e-5); /* the same shift, seen in more runs */
    CHECK_NEAR(rank_sum(a, 40, a, 40), 1, 1e-9);
}
