/* Wilson's score interval. */
#include "base/data/share.h"
#include <math.h>

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
