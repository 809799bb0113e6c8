/* The picture itself. Curves are told apart by colour and marker (the scenario), by dashes (the run
 * within its scenario) and by their names at the right edge; nothing depends on colour alone.
 *
 *     title
 *     +-----------------------------+ name
 *     |  [shaded interval]  - - - - | margin
 *     |       ____/                 |
 *     +-----------------------------+
 *      |--------------|               one lane per trace when there are several
 *
 * Colours are those of Okabe and Ito, which colour-blind readers can tell apart. */
#include "report/plot/svg.h"
#include "base/data/alloc.h"
#include "base/io/xml.h"
#include <math.h>

enum { RIGHT = 176, TOP = 70, BOTTOM = 58, LANES_MAX = 24 };

static const char style[] =
    "<style>"
    ".tp-bg{fill:#fff}.tp-text{fill:#1c1c1c}.tp-quiet{fill:#595959}"
    ".tp-halo{paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".tp-grid{stroke:#e4e4e4}.tp-axis{stroke:#6b6b6b}.tp-shade{fill:#8a8a8a}.tp-bad{fill:#b00020}"
    ".tp-over{stroke:#b00020;fill:#b00020}.tp-left{stroke:#00663f;fill:#00663f}"
    ".tp-c0{stroke:#0072b2;fill:#0072b2}.tp-c1{stroke:#d55e00;fill:#d55e00}"
    ".tp-c2{stroke:#007a58;fill:#007a58}.tp-c3{stroke:#b3578a;fill:#b3578a}"
    ".tp-c4{stroke:#9c6c00;fill:#9c6c00}.tp-c5{stroke:#2b8fc2;fill:#2b8fc2}"
    ".tp-c6{stroke:#444;fill:#444}.tp-line{fill:none;stroke-width:2;stroke-linejoin:round}"
    "@media (prefers-color-scheme:dark){"
    ".tp-bg{fill:#16181b}.tp-halo{stroke:#16181b}.tp-text{fill:#ececec}.tp-quiet{fill:#a8a8a8}.tp-"
    "grid{stroke:#34373c}"
    ".tp-axis{stroke:#9a9a9a}.tp-over{stroke:#ff8a8a;fill:#ff8a8a}"
    ".tp-left{stroke:#5fd3a4;fill:#5fd3a4}.tp-c0{stroke:#56b4e9;fill:#56b4e9}"
    ".tp-c1{stroke:#ff9248;fill:#ff9248}.tp-c2{stroke:#2fc79a;fill:#2fc79a}"
    ".tp-c3{stroke:#e39cc4;fill:#e39cc4}.tp-c4{stroke:#f0b93a;fill:#f0b93a}"
    ".tp-c5{stroke:#8fd0f2;fill:#8fd0f2}.tp-c6{stroke:#ccc;fill:#ccc}}"
    "</style>";

double svg_x_of(const struct svg_canvas *canvas, double t)
{
    return plot_axis_pixel(&canvas->x, t / canvas->time_scale);
}

double svg_y_of(const struct svg_canvas *canvas, double value)
{
    return plot_axis_pixel(&canvas->y, value * canvas->scale.factor);
}

void svg_add_line(struct svg_canvas *canvas, const char *attributes, double x1, double y1,
                  double x2, double y2)
{
    tac_str_addf(&canvas->svg, "<line %s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                 attributes, x1, y1, x2, y2);
}

void svg_add_text(struct svg_canvas *canvas, const char *attributes, double x, double y,
                  const char *text)
{
    tac_str_addf(&canvas->svg, "<text %s x=\"%.1f\" y=\"%.1f\">", attributes, x, y);
    tac_xml_escape(&canvas->svg, text);
    tac_str_add(&canvas->svg, "</text>\n");
}

/* At most `most` bytes, cut between characters. */
void svg_add_short_text(struct svg_canvas *canvas, const char *attributes, double x, double y,
                        const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most) {
        svg_add_text(canvas, attributes, x, y, text);
        return;
    }
    while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    char *cut = tac_format("%.*s\xe2\x80\xa6", (int)most, text);
    svg_add_text(canvas, attributes, x, y, cut);
    free(cut);
}

static void sort_into_groups(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    size_t groups = 0;
    canvas->group = tac_calloc(plot->series.count + 1, sizeof *canvas->group);
    canvas->member = tac_calloc(plot->series.count + 1, sizeof *canvas->member);
    for (size_t i = 0; i < plot->series.count; i++) {
        size_t same = i;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(plot->series.at[k].group, plot->series.at[i].group))
                same = k; /* the latest member so far */
        canvas->group[i] = same == i ? groups++ : canvas->group[same];
        canvas->member[i] = same == i ? 0 : canvas->member[same] + 1;
    }
}

