/* Axes: round numbers for ticks, and a linear map from values to pixels. */
#pragma once

#include <stddef.h>

struct plot_axis {
    double from, to; /* values at the axis' ends */
    double pixel_from, pixel_to;
    double step; /* between ticks: 1, 2 or 5 times a power of ten */
};

/* Covers [least, most] with about `ticks` round steps; includes 0 when the values come near it. */
void plot_axis_fit(struct plot_axis *axis, double least, double most, int ticks);
double plot_axis_pixel(const struct plot_axis *axis, double value);
/* A tick's number with the decimals that the step needs and thousands separated: "8,000", "0.25".
 */
const char *plot_axis_text(const struct plot_axis *axis, double value, char *buffer, size_t size);
/* A number for people: four digits or so, thousands separated. */
const char *plot_number_text(double value, char *buffer, size_t size);
