/* Gathering evidence: one pass over each trace. See evidence.h. */
#include "report/evidence.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/verdict.h"
#include "property/check/judge.h"
#include "report/model/coverage.h"
#include "report/plot/curve.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A variable that some property bounds. */
struct bounded_variable {
    const char *name, *unit; /* as the file declares it */
    size_t column;           /* of the trace that is read; SIZE_MAX = it has none */
    double scale;
    struct drawn_curve curve;
};

/* All traces of a campaign, one after the other. */
struct evidence_reading {
    struct run_evidence *evidence;
    struct report_campaign *campaign;
    size_t run; /* number in the report */
    struct trace_judge judge;
    struct coverage_walk *walk; /* of the run */
    size_t seen;                /* as coverage_take_events counts */
    TAC_VEC(struct bounded_variable) variables;
    size_t *variable_of; /* by property: its bounded variable, SIZE_MAX = none */
    double *values, *margins;
    size_t most_intervals, most_series;
};

/* "[StartPlaying, event == X]" gives the two parts; both "" when the source has no such brackets.
 */
static void split_ends(tac_arena *texts, struct property_evidence *property)
{
    const char *open = strchr(property->source, '['), *close = open ? strchr(open, ']') : NULL;
    const char *comma = open ? memchr(open, ',', close ? (size_t)(close - open) : 0) : NULL;
    const char *first_end = comma ? comma : close;
    property->from_event =
        first_end ? tac_arena_strndup(texts, open + 1, (size_t)(first_end - open - 1)) : "";
    const char *second = comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
    property->to_event = second ? tac_arena_strndup(texts, second, (size_t)(close - second)) : "";
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
                                             .line = tac_property_line(evidence->file, i),
                                             .variable = "",
                                             .aggregate = "",
                                             .bound = NAN};
        split_ends(&evidence->texts, &property);
        tac_vec_push(&evidence->properties, property);
    }
    return status;
}

/* --- what the properties bound, once for all traces --- */

static size_t bounded_variable(struct evidence_reading *reading, const char *name)
{
    for (size_t i = 0; i < reading->variables.count; i++)
        if (!strcmp(reading->variables.at[i].name, name))
            return i;
    tac_vec_push(&reading->variables,
                 (struct bounded_variable){.name = name,
                                           .unit = tac_property_unit(reading->evidence->file, name),
                                           .column = SIZE_MAX,
                                           .scale = 1});
    return reading->variables.count - 1;
}

static void find_bounds(struct evidence_reading *reading, const tac_property_limit *limits,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct property_evidence *property = &reading->evidence->properties.at[limits[i].property];
        if (reading->variable_of[limits[i].property] != SIZE_MAX)
            continue;
        property->variable = tac_arena_strdup(&reading->evidence->texts, limits[i].variable);
        size_t variable = bounded_variable(reading, property->variable);
        reading->variable_of[limits[i].property] = variable;
        property->aggregate = limits[i].aggregate;
        property->bound = limits[i].bound;
        snprintf(property->unit, sizeof property->unit, "%s", reading->variables.at[variable].unit);
    }
}

/* Finds the bounded variables among those of this trace. */
static void bind_variables(struct evidence_reading *reading, const tac_trace_source *source)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    for (size_t i = 0; i < reading->variables.count; i++) {
        struct bounded_variable *bounded = &reading->variables.at[i];
        bounded->column = SIZE_MAX;
        bounded->scale = 1;
        bounded->curve.points.count = 0;
        for (size_t v = 0; v < count && bounded->column == SIZE_MAX; v++)
            if (variables[v].kind == TAC_CONTINUOUS && !strcmp(variables[v].name, bounded->name)) {
                bounded->column = v;
                tac_unit_scale(variables[v].unit, bounded->unit, &bounded->scale);
            }
    }
}

/* --- one trace --- */

static void take_interval(void *context, size_t index, const tac_witness *witness)
{
    struct evidence_reading *reading = context;
    struct property_evidence *property = &reading->evidence->properties.at[index];
    const tac_comparison_value *first = witness->comparison_count ? witness->comparisons : NULL;
    double margin = witness->has_margin ? witness->margin : NAN;
    struct kept_interval kept = {.run = reading->run,
                                 .from = (double)witness->interval.t_from * 1e-9,
                                 .to = (double)witness->interval.t_to * 1e-9,
                                 .start = NAN,
                                 .end = NAN,
                                 .value = first ? first->value : NAN,
                                 .margin = margin,
                                 .violated = !witness->holds && !witness->untested};
    if (first && !property->unit[0])
        snprintf(property->unit, sizeof property->unit, "%s", first->unit);
    for (size_t i = 0; i < witness->value_count; i++) {
        if (strcmp(witness->values[i].name, property->variable) || witness->values[i].discrete)
            continue;
        double scale = 1;
        tac_unit_scale(witness->values[i].unit, property->unit, &scale);
        kept.start = witness->values[i].number[0] * scale;
        kept.end = witness->values[i].number[1] * scale;
    }
    if (isnan(reading->margins[index]) || margin < reading->margins[index]) {
        reading->margins[index] = margin;
        reading->values[index] = kept.value;
    }
    evidence_keep_interval(property, &kept, reading->most_intervals);
}

