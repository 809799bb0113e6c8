/* The few statistics that a report of repeated runs needs. */
#pragma once

#include "base/data/share.h"
#include <stddef.h>

/* Median and interquartile range; sorts the values. NaN when there are none. */
double median_of(double *values, size_t count);
double spread_of(double *values, size_t count);
/* Fisher's exact test, two-sided: could k1 of n1 and k2 of n2 be the same share? */
double fisher_exact(size_t k1, size_t n1, size_t k2, size_t n2);
/* The rank-sum test (Wilcoxon, Mann and Whitney), two-sided, ties by middle ranks: could both
 * samples come from one distribution? Exact up to 60 values in all, by the normal approximation
 * beyond. 1 when either is empty. */
double rank_sum(const double *a, size_t a_count, const double *b, size_t b_count);
