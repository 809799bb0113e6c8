/* See trend.h. */
#include "report/project/trend.h"
#include "base/io/json.h"

struct trend trend_new(const char *kind, const char *name, const char *scenario, const char *link)
{
    struct trend trend = {.points = json_array()};
    trend.object =
        json_pack("{s:s,s:o,s:o,s:o,s:o}", "kind", kind, "name", tac_json_string(name), "scenario",
                  tac_json_string(scenario), "link", tac_json_string(link), "points", trend.points);
    return trend;
}

void trend_add(const struct trend *trend, const char *campaign, size_t runs, size_t failing,
               double median, double p)
{
    json_array_append_new(trend->points,
                          json_pack("{s:o,s:I,s:I,s:o,s:o}", "campaign", tac_json_string(campaign),
                                    "runs", (json_int_t)runs, "failing", (json_int_t)failing,
                                    "median", tac_json_number(median), "p", tac_json_number(p)));
}

void trend_finish(struct trend *trend, json_t *trends)
{
    if (json_array_size(trend->points) > 1)
        json_array_append(trends, trend->object);
    json_decref(trend->object);
    *trend = (struct trend){0};
}