static void add_points(struct evidence_reading *reading, const tac_trace_block *block)
{
    for (size_t k = 0; k < reading->variables.count && reading->evidence->curves; k++) {
        struct bounded_variable *variable = &reading->variables.at[k];
        if (variable->column == SIZE_MAX || !block->numbers[variable->column])
            continue;
        const double *numbers = block->numbers[variable->column];
        for (size_t i = 0; i < block->count; i++)
            curve_add(&variable->curve, (double)block->time[i] * 1e-9,
                      numbers[i] * variable->scale);
    }
}

static size_t tally_of(tac_arena *texts, struct property_evidence *property, const char *scenario)
{
    for (size_t i = 0; i < property->scenarios.count; i++)
        if (!strcmp(property->scenarios.at[i].scenario, scenario))
            return i;
    tac_vec_push(&property->scenarios,
                 (struct scenario_tally){.scenario = tac_arena_strdup(texts, scenario)});
    return property->scenarios.count - 1;
}

static void keep_curve(struct evidence_reading *reading, size_t index, size_t scenario,
                       const char *name)
{
    struct property_evidence *property = &reading->evidence->properties.at[index];
    size_t variable = reading->variable_of[index];
    bool first;
    if (variable == SIZE_MAX || reading->variables.at[variable].column == SIZE_MAX ||
        !reading->most_series ||
        !evidence_wants_series(property, scenario, reading->margins[index], reading->most_series,
                               &first))
        return;
    json_t *series = curve_json(&reading->variables.at[variable].curve, reading->run, name);
    tac_vec_push(&property->series, (struct kept_series){.scenario = scenario,
                                                         .run = reading->run,
                                                         .margin = reading->margins[index],
                                                         .first = first,
                                                         .series = series});
}

/* As `tactus run` counts it: a run that was stopped at an alarm is violated. */
static enum run_answer answer_of(const tac_property_result *result, const struct report_run *run)
{
    bool stopped = tac_stored_end_of(run->row.verdict) == TAC_STORED_ABORTED;
    int code = tac_answer_exit_code(result->answer);
    if (code == 1 || (stopped && result->early_alarm))
        return ANSWER_VIOLATED;
    if (result->vacuous)
        return ANSWER_NEVER;
    return code ? ANSWER_UNCLEAR : ANSWER_HOLDS;
}

static void take_result(struct evidence_reading *reading, size_t index, struct report_run *run)
{
    struct property_evidence *property = &reading->evidence->properties.at[index];
    size_t scenario = tally_of(&reading->evidence->texts, property, run->row.scenario);
    struct scenario_tally *tally = &property->scenarios.at[scenario];
    tac_property_result result;
    judge_result(&reading->judge, 0, index, &result);
    enum run_answer answer = answer_of(&result, run);
    run->answers[index] = (char)answer;
    tally->runs++;
    property->runs++;
    tally->violated += answer == ANSWER_VIOLATED;
    property->violated += answer == ANSWER_VIOLATED;
    property->unclear += answer == ANSWER_UNCLEAR;
    property->never += answer == ANSWER_NEVER;
    property->untested += result.untested;
    double margin = reading->margins[index], value = reading->values[index];
    if (!isnan(value))
        tac_vec_push(&tally->values, value);
    run->figures[index] = value;
    if (!isnan(value) && !isnan(margin) && !isnan(property->bound)) {
        double above = fabs(property->bound - value - margin);
        double below = fabs(value - property->bound - margin);
        property->toward += (above < below) - (below < above);
    }
    if (!isnan(margin) && (!property->has_worst || margin < property->worst_margin)) {
        property->has_worst = true;
        property->worst_margin = margin;
        property->worst_run = reading->run;
    }
    keep_curve(reading, index, scenario, run->row.scenario);
}

/* What the header says about the app that ran. */
static void take_meta(struct report_campaign *campaign, struct report_run *run, const json_t *meta)
{
    static const char *const keys[] = {"app_version", "version", "versionName"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !*run->version; i++)
        run->version = tac_arena_strdup(&campaign->texts, tac_json_get_text(meta, keys[i]));
    if (!*run->device)
        run->device = tac_arena_strdup(&campaign->texts, tac_json_get_text(meta, "device"));
}