static void fit_axes(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    double least = INFINITY, most = -INFINITY, longest = 0;
    for (size_t i = 0; i < plot->series.count; i++) {
        const struct plot_series *series = &plot->series.at[i];
        least = fmin(least, series->least);
        most = fmax(most, series->most);
        longest = fmax(longest, series->duration);
        for (size_t k = 0; k < series->intervals.count; k++)
            if (!isnan(series->intervals.at[k].threshold)) {
                least = fmin(least, series->intervals.at[k].threshold);
                most = fmax(most, series->intervals.at[k].threshold);
            }
    }
    if (!(most >= least))
        least = most = 0;
    canvas->scale = plot_scale_of(plot);
    least *= canvas->scale.factor;
    most *= canvas->scale.factor;
    canvas->time_scale = longest > 10800 ? 3600 : longest > 600 ? 60 : 1;
    canvas->time_unit = longest > 10800 ? "h" : longest > 600 ? "min" : "s";
    plot_axis_fit(&canvas->x, 0, longest / canvas->time_scale, 9);
    canvas->x.to = longest > 0 ? longest / canvas->time_scale : canvas->x.to;
    plot_axis_fit(&canvas->y, least, most + (most - least) * 0.04, 6);
    canvas->x.pixel_from = SVG_LEFT;
    canvas->x.pixel_to = canvas->width - RIGHT;
    canvas->y.pixel_from = canvas->height - canvas->bottom;
    canvas->y.pixel_to = TOP;
}

static void draw(struct svg_canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    tac_str description = {0};
    plot_describe(plot, &description);
    tac_str_addf(&canvas->svg,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" "
                 "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"system-ui, 'Segoe UI', "
                 "'DejaVu Sans', sans-serif\" font-size=\"12.5\">\n<title>",
                 canvas->width, canvas->height, canvas->width, canvas->height);
    tac_xml_escape(&canvas->svg, plot->title);
    tac_str_add(&canvas->svg, "</title>\n<desc>");
    tac_xml_escape(&canvas->svg, tac_str_text(&description));
    tac_str_add(&canvas->svg, "</desc>\n");
    tac_str_free(&description);
    tac_str_add(&canvas->svg, style);
    tac_str_addf(&canvas->svg, "\n<rect class=\"tp-bg\" width=\"%.0f\" height=\"%.0f\"/>\n",
                 canvas->width, canvas->height);
    svg_draw_shades(canvas);
    svg_draw_axes(canvas);
    svg_draw_title(canvas);
    if (plot->series.count == 1 && plot->options.properties)
        svg_draw_ends(canvas, &plot->series.at[0]);
    else if (plot->series.count == 1)
        svg_draw_events(canvas, &plot->series.at[0]);
    for (size_t i = 0; i < plot->series.count; i++)
        svg_draw_curve(canvas, i);
    for (size_t i = 0; i < plot->series.count; i++)
        svg_draw_bounds(canvas, i);
    svg_draw_lanes(canvas);
    svg_draw_labels(canvas);
    tac_str_add(&canvas->svg, "</svg>\n");
}

tac_status tac_plot_svg(const tac_plot *plot, FILE *out, tac_error *err)
{
    struct svg_canvas canvas = {.plot = plot,
                                .width = plot->options.width ? plot->options.width : 960,
                                .height = plot->options.height ? plot->options.height : 480,
                                .bottom = BOTTOM};
    canvas.lanes =
        plot->options.properties && plot->series.count > 1 && plot->series.count <= LANES_MAX;
    if (canvas.lanes)
        canvas.bottom += (double)plot->series.count * SVG_LANE;
    sort_into_groups(&canvas);
    fit_axes(&canvas);
    draw(&canvas);
    size_t written = fwrite(tac_str_text(&canvas.svg), 1, canvas.svg.length, out);
    tac_status status =
        written == canvas.svg.length ? TAC_OK : tac_fail(err, TAC_E_IO, "cannot write the picture");
    tac_str_free(&canvas.svg);
    free(canvas.group);
    free(canvas.member);
    return status;
}
