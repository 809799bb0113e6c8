/* Statistics of repeated runs, exact where runs are few. */
#include "report/project/statistics.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Linear interpolation between the order statistics. */
static double quantile(const double *sorted, size_t count, double share)
{
    assert(count > 0 && share >= 0 && share <= 1);
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;
    double rest = at - (double)below;
    return below + 1 < count ? sorted[below] * (1 - rest) + sorted[below + 1] * rest
                             : sorted[count - 1];
}

double median_of(double *values, size_t count)
{
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, tac_order_double);
    return quantile(values, count, 0.5);
}

double spread_of(double *values, size_t count)
{
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, tac_order_double);
    return quantile(values, count, 0.75) - quantile(values, count, 0.25);
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double fisher_exact(size_t k1, size_t n1, size_t k2, size_t n2)
{
    assert(k1 <= n1 && k2 <= n2);
    size_t all = k1 + k2;
    size_t least = all > n2 ? all - n2 : 0, most = all < n1 ? all : n1;
    double base = log_choose((double)(n1 + n2), (double)all);
    double seen = log_choose((double)n1, (double)k1) + log_choose((double)n2, (double)k2) - base;
    double p = 0;
    for (size_t k = least; k <= most; k++) {
        double one =
            log_choose((double)n1, (double)k) + log_choose((double)n2, (double)(all - k)) - base;
        if (one <= seen + 1e-9) /* as unlikely as what was seen, or more so */
            p += exp(one);
    }
    return p < 1 ? p : 1;
}

/* Twice the middle rank among the sorted values: a whole number also with ties. */
static size_t twice_rank(const double *sorted, size_t count, double value)
{
    return tac_count_below(sorted, count, value, false) +
           tac_count_below(sorted, count, value, true) + 1;
}

/* How many of the ways to choose `chosen` of the ranks give each sum, as shares of all ways; by
 * adding one rank after the other. shares has most + 1 entries. */
static void sums_of_choices(const size_t *ranks, size_t count, size_t chosen, size_t most,
                            double *shares)
{
    assert(chosen <= count);
    double *ways = tac_calloc((chosen + 1) * (most + 1), sizeof *ways), all = 0;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = chosen; k > 0; k--)
            for (size_t sum = most; sum >= ranks[i] && sum <= most; sum--)
                ways[k * (most + 1) + sum] += ways[(k - 1) * (most + 1) + sum - ranks[i]];
    for (size_t sum = 0; sum <= most; sum++)
        all += ways[chosen * (most + 1) + sum];
    for (size_t sum = 0; sum <= most; sum++)
        shares[sum] = ways[chosen * (most + 1) + sum] / all;
    free(ways);
}

/* The share of choices whose sum is as far from the middle as the one seen, or farther. */
static double exact_rank_sum(const size_t *ranks, size_t count, size_t chosen, size_t seen)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += ranks[i];
    assert(seen <= most && chosen > 0 && chosen < count);
    double *shares = tac_calloc(most + 1, sizeof *shares), p = 0;
    double middle = (double)most * (double)chosen / (double)count;
    sums_of_choices(ranks, count, chosen, most, shares);
    for (size_t sum = 0; sum <= most; sum++)
        if (fabs((double)sum - middle) >= fabs((double)seen - middle) - 1e-9)
            p += shares[sum];
    free(shares);
    return p;
}

/* Variance with the correction for ties; half a rank of continuity (one, for twice the ranks). */
static double approximate_rank_sum(const size_t *ranks, size_t count, size_t chosen, size_t seen)
{
    double n = (double)count, m = (double)chosen, mean = n + 1, squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += ((double)ranks[i] - mean) * ((double)ranks[i] - mean);
    double variance = m * (n - m) / (n * (n - 1)) * squares;
    double away = fmax(fabs((double)seen - m * mean) - 1, 0);
    return variance > 0 ? erfc(away / sqrt(2 * variance)) : 1;
}

double rank_sum(const double *a, size_t a_count, const double *b, size_t b_count)
{
    enum { EXACT = 60 };
    if (!a_count || !b_count)
        return 1;
    size_t count = a_count + b_count, seen = 0;
    double *all = tac_calloc(count, sizeof *all);
    size_t *ranks = tac_calloc(count, sizeof *ranks);
    memcpy(all, a, a_count * sizeof *all);
    memcpy(all + a_count, b, b_count * sizeof *all);
    qsort(all, count, sizeof *all, tac_order_double);
    for (size_t i = 0; i < count; i++)
        ranks[i] = twice_rank(all, count, i < a_count ? a[i] : b[i - a_count]);
    for (size_t i = 0; i < a_count; i++)
        seen += ranks[i];
    double p = count <= EXACT ? exact_rank_sum(ranks, count, a_count, seen)
                              : approximate_rank_sum(ranks, count, a_count, seen);
    free(ranks);
    free(all);
    return p < 1 ? p : 1;
}
