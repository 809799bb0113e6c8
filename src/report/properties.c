/* The properties in the document: their runs by scenario, the curves, the intervals, how that was
 * in earlier campaigns, and a finding each. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/baseline.h"
#include "report/cause/reproduction.h"
#include "report/compare.h"
#include "report/project/statistics.h"
#include "report/project/trend.h"
#include "report/sections.h"
#include <math.h>

enum { CURVES = 400, INTERVALS = 20000, CITED = 8 };

/* One campaign and its counterparts in the earlier projects. */
struct compared_campaign {
    struct tac_report *report;
    struct report_campaign *campaign;
    struct script_file *reproduction; /* or NULL */
    struct run_evidence now;
    TAC_VEC(struct run_evidence) before; /* by baseline; without properties where there is none */
};

static int by_series_run(const void *a, const void *b)
{
    const struct kept_series *x = a, *y = b;
    return x->run < y->run ? -1 : x->run > y->run;
}

/* Names that are the property file's. */
struct event_list {
    const char **at; /* owned */
    size_t count;
};

/* The events that the property speaks of and no trace has. */
static struct event_list missing_events(const struct compared_campaign *compared, size_t index)
{
    size_t count;
    struct event_list missing = {.at = tac_property_events(compared->now.file, index, &count)};
    for (size_t i = 0; i < count; i++)
        if (tac_names_find(&compared->campaign->events, missing.at[i]) == TAC_NONE)
            missing.at[missing.count++] = missing.at[i];
    return missing;
}

static char *link_of(const struct compared_campaign *compared, size_t index)
{
    const char *label = compared->campaign->label;
    return tac_format("#property-%s%s%s", compared->now.properties.at[index].name,
                      *label ? "@" : "", label);
}

/* --- the document --- */

/* A property and what stands beside it. */
struct shown_property {
    const char *id, *campaign;
    const struct event_list *missing;
    const struct property_evidence *before; /* or NULL */
};

FIELD_GETTER(low_of, struct scenario_tally, double high;
             wilson_interval(it->violated, it->runs, &out->number, &high))
FIELD_GETTER(high_of, struct scenario_tally, double low;
             wilson_interval(it->violated, it->runs, &low, &out->number))
FIELD_GETTER(median_is, struct scenario_tally,
             out->number = median_of(it->values.at, it->values.count))
FIELD_GETTER(spread_is, struct scenario_tally,
             out->number = spread_of(it->values.at, it->values.count))

static void baseline_of(const void *value, struct field_value *out)
{
    const struct scenario_tally *tally = value, *before = NULL;
    const struct shown_property *shown = out->context;
    if (shown->before)
        before = evidence_scenario(shown->before, tally->scenario);
    out->absent = !before;
    out->json = before ? baseline_json(tally, before) : NULL;
}

FIELD_GETTER(id_of, struct property_evidence,
             out->text = ((const struct shown_property *)out->context)->id)
FIELD_GETTER(campaign_of, struct property_evidence,
             out->text = ((const struct shown_property *)out->context)->campaign)
FIELD_GETTER(
    missing_of, struct property_evidence,
    const struct event_list *missing = ((const struct shown_property *)out->context)->missing;
    out->at = missing->at; out->count = missing->count)

static const struct field scenario_fields[] = {
    FIELDS(struct scenario_tally, scenario, runs, violated),
    FIELD_GET_NUMBER("low", low_of),
    FIELD_GET_NUMBER("high", high_of),
    FIELD_GET_NUMBER("median", median_is),
    FIELD_GET_NUMBER("spread", spread_is),
    FIELD_GET_JSON("baseline", baseline_of, .omit = true)};
static DESCRIBE(scenario, struct scenario_tally);
static const struct field series_fields[] = {FIELD(struct kept_series, series)};
static DESCRIBE(series, struct kept_series, .form = DESCRIBE_VALUE);
static const struct field interval_fields[] = {
    FIELDS(struct kept_interval, run, from, to, start, end, value, margin, violated)};
static DESCRIBE(interval, struct kept_interval);
static const struct field property_fields[] = {
    FIELD_GET_TEXT("id", id_of),
    FIELDS(struct property_evidence, name),
    FIELD_GET_TEXT("campaign", campaign_of),
    FIELDS(struct property_evidence, source, line, variable, unit, aggregate, bound, from_event,
           to_event, runs, violated, unclear),
    FIELD(struct property_evidence, never, .key = "never_exercised"),
    FIELD_GET_TEXTS("missing_events", missing_of),
    FIELD(struct property_evidence, worst_margin, .known = IF(struct property_evidence, has_worst)),
    FIELD(struct property_evidence, worst_run, .known = IF(struct property_evidence, has_worst)),
    FIELD_LIST(struct property_evidence, scenarios.at, scenarios.count, scenario_described,
               .key = "scenarios"),
    FIELD_LIST(struct property_evidence, series.at, series.count, series_described,
               .key = "series"),
    FIELD_LIST(struct property_evidence, intervals.at, intervals.count, interval_described,
               .key = "intervals"),
    FIELDS(struct property_evidence, interval_count)};
