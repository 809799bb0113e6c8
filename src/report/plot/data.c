/* Reading traces into a plot: one pass, a thousand stretches of time per trace.
 *
 * Stretches start one nanosecond wide; whenever the trace grows past the last one, neighbours are
 * joined and the width doubles. So every stretch keeps the true extremes of all its states. */
#include "report/plot/data.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <math.h>

tac_plot *tac_plot_new(const tac_plot_options *options)
{
    tac_plot *plot = tac_calloc(1, sizeof *plot);
    plot->options = *options;
    plot->variable = tac_strdup(options->variable);
    const tac_properties *definitions =
        options->definitions ? options->definitions : options->properties;
    plot->property_unit =
        tac_strdup(definitions ? tac_property_unit(definitions, options->variable) : "");
    plot->derived = definitions ? tac_derived_new(definitions, options->variable) : NULL;
    if (options->title)
        plot->title = tac_strdup(options->title);
    else if (options->properties)
        plot->title =
            tac_format("%s: %s", tac_property_name(options->properties, options->property),
                       tac_property_source(options->properties, options->property));
    else
        plot->title = tac_strdup(options->variable);
    return plot;
}

static void free_series(struct plot_series *series)
{
    for (size_t i = 0; i < series->events.count; i++)
        free(series->events.at[i].name);
    for (size_t i = 0; i < series->intervals.count; i++) {
        free(series->intervals.at[i].from_event);
        free(series->intervals.at[i].to_event);
    }
    tac_vec_free(&series->points);
    tac_vec_free(&series->events);
    tac_vec_free(&series->intervals);
    free(series->buckets);
    free(series->path);
    free(series->name);
    free(series->group);
}

void tac_plot_free(tac_plot *plot)
{
    if (!plot)
        return;
    for (size_t i = 0; i < plot->series.count; i++)
        free_series(&plot->series.at[i]);
    tac_vec_free(&plot->series);
    tac_derived_free(plot->derived);
    free(plot->variable);
    free(plot->title);
    free(plot->unit);
    free(plot->property_unit);
    free(plot);
}

/* --- Points ----------------------------------------------------------------------------------- */

static void join(struct plot_bucket *into, const struct plot_bucket *next)
{
    if (!next->used)
        return;
    if (!into->used) {
        *into = *next;
        return;
    }
    if (next->least.value < into->least.value)
        into->least = next->least;
    if (next->most.value > into->most.value)
        into->most = next->most;
    into->last = next->last;
}

static void add_point(struct plot_series *series, int64_t time, double value)
{
    uint64_t since = (uint64_t)time - (uint64_t)series->start_time;
    while (since / (uint64_t)series->bucket_width >= PLOT_BUCKETS) {
        for (size_t i = 0; i < PLOT_BUCKETS / 2; i++) {
            struct plot_bucket joined = series->buckets[2 * i];
            join(&joined, &series->buckets[2 * i + 1]);
            series->buckets[i] = joined;
        }
        memset(series->buckets + PLOT_BUCKETS / 2, 0, PLOT_BUCKETS / 2 * sizeof *series->buckets);
        series->bucket_width *= 2;
    }
    struct plot_point point = {(double)since * 1e-9, value};
    struct plot_bucket one = {true, point, point, point, point};
    join(&series->buckets[since / (uint64_t)series->bucket_width], &one);
}

static void push_later(struct plot_series *series, struct plot_point point)
{
    size_t count = series->points.count;
    if (count && series->points.at[count - 1].t == point.t &&
        series->points.at[count - 1].value == point.value)
        return;
    tac_vec_push(&series->points, point);
}

/* Stretches to points, in time order. */
static void gather_points(struct plot_series *series)
{
    series->least = INFINITY;
    series->most = -INFINITY;
    for (size_t i = 0; i < PLOT_BUCKETS; i++) {
        const struct plot_bucket *bucket = &series->buckets[i];
        if (!bucket->used)
            continue;
        bool least_first = bucket->least.t <= bucket->most.t;
        push_later(series, bucket->first);
        push_later(series, least_first ? bucket->least : bucket->most);
        push_later(series, least_first ? bucket->most : bucket->least);
        push_later(series, bucket->last);
        series->least = fmin(series->least, bucket->least.value);
        series->most = fmax(series->most, bucket->most.value);
    }
    free(series->buckets);
    series->buckets = NULL;
}

/* --- Traces ----------------------------------------------------------------------------------- */

/* The file's name without ending; its group is the run's scenario, else the name without the number
 * of the run: cafe-2 belongs to cafe. */
