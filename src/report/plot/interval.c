/* The intervals of a property, as the monitor closes them, with the bound on the plotted variable.
 *
 * A comparison such as diff(rxData) < 8000 kB bounds the variable at its value at the interval's
 * start plus 8000 kB; max(rxData), last(rxData) and the like bound it directly. */
#include "base/data/alloc.h"
#include "report/plot/data.h"
#include <math.h>

static const tac_witness_value *value_of(const tac_witness *witness, const char *name)
{
    for (size_t i = 0; i < witness->value_count; i++)
        if (!strcmp(witness->values[i].name, name))
            return &witness->values[i];
    return NULL;
}

/* Does the text start with FUNCTION(VARIABLE)? */
static bool is_call(const char *text, const char *function, const char *variable)
{
    size_t length = strlen(function), name = strlen(variable);
    if (strncmp(text, function, length) || text[length] != '(')
        return false;
    text += length + 1;
    return !strncmp(text, variable, name) && text[name] == ')';
}

/* Threshold and margin of one comparison, if it bounds the variable, in the variable's own unit. */
static bool bound_of(const tac_comparison_value *comparison, const tac_plot *plot, double start,
                     double *threshold, double *margin, bool *from_start)
{
    static const char *const levels[] = {"max", "min", "last", "first", "avg"};
    double factor = 1;
    tac_unit_scale(comparison->unit, plot_unit(plot), &factor);
    *threshold = comparison->bound * factor;
    *margin = comparison->margin * factor;
    *from_start = is_call(comparison->text, "diff", plot->variable);
    if (*from_start) {
        *threshold += start;
        return true;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (is_call(comparison->text, levels[i], plot->variable))
            return true;
    return false;
}

/* The event at a time, as far as the plot keeps events. */
static char *event_at(const struct plot_series *series, double t)
{
    size_t low = 0, high = series->events.count;
    while (low < high) { /* the last one at or before t */
        size_t middle = (low + high) / 2;
        if (series->events.at[middle].t <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low && !(series->events.at[low - 1].t < t) ? tac_strdup(series->events.at[low - 1].name)
                                                      : NULL;
}

/* Of very many intervals the first ones are drawn, and in the last place the worst of the rest: the
 * worst that is shown is the worst there is. */
static void keep_interval(struct plot_series *series, struct plot_interval *interval)
{
    if (series->interval_count++ < PLOT_INTERVALS_MAX) {
        tac_vec_push(&series->intervals, *interval);
        return;
    }
    struct plot_interval *last = &tac_vec_last(&series->intervals);
    bool worse = plot_is_worse(interval, last);
    struct plot_interval dropped = worse ? *last : *interval;
    if (worse)
        *last = *interval;
    free(dropped.from_event);
    free(dropped.to_event);
}

void plot_interval_closed(void *context, size_t index, const tac_witness *witness)
{
    const struct plot_reading *reading = context;
    const tac_plot *plot = reading->plot;
    struct plot_series *series = reading->series;
    if (index != plot->options.property)
        return;
    const tac_witness_value *value = value_of(witness, plot->variable);
    double scale = 1; /* the property file may count in another unit than the trace */
    if (value)
        tac_unit_scale(value->unit, plot_unit(plot), &scale);
    struct plot_interval interval = {
        .t_from = (double)(witness->interval.t_from - series->start_time) * 1e-9,
        .t_to = (double)(witness->interval.t_to - series->start_time) * 1e-9,
        .start = value ? value->number[0] * scale : NAN,
        .end = value ? value->number[1] * scale : NAN,
        .threshold = NAN,
        .margin = NAN,
        .holds = witness->holds || witness->untested};
    interval.from_event = event_at(series, interval.t_from);
    interval.to_event = event_at(series, interval.t_to);
    /* Of several bounds on the variable, the tightest is drawn. */
    for (size_t i = 0; i < witness->comparison_count; i++) {
        double threshold, margin;
        bool from_start;
        if (bound_of(&witness->comparisons[i], plot, interval.start, &threshold, &margin,
                     &from_start) &&
            !(margin >= interval.margin)) {
            interval.threshold = threshold;
            interval.from_start = from_start;
            interval.margin = margin;
        }
    }
    keep_interval(series, &interval);
}

/* A temporal property is marked from where it went wrong to where that was known. */
void plot_take_result(const struct plot_reading *reading)
{
    struct plot_series *series = reading->series;
    tac_property_result result;
    judge_result(&reading->judge, 0, reading->plot->options.property, &result);
    series->judged = true;
    series->answer = result.answer;
    series->temporal = result.kind != TAC_PROPERTY_INTERVAL;
    if (!series->temporal || !result.witness)
        return;
    const tac_interval *at = &result.witness->interval;
    struct plot_interval stretch = {.t_from = (double)(at->t_from - series->start_time) * 1e-9,
                                    .t_to = (double)(at->t_to - series->start_time) * 1e-9,
                                    .start = NAN,
                                    .end = NAN,
                                    .threshold = NAN,
                                    .margin = NAN,
                                    .holds = result.answer == TAC_HOLDS ||
                                             result.answer == TAC_PRESUMABLY_HOLDS,
                                    .stretch = true};
    if (result.answer == TAC_PRESUMABLY_VIOLATED)
        stretch.t_to = series->duration;
    stretch.from_event = event_at(series, stretch.t_from);
    stretch.to_event = event_at(series, stretch.t_to);
    keep_interval(series, &stretch);
}
