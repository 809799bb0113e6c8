/* Intervals: shades, bounds with what is missing to them, their ends, and events. */
#include "base/data/alloc.h"
#include "base/io/xml.h"
#include "report/plot/svg.h"
#include <math.h>

enum { EVENT_LABELS = 24 };

/* Which pixel columns intervals cover: with very many of them this is what can be seen. */
struct covered {
    unsigned char *at; /* per column: 1 = an interval, 2 = one that is violated */
    size_t count;
};

static struct covered cover(const struct svg_canvas *canvas, const struct plot_series *series)
{
    struct covered covered = {.count = (size_t)canvas->width + 2};
    covered.at = tac_calloc(covered.count, 1);
    for (size_t k = 0; k < series->intervals.count; k++) {
        const struct plot_interval *one = &series->intervals.at[k];
        double from = svg_x_of(canvas, one->t_from), to = svg_x_of(canvas, one->t_to);
        for (size_t x = (size_t)fmax(from, 0); x <= (size_t)fmax(to, 0) && x < covered.count; x++)
            if (covered.at[x] < (one->holds ? 1 : 2))
                covered.at[x] = one->holds ? 1 : 2;
    }
    return covered;
}

static void add_shade(struct svg_canvas *canvas, bool holds, double opacity, double from, double to)
{
    tac_str_addf(&canvas->svg,
                 "<rect class=\"%s\" style=\"fill-opacity:%.3f\" x=\"%.1f\" "
                 "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                 holds ? "tp-shade" : "tp-shade tp-bad", opacity, from, canvas->y.pixel_to,
                 fmax(to - from, 1), canvas->y.pixel_from - canvas->y.pixel_to);
}

static void shade_columns(struct svg_canvas *canvas, const struct plot_series *series,
                          double opacity)
{
    struct covered covered = cover(canvas, series);
    for (size_t x = 0, end; x < covered.count; x = end) {
        for (end = x + 1; end < covered.count && covered.at[end] == covered.at[x];)
            end++;
        if (covered.at[x])
            add_shade(canvas, covered.at[x] == 1, opacity, (double)x, (double)end);
    }
    free(covered.at);
}

void svg_draw_shades(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    /* Several traces lie over each other: each gets a part of the grey. */
    double opacity = 0.13 / pow((double)plot->series.count, 0.8);
    for (size_t i = 0; i < plot->series.count; i++) {
        const struct plot_series *series = &plot->series.at[i];
        if (series->intervals.count > SVG_INTERVALS_APART) {
            shade_columns(canvas, series, opacity);
            continue;
        }
        for (size_t k = 0; k < series->intervals.count; k++) {
            const struct plot_interval *one = &series->intervals.at[k];
            add_shade(canvas, one->holds, opacity, svg_x_of(canvas, one->t_from),
                      svg_x_of(canvas, one->t_to));
        }
    }
}

/* The bound, and at the interval's end what is missing to it or too much. */
void svg_draw_bounds(struct svg_canvas *canvas, size_t index)
{
    const struct plot_series *series = &canvas->plot->series.at[index];
    const struct plot_interval *worst = plot_worst(series);
    char attributes[200], number[64];
    for (size_t k = 0; k < series->intervals.count; k++) {
        const struct plot_interval *one = &series->intervals.at[k];
        if (isnan(one->threshold))
            continue;
        double y = svg_y_of(canvas, one->threshold), to = svg_x_of(canvas, one->t_to);
        if (series->intervals.count > SVG_INTERVALS_APART && one != worst &&
            to - svg_x_of(canvas, one->t_from) < 1)
            continue; /* narrower than a pixel among thousands */
        snprintf(attributes, sizeof attributes,
                 "class=\"tp-c%zu\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"",
                 canvas->group[index] % SVG_COLOURS);
        svg_add_line(canvas, attributes, svg_x_of(canvas, one->t_from), y, to, y);
        if (one != worst || isnan(one->end))
            continue;
        snprintf(attributes, sizeof attributes, "class=\"%s\" stroke-width=\"2\"",
                 one->holds ? "tp-left" : "tp-over");
        double end = svg_y_of(canvas, one->end);
        svg_add_line(canvas, attributes, to, y, to, end);
        svg_add_line(canvas, attributes, to - 4, y, to + 4, y);
        svg_add_line(canvas, attributes, to - 4, end, to + 4, end);
    }
    if (index || !worst || isnan(worst->threshold))
        return;
    const char *unit = canvas->scale.unit;
    double bound = worst->from_start ? worst->threshold - worst->start : worst->threshold;
    char *text =
        tac_format(worst->from_start ? "start value + %s %s" : "bound %s %s",
                   plot_number_text(bound * canvas->scale.factor, number, sizeof number), unit);
    svg_add_text(canvas, "class=\"tp-text tp-halo\"", svg_x_of(canvas, worst->t_from) + 6,
                 svg_y_of(canvas, worst->threshold) - 7, text);
    free(text);
}

/* One trace: its interval's ends as labelled lines through the picture. */
void svg_draw_ends(struct svg_canvas *canvas, const struct plot_series *series)
{
    size_t shown = series->intervals.count <= 3 ? series->intervals.count : 0;
    for (size_t k = 0; k < shown; k++) {
        const struct plot_interval *one = &series->intervals.at[k];
        double from = svg_x_of(canvas, one->t_from), to = svg_x_of(canvas, one->t_to);
        double top = canvas->y.pixel_to, bottom = canvas->y.pixel_from;
        svg_add_line(canvas, "class=\"tp-axis\" stroke-dasharray=\"2 3\"", from, top, from, bottom);
        svg_add_line(canvas, "class=\"tp-axis\" stroke-dasharray=\"2 3\"", to, top, to, bottom);
        bool narrow = to - from < 190; /* then the two names would meet: write them outwards */
        svg_add_text(canvas, narrow ? "class=\"tp-text\" text-anchor=\"end\"" : "class=\"tp-text\"",
                     from, top - 5, one->from_event ? one->from_event : "start");
        svg_add_text(canvas, narrow ? "class=\"tp-text\"" : "class=\"tp-text\" text-anchor=\"end\"",
                     to, top - 5, one->to_event ? one->to_event : "end");
    }
}

/* Without a property the events themselves are marked, as long as they can be read. */
void svg_draw_events(struct svg_canvas *canvas, const struct plot_series *series)
{
    double last = -INFINITY;
    if (series->event_count > EVENT_LABELS)
        return;
    for (size_t i = 0; i < series->events.count; i++) {
        double x = svg_x_of(canvas, series->events.at[i].t), top = canvas->y.pixel_to;
        svg_add_line(canvas, "class=\"tp-axis\" stroke-dasharray=\"2 3\"", x, top, x,
                     canvas->y.pixel_from);
        if (x - last < 13)
            continue;
        last = x;
        tac_str_addf(
            &canvas->svg,
            "<text class=\"tp-quiet tp-halo\" text-anchor=\"end\" transform=\"translate(%.1f %.1f) "
            "rotate(-90)\">",
            x - 4, top + 4);
        tac_xml_escape(&canvas->svg, series->events.at[i].name);
        tac_str_add(&canvas->svg, "</text>\n");
    }
}
