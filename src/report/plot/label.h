/* Words for a plot: what each curve says, and where its label goes. */
#pragma once

#include "base/data/str.h"
#include "report/plot/data.h"

struct plot_label {
    size_t series;
    double anchor; /* pixel of the curve's end */
    double y;      /* pixel of the label, moved so that labels do not cover each other */
};

/* Numbers are multiplied by factor and written with unit. */
struct plot_scale {
    double factor;
    char unit[40];
};
struct plot_scale plot_scale_of(const tac_plot *plot);

/* Moves labels apart by at least `height` within [top, bottom], keeping their order. */
void plot_labels_spread(struct plot_label *labels, size_t count, double height, double top,
                        double bottom);
/* "660 kB left", "690 kB over", "holds", "violated" or "". */
void plot_margin_text(const tac_plot *plot, const struct plot_series *series,
                      const struct plot_scale *scale, tac_str *out);
/* The text equivalent of the whole picture. */
void plot_describe(const tac_plot *plot, tac_str *out);
