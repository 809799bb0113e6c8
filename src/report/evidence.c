/* Gathering evidence: one pass over each trace. See evidence.h. */
#include "report/evidence.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report/plot/curve.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* One trace while it is read. */
struct reading {
    struct run_evidence *evidence;
    size_t run; /* number in the report */
    struct drawn_curve *curves;
    size_t *columns; /* the trace's variable of each property, SIZE_MAX = none */
    double *scales;
    double *values, *margins; /* deciding interval of this run, NaN = none */
};

/* "[StartPlaying, event == X]" gives the two parts; both "" when the source has no such brackets.
 */
static void split_ends(struct property_evidence *property)
{
    const char *open = strchr(property->source, '['), *close = open ? strchr(open, ']') : NULL;
    const char *comma = open ? memchr(open, ',', close ? (size_t)(close - open) : 0) : NULL;
    const char *first_end = comma ? comma : close;
    property->from_event =
        first_end ? tac_strndup(open + 1, (size_t)(first_end - open - 1)) : tac_strdup("");
    const char *second = comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
    property->to_event = second ? tac_strndup(second, (size_t)(close - second)) : tac_strdup("");
}

static tac_status load_properties(struct run_evidence *evidence,
                                  const struct report_campaign *campaign, tac_error *err)
{
    char *path = report_path(campaign, "properties.txt");
    tac_status status = TAC_OK;
    if (access(path, R_OK) == 0) {
        tac_diagnostics findings = {0};
        status = tac_property_load(path, &findings, &evidence->file, err);
        tac_diagnostics_free(&findings);
    }
    free(path);
    for (size_t i = 0; evidence->file && i < tac_property_count(evidence->file); i++) {
        struct property_evidence property = {.name = tac_property_name(evidence->file, i),
                                             .source = tac_property_source(evidence->file, i),
                                             .variable = tac_strdup(""),
                                             .aggregate = "",
                                             .bound = NAN,
                                             .series = json_array(),
                                             .intervals = json_array()};
        split_ends(&property);
        tac_vec_push(&evidence->properties, property);
    }
    return status;
}

static struct scenario_tally *tally_of(struct property_evidence *property, const char *scenario)
{
    for (size_t i = 0; i < property->scenarios.count; i++)
        if (!strcmp(property->scenarios.at[i].scenario, scenario))
            return &property->scenarios.at[i];
    tac_vec_push(&property->scenarios, (struct scenario_tally){.scenario = tac_strdup(scenario)});
    return &tac_vec_last(&property->scenarios);
}

static void take_interval(void *context, size_t index, const tac_witness *witness)
{
    struct reading *reading = context;
    struct property_evidence *property = &reading->evidence->properties.at[index];
    const tac_comparison_value *first = witness->comparison_count ? witness->comparisons : NULL;
    double margin = witness->has_margin ? witness->margin : NAN;
    double value = first ? first->value : NAN, start = NAN, end = NAN;
    for (size_t i = 0; i < witness->value_count; i++) {
        if (strcmp(witness->values[i].name, property->variable) || witness->values[i].discrete)
            continue;
        double scale = 1;
        tac_unit_scale(witness->values[i].unit, property->unit, &scale);
        start = witness->values[i].number[0] * scale;
        end = witness->values[i].number[1] * scale;
    }
    if (isnan(reading->margins[index]) || margin < reading->margins[index]) {
        reading->margins[index] = margin;
        reading->values[index] = value;
    }
    if (first && !property->unit[0])
        snprintf(property->unit, sizeof property->unit, "%s", first->unit);
    json_t *row = json_object();
    json_object_set_new(row, "run", json_integer((json_int_t)reading->run));
    json_object_set_new(row, "from", tac_json_number((double)witness->interval.t_from * 1e-9));
    json_object_set_new(row, "to", tac_json_number((double)witness->interval.t_to * 1e-9));
    json_object_set_new(row, "start", tac_json_number(start));
    json_object_set_new(row, "end", tac_json_number(end));
    json_object_set_new(row, "value", tac_json_number(value));
    json_object_set_new(row, "margin", tac_json_number(margin));
    json_object_set_new(row, "violated", json_boolean(!witness->holds));
    json_array_append_new(property->intervals, row);
}

/* Finds the variable that each property bounds among those of this trace. */
static void bind_variables(struct reading *reading, const tac_trace_source *source)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    for (size_t p = 0; p < reading->evidence->properties.count; p++) {
        struct property_evidence *property = &reading->evidence->properties.at[p];
        for (size_t v = 0; v < count && reading->columns[p] == SIZE_MAX; v++) {
            const char *aggregate, *comparison, *unit;
            double bound;
            if (variables[v].kind != TAC_CONTINUOUS ||
                !tac_property_bound(reading->evidence->file, p, variables[v].name, &aggregate,
                                    &comparison, &bound))
                continue;
            unit = tac_property_unit(reading->evidence->file, variables[v].name);
            reading->columns[p] = v;
            reading->scales[p] = 1;
            tac_unit_scale(variables[v].unit, unit, &reading->scales[p]);
            property->bound = bound;
            property->aggregate = aggregate;
            snprintf(property->unit, sizeof property->unit, "%s", unit);
            free(property->variable);
            property->variable = tac_strdup(variables[v].name);
        }
    }
}

