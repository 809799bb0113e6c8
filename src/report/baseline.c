/* Comparing with a baseline. See baseline.h. */
#include "report/baseline.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report/project/statistics.h"
#include <math.h>
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

/* "cheap_playback, cafe" */
static char *title_of(const struct property_evidence *property, const struct scenario_tally *tally)
{
    return tac_format("%s%s%s", property->name, tally->scenario[0] ? ", " : "", tally->scenario);
}

static double share_of(const struct scenario_tally *tally)
{
    return tally->runs ? (double)tally->violated / (double)tally->runs : 0;
}

static void report_share(struct finding_set *findings, const char *link, const char *title,
                         const struct scenario_tally *now, const struct scenario_tally *before)
{
    bool worse = share_of(now) > share_of(before);
    struct finding_parts parts = {.rank = worse ? RANK_WORSE : RANK_BETTER,
                                  .weight = fabs(share_of(now) - share_of(before)),
                                  .link = link,
                                  .subject = title,
                                  .is_new = worse && !before->violated,
                                  .detail = "Fisher's exact test says that this is hardly chance."};
    finding_add(
        findings, &parts,
        "%s is %s than the baseline: violated in %zu of %zu runs, before in %zu of %zu (p = %.2g).",
        title, worse ? "worse" : "better", now->violated, now->runs, before->violated, before->runs,
        share_p(now, before));
}

static void report_value(struct finding_set *findings, const char *link, const char *title,
                         const struct property_evidence *property, const struct scenario_tally *now,
                         const struct scenario_tally *before)
{
    double new_median = baseline_median(now), old_median = baseline_median(before);
    struct finding_parts parts = {
        .rank = RANK_UNCLEAR,
        .link = link,
        .subject = title,
        .detail =
            "The rank-sum test on the deciding value of each run says that this is hardly chance."};
    finding_add(findings, &parts,
                "%s has changed: the median is %.4g %s, in the baseline %.4g %s (p = %.2g).", title,
                new_median, property->unit, old_median, property->unit, value_p(now, before));
}

static void compare_scenario(struct finding_set *findings, const struct property_evidence *property,
                             const char *link, const struct scenario_tally *now,
                             const struct scenario_tally *before, struct baseline_summary *summary)
{
    char *title = title_of(property, now);
    summary->compared++;
    if (share_p(now, before) < level) {
        summary->changed++;
        report_share(findings, link, title, now, before);
    } else if (value_p(now, before) < level) {
        summary->changed++;
        report_value(findings, link, title, property, now, before);
    } else if (fisher_exact(now->runs, now->runs, 0, before->runs) >= level) {
        summary->too_small++;
    }
    free(title);
}

static const char *scenario_name(const struct scenario_tally *tally)
{
    return tally->scenario[0] ? tally->scenario : "(none)";
}

/* What it is about is the property under the scenario: names that differ in a digit are others. */
static void name_scenario(struct finding_set *findings, const struct property_evidence *property,
                          const struct scenario_tally *tally, const char *link, const char *what)
{
    char *title = title_of(property, tally);
    struct finding_parts parts = {.rank = RANK_UNCLEAR, .link = link, .subject = title};
    finding_add(findings, &parts, "%s: %s under the scenario %s.", property->name, what,
                scenario_name(tally));
    free(title);
}

void baseline_compare(struct finding_set *findings, const struct property_evidence *now,
                      const struct property_evidence *before, const char *link,
                      struct baseline_summary *summary)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR, .link = link, .subject = now->name};
    if (strcmp(now->source, before->source) != 0) {
        struct finding_parts other = parts;
        other.detail = before->source;
        finding_add(findings, &other, "%s is written differently in the baseline.", now->name);
    }
    for (size_t i = 0; i < now->scenarios.count; i++) {
        const struct scenario_tally *tally = &now->scenarios.at[i];
        const struct scenario_tally *old = evidence_scenario(before, tally->scenario);
        if (old)
            compare_scenario(findings, now, link, tally, old, summary);
        else
            name_scenario(findings, now, tally, link, "the baseline has no runs");
    }
    for (size_t i = 0; i < before->scenarios.count; i++)
        if (!evidence_scenario(now, before->scenarios.at[i].scenario))
            name_scenario(findings, now, &before->scenarios.at[i], link,
                          "only the baseline has runs");
}

void baseline_name_missing(struct finding_set *findings, const struct run_evidence *now,
                           const struct run_evidence *before)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR};
    for (size_t i = 0; i < now->properties.count; i++)
        if (!evidence_find(before, now->properties.at[i].name)) {
            parts.subject = now->properties.at[i].name;
            finding_add(findings, &parts, "The baseline has no property %s to compare with.",
                        parts.subject);
        }
    for (size_t i = 0; i < before->properties.count; i++)
        if (!evidence_find(now, before->properties.at[i].name)) {
            parts.subject = before->properties.at[i].name;
            finding_add(findings, &parts, "Only the baseline has the property %s.", parts.subject);
        }
}

void baseline_conclude(struct finding_set *findings, const struct baseline_summary *summary)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR};
    if (!summary->compared) {
        parts.detail = "The two folders share no property under the same scenario.";
        finding_add(findings, &parts, "Nothing could be compared with the baseline.");
        return;
    }
    char detail[240] = "";
    if (summary->too_small)
        snprintf(
            detail, sizeof detail,
            "%zu of them %s so few runs that no change could be significant; repeat more often.",
            summary->too_small, summary->too_small == 1 ? "has" : "have");
    parts.detail = detail;
    parts.rank = summary->too_small ? RANK_UNCLEAR : RANK_FINE;
    const char *plural = summary->compared == 1 ? "" : "s";
    if (!summary->changed) {
        finding_add(findings, &parts,
                    "No significant change against the baseline in %zu comparison%s.",
                    summary->compared, plural);
    } else if (summary->compared >= 20) {
        parts.rank = RANK_UNCLEAR;
        finding_add(findings, &parts,
                    "%zu of %zu comparison%s with the baseline are significant at 5 %%; chance "
                    "alone would give about %.0f.",
                    summary->changed, summary->compared, plural, (double)summary->compared * level);
    }
}
