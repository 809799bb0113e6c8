/* The interval of a share. */
#pragma once

#include <stddef.h>

/* Wilson's 95 % interval of a share of k in n; 0 to 1 when n is 0. */
void wilson_interval(size_t k, size_t n, double *low, double *high);