static DESCRIBE(property, struct property_evidence);

static json_t *property_json(const struct compared_campaign *compared, size_t index,
                             const struct event_list *missing)
{
    const struct property_evidence *property = &compared->now.properties.at[index];
    char *link = link_of(compared, index);
    struct shown_property shown = {
        link + 1, compared->campaign->label, missing,
        compared->before.count ? evidence_find(&tac_vec_last(&compared->before), property->name)
                               : NULL};
    if (property->series.count)
        qsort(property->series.at, property->series.count, sizeof *property->series.at,
              by_series_run);
    json_t *object = describe_json_with(&property_described, property, &shown);
    if (property->violated)
        script_file_describe(compared->reproduction, compared->report->project.options,
                             compared->campaign, "property", property->name, object);
    free(link);
    return object;
}

/* --- findings --- */

enum { SHARE_TEXT = 80 };

/* "4,185 of 10,000" */
static const char *share_text(size_t part, size_t all, char text[SHARE_TEXT])
{
    char digits[2][32];
    snprintf(text, SHARE_TEXT, "%s of %s", tac_thousands(part, digits[0], sizeof digits[0]),
             tac_thousands(all, digits[1], sizeof digits[1]));
    return text;
}

/* "festival (2 of 2), cafe (2 of 2)" */
static void list_violating(const struct property_evidence *property, tac_str *out)
{
    for (size_t i = 0; i < property->scenarios.count; i++) {
        const struct scenario_tally *tally = &property->scenarios.at[i];
        if (!tally->violated || !tally->scenario[0])
            continue;
        char share[SHARE_TEXT];
        tac_str_addf(out, "%s%s (%s)", out->length ? ", " : "", tally->scenario,
                     share_text(tally->violated, tally->runs, share));
    }
}

/* How far it is over the bound, in bounds: 0 .. 1. */
static double how_far(const struct property_evidence *property)
{
    double over = property->has_worst ? -property->worst_margin : 0;
    if (!(over > 0))
        return 0;
    double bound = isnan(property->bound) || property->bound == 0 ? 1 : fabs(property->bound);
    return over / (over + bound);
}

static void describe_worst(const struct property_evidence *property, tac_str *detail)
{
    char over[32];
    tac_str_add(detail, property->source);
    if (!property->has_worst || !(property->worst_margin < 0))
        return;
    snprintf(over, sizeof over, "%.3g", -property->worst_margin);
    if (property->worst_margin <= -1000)
        tac_thousands((uint64_t)-property->worst_margin, over, sizeof over);
    tac_str_addf(detail, " — at worst %s %s over the bound, in run %zu", over, property->unit,
                 property->worst_run);
}

static void report_never(struct finding_set *findings, const struct compared_campaign *compared,
                         size_t index, const struct event_list *missing,
                         struct finding_parts *parts)
{
    const struct property_evidence *property = &compared->now.properties.at[index];
    bool interval = tac_property_kind_of(compared->now.file, index) == TAC_PROPERTY_INTERVAL;
    tac_str why = {0};
    char digits[32];
    size_t count = missing->count;
    for (size_t i = 0; i < count; i++)
        tac_str_addf(&why, "%s'%s'", i ? ", " : "", missing->at[i]);
    parts->rank = RANK_VACUOUS;
    if (property->untested) {
        finding_add(findings, parts,
                    "%s was never exercised: what it speaks of was never on the screen to be "
                    "judged (%s time%s in %zu run%s); check its selectors.",
                    property->name, tac_thousands(property->untested, digits, sizeof digits),
                    property->untested == 1 ? "" : "s", property->runs,
                    property->runs == 1 ? "" : "s");
        tac_str_free(&why);
        return;
    }
    finding_add(findings, parts, "%s was never exercised: %s in %s run%s%s%s%s.", property->name,
                interval ? "no interval" : "what it waits for did not happen",
                tac_thousands(property->runs, digits, sizeof digits),
                property->runs == 1 ? "" : "s",
                count == 1  ? "; the event "
                : count > 1 ? "; the events "
                            : "",
                tac_str_text(&why),
                count == 1  ? " never occurs"
                : count > 1 ? " never occur"
                            : "");
    tac_str_free(&why);
}

