/* See number_wide.h. */
#include "trace/read/number_wide.h"

#ifdef TAC_HAS_WIDE_NUMBERS

unsigned char wide_order[17][16][16];

static void fill_order(unsigned whole, unsigned fraction)
{
    unsigned char *order = wide_order[whole][fraction];
    for (unsigned i = 0; i < 16; i++) {
        unsigned left = 15 - i; /* digits to the right of this one */
        unsigned place = left < fraction ? whole + fraction - left : whole + fraction - left - 1;
        order[i] = left < whole + fraction ? (unsigned char)place : 0x80;
    }
}

bool wide_numbers_usable(void)
{
    static int usable = -1;
    if (usable < 0) {
        for (unsigned whole = 0; whole < 17; whole++)
            for (unsigned fraction = 0; fraction < 16; fraction++)
                if (whole + fraction <= 16)
                    fill_order(whole, fraction);
        usable = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                 __builtin_cpu_supports("popcnt");
    }
    return usable == 1;
}

#endif
