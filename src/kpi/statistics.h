/* The statistics of scores (docs/kpi.md says when each is used). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Mean and Student's 95 % interval; infinite ends for a single value, NaN for none. */
void mean_interval(const double *values, size_t count, double *mean, double *low, double *high);

/* How likely a value of `a` is better than one of `b`, those no further apart than the tolerance
 * counted half: with tolerance 0 the area under the ROC curve, Mann and Whitney's U over the number
 * of pairs. NaN when either is empty. O(n log n). */
double superiority(const double *a, size_t a_count, const double *b, size_t b_count,
                   double tolerance, bool more);
/* Its 95 % interval after Newcombe (2006, method 5), which is not degenerate when the samples are
 * apart. */
void superiority_interval(double area, size_t a_count, size_t b_count, double *low, double *high);