/* Is there a scenario that violates it now and has no violation in the baseline (NULL = has not
 * this property)? */
static bool newly_violated(const struct property_evidence *now,
                           const struct property_evidence *before)
{
    bool found = !before;
    for (size_t i = 0; before && i < now->scenarios.count; i++) {
        const struct scenario_tally *old = evidence_scenario(before, now->scenarios.at[i].scenario);
        found |= now->scenarios.at[i].violated && !(old && old->violated);
    }
    return found;
}

static void add_finding(const struct compared_campaign *compared, size_t index,
                        const struct event_list *missing)
{
    struct finding_set *findings = &compared->report->project.findings;
    const struct property_evidence *property = &compared->now.properties.at[index];
    const struct property_evidence *before =
        compared->before.count ? evidence_find(&tac_vec_last(&compared->before), property->name)
                               : NULL;
    const char *runs = property->runs == 1 ? "" : "s";
    char *link = link_of(compared, index);
    char *file = report_property_file(compared->campaign);
    char *command = property->violated
                        ? reproduction_advice(compared->report->project.options, compared->campaign,
                                              "property", property->name)
                        : NULL;
    tac_str where = {0}, detail = {0};
    char share[SHARE_TEXT];
    list_violating(property, &where);
    describe_worst(property, &detail);
    struct finding_parts parts = {.detail = tac_str_text(&detail),
                                  .link = link,
                                  .subject = property->name,
                                  .file = file,
                                  .command = command,
                                  .campaign = compared->campaign->label,
                                  .line = property->line};
    if (property->violated) {
        parts.rank = RANK_VIOLATION;
        parts.weight = (double)property->violated + how_far(property);
        parts.is_new = compared->before.count && newly_violated(property, before);
        finding_add(findings, &parts, "%s is violated in %s run%s%s%s.", property->name,
                    share_text(property->violated, property->runs, share), runs,
                    where.length ? ": " : "", tac_str_text(&where));
    } else if (property->runs && property->never == property->runs) {
        report_never(findings, compared, index, missing, &parts);
    } else if (property->unclear) {
        parts.rank = RANK_UNCLEAR;
        finding_add(findings, &parts, "%s is not decided in %s run%s; no run violates it.",
                    property->name, share_text(property->unclear, property->runs, share), runs);
    } else if (property->runs && property->never) {
        parts.rank = RANK_FINE;
        finding_add(findings, &parts, "%s holds in all %s run%s; %s of them exercised it.",
                    property->name, tac_thousands(property->runs, share, 32), runs,
                    tac_thousands(property->runs - property->never, share + 32, 32));
    } else if (property->runs) {
        parts.rank = RANK_FINE;
        if (property->runs == 1)
            finding_add(findings, &parts, "%s holds in the only run.", property->name);
        else
            finding_add(findings, &parts, "%s holds in all %s runs.", property->name,
                        tac_thousands(property->runs, share, sizeof share));
    } else {
        parts.rank = RANK_UNCLEAR;
        finding_add(findings, &parts, "%s was not checked: %s.", property->name,
                    compared->campaign->runs.count ? "no run has a trace" : "there are no runs");
    }
    tac_str_free(&where);
    tac_str_free(&detail);
    free(file);
    free(command);
    free(link);
}

/* The runs that the page leads to: the worst of the property. */
static void cite_worst(const struct compared_campaign *compared,
                       const struct property_evidence *property)
{
    size_t cited = 0;
    struct report_campaign *campaign;
    struct report_run *run = property->has_worst ? report_find_run(&compared->report->project,
                                                                   property->worst_run, &campaign)
                                                 : NULL;
    if (run)
        run->cited = true;
    for (size_t i = 0; i < property->intervals.count && cited < CITED; i++) {
        if (!property->intervals.at[i].violated)
            continue;
        run = report_find_run(&compared->report->project, property->intervals.at[i].run, &campaign);
        cited += run && !run->cited;
        if (run)
            run->cited = true;
    }
}

/* --- earlier campaigns --- */

