/* Orders for qsort and bsearch, ascending; and the other way round. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int tac_order_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline int tac_order_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline int tac_order_double(const void *a, const void *b) /* no NaN */
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int tac_order_text(const void *a, const void *b) /* of char *, by their bytes */
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* How many of the sorted values are below the limit, or with `inclusive` not above it. */
static inline size_t tac_count_below(const double *sorted, size_t count, double limit,
                                     bool inclusive)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (inclusive ? sorted[middle] <= limit : sorted[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline void tac_reverse(uint32_t *at, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t kept = at[i];
        at[i] = at[count - 1 - i];
        at[count - 1 - i] = kept;
    }
}
