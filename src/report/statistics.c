/* Statistics of repeated runs, exact where runs are few. */
#include "report/statistics.h"
#include <math.h>
#include <stdlib.h>

void wilson_interval(size_t k, size_t n, double *low, double *high)
{
    const double z = 1.959963984540054; /* 97.5 % point of the normal distribution */
    if (n == 0) {
        *low = 0;
        *high = 1;
        return;
    }
    double count = (double)n, share = (double)k / count;
    double centre = (share + z * z / (2 * count)) / (1 + z * z / count);
    double half =
        z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    *low = k == 0 ? 0 : centre - half;
    *high = k == n ? 1 : centre + half;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Linear interpolation between the order statistics. */
static double quantile(const double *sorted, size_t count, double share)
{
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
    qsort(values, count, sizeof *values, ascending);
    return quantile(values, count, 0.5);
}

double spread_of(double *values, size_t count)
{
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, ascending);
    return quantile(values, count, 0.75) - quantile(values, count, 0.25);
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double fisher_exact(size_t k1, size_t n1, size_t k2, size_t n2)
{
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
