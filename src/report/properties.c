/* The evidence for each property: its runs by scenario, the curves, the intervals.
 *
 * Every trace is read once with one monitor over all properties. Curves are kept for some runs of
 * each scenario, down-sampled to the least and greatest value per bucket, so that no peak is lost.
 */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/baseline.h"
#include "report/evidence.h"
#include "report/parts.h"
#include "report/statistics.h"
#include <string.h>
#include <unistd.h>

static json_t *scenario_json(const struct scenario_tally *tally,
                             const struct scenario_tally *before)
{
    double low, high;
    wilson_interval(tally->violated, tally->runs, &low, &high);
    json_t *row = json_object();
    json_object_set_new(row, "scenario", tac_json_string(tally->scenario));
    json_object_set_new(row, "runs", json_integer((json_int_t)tally->runs));
    json_object_set_new(row, "violated", json_integer((json_int_t)tally->violated));
    json_object_set_new(row, "low", tac_json_number(low));
    json_object_set_new(row, "high", tac_json_number(high));
    json_object_set_new(row, "median",
                        tac_json_number(median_of(tally->values.at, tally->values.count)));
    json_object_set_new(row, "spread",
                        tac_json_number(spread_of(tally->values.at, tally->values.count)));
    if (before)
        json_object_set_new(row, "baseline", baseline_json(tally, before));
    return row;
}

static json_t *property_json(struct property_evidence *property,
                             const struct property_evidence *before)
{
    json_t *object = json_object(), *scenarios = json_array();
    json_object_set_new(object, "name", tac_json_string(property->name));
    json_object_set_new(object, "source", tac_json_string(property->source));
    json_object_set_new(object, "variable", tac_json_string(property->variable));
    json_object_set_new(object, "unit", tac_json_string(property->unit));
    json_object_set_new(object, "aggregate", tac_json_string(property->aggregate));
    json_object_set_new(object, "bound", tac_json_number(property->bound));
    json_object_set_new(object, "from_event", tac_json_string(property->from_event));
    json_object_set_new(object, "to_event", tac_json_string(property->to_event));
    for (size_t i = 0; i < property->scenarios.count; i++) {
        const struct scenario_tally *tally = &property->scenarios.at[i];
        json_array_append_new(
            scenarios,
            scenario_json(tally, before ? evidence_scenario(before, tally->scenario) : NULL));
    }
    json_object_set_new(object, "scenarios", scenarios);
    json_object_set(object, "series", property->series);
    json_object_set(object, "intervals", property->intervals);
    return object;
}

/* "festival (2 of 2), cafe (2 of 2)" */
static void list_violating(const struct property_evidence *property, tac_str *out)
{
    for (size_t i = 0; i < property->scenarios.count; i++) {
        const struct scenario_tally *tally = &property->scenarios.at[i];
        if (!tally->violated || !tally->scenario[0])
            continue;
        tac_str_addf(out, "%s%s (%zu of %zu)", out->length ? ", " : "", tally->scenario,
                     tally->violated, tally->runs);
    }
}

static void add_finding(struct report_project *project, const struct property_evidence *property)
{
    size_t runs = 0, violated = 0;
    for (size_t i = 0; i < property->scenarios.count; i++) {
        runs += property->scenarios.at[i].runs;
        violated += property->scenarios.at[i].violated;
    }
    char *link = tac_format("#property-%s", property->name);
    tac_str where = {0}, detail = {0};
    list_violating(property, &where);
    tac_str_add(&detail, property->source);
    if (property->has_worst && property->worst_margin < 0) {
        char over[32], digits[32];
        snprintf(over, sizeof over, "%.3g", -property->worst_margin);
        if (property->worst_margin <= -1000)
            tac_thousands((uint64_t)-property->worst_margin, over, sizeof over);
        tac_str_addf(&detail, " — at worst %s %s over the bound, in run %s", over, property->unit,
                     tac_thousands((uint64_t)property->worst_run, digits, sizeof digits));
    }
    if (violated)
        report_finding(project, "bad", link, tac_str_text(&detail),
                       "%s is violated in %zu of %zu runs%s%s.", property->name, violated, runs,
                       where.length ? ": " : "", tac_str_text(&where));
    else if (runs)
        report_finding(project, "good", link, tac_str_text(&detail), "%s holds in all %zu runs.",
                       property->name, runs);
    tac_str_free(&where);
    tac_str_free(&detail);
    free(link);
}

/* The campaign of the same name, or the only one where both sides have one. */
static const struct report_campaign *counterpart(const struct report_project *project, size_t index,
                                                 const struct report_project *baseline)
{
    if (project->campaigns.count == 1 && baseline->campaigns.count == 1)
        return &baseline->campaigns.at[0];
    for (size_t i = 0; i < baseline->campaigns.count; i++)
        if (!strcmp(baseline->campaigns.at[i].label, project->campaigns.at[index].label))
            return &baseline->campaigns.at[i];
    return NULL;
}

static void compare(struct report_project *project, const struct run_evidence *found,
                    const struct run_evidence *before, struct baseline_summary *summary)
{
    for (size_t i = 0; i < found->properties.count; i++) {
        const struct property_evidence *property = &found->properties.at[i];
        const struct property_evidence *old = evidence_find(before, property->name);
        if (old)
            baseline_compare(project, property, old, summary);
    }
    baseline_name_missing(project, found, before);
}

tac_status report_add_properties(struct report_project *project, struct report_project *baseline,
                                 json_t *document, tac_error *err)
{
    json_t *properties = json_array();
    struct baseline_summary summary = {0};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++) {
        struct run_evidence found = {.series_per_scenario = 20}, before = {0};
        const struct report_campaign *earlier = baseline ? counterpart(project, i, baseline) : NULL;
        status = evidence_collect(&found, &project->campaigns.at[i], project->options->watch, err);
        if (status == TAC_OK && earlier)
            status = evidence_collect(&before, earlier, project->options->watch, err);
        baseline_align(&found, &before);
        for (size_t p = 0; p < found.properties.count && status == TAC_OK; p++) {
            struct property_evidence *property = &found.properties.at[p];
            json_array_append_new(properties,
                                  property_json(property, evidence_find(&before, property->name)));
            add_finding(project, property);
        }
        if (status == TAC_OK && earlier)
            compare(project, &found, &before, &summary);
        evidence_free(&found);
        evidence_free(&before);
    }
    if (status == TAC_OK && baseline)
        baseline_conclude(project, &summary);
    json_object_set_new(document, "properties", properties);
    return status;
}
