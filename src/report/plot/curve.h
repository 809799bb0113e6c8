/* A curve for drawing: points in time order, reduced to the least and greatest value per bucket. */
#ifndef TAC_REPORT_CURVE_H
#define TAC_REPORT_CURVE_H

#include "base/data/vec.h"
#include <jansson.h>

typedef struct curve_point {
    double t, v;
} curve_point;

typedef struct drawn_curve {
    TAC_VEC(curve_point) points;
} drawn_curve;

void curve_add(drawn_curve *curve, double t, double v); /* NaN is left out */
/* {"run","scenario","t":[],"v":[]} with at most 2 x CURVE_BUCKETS points; the first, the last and
 * every bucket's extremes are kept. The caller's. */
json_t *curve_json(const drawn_curve *curve, size_t run, const char *scenario);
void curve_free(drawn_curve *curve);

enum { CURVE_BUCKETS = 300 };

#endif
