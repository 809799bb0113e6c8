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
#include "base/data/alloc.h"
#include "base/io/xml.h"
#include "report/plot/axis.h"
#include "report/plot/label.h"
#include <math.h>
#include <time.h>

enum {
    EDGE = 14,
    LEFT = 84,
    RIGHT = 176,
    TOP = 70,
    BOTTOM = 58,
    LANE = 11,
    LANES_MAX = 24,
    MARKERS = 7,
    COLOURS = 7,
    EVENT_LABELS = 24,
    INTERVALS_APART = 2000 /* of more, only what can be seen is drawn */
};

struct canvas {
    const tac_plot *plot;
    tac_str svg;
    double width, height, bottom; /* bottom: pixels under the x axis */
    struct plot_axis x, y;
    struct plot_scale scale; /* of the values */
    double time_scale;       /* seconds per unit of the x axis */
    const char *time_unit;
    size_t *group;  /* index of each series' group: colour and marker */
    size_t *member; /* its place within the group: dashes */
    bool lanes;
};

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

static const char *const dashes[] = {"none", "9 4", "3 3", "12 3 3 3", "6 3 2 3 2 3"};

static double x_of(const struct canvas *canvas, double t)
{
    return plot_axis_pixel(&canvas->x, t / canvas->time_scale);
}

static double y_of(const struct canvas *canvas, double value)
{
    return plot_axis_pixel(&canvas->y, value * canvas->scale.factor);
}

static void add_line(struct canvas *canvas, const char *attributes, double x1, double y1, double x2,
                     double y2)
{
    tac_str_addf(&canvas->svg, "<line %s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                 attributes, x1, y1, x2, y2);
}

static void add_text(struct canvas *canvas, const char *attributes, double x, double y,
                     const char *text)
{
    tac_str_addf(&canvas->svg, "<text %s x=\"%.1f\" y=\"%.1f\">", attributes, x, y);
    tac_xml_escape(&canvas->svg, text);
    tac_str_add(&canvas->svg, "</text>\n");
}

/* At most `most` bytes, cut between characters. */
static void add_short_text(struct canvas *canvas, const char *attributes, double x, double y,
                           const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most) {
        add_text(canvas, attributes, x, y, text);
        return;
    }
    while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    char *cut = tac_format("%.*s\xe2\x80\xa6", (int)most, text);
    add_text(canvas, attributes, x, y, cut);
    free(cut);
}

/* --- Layout ----------------------------------------------------------------------------------- */

static void sort_into_groups(struct canvas *canvas)
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

static void fit_axes(struct canvas *canvas)
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
    canvas->x.pixel_from = LEFT;
    canvas->x.pixel_to = canvas->width - RIGHT;
    canvas->y.pixel_from = canvas->height - canvas->bottom;
    canvas->y.pixel_to = TOP;
}

/* --- Frame ------------------------------------------------------------------------------------ */

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

