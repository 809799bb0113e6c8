/* Statistics of traces in one pass each: range and mean of numbers, counts of names. */
#include "base/check.h"
#include "trace/example.h"
#include "trace/keep.h"
#include "trace/profile.h"
#include "trace/read/source.h"
#include "trace/trace.h"
#include <math.h>

enum { EVENTS_SHOWN = 1000 };

struct variable_figures {
    double least, most, first, last;
    double weighted, seconds; /* integral and time over which there was a value */
    double plain;             /* sum over states, for traces without duration */
    uint64_t states;          /* with a value */
    uint64_t unknown;         /* states without a known one */
    uint32_t reason;          /* of the first: a symbol, or TAC_TRACE_NO_SYMBOL: no value yet */
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

/* State i has no known value: with the reason, a symbol or TAC_TRACE_NO_SYMBOL. */
static void add_unknown(struct variable_figures *variable, uint32_t reason)
{
    if (!variable->unknown++)
        variable->reason = reason;
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
        if (isnan(value)) {
            add_unknown(variable, tac_trace_unknown_reason(value));
            continue;
        }
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
                        size_t count, bool is_event, const char *const *names)
{
    uint64_t *seen = figures->seen.at[variable];
    uint32_t last = TAC_TRACE_NO_SYMBOL;
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = symbols[i];
        bool mark = symbol != TAC_TRACE_NO_SYMBOL && *names[symbol] == TAC_TRACE_UNKNOWN;
        if (mark || (symbol == TAC_TRACE_NO_SYMBOL && !is_event))
            add_unknown(&figures->variables.at[variable], symbol);
        if (mark || symbol == TAC_TRACE_NO_SYMBOL)
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
    const char *const *names = tac_trace_symbols(source, &symbols);
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
                        !strcmp(variables[i].name, "event"), names);
    }
    figures->states += block->count;
    figures->last_time = block->time[block->count - 1];
}

/* --- The result ------------------------------------------------------------------------------- */

struct owned_statistics {
    tac_trace_statistics shown; /* first: the caller has its address */
    tac_arena arena;
    TAC_VEC(tac_trace_summary) traces;
};

static const char *reason_text(const struct variable_figures *one, const char *const *names,
                               size_t symbols, tac_arena *arena)
{
    if (!one->unknown)
        return "";
    return one->reason < symbols ? tac_arena_strdup(arena, names[one->reason] + 1) : "no value yet";
}

static const tac_trace_figures *sum_variables(const struct trace_figures *figures,
                                              const tac_trace_source *source,
                                              const tac_trace_variable *variables, size_t count,
                                              tac_arena *arena)
{
    size_t symbols;
    const char *const *names = tac_trace_symbols(source, &symbols);
    tac_trace_figures *list = tac_arena_calloc(arena, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const struct variable_figures *one = &figures->variables.at[i];
        double mean = one->seconds > 0 ? one->weighted / one->seconds
                      : one->states    ? one->plain / (double)one->states
                                       : NAN;
        list[i] = (tac_trace_figures){.name = tac_arena_strdup(arena, variables[i].name),
                                      .unit = tac_arena_strdup(arena, variables[i].unit),
                                      .kind = variables[i].kind,
                                      .least = one->least,
                                      .most = one->most,
                                      .first = one->first,
                                      .last = one->last,
                                      .mean = mean,
                                      .distinct = figures->distinct.at[i],
                                      .unknown = one->unknown,
                                      .reason = reason_text(one, names, symbols, arena)};
    }
    return list;
}

/* Of every event that happened; the names are the source's. */
static tac_trace_event_count *count_events(const struct trace_figures *figures,
                                           const tac_trace_source *source, size_t *count)
{
    size_t symbols;
    const char *const *names = tac_trace_symbols(source, &symbols);
    TAC_VEC(tac_trace_event_count) events = {0};
    for (size_t i = 0; i < figures->events.count; i++)
        if (figures->events.at[i])
            tac_vec_push(&events, (tac_trace_event_count){names[i], figures->events.at[i]});
    *count = events.count;
    return events.at;
}

/* NULL when the trace offers nothing. */
static const char *example_of(const tac_trace_summary *trace, const tac_trace_variable *variables,
                              const tac_trace_event_count *events, size_t event_count,
                              tac_arena *arena)
{
    double *greatest = tac_calloc(trace->variable_count + 1, sizeof *greatest);
    for (size_t i = 0; i < trace->variable_count; i++)
        greatest[i] = trace->variables[i].most;
    tac_str text = {0};
    example_property(variables, greatest, trace->variable_count, events, event_count, &text);
    const char *example = text.length ? tac_arena_strdup(arena, tac_str_text(&text)) : NULL;
    tac_str_free(&text);
    free(greatest);
    return example;
}

static void sum_up(const struct trace_figures *figures, const tac_trace_source *source,
                   const char *path, struct owned_statistics *owned)
{
    size_t count, event_count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    tac_trace_event_count *events = count_events(figures, source, &event_count);
    tac_arena *arena = &owned->arena;
    count = count < figures->variables.count ? count : figures->variables.count;
    tac_trace_summary trace = {.path = tac_arena_strdup(arena, path),
                               .format = tac_arena_strdup(arena, tac_trace_format(source)),
                               .states = figures->states,
                               .skipped = tac_trace_skipped(source),
                               .from = figures->first_time,
                               .to = figures->last_time,
                               .meta = keep_meta(source),
                               .variables = sum_variables(figures, source, variables, count, arena),
                               .variable_count = count};
    trace.example = example_of(&trace, variables, events, event_count, arena);
    trace.event_count = event_count < EVENTS_SHOWN ? event_count : EVENTS_SHOWN;
    tac_trace_event_count *shown = tac_arena_calloc(arena, trace.event_count, sizeof *shown);
    for (size_t i = 0; i < trace.event_count; i++)
        shown[i] =
            (tac_trace_event_count){tac_arena_strdup(arena, events[i].name), events[i].count};
    trace.events = shown;
    tac_vec_push(&owned->traces, trace);
    free(events);
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
                           struct profile *profile, struct owned_statistics *owned, tac_error *err)
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
        sum_up(&figures, source, path, owned);
    free_figures(&figures);
    tac_trace_close(source);
    return status;
}

tac_status tac_trace_stat(const char *const *paths, size_t count,
                          const tac_trace_stat_options *options, tac_trace_statistics **out,
                          tac_error *err)
{
    if (!options->per != !options->variable)
        return tac_fail(err, TAC_E_USAGE,
                        "a profile needs both what is charged and the variable that is consumed");
    struct owned_statistics *owned = tac_calloc(1, sizeof *owned);
    struct profile profile = {.options = options};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && !status; i++) {
        profile_start_trace(&profile, i);
        status = stat_one(paths[i], options, &profile, owned, err);
    }
    owned->shown.traces = owned->traces.at;
    owned->shown.trace_count = owned->traces.count;
    if (!status) {
        assert(owned->traces.count == count);
        if (options->per)
            owned->shown.profile = profile_result(&profile, owned->traces.at, &owned->arena);
        *out = &owned->shown;
    } else {
        tac_trace_statistics_free(&owned->shown);
    }
    profile_free(&profile);
    return status;
}

void tac_trace_statistics_free(tac_trace_statistics *statistics)
{
    struct owned_statistics *owned = (struct owned_statistics *)statistics;
    if (!owned)
        return;
    for (size_t i = 0; i < owned->traces.count; i++)
        drop_meta(owned->traces.at[i].meta);
    tac_vec_free(&owned->traces);
    tac_arena_free(&owned->arena);
    free(owned);
}