static void add_points(struct reading *reading, const tac_trace_block *block)
{
    for (size_t p = 0; p < reading->evidence->properties.count; p++) {
        size_t column = reading->columns[p];
        if (column == SIZE_MAX || !block->numbers[column])
            continue;
        for (size_t i = 0; i < block->count; i++)
            curve_add(&reading->curves[p], (double)block->time[i] * 1e-9,
                      block->numbers[column][i] * reading->scales[p]);
    }
}

static void take_result(struct reading *reading, size_t index, tac_monitor *monitor,
                        const struct report_run *run)
{
    struct property_evidence *property = &reading->evidence->properties.at[index];
    struct scenario_tally *tally = tally_of(property, run->scenario);
    tac_property_result result;
    tac_monitor_result(monitor, index, true, &result);
    bool stopped = !strcmp(run->verdict, "aborted") && result.early_alarm;
    tally->runs++;
    tally->violated += tac_answer_exit_code(result.answer) == 1 || stopped;
    if (!isnan(reading->values[index]))
        tac_vec_push(&tally->values, reading->values[index]);
    double margin = reading->margins[index];
    if (!isnan(margin) && (!property->has_worst || margin < property->worst_margin)) {
        property->has_worst = true;
        property->worst_margin = margin;
        property->worst_run = reading->run;
    }
    if (tally->series < reading->evidence->series_per_scenario &&
        reading->columns[index] != SIZE_MAX) {
        tally->series++;
        json_array_append_new(property->series,
                              curve_json(&reading->curves[index], reading->run, run->scenario));
    }
}

static tac_status read_trace(struct reading *reading, const char *path,
                             const struct report_run *run, tac_error *err)
{
    tac_monitor_options options = {.on_interval = take_interval,
                                   .context = reading,
                                   .trace_name = path,
                                   .allow_missing = true};
    tac_trace_source *source = NULL;
    tac_monitor *monitor = NULL;
    const tac_trace_block *block;
    tac_status status = tac_trace_open(path, NULL, &source, err);
    if (status == TAC_OK)
        status = tac_monitor_new(reading->evidence->file, &options, &monitor, err);
    if (status == TAC_OK)
        bind_variables(reading, source);
    while (status == TAC_OK && (status = tac_trace_next(source, &block, err)) == TAC_OK && block) {
        status = tac_monitor_feed_source(monitor, source, block, err);
        add_points(reading, block);
    }
    for (size_t p = 0; p < reading->evidence->properties.count && status == TAC_OK; p++)
        take_result(reading, p, monitor, run);
    tac_monitor_free(monitor);
    tac_trace_close(source);
    return status;
}

static tac_status read_run(struct run_evidence *evidence, const struct report_campaign *campaign,
                           const struct report_run *run, tac_error *err)
{
    size_t count = evidence->properties.count;
    struct reading reading = {.evidence = evidence,
                              .run = campaign->first_run + (size_t)run->id,
                              .curves = tac_calloc(count, sizeof *reading.curves),
                              .columns = tac_calloc(count, sizeof *reading.columns),
                              .scales = tac_calloc(count, sizeof *reading.scales),
                              .values = tac_calloc(count, sizeof *reading.values),
                              .margins = tac_calloc(count, sizeof *reading.margins)};
    for (size_t p = 0; p < count; p++) {
        reading.columns[p] = SIZE_MAX;
        reading.scales[p] = 1;
        reading.values[p] = reading.margins[p] = NAN;
    }
    char *path = report_path(campaign, run->trace);
    tac_status status = read_trace(&reading, path, run, err);
    free(path);
    for (size_t p = 0; p < count; p++)
        curve_free(&reading.curves[p]);
    free(reading.curves);
    free(reading.columns);
    free(reading.scales);
    free(reading.values);
    free(reading.margins);
    return status;
}

tac_status evidence_collect(struct run_evidence *evidence, const struct report_campaign *campaign,
                            tac_watch *watch, tac_error *err)
{
    tac_status status = load_properties(evidence, campaign, err);
    for (size_t i = 0; i < campaign->runs.count && status == TAC_OK && evidence->file; i++) {
        if (!campaign->runs.at[i].trace[0])
            continue;
        status = read_run(evidence, campaign, &campaign->runs.at[i], err);
        if (!tac_watch_tick(watch, "traces read", i + 1, campaign->runs.count))
            return tac_fail(err, TAC_E_INTERRUPTED, "stopped while reading traces");
    }
    return status;
}

const struct property_evidence *evidence_find(const struct run_evidence *evidence, const char *name)
{
    for (size_t i = 0; i < evidence->properties.count; i++)
        if (!strcmp(evidence->properties.at[i].name, name))
            return &evidence->properties.at[i];
    return NULL;
}

const struct scenario_tally *evidence_scenario(const struct property_evidence *property,
                                               const char *scenario)
{
    for (size_t i = 0; i < property->scenarios.count; i++)
        if (!strcmp(property->scenarios.at[i].scenario, scenario))
            return &property->scenarios.at[i];
    return NULL;
}

void evidence_free(struct run_evidence *evidence)
{
    for (size_t i = 0; i < evidence->properties.count; i++) {
        struct property_evidence *property = &evidence->properties.at[i];
        for (size_t s = 0; s < property->scenarios.count; s++) {
            free(property->scenarios.at[s].scenario);
            tac_vec_free(&property->scenarios.at[s].values);
        }
        tac_vec_free(&property->scenarios);
        json_decref(property->series);
        json_decref(property->intervals);
        free(property->variable);
        free(property->from_event);
        free(property->to_event);
    }
    tac_vec_free(&evidence->properties);
    tac_property_free(evidence->file);
}
