/* Curves with their markers, their names at the right edge, and the lanes of their intervals. */
#include "base/data/alloc.h"
#include "report/plot/svg.h"

enum { MARKERS = 7 };

static const char *const dashes[] = {"none", "9 4", "3 3", "12 3 3 3", "6 3 2 3 2 3"};

static void svg_draw_marker(struct svg_canvas *canvas, size_t index, double x, double y)
{
    static const char *const shapes[] = {
        "<circle class=\"tp-c%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
        "<path class=\"tp-c%zu\" transform=\"translate(%.1f %.1f)\" d=\"M-4-4h8v8h-8z\"/>\n",
        "<path class=\"tp-c%zu\" transform=\"translate(%.1f %.1f)\" d=\"M0-5 5 4H-5z\"/>\n",
        "<path class=\"tp-c%zu\" transform=\"translate(%.1f %.1f)\" d=\"M0-6 5 0 0 6-5 0z\"/>\n",
        "<path class=\"tp-c%zu\" transform=\"translate(%.1f %.1f)\" stroke-width=\"2.5\" "
        "d=\"M-4-4 4 4M-4 4 4-4\"/>\n",
        "<path class=\"tp-c%zu\" transform=\"translate(%.1f %.1f)\" stroke-width=\"2.5\" "
        "d=\"M-5 0H5M0-5V5\"/>\n",
        "<path class=\"tp-c%zu\" transform=\"translate(%.1f %.1f)\" d=\"M0 5 5-4H-5z\"/>\n"};
    size_t group = canvas->group[index] % SVG_COLOURS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    tac_str_addf(&canvas->svg, shapes[group], group, x, y);
#pragma GCC diagnostic pop
}

void svg_draw_curve(struct svg_canvas *canvas, size_t index)
{
    const struct plot_series *series = &canvas->plot->series.at[index];
    if (!series->points.count)
        return;
    tac_str_addf(&canvas->svg,
                 "<path class=\"tp-line tp-c%zu\" style=\"fill:none\" "
                 "stroke-dasharray=\"%s\" d=\"",
                 canvas->group[index] % SVG_COLOURS,
                 dashes[canvas->member[index] % (sizeof dashes / sizeof dashes[0])]);
    for (size_t i = 0; i < series->points.count; i++) {
        double x = svg_x_of(canvas, series->points.at[i].t),
               y = svg_y_of(canvas, series->points.at[i].value);
        if (!i)
            tac_str_addf(&canvas->svg, "M%.1f %.1f", x, y);
        else if (series->linear)
            tac_str_addf(&canvas->svg, "L%.1f %.1f", x, y);
        else
            tac_str_addf(&canvas->svg, "H%.1fV%.1f", x, y);
    }
    tac_str_addf(&canvas->svg, "H%.1f\"/>\n", svg_x_of(canvas, series->duration));
    if (canvas->plot->series.count < 2)
        return;
    /* Markers at even distances, shifted from curve to curve so that they do not cover each other.
     */
    double shift = (double)(index + 1) / (double)(canvas->plot->series.count + 1);
    size_t next = 0;
    for (size_t i = 0; i < series->points.count; i++) {
        double share = ((double)next + shift) / MARKERS;
        if (series->points.at[i].t < share * series->duration)
            continue;
        svg_draw_marker(canvas, index, svg_x_of(canvas, series->points.at[i].t),
                        svg_y_of(canvas, series->points.at[i].value));
        next = (size_t)(series->points.at[i].t / series->duration * MARKERS - shift) + 1;
    }
}

static void draw_label(struct svg_canvas *canvas, const struct plot_label *label, bool two_lines)
{
    const struct plot_series *series = &canvas->plot->series.at[label->series];
    double x = canvas->x.pixel_to + 22, end = svg_x_of(canvas, series->duration);
    const struct plot_interval *worst = plot_worst(series);
    const char *tone = !worst ? "tp-quiet" : worst->holds ? "tp-left" : "tp-over";
    char attributes[120];
    tac_str margin = {0};
    plot_margin_text(canvas->plot, series, &canvas->scale, &margin);
    svg_add_line(canvas, "class=\"tp-axis\" stroke-width=\"0.7\"", end + 2, label->anchor, x - 8,
                 label->y);
    svg_draw_marker(canvas, label->series, x - 3, label->y);
    svg_add_short_text(canvas, "class=\"tp-text\" font-weight=\"600\"", x + 7, label->y + 4,
                       series->name, 16);
    if (margin.length && two_lines) {
        snprintf(attributes, sizeof attributes, "class=\"%s\" style=\"stroke:none\"", tone);
        svg_add_text(canvas, attributes, x + 7, label->y + 18, tac_str_text(&margin));
    }
    tac_str_free(&margin);
}

void svg_draw_labels(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    struct plot_label *labels = tac_calloc(plot->series.count + 1, sizeof *labels);
    size_t count = 0;
    double room = canvas->y.pixel_from - canvas->y.pixel_to;
    bool two_lines = plot->options.properties && (double)plot->series.count * 34 <= room + 34;
    double height = two_lines ? 34 : 16;
    size_t fitting = (size_t)(room / height) + 1;
    for (size_t i = 0; i < plot->series.count && count < fitting; i++)
        if (plot->series.at[i].points.count) {
            const struct plot_series *series = &plot->series.at[i];
            double value = series->points.at[series->points.count - 1].value;
            labels[count++] = (struct plot_label){.series = i, .anchor = svg_y_of(canvas, value)};
        }
    plot_labels_spread(labels, count, height, canvas->y.pixel_to, canvas->y.pixel_from);
    for (size_t i = 0; i < count; i++)
        draw_label(canvas, &labels[i], two_lines);
    if (count < plot->series.count) {
        char *more = tac_format("and %zu more", plot->series.count - count);
        svg_add_text(canvas, "class=\"tp-quiet\"", canvas->x.pixel_to + 22,
                     canvas->y.pixel_from + 20, more);
        free(more);
    }
    free(labels);
}

/* Several traces: a lane for each under the axis shows where its intervals lie. */
void svg_draw_lanes(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    double first = canvas->y.pixel_from + 52;
    char attributes[80];
    for (size_t i = 0; canvas->lanes && i < plot->series.count; i++) {
        double y = first + (double)i * SVG_LANE, last = -1;
        snprintf(attributes, sizeof attributes, "class=\"tp-c%zu\" stroke-width=\"2\"",
                 canvas->group[i] % SVG_COLOURS);
        for (size_t k = 0; k < plot->series.at[i].intervals.count; k++) {
            const struct plot_interval *one = &plot->series.at[i].intervals.at[k];
            double from = svg_x_of(canvas, one->t_from), to = svg_x_of(canvas, one->t_to);
            if (plot->series.at[i].intervals.count > SVG_INTERVALS_APART && to - last < 1)
                continue;
            last = to;
            svg_add_line(canvas, attributes, from, y, to, y);
            svg_add_line(canvas, attributes, from, y - 4, from, y + 4);
            svg_add_line(canvas, attributes, to, y - 4, to, y + 4);
        }
        if (!plot->series.at[i].intervals.count)
            continue;
        svg_draw_marker(canvas, i, SVG_LEFT - 10, y);
        svg_add_short_text(canvas, "class=\"tp-quiet\" font-size=\"10\"", canvas->x.pixel_to + 8,
                           y + 3.5, plot->series.at[i].name, 26);
    }
}