static tac_status begin_run(struct evidence_reading *reading, struct report_run *run,
                            tac_error *err)
{
    size_t count = reading->evidence->properties.count;
    bool aborted = tac_stored_end_of(run->row.verdict) == TAC_STORED_ABORTED;
    reading->run = reading->campaign->first_run + (size_t)run->row.id;
    for (size_t p = 0; p < count; p++)
        reading->values[p] = reading->margins[p] = NAN;
    run->answers = tac_arena_calloc(&reading->campaign->texts, count + 1, 1);
    run->figures = tac_arena_calloc(&reading->campaign->texts, count + 1, sizeof *run->figures);
    reading->judge.end = aborted ? JUDGE_CUT : JUDGE_WHOLE;
    char *path = report_path(reading->campaign, run->row.trace);
    tac_status status = judge_open(&reading->judge, path, path, err);
    free(path);
    if (status != TAC_OK)
        return status;
    bind_variables(reading, reading->judge.source);
    reading->walk = coverage_walk_new(reading->campaign->coverage, run);
    reading->seen = 0;
    return TAC_OK;
}

static void end_run(struct evidence_reading *reading, struct report_run *run)
{
    for (size_t p = 0; p < reading->evidence->properties.count; p++)
        take_result(reading, p, run);
    take_meta(reading->campaign, run, tac_trace_meta(reading->judge.source));
}

static size_t scenario_count(const struct report_campaign *campaign)
{
    tac_names names = {0};
    for (size_t i = 0; i < campaign->runs.count; i++)
        tac_names_intern(&names, campaign->runs.at[i].row.scenario);
    size_t count = names.count;
    tac_names_free(&names);
    return count ? count : 1;
}

static void start_reading(struct evidence_reading *reading)
{
    enum { MOST_SERIES = 20, LEAST_INTERVALS = 20 };
    struct run_evidence *evidence = reading->evidence;
    size_t properties = evidence->properties.count, limit_count = 0;
    size_t groups = properties * scenario_count(reading->campaign);
    reading->variable_of = tac_calloc(properties + 1, sizeof *reading->variable_of);
    reading->values = tac_calloc(properties + 1, sizeof *reading->values);
    reading->margins = tac_calloc(properties + 1, sizeof *reading->margins);
    memset(reading->variable_of, 0xff, properties * sizeof *reading->variable_of);
    if (evidence->file)
        judge_add(&reading->judge, evidence->file, take_interval, reading);
    if (!properties)
        return;
    reading->most_series = evidence->curves / groups;
    if (reading->most_series > MOST_SERIES)
        reading->most_series = MOST_SERIES;
    if (!reading->most_series && evidence->curves)
        reading->most_series = 1;
    reading->most_intervals = evidence->intervals / properties;
    if (evidence->intervals && reading->most_intervals < LEAST_INTERVALS)
        reading->most_intervals = LEAST_INTERVALS;
    tac_property_limit *limits = tac_property_limits(evidence->file, &limit_count);
    find_bounds(reading, limits, limit_count);
    tac_property_limits_free(limits, limit_count);
}

static void end_reading(struct evidence_reading *reading)
{
    for (size_t p = 0; p < reading->evidence->properties.count; p++)
        evidence_sort(&reading->evidence->properties.at[p], reading->most_intervals);
    for (size_t i = 0; i < reading->variables.count; i++)
        curve_free(&reading->variables.at[i].curve);
    tac_vec_free(&reading->variables);
    judge_free(&reading->judge);
    free(reading->variable_of);
    free(reading->values);
    free(reading->margins);
}

tac_status evidence_collect(struct run_evidence *evidence, struct report_campaign *campaign,
                            tac_watch *watch, tac_error *err)
{
    struct evidence_reading reading = {
        .evidence = evidence, .campaign = campaign, .judge.allow_missing = true};
    struct trace_judge *judge = &reading.judge;
    const tac_trace_block *block;
    tac_status status = load_properties(evidence, campaign, err);
    start_reading(&reading);
    for (size_t i = 0; i < campaign->runs.count && status == TAC_OK; i++) {
        struct report_run *run = &campaign->runs.at[i];
        if (run->row.trace[0]) {
            status = begin_run(&reading, run, err);
            while (status == TAC_OK && (status = judge_next(judge, &block, err)) == TAC_OK &&
                   block) {
                add_points(&reading, block);
                coverage_take_events(campaign, reading.walk, judge->source, block, &reading.seen);
            }
            if (status == TAC_OK)
                end_run(&reading, run);
            coverage_walk_end(reading.walk);
            reading.walk = NULL;
            judge_close(judge);
        }
        if (status == TAC_OK && !tac_watch_tick(watch, "traces read", i + 1, campaign->runs.count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped while reading traces");
    }
    end_reading(&reading);
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
        for (size_t s = 0; s < property->scenarios.count; s++)
            tac_vec_free(&property->scenarios.at[s].values);
        for (size_t s = 0; s < property->series.count; s++)
            json_decref(property->series.at[s].series);
        tac_vec_free(&property->scenarios);
        tac_vec_free(&property->series);
        tac_vec_free(&property->intervals);
    }
    tac_vec_free(&evidence->properties);
    tac_arena_free(&evidence->texts);
    tac_property_free(evidence->file);
}
