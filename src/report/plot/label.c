/* See label.h. */
#include "report/plot/label.h"
#include "report/plot/axis.h"
#include <math.h>
#include <stdlib.h>

static int by_anchor(const void *a, const void *b)
{
    const struct plot_label *x = a, *y = b;
    if (x->anchor != y->anchor)
        return x->anchor < y->anchor ? -1 : 1;
    return x->series < y->series ? -1 : 1;
}

void plot_labels_spread(struct plot_label *labels, size_t count, double height, double top,
                        double bottom)
{
    if (!count)
        return;
    qsort(labels, count, sizeof *labels, by_anchor);
    for (size_t i = 0; i < count; i++) {
        double least = i ? labels[i - 1].y + height : top;
        labels[i].y = fmax(labels[i].anchor, least);
    }
    for (size_t i = count; i-- > 0;) {
        double most = i + 1 < count ? labels[i + 1].y - height : bottom;
        labels[i].y = fmin(labels[i].y, most);
    }
}

void plot_margin_text(const tac_plot *plot, const struct plot_series *series,
                      const struct plot_scale *scale, tac_str *out)
{
    const struct plot_interval *worst = plot_worst(series);
    char number[64];
    const char *unit = scale->unit;
    if (!plot->options.properties)
        return;
    if (series->judged && series->temporal) {
        tac_str_add(out, tac_answer_name(series->answer));
        return;
    }
    if (!worst) {
        tac_str_add(out, "no interval");
        return;
    }
    if (isnan(worst->margin)) {
        tac_str_add(out, worst->holds ? "holds" : "violated");
        return;
    }
    tac_str_addf(out, "%s%s%s %s",
                 plot_number_text(fabs(worst->margin) * scale->factor, number, sizeof number),
                 *unit ? " " : "", unit, worst->holds ? "left" : "over");
}

static void describe_interval(const tac_plot *plot, const struct plot_series *series,
                              const struct plot_scale *scale, tac_str *out)
{
    const struct plot_interval *worst = plot_worst(series);
    const char *unit = scale->unit;
    char from[64], to[64], grown[64], bound[64];
    if (!worst)
        return;
    if (series->interval_count > 1)
        tac_str_addf(out, "; %llu intervals", (unsigned long long)series->interval_count);
    tac_str_addf(out, "; %s%s from %s s to %s s", worst->stretch ? "decided" : "interval",
                 series->interval_count > 1 ? " (the worst)" : "",
                 plot_number_text(worst->t_from, from, sizeof from),
                 plot_number_text(worst->t_to, to, sizeof to));
    if (worst->from_event && worst->to_event)
        tac_str_addf(out, " (%s to %s)", worst->from_event, worst->to_event);
    if (!isnan(worst->start) && !isnan(worst->end))
        tac_str_addf(
            out, ", change %s %s",
            plot_number_text((worst->end - worst->start) * scale->factor, grown, sizeof grown),
            unit);
    if (!isnan(worst->threshold))
        tac_str_addf(out, ", threshold %s %s",
                     plot_number_text(worst->threshold * scale->factor, bound, sizeof bound), unit);
    tac_str_add(out, ", ");
    plot_margin_text(plot, series, scale, out);
}

void plot_describe(const tac_plot *plot, tac_str *out)
{
    char least[64], most[64], seconds[64];
    struct plot_scale scale = plot_scale_of(plot);
    const char *unit = scale.unit;
    tac_str_addf(out, "%s%s%s%s over time, %zu trace%s.", plot->variable, *unit ? " in " : "", unit,
                 "", plot->series.count, plot->series.count == 1 ? "" : "s");
    for (size_t i = 0; i < plot->series.count; i++) {
        const struct plot_series *series = &plot->series.at[i];
        if (!series->points.count) {
            tac_str_addf(out, " %s: no value.", series->name);
            continue;
        }
        tac_str_addf(out, " %s: between %s and %s %s over %s s", series->name,
                     plot_number_text(series->least * scale.factor, least, sizeof least),
                     plot_number_text(series->most * scale.factor, most, sizeof most), unit,
                     plot_number_text(series->duration, seconds, sizeof seconds));
        describe_interval(plot, series, &scale, out);
        tac_str_add_char(out, '.');
    }
}
