/* Statistics against figures computed by hand or known from tables. */
#include "report/statistics.h"
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
