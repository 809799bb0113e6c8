/* Comparing with a baseline. See baseline.h. */
#include "report/baseline.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report/project/statistics.h"
#include <string.h>

static const double level = 0.05;

double baseline_median(const struct scenario_tally *tally)
{
    double *values = tac_calloc(tally->values.count, sizeof *values);
    if (tally->values.count)
        memcpy(values, tally->values.at, tally->values.count * sizeof *values);
    double median = median_of(values, tally->values.count);
    free(values);
    return median;
}

static double share_p(const struct scenario_tally *now, const struct scenario_tally *before)
{
    return fisher_exact(now->violated, now->runs, before->violated, before->runs);
}

static double value_p(const struct scenario_tally *now, const struct scenario_tally *before)
{
    return rank_sum(now->values.at, now->values.count, before->values.at, before->values.count);
}

json_t *baseline_json(const struct scenario_tally *now, const struct scenario_tally *before)
{
    double share = share_p(now, before), value = value_p(now, before);
    json_t *baseline = json_object();
    json_object_set_new(baseline, "runs", json_integer((json_int_t)before->runs));
    json_object_set_new(baseline, "violated", json_integer((json_int_t)before->violated));
    json_object_set_new(baseline, "median", tac_json_number(baseline_median(before)));
    json_object_set_new(baseline, "p", tac_json_number(share));
    json_object_set_new(baseline, "significant", json_boolean(share < level));
    json_object_set_new(baseline, "value_p", tac_json_number(value));
    json_object_set_new(baseline, "value_significant", json_boolean(value < level));
    return baseline;
}

void baseline_align(const struct run_evidence *now, struct run_evidence *before)
{
    for (size_t i = 0; i < before->properties.count; i++) {
        struct property_evidence *old = &before->properties.at[i];
        const struct property_evidence *new = evidence_find(now, old->name);
        double scale = 1;
        if (!new || !strcmp(new->unit, old->unit))
            continue;
        bool same = tac_unit_scale(old->unit, new->unit, &scale);
        for (size_t s = 0; s < old->scenarios.count; s++) {
            struct scenario_tally *tally = &old->scenarios.at[s];
            tally->values.count = same ? tally->values.count : 0;
            for (size_t v = 0; v < tally->values.count; v++)
                tally->values.at[v] *= scale;
        }
    }
}

void baseline_name_missing(struct finding_set *findings, const struct run_evidence *now,
                           const struct run_evidence *before)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR};
    for (size_t i = 0; i < now->properties.count; i++) {
        const struct property_evidence *property = &now->properties.at[i];
        const struct property_evidence *old = evidence_find(before, property->name);
        parts.subject = property->name;
        parts.detail = old ? old->source : NULL;
        if (old && strcmp(property->source, old->source) != 0)
            finding_add(findings, &parts, "%s is written differently in the baseline.",
                        property->name);
        parts.detail = NULL;
        if (!old)
            finding_add(findings, &parts, "The baseline has no property %s to compare with.",
                        parts.subject);
    }
    for (size_t i = 0; i < before->properties.count; i++)
        if (!evidence_find(now, before->properties.at[i].name)) {
            parts.subject = before->properties.at[i].name;
            finding_add(findings, &parts, "Only the baseline has the property %s.", parts.subject);
        }
}