static void draw_axes(struct canvas *canvas)
{
    char number[64];
    const struct plot_axis *x = &canvas->x, *y = &canvas->y;
    tac_str_add(&canvas->svg, "<g class=\"tp-quiet\" stroke=\"none\">\n");
    for (long k = (long)ceil(y->from / y->step - 1e-9);
         (double)k * y->step <= y->to * (1 + 1e-9) + y->step * 1e-9; k++) {
        double value = (double)k * y->step, pixel = plot_axis_pixel(y, value);
        add_line(canvas, "class=\"tp-grid\"", x->pixel_from, pixel, x->pixel_to, pixel);
        add_text(canvas, "text-anchor=\"end\"", x->pixel_from - 8, pixel + 4,
                 plot_axis_text(y, value, number, sizeof number));
    }
    for (long k = 0; (double)k * x->step <= x->to * (1 + 1e-9); k++) {
        double value = (double)k * x->step, pixel = plot_axis_pixel(x, value);
        add_line(canvas, "class=\"tp-axis\"", pixel, y->pixel_from, pixel, y->pixel_from + 5);
        add_text(canvas, "text-anchor=\"middle\"", pixel, y->pixel_from + 19,
                 plot_axis_text(x, value, number, sizeof number));
    }
    add_line(canvas, "class=\"tp-axis\"", x->pixel_from, y->pixel_from, x->pixel_to, y->pixel_from);
    tac_str_add(&canvas->svg, "</g>\n");
    char date[48];
    char *label = tac_format("time since the start of the trace%s [%s]",
                             start_date(canvas->plot, date, sizeof date), canvas->time_unit);
    add_text(canvas, "class=\"tp-text\" text-anchor=\"middle\"", (x->pixel_from + x->pixel_to) / 2,
             y->pixel_from + 38, label);
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

static void draw_title(struct canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    size_t letters = (size_t)((canvas->width - 2 * EDGE) / 8.9);
    add_short_text(canvas, "class=\"tp-text\" font-size=\"15\" font-weight=\"600\"", EDGE, 26,
                   plot->title, letters);
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
    add_short_text(canvas, "class=\"tp-quiet\"", EDGE, 46, tac_str_text(&text), letters * 5 / 4);
    tac_str_free(&text);
}

/* --- Intervals -------------------------------------------------------------------------------- */

/* Which pixel columns intervals cover: with very many of them this is what can be seen. */
struct covered {
    unsigned char *at; /* per column: 1 = an interval, 2 = one that is violated */
    size_t count;
};

static struct covered cover(const struct canvas *canvas, const struct plot_series *series)
{
    struct covered covered = {.count = (size_t)canvas->width + 2};
    covered.at = tac_calloc(covered.count, 1);
    for (size_t k = 0; k < series->intervals.count; k++) {
        const struct plot_interval *one = &series->intervals.at[k];
        double from = x_of(canvas, one->t_from), to = x_of(canvas, one->t_to);
        for (size_t x = (size_t)fmax(from, 0); x <= (size_t)fmax(to, 0) && x < covered.count; x++)
            if (covered.at[x] < (one->holds ? 1 : 2))
                covered.at[x] = one->holds ? 1 : 2;
    }
    return covered;
}

static void add_shade(struct canvas *canvas, bool holds, double opacity, double from, double to)
{
    tac_str_addf(&canvas->svg,
                 "<rect class=\"%s\" style=\"fill-opacity:%.3f\" x=\"%.1f\" "
                 "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                 holds ? "tp-shade" : "tp-shade tp-bad", opacity, from, canvas->y.pixel_to,
                 fmax(to - from, 1), canvas->y.pixel_from - canvas->y.pixel_to);
}

static void shade_columns(struct canvas *canvas, const struct plot_series *series, double opacity)
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

static void draw_shades(struct canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    /* Several traces lie over each other: each gets a part of the grey. */
    double opacity = 0.13 / pow((double)plot->series.count, 0.8);
    for (size_t i = 0; i < plot->series.count; i++) {
        const struct plot_series *series = &plot->series.at[i];
        if (series->intervals.count > INTERVALS_APART) {
            shade_columns(canvas, series, opacity);
            continue;
        }
        for (size_t k = 0; k < series->intervals.count; k++) {
            const struct plot_interval *one = &series->intervals.at[k];
            add_shade(canvas, one->holds, opacity, x_of(canvas, one->t_from),
                      x_of(canvas, one->t_to));
        }
    }
}

/* The bound, and at the interval's end what is missing to it or too much. */
static void draw_bounds(struct canvas *canvas, size_t index)
{
    const struct plot_series *series = &canvas->plot->series.at[index];
    const struct plot_interval *worst = plot_worst(series);
    char attributes[200], number[64];
    for (size_t k = 0; k < series->intervals.count; k++) {
        const struct plot_interval *one = &series->intervals.at[k];
        if (isnan(one->threshold))
            continue;
        double y = y_of(canvas, one->threshold), to = x_of(canvas, one->t_to);
        if (series->intervals.count > INTERVALS_APART && one != worst &&
            to - x_of(canvas, one->t_from) < 1)
            continue; /* narrower than a pixel among thousands */
        snprintf(attributes, sizeof attributes,
                 "class=\"tp-c%zu\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"",
                 canvas->group[index] % COLOURS);
        add_line(canvas, attributes, x_of(canvas, one->t_from), y, to, y);
        if (one != worst || isnan(one->end))
            continue;
        snprintf(attributes, sizeof attributes, "class=\"%s\" stroke-width=\"2\"",
                 one->holds ? "tp-left" : "tp-over");
        double end = y_of(canvas, one->end);
        add_line(canvas, attributes, to, y, to, end);
        add_line(canvas, attributes, to - 4, y, to + 4, y);
        add_line(canvas, attributes, to - 4, end, to + 4, end);
    }
    if (index || !worst || isnan(worst->threshold))
        return;
    const char *unit = canvas->scale.unit;
    double bound = worst->from_start ? worst->threshold - worst->start : worst->threshold;
    char *text =
        tac_format(worst->from_start ? "start value + %s %s" : "bound %s %s",
                   plot_number_text(bound * canvas->scale.factor, number, sizeof number), unit);
    add_text(canvas, "class=\"tp-text tp-halo\"", x_of(canvas, worst->t_from) + 6,
             y_of(canvas, worst->threshold) - 7, text);
    free(text);
}

/* One trace: its interval's ends as labelled lines through the picture. */
static void draw_ends(struct canvas *canvas, const struct plot_series *series)
{
    size_t shown = series->intervals.count <= 3 ? series->intervals.count : 0;
    for (size_t k = 0; k < shown; k++) {
        const struct plot_interval *one = &series->intervals.at[k];
        double from = x_of(canvas, one->t_from), to = x_of(canvas, one->t_to);
        double top = canvas->y.pixel_to, bottom = canvas->y.pixel_from;
        add_line(canvas, "class=\"tp-axis\" stroke-dasharray=\"2 3\"", from, top, from, bottom);
        add_line(canvas, "class=\"tp-axis\" stroke-dasharray=\"2 3\"", to, top, to, bottom);
        bool narrow = to - from < 190; /* then the two names would meet: write them outwards */
        add_text(canvas, narrow ? "class=\"tp-text\" text-anchor=\"end\"" : "class=\"tp-text\"",
                 from, top - 5, one->from_event ? one->from_event : "start");
        add_text(canvas, narrow ? "class=\"tp-text\"" : "class=\"tp-text\" text-anchor=\"end\"", to,
                 top - 5, one->to_event ? one->to_event : "end");
    }
}

/* Without a property the events themselves are marked, as long as they can be read. */
static void draw_events(struct canvas *canvas, const struct plot_series *series)
{
    double last = -INFINITY;
    if (series->event_count > EVENT_LABELS)
        return;
    for (size_t i = 0; i < series->events.count; i++) {
        double x = x_of(canvas, series->events.at[i].t), top = canvas->y.pixel_to;
        add_line(canvas, "class=\"tp-axis\" stroke-dasharray=\"2 3\"", x, top, x,
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

/* --- Curves ----------------------------------------------------------------------------------- */

static void draw_marker(struct canvas *canvas, size_t index, double x, double y)
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
    size_t group = canvas->group[index] % COLOURS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    tac_str_addf(&canvas->svg, shapes[group], group, x, y);
#pragma GCC diagnostic pop
}

static void draw_curve(struct canvas *canvas, size_t index)
{
    const struct plot_series *series = &canvas->plot->series.at[index];
    if (!series->points.count)
        return;
    tac_str_addf(&canvas->svg,
                 "<path class=\"tp-line tp-c%zu\" style=\"fill:none\" "
                 "stroke-dasharray=\"%s\" d=\"",
                 canvas->group[index] % COLOURS,
                 dashes[canvas->member[index] % (sizeof dashes / sizeof dashes[0])]);
    for (size_t i = 0; i < series->points.count; i++) {
        double x = x_of(canvas, series->points.at[i].t),
               y = y_of(canvas, series->points.at[i].value);
        if (!i)
            tac_str_addf(&canvas->svg, "M%.1f %.1f", x, y);
        else if (series->linear)
            tac_str_addf(&canvas->svg, "L%.1f %.1f", x, y);
        else
            tac_str_addf(&canvas->svg, "H%.1fV%.1f", x, y);
    }
    tac_str_addf(&canvas->svg, "H%.1f\"/>\n", x_of(canvas, series->duration));
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
        draw_marker(canvas, index, x_of(canvas, series->points.at[i].t),
                    y_of(canvas, series->points.at[i].value));
        next = (size_t)(series->points.at[i].t / series->duration * MARKERS - shift) + 1;
    }
}

/* --- Labels and lanes ------------------------------------------------------------------------- */

static void draw_label(struct canvas *canvas, const struct plot_label *label, bool two_lines)
{
    const struct plot_series *series = &canvas->plot->series.at[label->series];
    double x = canvas->x.pixel_to + 22, end = x_of(canvas, series->duration);
    const struct plot_interval *worst = plot_worst(series);
    const char *tone = !worst ? "tp-quiet" : worst->holds ? "tp-left" : "tp-over";
    char attributes[120];
    tac_str margin = {0};
    plot_margin_text(canvas->plot, series, &canvas->scale, &margin);
    add_line(canvas, "class=\"tp-axis\" stroke-width=\"0.7\"", end + 2, label->anchor, x - 8,
             label->y);
    draw_marker(canvas, label->series, x - 3, label->y);
    add_short_text(canvas, "class=\"tp-text\" font-weight=\"600\"", x + 7, label->y + 4,
                   series->name, 16);
    if (margin.length && two_lines) {
        snprintf(attributes, sizeof attributes, "class=\"%s\" style=\"stroke:none\"", tone);
        add_text(canvas, attributes, x + 7, label->y + 18, tac_str_text(&margin));
    }
    tac_str_free(&margin);
}

static void draw_labels(struct canvas *canvas)
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
            labels[count++] = (struct plot_label){.series = i, .anchor = y_of(canvas, value)};
        }
    plot_labels_spread(labels, count, height, canvas->y.pixel_to, canvas->y.pixel_from);
    for (size_t i = 0; i < count; i++)
        draw_label(canvas, &labels[i], two_lines);
    if (count < plot->series.count) {
        char *more = tac_format("and %zu more", plot->series.count - count);
        add_text(canvas, "class=\"tp-quiet\"", canvas->x.pixel_to + 22, canvas->y.pixel_from + 20,
                 more);
        free(more);
    }
    free(labels);
}

