/* Orders for qsort and bsearch, ascending; and the other way round. */
#pragma once

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

static inline void tac_reverse(uint32_t *at, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t kept = at[i];
        at[i] = at[count - 1 - i];
        at[count - 1 - i] = kept;
    }
}
