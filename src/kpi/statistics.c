/* See statistics.h. */
#include "kpi/statistics.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include <math.h>
#include <string.h>

/* The 97.5 % point of Student's distribution, by the expansion of Cornish and Fisher beyond the
 * table (good to 0.001 from 10 degrees on). */
static double student(size_t degrees)
{
    static const double few[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                 2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    const double z = 1.959963984540054;
    if (degrees <= sizeof few / sizeof *few)
        return few[degrees - 1];
    double n = (double)degrees, z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n);
}

void mean_interval(const double *values, size_t count, double *mean, double *low, double *high)
{
    double sum = 0, squares = 0;
    *mean = *low = *high = NAN;
    if (!count)
        return;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    *mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - *mean) * (values[i] - *mean);
    double half = count < 2
                      ? INFINITY
                      : student(count - 1) * sqrt(squares / (double)(count - 1) / (double)count);
    *low = *mean - half;
    *high = *mean + half;
}

double superiority(const double *a, size_t a_count, const double *b, size_t b_count,
                   double tolerance, bool more)
{
    double pairs = 0;
    if (!a_count || !b_count)
        return NAN;
    double *sorted = tac_calloc(b_count, sizeof *sorted);
    memcpy(sorted, b, b_count * sizeof *sorted);
    qsort(sorted, b_count, sizeof *sorted, tac_order_double);
    for (size_t i = 0; i < a_count; i++) {
        size_t below = tac_count_below(sorted, b_count, a[i] - tolerance, false),
               not_above = tac_count_below(sorted, b_count, a[i] + tolerance, true);
        assert(below <= not_above);
        pairs += (double)below + (double)(not_above - below) / 2;
    }
    free(sorted);
    double area = pairs / ((double)a_count * (double)b_count);
    assert(area >= 0 && area <= 1);
    return more ? area : 1 - area;
}

/* The variance that Hanley and McNeil give for an area, both samples taken as equally large. */
static double variance(double area, double a, double b)
{
    double half = (a + b) / 2;
    return area * (1 - area) * (1 + (half - 1) * ((1 - area) / (2 - area) + area / (1 + area))) /
           (a * b);
}

/* The areas whose own variance leaves the observed one within 1.96 deviations. */
static double reach(double area, double end, double a, double b)
{
    const double z = 1.959963984540054;
    double inside = area, outside = end;
    for (int i = 0; i < 60; i++) {
        double middle = (inside + outside) / 2;
        if (fabs(middle - area) <= z * sqrt(variance(middle, a, b)))
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

void superiority_interval(double area, size_t a_count, size_t b_count, double *low, double *high)
{
    *low = *high = NAN;
    if (isnan(area))
        return;
    *low = reach(area, 0, (double)a_count, (double)b_count);
    *high = reach(area, 1, (double)a_count, (double)b_count);
    assert(*low <= area && area <= *high);
}
