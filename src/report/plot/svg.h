/* Shared by the parts of the picture: the canvas with its axes, and what is drawn on it. */
#pragma once

#include "report/plot/axis.h"
#include "report/plot/label.h"

enum {
    SVG_EDGE = 14,
    SVG_LEFT = 84,
    SVG_LANE = 11,
    SVG_COLOURS = 7,
    SVG_INTERVALS_APART = 2000 /* of more, only what can be seen is drawn */
};

struct svg_canvas {
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

/* Pixels of a time and of a value. */
double svg_x_of(const struct svg_canvas *canvas, double t);
double svg_y_of(const struct svg_canvas *canvas, double value);
void svg_add_line(struct svg_canvas *canvas, const char *attributes, double x1, double y1,
                  double x2, double y2);
void svg_add_text(struct svg_canvas *canvas, const char *attributes, double x, double y,
                  const char *text);
/* At most `most` bytes, cut between characters. */
void svg_add_short_text(struct svg_canvas *canvas, const char *attributes, double x, double y,
                        const char *text, size_t most);

void svg_draw_axes(struct svg_canvas *canvas);
void svg_draw_title(struct svg_canvas *canvas);
void svg_draw_shades(struct svg_canvas *canvas);
/* The bound, and at the interval's end what is missing to it or too much. */
void svg_draw_bounds(struct svg_canvas *canvas, size_t index);
/* One trace: its interval's ends as labelled lines through the picture. */
void svg_draw_ends(struct svg_canvas *canvas, const struct plot_series *series);
/* Without a property the events themselves are marked, as long as they can be read. */
void svg_draw_events(struct svg_canvas *canvas, const struct plot_series *series);
void svg_draw_curve(struct svg_canvas *canvas, size_t index);
void svg_draw_labels(struct svg_canvas *canvas);
/* Several traces: a lane for each under the axis shows where its intervals lie. */
void svg_draw_lanes(struct svg_canvas *canvas);