/* Several traces: a lane for each under the axis shows where its intervals lie. */
static void draw_lanes(struct canvas *canvas)
{
    const tac_plot *plot = canvas->plot;
    double first = canvas->y.pixel_from + 52;
    char attributes[80];
    for (size_t i = 0; canvas->lanes && i < plot->series.count; i++) {
        double y = first + (double)i * LANE, last = -1;
        snprintf(attributes, sizeof attributes, "class=\"tp-c%zu\" stroke-width=\"2\"",
                 canvas->group[i] % COLOURS);
        for (size_t k = 0; k < plot->series.at[i].intervals.count; k++) {
            const struct plot_interval *one = &plot->series.at[i].intervals.at[k];
            double from = x_of(canvas, one->t_from), to = x_of(canvas, one->t_to);
            if (plot->series.at[i].intervals.count > INTERVALS_APART && to - last < 1)
                continue;
            last = to;
            add_line(canvas, attributes, from, y, to, y);
            add_line(canvas, attributes, from, y - 4, from, y + 4);
            add_line(canvas, attributes, to, y - 4, to, y + 4);
        }
        if (!plot->series.at[i].intervals.count)
            continue;
        draw_marker(canvas, i, LEFT - 10, y);
        add_short_text(canvas, "class=\"tp-quiet\" font-size=\"10\"", canvas->x.pixel_to + 8,
                       y + 3.5, plot->series.at[i].name, 26);
    }
}

/* --- The document ----------------------------------------------------------------------------- */

static void draw(struct canvas *canvas)
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
    draw_shades(canvas);
    draw_axes(canvas);
    draw_title(canvas);
    if (plot->series.count == 1 && plot->options.properties)
        draw_ends(canvas, &plot->series.at[0]);
    else if (plot->series.count == 1)
        draw_events(canvas, &plot->series.at[0]);
    for (size_t i = 0; i < plot->series.count; i++)
        draw_curve(canvas, i);
    for (size_t i = 0; i < plot->series.count; i++)
        draw_bounds(canvas, i);
    draw_lanes(canvas);
    draw_labels(canvas);
    tac_str_add(&canvas->svg, "</svg>\n");
}

tac_status tac_plot_svg(const tac_plot *plot, FILE *out, tac_error *err)
{
    struct canvas canvas = {.plot = plot,
                            .width = plot->options.width ? plot->options.width : 960,
                            .height = plot->options.height ? plot->options.height : 480,
                            .bottom = BOTTOM};
    canvas.lanes =
        plot->options.properties && plot->series.count > 1 && plot->series.count <= LANES_MAX;
    if (canvas.lanes)
        canvas.bottom += (double)plot->series.count * LANE;
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