static void name_series(struct plot_series *series, const json_t *meta)
{
    const char *base = tac_base_name(series->path);
    const char *dot = strrchr(base, '.');
    const char *scenario = json_string_value(json_object_get(meta, "scenario"));
    series->name = dot && dot > base ? tac_strndup(base, (size_t)(dot - base)) : tac_strdup(base);
    if (scenario && *scenario) {
        series->group = tac_strdup(scenario);
        return;
    }
    size_t length = strlen(series->name), end = length;
    while (end && series->name[end - 1] >= '0' && series->name[end - 1] <= '9')
        end--;
    if (end < length && end > 1 && (series->name[end - 1] == '-' || series->name[end - 1] == '_'))
        length = end - 1;
    series->group = tac_strndup(series->name, length);
}

static tac_status find_columns(struct plot_reading *reading, tac_error *err)
{
    size_t count;
    tac_plot *plot = reading->plot;
    struct plot_series *series = reading->series;
    const tac_trace_variable *variables = tac_trace_variables(reading->judge.source, &count);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(variables[i].name, "event"))
            reading->event = i;
        if (strcmp(variables[i].name, plot->variable))
            continue;
        if (variables[i].kind != TAC_CONTINUOUS)
            return tac_fail_at(err, TAC_E_INPUT, series->path, 0, 0,
                               "'%s' holds names, not numbers, and cannot be drawn",
                               plot->variable);
        if (plot->unit && strcmp(plot->unit, variables[i].unit))
            return tac_fail_at(err, TAC_E_INPUT, series->path, 0, 0,
                               "'%s' is in '%s' here and in '%s' in another trace", plot->variable,
                               variables[i].unit, plot->unit);
        if (!plot->unit)
            plot->unit = tac_strdup(variables[i].unit);
        reading->variable = i;
        series->linear = variables[i].linear;
    }
    return TAC_OK;
}

static tac_status no_variable(const tac_plot *plot, const struct plot_series *series,
                              const tac_trace_source *source, tac_error *err)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    tac_str names = {.cap = 400};
    for (size_t i = 0; i < count; i++)
        if (variables[i].kind == TAC_CONTINUOUS)
            tac_str_addf(&names, "%s%s", names.length ? ", " : "", variables[i].name);
    tac_status status = tac_fail_at(err, TAC_E_INPUT, series->path, 0, 0,
                                    "the trace has no variable '%s'; its numbers are %s",
                                    plot->variable, names.length ? tac_str_text(&names) : "none");
    tac_str_free(&names);
    return status;
}

/* values: of the plotted variable; NULL = it has none yet. */
static void add_block(const struct plot_reading *reading, const tac_trace_block *block,
                      const double *values)
{
    size_t symbols;
    struct plot_series *series = reading->series;
    const char *const *names = tac_trace_symbols(reading->judge.source, &symbols);
    if (!block->first)
        series->start_time = block->time[0];
    for (size_t i = 0; i < block->count; i++) {
        if (values && !isnan(values[i]))
            add_point(series, block->time[i], values[i]);
        uint32_t event =
            reading->event == SIZE_MAX ? TAC_TRACE_NO_SYMBOL : block->symbols[reading->event][i];
        if (event == TAC_TRACE_NO_SYMBOL)
            continue;
        double t = (double)(block->time[i] - series->start_time) * 1e-9;
        if (series->event_count++ < PLOT_EVENTS_MAX)
            tac_vec_push(&series->events, (struct plot_event){t, tac_strdup(names[event])});
    }
    series->duration = (double)(block->time[block->count - 1] - series->start_time) * 1e-9;
}

/* The values of a `let` in a block. */
static tac_status derive(tac_plot *plot, const tac_trace_source *source,
                         const tac_trace_block *block, double *values, tac_error *err)
{
    tac_monitor_schema schema;
    schema.variables = tac_trace_variables(source, &schema.variable_count);
    schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
    tac_status status = tac_derived_values(plot->derived, &schema, block, values, err);
    if (status == TAC_OK && !plot->unit)
        plot->unit = tac_strdup(tac_derived_unit(plot->derived));
    return status;
}

static tac_status read_block(struct plot_reading *reading, const tac_trace_block *block,
                             tac_error *err)
{
    double derived[TAC_TRACE_BLOCK_STATES];
    const double *values = NULL;
    tac_status status = TAC_OK;
    if (reading->variable == SIZE_MAX || reading->event == SIZE_MAX)
        status = find_columns(reading, err);
    bool derives = reading->variable == SIZE_MAX && reading->plot->derived;
    if (!status && derives)
        status = derive(reading->plot, reading->judge.source, block, derived, err);
    if (derives)
        values = derived;
    else if (reading->variable != SIZE_MAX)
        values = block->numbers[reading->variable];
    if (!status)
        add_block(reading, block, values);
    return status;
}

