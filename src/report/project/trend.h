/* How something went over the campaigns that are compared. */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* A trend: {"kind","name","scenario","link","points":[{"campaign","runs","failing","median","p"}]},
 * the earlier campaigns in their order and the present one last. Points are added one by one. */
struct trend {
    json_t *object, *points; /* points are the object's */
};
struct trend trend_new(const char *kind, const char *name, const char *scenario, const char *link);
/* p: could the share be that of the present? NaN for the present itself. */
void trend_add(const struct trend *trend, const char *campaign, size_t runs, size_t failing,
               double median, double p);
/* Takes it into the list when there is something to compare. */
void trend_finish(struct trend *trend, json_t *trends);
