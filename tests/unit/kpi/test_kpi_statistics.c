/* Scores against their definition, and intervals against their equation. */
#include "base/data/random.h"
#include "kpi/statistics.h"
#include "tactus_test.h"
#include <math.h>

/* All pairs, one by one. */
static double by_pairs(const double *a, size_t n, const double *b, size_t m, double tolerance,
                       bool more)
{
    double better = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double difference = more ? a[i] - b[j] : b[j] - a[i];
            better += fabs(difference) <= tolerance ? 0.5 : difference > 0;
        }
    return better / (double)(n * m);
}

TEST(superiority_is_the_share_of_better_pairs)
{
    tac_random random;
    tac_random_seed(&random, 11);
    for (int round = 0; round < 400; round++) {
        double a[40], b[40];
        size_t n = 1 + tac_random_below(&random, 40), m = 1 + tac_random_below(&random, 40);
        double tolerance = (double)tac_random_below(&random, 4);
        for (size_t i = 0; i < n; i++)
            a[i] = (double)tac_random_below(&random, 15); /* many ties */
        for (size_t i = 0; i < m; i++)
            b[i] = (double)tac_random_below(&random, 15) + (round % 3 == 0);
        CHECK_NEAR(superiority(a, n, b, m, tolerance, true), by_pairs(a, n, b, m, tolerance, true),
                   1e-12);
        CHECK_NEAR(superiority(a, n, b, m, tolerance, false),
                   by_pairs(a, n, b, m, tolerance, false), 1e-12);
    }
    CHECK(isnan(superiority(NULL, 0, (double[]){1}, 1, 0, true)));
}

TEST(intervals_of_areas_solve_their_equation_and_never_vanish)
{
    for (size_t n = 1; n < 40; n += 3)
        for (int step = 0; step <= 20; step++) {
            double area = step / 20.0, low, high, half = (double)n;
            superiority_interval(area, n, n, &low, &high);
            CHECK(low <= area && area <= high && high - low > 0.01 && low >= 0 && high <= 1);
            for (int end = 0; end < 2; end++) {
                double at = end ? high : low;
                double variance = at * (1 - at) *
                                  (1 + (half - 1) * ((1 - at) / (2 - at) + at / (1 + at))) /
                                  (half * half);
                if (at > 1e-9 && at < 1 - 1e-9)
                    CHECK_NEAR(fabs(at - area), 1.959963984540054 * sqrt(variance), 1e-6);
            }
        }
}

TEST(means_have_students_interval)
{
    double mean, low, high, values[] = {4, 6, 5, 5, 7, 3, 5, 6, 4, 5, 5, 5};
    mean_interval(values, 3, &mean, &low, &high); /* deviation 1, 2 degrees: 4.3027 / sqrt(3) */
    CHECK_NEAR(mean, 5, 1e-12);
    CHECK_NEAR(high - mean, 2.4842, 1e-3);
    mean_interval(values, 12, &mean, &low, &high); /* 11 degrees: 2.2010 */
    CHECK_NEAR(high - mean, 2.2010 * 1.0445 / sqrt(12), 1e-3);
    mean_interval(values, 1, &mean, &low, &high);
    CHECK(mean == 4 && isinf(low) && isinf(high));
    mean_interval(values, 0, &mean, &low, &high);
    CHECK(isnan(mean));
}
