/* Comparing with a baseline. See report_baseline.h. */
#include "report/baseline.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/statistics.h"
#include <math.h>
#include <string.h>

static const double level = 0.05;

static double median_copy(const struct scenario_tally *tally)
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
    json_object_set_new(baseline, "median", tac_json_number(median_copy(before)));
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

/* "cheap_playback, cafe" */
static char *title_of(const struct property_evidence *property, const struct scenario_tally *tally)
{
    return tac_format("%s%s%s", property->name, tally->scenario[0] ? ", " : "", tally->scenario);
}

static void report_share(struct report_project *project, const char *link, const char *title,
                         const struct scenario_tally *now, const struct scenario_tally *before)
{
    bool worse =
        (double)now->violated / (double)now->runs > (double)before->violated / (double)before->runs;
    report_finding(project, worse ? "bad" : "good", link,
                   "Fisher's exact test says that this is hardly chance.",
                   "%s is %s than the baseline: violated in %zu of %zu runs, before in %zu of %zu "
                   "(p = %.2g).",
                   title, worse ? "worse" : "better", now->violated, now->runs, before->violated,
                   before->runs, share_p(now, before));
}

static void report_value(struct report_project *project, const char *link, const char *title,
                         const struct property_evidence *property, const struct scenario_tally *now,
                         const struct scenario_tally *before)
{
    double new_median = median_copy(now), old_median = median_copy(before);
    report_finding(project, "unclear", link,
                   "The rank-sum test on the deciding value of each run says that this is hardly "
                   "chance.",
                   "%s has changed: the median is %.4g %s, in the baseline %.4g %s (p = %.2g).",
                   title, new_median, property->unit, old_median, property->unit,
                   value_p(now, before));
}

static void compare_scenario(struct report_project *project,
                             const struct property_evidence *property,
                             const struct scenario_tally *now, const struct scenario_tally *before,
                             struct baseline_summary *summary)
{
    char *link = tac_format("#property-%s", property->name), *title = title_of(property, now);
    summary->compared++;
    if (share_p(now, before) < level) {
        summary->changed++;
        report_share(project, link, title, now, before);
    } else if (value_p(now, before) < level) {
        summary->changed++;
        report_value(project, link, title, property, now, before);
    } else if (fisher_exact(now->runs, now->runs, 0, before->runs) >= level) {
        summary->too_small++;
    }
    free(title);
    free(link);
}

void baseline_compare(struct report_project *project, const struct property_evidence *now,
                      const struct property_evidence *before, struct baseline_summary *summary)
{
    if (strcmp(now->source, before->source) != 0)
        report_finding(project, "unclear", NULL, before->source,
                       "%s is written differently in the baseline.", now->name);
    for (size_t i = 0; i < now->scenarios.count; i++) {
        const struct scenario_tally *tally = &now->scenarios.at[i];
        const struct scenario_tally *old = evidence_scenario(before, tally->scenario);
        if (old)
            compare_scenario(project, now, tally, old, summary);
        else
            report_finding(project, "unclear", NULL, NULL,
                           "%s: the baseline has no runs under the scenario %s.", now->name,
                           tally->scenario[0] ? tally->scenario : "(none)");
    }
    for (size_t i = 0; i < before->scenarios.count; i++)
        if (!evidence_scenario(now, before->scenarios.at[i].scenario))
            report_finding(project, "unclear", NULL, NULL,
                           "%s: only the baseline has runs under the scenario %s.", now->name,
                           before->scenarios.at[i].scenario[0] ? before->scenarios.at[i].scenario
                                                               : "(none)");
}

void baseline_name_missing(struct report_project *project, const struct run_evidence *now,
                           const struct run_evidence *before)
{
    for (size_t i = 0; i < now->properties.count; i++)
        if (!evidence_find(before, now->properties.at[i].name))
            report_finding(project, "unclear", NULL, NULL,
                           "The baseline has no property %s to compare with.",
                           now->properties.at[i].name);
    for (size_t i = 0; i < before->properties.count; i++)
        if (!evidence_find(now, before->properties.at[i].name))
            report_finding(project, "unclear", NULL, NULL, "Only the baseline has the property %s.",
                           before->properties.at[i].name);
}

void baseline_conclude(struct report_project *project, const struct baseline_summary *summary)
{
    if (!summary->compared) {
        report_finding(project, "unclear", NULL,
                       "The two folders share no property under the same scenario.",
                       "Nothing could be compared with the baseline.");
        return;
    }
    char detail[160] = "";
    if (summary->too_small)
        snprintf(detail, sizeof detail,
                 "%zu of them have so few runs that no change could be significant; repeat more "
                 "often.",
                 summary->too_small);
    if (!summary->changed)
        report_finding(project, summary->too_small ? "unclear" : "good", NULL, detail,
                       "No significant change against the baseline in %zu comparison%s.",
                       summary->compared, summary->compared == 1 ? "" : "s");
}
