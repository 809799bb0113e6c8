/* Statistics of traces in one pass each: range and mean of numbers, counts of names. */
#include "base/io/json.h"
#include "trace/clock.h"
#include "trace/example.h"
#include "trace/profile.h"
#include "trace/read/source.h"
#include <math.h>

enum { EVENTS_SHOWN = 1000 };

struct variable_figures {
    double least, most, first, last;
    double weighted, seconds; /* integral and time over which there was a value */
    double plain;             /* sum over states, for traces without duration */
    uint64_t states;          /* with a value */
};

struct trace_figures {
    TAC_VEC(struct variable_figures) variables;
    TAC_VEC(uint64_t) events; /* occurrences by symbol */
    TAC_VEC(uint64_t *) seen; /* discrete variables: a bit per symbol; NULL otherwise */
    TAC_VEC(size_t) distinct;
    size_t seen_bits;
    uint64_t states;
    int64_t first_time, last_time;
};

static void add_variables(struct trace_figures *figures, size_t count)
{
    while (figures->variables.count < count) {
        struct variable_figures fresh = {.least = NAN, .most = NAN, .first = NAN, .last = NAN};
        tac_vec_push(&figures->variables, fresh);
        tac_vec_push(&figures->seen, (uint64_t *)NULL);
        tac_vec_push(&figures->distinct, (size_t)0);
    }
}

static void add_numbers(struct variable_figures *variable, const tac_trace_block *block,
                        const double *numbers, bool linear, int64_t last_time)
{
    for (size_t i = 0; i < block->count; i++) {
        double value = numbers[i], before = variable->last;
        int64_t time_before = i ? block->time[i - 1] : last_time;
        if (!isnan(before)) {
            double seconds = (double)(block->time[i] - time_before) * 1e-9;
            variable->weighted +=
                seconds * (linear && !isnan(value) ? (before + value) / 2 : before);
            variable->seconds += seconds;
        }
        variable->last = value;
        if (isnan(value))
            continue;
        if (!variable->states++) {
            variable->first = variable->least = variable->most = value;
        } else {
            variable->least = value < variable->least ? value : variable->least;
            variable->most = value > variable->most ? value : variable->most;
        }
        variable->plain += value;
    }
}

static void add_symbols(struct trace_figures *figures, size_t variable, const uint32_t *symbols,
                        size_t count, bool is_event)
{
    uint64_t *seen = figures->seen.at[variable];
    uint32_t last = TAC_TRACE_NO_SYMBOL;
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = symbols[i];
        if (symbol == TAC_TRACE_NO_SYMBOL)
            continue;
        if (is_event)
            figures->events.at[symbol]++;
        if (symbol == last)
            continue;
        last = symbol;
        uint64_t bit = (uint64_t)1 << (symbol % 64);
        figures->distinct.at[variable] += !(seen[symbol / 64] & bit);
        seen[symbol / 64] |= bit;
    }
}

/* Room for every symbol that the source knows by now. */
static void grow_symbols(struct trace_figures *figures, const tac_trace_variable *variables,
                         size_t count, size_t symbols)
{
    while (figures->events.count < symbols)
        tac_vec_push(&figures->events, 0);
    size_t bits = figures->seen_bits;
    while (bits < symbols)
        bits = bits ? bits * 2 : 64;
    for (size_t i = 0; i < count; i++) {
        if (variables[i].kind != TAC_DISCRETE ||
            (figures->seen.at[i] && bits == figures->seen_bits))
            continue;
        size_t old = figures->seen.at[i] ? figures->seen_bits / 64 : 0;
        figures->seen.at[i] = tac_realloc(figures->seen.at[i], bits / 64 + 1, 8);
        memset(figures->seen.at[i] + old, 0, (bits / 64 + 1 - old) * 8);
    }
    figures->seen_bits = bits;
}

static void add_block(struct trace_figures *figures, const tac_trace_source *source,
                      const tac_trace_block *block)
{
    size_t count, symbols;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    tac_trace_symbols(source, &symbols);
    if (!figures->states)
        figures->first_time = figures->last_time = block->time[0];
    add_variables(figures, count);
    grow_symbols(figures, variables, count, symbols);
    for (size_t i = 0; i < count; i++) {
        if (variables[i].kind == TAC_CONTINUOUS)
            add_numbers(&figures->variables.at[i], block, block->numbers[i], variables[i].linear,
                        figures->last_time);
        else
            add_symbols(figures, i, block->symbols[i], block->count,
                        !strcmp(variables[i].name, "event"));
    }
    figures->states += block->count;
    figures->last_time = block->time[block->count - 1];
}

/* --- The document ----------------------------------------------------------------------------- */

