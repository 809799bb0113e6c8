/* A curve for drawing: points in time order, reduced to the least and greatest value per bucket. */
#pragma once

#include "base/data/vec.h"
#include <jansson.h>

struct curve_point {
    double t, v;
};

struct drawn_curve {
    TAC_VEC(struct curve_point) points;
};

void curve_add(struct drawn_curve *curve, double t, double v); /* NaN is left out */
/* {"run","scenario","t":[],"v":[]} with at most 2 x CURVE_BUCKETS points; the first, the last and
 * every bucket's extremes are kept. The caller's. */
json_t *curve_json(const struct drawn_curve *curve, size_t run, const char *scenario);
void curve_free(struct drawn_curve *curve);

enum { CURVE_BUCKETS = 300 };
