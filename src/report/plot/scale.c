/* The unit in which a plot's numbers are written: the largest in which they stay between 1 and
 * 10,000, so that ticks and labels are short. 49,905,838,057 B is drawn as 49.9 GB. */
#include "report/plot/label.h"
#include <math.h>
#include <stdio.h>

static double greatest(const tac_plot *plot)
{
    double most = 0;
    for (size_t i = 0; i < plot->series.count; i++)
        if (plot->series.at[i].points.count)
            most = fmax(most, fmax(fabs(plot->series.at[i].least), fabs(plot->series.at[i].most)));
    return most;
}

struct plot_scale plot_scale_of(const tac_plot *plot)
{
    static const char *const units[] = {"B",  "kB", "MB", "GB", "TB", "mJ", "J",  "kJ",
                                        "MJ", "mW", "W",  "kW", "uA", "mA", "A",  "uV",
                                        "mV", "V",  "us", "ms", "s",  "Wh", "kWh"};
    struct plot_scale scale = {.factor = 1};
    const char *unit = plot_unit(plot);
    double most = greatest(plot), factor;
    snprintf(scale.unit, sizeof scale.unit, "%s", unit);
    if (most < 1e5 && (most >= 1e-2 || most == 0))
        return scale;
    for (size_t i = 0; *unit && i < sizeof units / sizeof units[0]; i++)
        if (tac_unit_scale(unit, units[i], &factor) && most * factor >= 1 && most * factor < 1e4) {
            scale.factor = factor;
            snprintf(scale.unit, sizeof scale.unit, "%s", units[i]);
        }
    if (scale.factor != 1)
        return scale;
    int power = (int)floor(log10(most) / 3) * 3;
    scale.factor = pow(10, -power);
    snprintf(scale.unit, sizeof scale.unit, "10^%d%s%.20s", power, *unit ? " " : "", unit);
    return scale;
}
