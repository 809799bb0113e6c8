/* Around the curves: axes with their numbers, the title and what is shaded. */
#include "base/data/alloc.h"
#include "base/io/xml.h"
#include "report/plot/svg.h"
#include <math.h>
#include <time.h>

/* " (2020-12-24 19:05:20 UTC)" of a single trace with wall times; "" otherwise. */
static const char *start_date(const tac_plot *plot, char *buffer, size_t size)
{
    static const int64_t wall = (int64_t)100000000 * 1000000000; /* 1973: no clock since boot */
    struct tm parts;
    *buffer = '\0';
    if (plot->series.count != 1 || plot->series.at[0].start_time < wall)
        return buffer;
    time_t seconds = (time_t)(plot->series.at[0].start_time / 1000000000);
    if (!gmtime_r(&seconds, &parts) || !strftime(buffer, size, " (%Y-%m-%d %H:%M:%S UTC)", &parts))
        *buffer = '\0';
    return buffer;
}

void svg_draw_axes(struct svg_canvas *canvas)
{
    char number[64];
    const struct plot_axis *x = &canvas->x, *y = &canvas->y;
    tac_str_add(&canvas->svg, "<g class=\"tp-quiet\" stroke=\"none\">\n");
    for (long k = (long)ceil(y->from / y->step - 1e-9);
         (double)k * y->step <= y->to * (1 + 1e-9) + y->step * 1e-9; k++) {
        double value = (double)k * y->step, pixel = plot_axis_pixel(y, value);
        svg_add_line(canvas, "class=\"tp-grid\"", x->pixel_from, pixel, x->pixel_to, pixel);
        svg_add_text(canvas, "text-anchor=\"end\"", x->pixel_from - 8, pixel + 4,
                     plot_axis_text(y, value, number, sizeof number));
    }
    for (long k = 0; (double)k * x->step <= x->to * (1 + 1e-9); k++) {
        double value = (double)k * x->step, pixel = plot_axis_pixel(x, value);
        svg_add_line(canvas, "class=\"tp-axis\"", pixel, y->pixel_from, pixel, y->pixel_from + 5);
        svg_add_text(canvas, "text-anchor=\"middle\"", pixel, y->pixel_from + 19,
                     plot_axis_text(x, value, number, sizeof number));
    }
    svg_add_line(canvas, "class=\"tp-axis\"", x->pixel_from, y->pixel_from, x->pixel_to,
                 y->pixel_from);
    tac_str_add(&canvas->svg, "</g>\n");
    char date[48];
    char *label = tac_format("time since the start of the trace%s [%s]",
                             start_date(canvas->plot, date, sizeof date), canvas->time_unit);
    svg_add_text(canvas, "class=\"tp-text\" text-anchor=\"middle\"",
                 (x->pixel_from + x->pixel_to) / 2, y->pixel_from + 38, label);
    free(label);
    const char *unit = canvas->scale.unit;
    label =
        tac_format("%s%s%s%s", canvas->plot->variable, *unit ? " [" : "", unit, *unit ? "]" : "");
    double middle = (y->pixel_from + y->pixel_to) / 2;
    tac_str_addf(&canvas->svg,
                 "<text class=\"tp-text\" text-anchor=\"middle\" transform=\"translate(18 %.1f) "
                 "rotate(-90)\">",
                 middle);
    tac_xml_escape(&canvas->svg, label);
    tac_str_add(&canvas->svg, "</text>\n");
    free(label);
}

/* The events at both ends, when all intervals agree on them. */
static void common_ends(const tac_plot *plot, const char **from, const char **to)
{
    *from = *to = NULL;
    for (size_t i = 0; i < plot->series.count; i++)
        for (size_t k = 0; k < plot->series.at[i].intervals.count; k++) {
            const struct plot_interval *one = &plot->series.at[i].intervals.at[k];
            if (!one->from_event || !one->to_event || (*from && strcmp(*from, one->from_event)) ||
                (*to && strcmp(*to, one->to_event))) {
                *from = *to = NULL;
                return;
            }
            *from = one->from_event;
            *to = one->to_event;
        }
}

void svg_draw_title(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    size_t letters = (size_t)((canvas->width - 2 * SVG_EDGE) / 8.9);
    svg_add_short_text(canvas, "class=\"tp-text\" font-size=\"15\" font-weight=\"600\"", SVG_EDGE,
                       26, plot->title, letters);
    const char *from, *to;
    common_ends(plot, &from, &to);
    tac_str text = {0};
    if (!plot->options.properties)
        tac_str_addf(&text, "%zu trace%s", plot->series.count, plot->series.count == 1 ? "" : "s");
    else if (plot->series.count && plot->series.at[0].temporal)
        tac_str_add(&text, "shaded: from where it goes wrong to where that is known");
    else if (from)
        tac_str_addf(&text, "shaded: from %s to %s; dashed: the bound", from, to);
    else
        tac_str_add(&text, "shaded: the intervals; dashed: the bound");
    svg_add_short_text(canvas, "class=\"tp-quiet\"", SVG_EDGE, 46, tac_str_text(&text),
                       letters * 5 / 4);
    tac_str_free(&text);
}