static void add_trends(const struct compared_campaign *compared, size_t index, json_t *trends)
{
    const struct property_evidence *property = &compared->now.properties.at[index];
    char *link = link_of(compared, index);
    for (size_t s = 0; s < property->scenarios.count; s++) {
        const struct scenario_tally *now = &property->scenarios.at[s];
        struct trend trend = trend_new("property", property->name, now->scenario, link);
        for (size_t b = 0; b < compared->before.count; b++) {
            const struct property_evidence *old =
                evidence_find(&compared->before.at[b], property->name);
            const struct scenario_tally *tally = old ? evidence_scenario(old, now->scenario) : NULL;
            if (tally)
                trend_add(&trend, compared->report->project.options->baselines[b], tally->runs,
                          tally->violated, baseline_median(tally),
                          fisher_exact(now->violated, now->runs, tally->violated, tally->runs));
        }
        trend_add(&trend, "now", now->runs, now->violated, baseline_median(now), NAN);
        trend_finish(&trend, trends);
    }
    free(link);
}

static void compare(const struct compared_campaign *compared, const struct report_campaign *earlier)
{
    struct tac_report *report = compared->report;
    struct finding_set *findings = &report->project.findings;
    const struct run_evidence *before = &tac_vec_last(&compared->before);
    struct gate_report gate = {0};
    struct gate_sides sides = {.report = report,
                               .now = compared->campaign,
                               .before = earlier,
                               .properties = &compared->now,
                               .earlier = before};
    gate_compare(&sides, &gate);
    gate_add_findings(findings, &gate, "#trends");
    baseline_name_missing(findings, &compared->now, before);
    report->incomparable |= !gate.common[0] || !gate.common[1];
    json_t *object = describe_json(&gate_described, &gate);
    json_object_set_new(object, "campaign", tac_json_string(compared->campaign->label));
    json_array_append_new(report->gates, object);
    gate_report_free(&gate);
}

/* For the parts that come after. */
static void note_figures(struct tac_report *report, const struct property_evidence *property)
{
    size_t drawn = property->series.count;
    report->cut_curves += drawn && drawn < property->runs;
    report->cut_intervals += property->intervals.count < property->interval_count;
    tac_names_intern(&report->variables, property->variable);
}

/* The properties of a campaign whose traces have been read. */
static void add_campaign(const struct compared_campaign *compared, json_t *properties)
{
    struct tac_report *report = compared->report;
    size_t index = (size_t)(compared->campaign - report->project.campaigns.at);
    for (size_t p = 0; p < compared->now.properties.count; p++) {
        struct event_list missing = missing_events(compared, p);
        json_array_append_new(properties, property_json(compared, p, &missing));
        note_figures(report, &compared->now.properties.at[p]);
        add_finding(compared, p, &missing);
        add_trends(compared, p, report->trends);
        cite_worst(compared, &compared->now.properties.at[p]);
        free(missing.at);
    }
    const struct report_campaign *earlier =
        compared->before.count
            ? report_counterpart(&report->project, index, &tac_vec_last(&report->baselines))
            : NULL;
    if (earlier)
        compare(compared, earlier);
}

static void free_compared(struct compared_campaign *compared)
{
    evidence_free(&compared->now);
    for (size_t b = 0; b < compared->before.count; b++)
        evidence_free(&compared->before.at[b]);
    tac_vec_free(&compared->before);
    script_file_free(compared->reproduction);
}

/* Also reads the traces, for the parts that come after. */
tac_status report_add_properties(struct tac_report *report, tac_error *err)
{
    json_t *properties = json_array();
    tac_watch *watch = report->project.options->watch;
    size_t campaigns = report->project.campaigns.count;
    tac_status status = TAC_OK;
    report->trends = json_array();
    report->gates = json_array();
    for (size_t i = 0; i < campaigns && status == TAC_OK; i++) {
        struct report_campaign *campaign = &report->project.campaigns.at[i];
        struct compared_campaign compared = {
            .report = report,
            .campaign = campaign,
            .reproduction = script_file_load(campaign),
            .now = {.curves = CURVES / campaigns, .intervals = INTERVALS / campaigns}};
        campaign->first_property = json_array_size(properties);
        status = evidence_collect(&compared.now, campaign, watch, err);
        for (size_t b = 0; b < report->baselines.count && status == TAC_OK; b++) {
            struct run_evidence before = {0};
            struct report_campaign *earlier =
                report_counterpart(&report->project, i, &report->baselines.at[b]);
            if (earlier)
                status = evidence_collect(&before, earlier, watch, err);
            baseline_align(&compared.now, &before);
            tac_vec_push(&compared.before, before);
        }
        if (status == TAC_OK)
            add_campaign(&compared, properties);
        free_compared(&compared);
    }
    json_object_set_new(report->document, "properties", properties);
    json_object_set_new(report->document, "trends", report->trends);
    json_object_set_new(report->document, "gate", report->gates);
    return status;
}