static json_t *variable_json(const struct trace_figures *figures, size_t index,
                             const tac_trace_variable *variable)
{
    json_t *object = json_object();
    bool continuous = variable->kind == TAC_CONTINUOUS;
    json_object_set_new(object, "name", tac_json_string(variable->name));
    json_object_set_new(object, "kind", json_string(continuous ? "continuous" : "discrete"));
    if (!continuous) {
        json_object_set_new(object, "distinct",
                            json_integer((json_int_t)figures->distinct.at[index]));
        return object;
    }
    const struct variable_figures *one = &figures->variables.at[index];
    double mean = one->seconds > 0 ? one->weighted / one->seconds
                  : one->states    ? one->plain / (double)one->states
                                   : NAN;
    json_object_set_new(object, "unit", tac_json_string(variable->unit));
    json_object_set_new(object, "min", tac_json_number(one->least));
    json_object_set_new(object, "max", tac_json_number(one->most));
    json_object_set_new(object, "mean", tac_json_number(mean));
    json_object_set_new(object, "first", tac_json_number(one->first));
    json_object_set_new(object, "last", tac_json_number(one->last));
    return object;
}

static json_t *example_json(const struct trace_figures *figures, const tac_trace_source *source)
{
    size_t count, symbols;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    const char *const *names = tac_trace_symbols(source, &symbols);
    TAC_VEC(struct example_event) events = {0};
    count = count < figures->variables.count ? count : figures->variables.count;
    double *greatest = tac_calloc(count + 1, sizeof *greatest);
    for (size_t i = 0; i < count; i++)
        greatest[i] = figures->variables.at[i].most;
    for (size_t i = 0; i < figures->events.count; i++)
        if (figures->events.at[i])
            tac_vec_push(&events, (struct example_event){names[i], figures->events.at[i]});
    tac_str text = {0};
    example_property(variables, greatest, count, events.at, events.count, &text);
    json_t *example = text.length ? tac_json_string(tac_str_text(&text)) : json_null();
    tac_str_free(&text);
    tac_vec_free(&events);
    free(greatest);
    return example;
}

static json_t *trace_json(const struct trace_figures *figures, const tac_trace_source *source,
                          const char *path)
{
    size_t count, symbols;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    const char *const *names = tac_trace_symbols(source, &symbols);
    json_t *object = json_object(), *list = json_array(), *events = json_object();
    for (size_t i = 0; i < count && i < figures->variables.count; i++)
        json_array_append_new(list, variable_json(figures, i, &variables[i]));
    for (size_t i = 0; i < figures->events.count && json_object_size(events) < EVENTS_SHOWN; i++)
        if (figures->events.at[i])
            json_object_set_new(events, names[i], json_integer((json_int_t)figures->events.at[i]));
    bool any = figures->states > 0;
    double from = clock_seconds(figures->first_time), to = clock_seconds(figures->last_time);
    json_object_set_new(object, "trace", tac_json_string(path));
    json_object_set_new(object, "format", tac_json_string(tac_trace_format(source)));
    json_object_set_new(object, "states", json_integer((json_int_t)figures->states));
    json_object_set_new(object, "from", any ? tac_json_number(from) : json_null());
    json_object_set_new(object, "to", any ? tac_json_number(to) : json_null());
    json_object_set_new(object, "duration",
                        tac_json_number(clock_seconds(figures->last_time - figures->first_time)));
    json_object_set_new(object, "skipped", json_integer((json_int_t)tac_trace_skipped(source)));
    json_object_set(object, "meta", (json_t *)(uintptr_t)tac_trace_meta(source));
    json_object_set_new(object, "variables", list);
    json_object_set_new(object, "events", events);
    json_object_set_new(object, "example", example_json(figures, source));
    return object;
}

static void free_figures(struct trace_figures *figures)
{
    for (size_t i = 0; i < figures->seen.count; i++)
        free(figures->seen.at[i]);
    tac_vec_free(&figures->variables);
    tac_vec_free(&figures->events);
    tac_vec_free(&figures->seen);
    tac_vec_free(&figures->distinct);
}

static tac_status stat_one(const char *path, const tac_trace_stat_options *options,
                           struct profile *profile, json_t *traces, tac_error *err)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_status status = tac_trace_open(path, options->trace, &source, err);
    if (status)
        return status;
    struct trace_figures figures = {0};
    while (!(status = tac_trace_next(source, &block, err)) && block) {
        add_block(&figures, source, block);
        if (options->per && (status = profile_feed(profile, source, block, err)))
            break;
        if (!tac_watch_tick(options->watch, "states", figures.states, 0)) {
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
            break;
        }
    }
    if (!status && options->per)
        status = profile_end_trace(profile, path, err);
    if (!status)
        json_array_append_new(traces, trace_json(&figures, source, path));
    free_figures(&figures);
    tac_trace_close(source);
    return status;
}

tac_status tac_trace_stat(const char *const *paths, size_t count,
                          const tac_trace_stat_options *options, json_t **document, tac_error *err)
{
    if (!options->per != !options->variable)
        return tac_fail(err, TAC_E_USAGE,
                        "a profile needs both what is charged and the variable that is consumed");
    json_t *traces = json_array();
    struct profile profile = {.options = options};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && !status; i++) {
        profile_start_trace(&profile, i);
        status = stat_one(paths[i], options, &profile, traces, err);
    }
    if (!status) {
        *document = json_object();
        json_object_set(*document, "traces", traces);
        json_object_set_new(*document, "profile",
                            options->per ? profile_json(&profile, paths) : json_null());
    }
    profile_free(&profile);
    json_decref(traces);
    return status;
}