tac_status tac_plot_add(tac_plot *plot, const char *path, const tac_trace_options *options,
                        tac_watch *watch, tac_error *err)
{
    const tac_trace_block *block;
    struct plot_series series = {.path = tac_strdup(path), .bucket_width = 1};
    struct plot_reading reading = {.plot = plot,
                                   .series = &series,
                                   .judge = {.trace = options,
                                             .end = JUDGE_WHOLE,
                                             .allow_missing = true,
                                             .what = "states",
                                             .watch = watch},
                                   .variable = SIZE_MAX,
                                   .event = SIZE_MAX};
    struct trace_judge *judge = &reading.judge;
    if (plot->options.properties)
        judge_add(judge, plot->options.properties, plot_interval_closed, &reading);
    series.buckets = tac_calloc(PLOT_BUCKETS, sizeof *series.buckets);
    tac_status status = judge_open(judge, path, path, err);
    while (!status && !(status = judge_next(judge, &block, err)) && block)
        status = read_block(&reading, block, err);
    if (!status && reading.variable == SIZE_MAX && !plot->derived)
        status = no_variable(plot, &series, judge->source, err);
    if (!status && plot->options.properties)
        plot_take_result(&reading);
    if (!status)
        name_series(&series, tac_trace_meta(judge->source));
    judge_free(judge);
    gather_points(&series);
    if (status)
        free_series(&series);
    else
        tac_vec_push(&plot->series, series);
    return status;
}

const char *plot_unit(const tac_plot *plot)
{
    if (plot->unit && *plot->unit)
        return plot->unit;
    return plot->property_unit;
}

bool plot_is_worse(const struct plot_interval *a, const struct plot_interval *b)
{
    if (a->holds != b->holds)
        return !a->holds;
    if (isnan(a->margin) || isnan(b->margin))
        return isnan(b->margin) && !isnan(a->margin);
    return a->margin < b->margin;
}

const struct plot_interval *plot_worst(const struct plot_series *series)
{
    const struct plot_interval *worst = NULL;
    for (size_t i = 0; i < series->intervals.count; i++) {
        const struct plot_interval *one = &series->intervals.at[i];
        if (!worst || plot_is_worse(one, worst))
            worst = one;
    }
    return worst;
}

/* --- The document ----------------------------------------------------------------------------- */

static const struct field point_fields[] = {FIELDS(struct plot_point, t, value)};
static DESCRIBE(point, struct plot_point, .form = DESCRIBE_TUPLE);
static const struct field event_fields[] = {FIELDS(struct plot_event, t),
                                            FIELD(struct plot_event, name, .key = "event")};
static DESCRIBE(event, struct plot_event);
static const struct field interval_fields[] = {
    FIELDS(struct plot_interval, t_from, t_to),
    FIELD(struct plot_interval, from_event, .maybe = true),
    FIELD(struct plot_interval, to_event, .maybe = true),
    FIELDS(struct plot_interval, start, end, threshold, margin, holds)};
static DESCRIBE(interval, struct plot_interval);

static void interval_count_of(const void *value, struct field_value *out)
{
    const struct plot_series *series = value;
    out->integer = (int64_t)series->interval_count;
    for (size_t i = 0; i < series->intervals.count; i++)
        out->integer -= series->intervals.at[i].stretch;
}

FIELD_GETTER(start_of, struct plot_series, out->number = (double)it->start_time * 1e-9)

static const struct field series_fields[] = {
    FIELD(struct plot_series, path, .key = "trace"),
    FIELDS(struct plot_series, name, group),
    FIELD_LIST(struct plot_series, points.at, points.count, point_described, .key = "points"),
    FIELD_GET_NUMBER("start", start_of, .unit = "s"),
    FIELD_LIST(struct plot_series, intervals.at, intervals.count, interval_described,
               .key = "intervals", .each = IF_NOT(struct plot_interval, stretch)),
    FIELD_GET_INTEGER("interval_count", interval_count_of),
    FIELD_ENUM(struct plot_series, answer, tac_answer_words, .key = "verdict",
               .known = IF(struct plot_series, judged)),
    FIELD_LIST(struct plot_series, intervals.at, intervals.count, interval_described,
               .key = "stretches", .each = IF(struct plot_interval, stretch)),
    FIELD_LIST(struct plot_series, events.at, events.count, event_described, .key = "events")};
static DESCRIBE(series, struct plot_series);

FIELD_GETTER(unit_of, struct tac_plot, out->text = plot_unit(it))
static void property_of(const void *value, struct field_value *out)
{
    const struct tac_plot *plot = value;
    out->null = !plot->options.properties;
    if (!out->null)
        out->text = tac_property_name(plot->options.properties, plot->options.property);
}

static const struct field plot_fields[] = {
    FIELDS(struct tac_plot, variable), FIELD_GET_TEXT("unit", unit_of),
    FIELD_GET_TEXT("property", property_of, .maybe = true),
    FIELD_LIST(struct tac_plot, series.at, series.count, series_described, .key = "traces")};
DESCRIBE(plot, struct tac_plot);

json_t *tac_plot_json(const tac_plot *plot)
{
    return describe_json(&plot_described, plot);
}
