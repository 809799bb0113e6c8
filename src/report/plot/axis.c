/* See axis.h. */
#include "report/plot/axis.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double round_step(double wanted)
{
    double power = pow(10, floor(log10(wanted)));
    double mantissa = wanted / power;
    return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
}

void plot_axis_fit(struct plot_axis *axis, double least, double most, int ticks)
{
    if (least > 0 && least < most / 2)
        least = 0;
    if (most < 0 && most > least / 2)
        most = 0;
    if (!(most > least)) { /* one value: give it room */
        double room = most != 0 ? fabs(most) / 2 : 1;
        least -= room;
        most += room;
    }
    axis->step = round_step((most - least) / ticks);
    axis->from = floor(least / axis->step + 1e-9) * axis->step;
    axis->to = ceil(most / axis->step - 1e-9) * axis->step;
}

double plot_axis_pixel(const struct plot_axis *axis, double value)
{
    return axis->pixel_from +
           (value - axis->from) / (axis->to - axis->from) * (axis->pixel_to - axis->pixel_from);
}

/* Puts commas between groups of three digits before the point. */
static void separate_thousands(const char *plain, char *buffer, size_t size)
{
    size_t sign = plain[0] == '-', whole = strcspn(plain + sign, ".e"), used = 0;
    for (size_t i = 0; plain[i] && used + 2 < size; i++) {
        size_t left = i < sign + whole ? sign + whole - i : 0;
        if (i > sign && left && left % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = plain[i];
    }
    buffer[used] = '\0';
}

const char *plot_axis_text(const struct plot_axis *axis, double value, char *buffer, size_t size)
{
    char plain[64];
    int decimals = (int)fmax(0, ceil(-log10(axis->step) - 1e-9));
    if (fabs(value) < axis->step / 1e6)
        value = 0;
    if (fabs(value) >= 1e15 || decimals > 9)
        snprintf(plain, sizeof plain, "%.6g", value);
    else
        snprintf(plain, sizeof plain, "%.*f", decimals, value);
    separate_thousands(plain, buffer, size);
    return buffer;
}

const char *plot_number_text(double value, char *buffer, size_t size)
{
    char plain[64];
    double magnitude = fabs(value);
    if (magnitude >= 1e15 || (magnitude > 0 && magnitude < 1e-4))
        snprintf(plain, sizeof plain, "%.4g", value);
    else if (magnitude >= 1000 || value == rint(value))
        snprintf(plain, sizeof plain, "%.0f", value);
    else
        snprintf(plain, sizeof plain, "%.4g", value);
    separate_thousands(plain, buffer, size);
    return buffer;
}
