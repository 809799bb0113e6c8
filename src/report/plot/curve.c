/* Down-sampling by extremes. See curve.h. */
#include "report/plot/curve.h"
#include "base/io/json.h"
#include <math.h>

void curve_add(struct drawn_curve *curve, double t, double v)
{
    if (!isnan(v))
        tac_vec_push(&curve->points, (struct curve_point){t, v});
}

static void put_point(json_t *t, json_t *v, const struct curve_point *point)
{
    json_array_append_new(t, tac_json_number(round(point->t * 1000) / 1000));
    json_array_append_new(v, tac_json_number(point->v));
}

/* The extremes of points[from .. to-1], in time order. */
static void put_bucket(json_t *t, json_t *v, const struct curve_point *points, size_t from,
                       size_t to)
{
    size_t least = from, most = from;
    for (size_t i = from; i < to; i++) {
        if (points[i].v < points[least].v)
            least = i;
        if (points[i].v > points[most].v)
            most = i;
    }
    size_t first = least < most ? least : most, second = least < most ? most : least;
    put_point(t, v, &points[first]);
    if (second != first)
        put_point(t, v, &points[second]);
}

json_t *curve_json(const struct drawn_curve *curve, size_t run, const char *scenario)
{
    json_t *object = json_object(), *t = json_array(), *v = json_array();
    size_t count = curve->points.count;
    if (count <= 2 * CURVE_BUCKETS) {
        for (size_t i = 0; i < count; i++)
            put_point(t, v, &curve->points.at[i]);
    } else {
        put_point(t, v, &curve->points.at[0]);
        for (size_t b = 0; b < CURVE_BUCKETS; b++)
            put_bucket(t, v, curve->points.at, 1 + b * (count - 2) / CURVE_BUCKETS,
                       1 + (b + 1) * (count - 2) / CURVE_BUCKETS);
        put_point(t, v, &curve->points.at[count - 1]);
    }
    json_object_set_new(object, "run", json_integer((json_int_t)run));
    json_object_set_new(object, "scenario", tac_json_string(scenario));
    json_object_set_new(object, "t", t);
    json_object_set_new(object, "v", v);
    return object;
}

void curve_free(struct drawn_curve *curve)
{
    tac_vec_free(&curve->points);
}
