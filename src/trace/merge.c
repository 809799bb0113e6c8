/* Several sources become one trace, merged by time (docs/traces.md).
 *
 *     source -> block -> head state --+
 *     source -> block -> head state --+-- the earliest -> writer
 *
 * Only the current block of each source is in memory. Choosing the next state looks at every
 * source's head; there are few. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "trace/keep.h"
#include "trace/read/source.h"
#include "trace/text/number.h"
#include "trace/tools.h"
#include "trace/trace.h"
#include "trace/write/writer.h"
#include <math.h>

enum { INPUTS_MAX = 256, FAR_APART_DAYS = 30 };

struct merged_source {
    const char *path;
    tac_trace_source *source;
    const tac_trace_block *block; /* NULL at its end */
    size_t row;
    int64_t shift; /* added to its times */
    int64_t first_time, last_time;
    const char *tied_by; /* the source whose clocks brought it to wall time; NULL = none */
    int64_t clock_shift; /* part of shift */
    uint64_t states;
    TAC_VEC(size_t) variables;    /* its variables' indices in the writer */
    TAC_VEC(double) held_numbers; /* what it said last, to see changes across blocks */
    TAC_VEC(uint32_t) held_symbols;
    TAC_VEC(uint32_t) turns; /* when it last began to set the variable; 0 = never */
};

/* A variable of the writer: who sets it, and how often that changed. */
struct merged_variable {
    const struct merged_source *setter;
    uint32_t turns;
    bool shared; /* a source set it again after another one had */
};

struct owned_import {
    tac_trace_imported shown; /* first: the caller has its address */
    tac_arena arena;
    TAC_VEC(const char *) warnings;
};

struct merge {
    struct merged_source *sources;
    size_t count;
    tac_trace_writer *writer;
    TAC_VEC(struct merged_variable) variables;
    tac_watch *watch;
    uint64_t states;
    int64_t first_time, last_time;
    struct owned_import *result;
};

/* The time of a state on the common clock, clamped to the times that a trace may have. Both
 * summands are at most TRACE_TIME_MAX. */
static int64_t shifted(const struct merged_source *merged, size_t row)
{
    assert(row < merged->block->count);
    int64_t time = merged->block->time[row] + merged->shift;
    return time > TRACE_TIME_MAX ? TRACE_TIME_MAX : time < -TRACE_TIME_MAX ? -TRACE_TIME_MAX : time;
}

/* --- Variables -------------------------------------------------------------------------------- */

static tac_status declare_variables(struct merge *merge, struct merged_source *merged,
                                    tac_error *err)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(merged->source, &count);
    for (size_t i = merged->variables.count; i < count; i++) {
        size_t before = merge->writer->variables.count;
        size_t index = tac_trace_writer_variable(merge->writer, &variables[i]);
        const tac_trace_variable *declared = &merge->writer->variables.at[index];
        if (index < before && declared->kind != variables[i].kind)
            return tac_fail_at(err, TAC_E_INPUT, merged->path, 0, 0,
                               "'%s' is %s here and %s in another source", variables[i].name,
                               variables[i].kind == TAC_DISCRETE ? "discrete" : "continuous",
                               declared->kind == TAC_DISCRETE ? "discrete" : "continuous");
        if (index < before && strcmp(declared->unit, variables[i].unit))
            return tac_fail_at(err, TAC_E_INPUT, merged->path, 0, 0,
                               "'%s' is in '%s' here and in '%s' in another source",
                               variables[i].name, variables[i].unit, declared->unit);
        if (index == before)
            tac_vec_push(&merge->variables, (struct merged_variable){0});
        tac_vec_push(&merged->variables, index);
        tac_vec_push(&merged->turns, 0);
        tac_vec_push(&merged->held_numbers, NAN);
        tac_vec_push(&merged->held_symbols, TAC_TRACE_NO_SYMBOL);
    }
    assert(merge->variables.count == merge->writer->variables.count);
    assert(merged->held_numbers.count == merged->variables.count);
    assert(merged->held_symbols.count == merged->variables.count);
    return TAC_OK;
}

/* --- Sources ---------------------------------------------------------------------------------- */

static tac_status next_block(struct merge *merge, struct merged_source *merged, tac_error *err)
{
    tac_status status = tac_trace_next(merged->source, &merged->block, err);
    merged->row = 0;
    if (status || !merged->block)
        return status;
    merged->states += merged->block->count;
    return declare_variables(merge, merged, err);
}

static tac_status open_source(struct merge *merge, struct merged_source *merged,
                              const tac_trace_input *input, const tac_trace_import_options *options,
                              tac_error *err)
{
    tac_trace_options shared = {0};
    if (options->trace)
        shared = *options->trace;
    shared.shared = merge->count > 1;
    merged->path = input->path;
    tac_status status = tac_trace_open(input->path, &shared, &merged->source, err);
    if (!status)
        status = declare_variables(merge, merged, err);
    if (!status)
        status = next_block(merge, merged, err);
    if (status)
        return status;
    merged->shift = input->offset;
    if (merged->block && options->align)
        merged->shift -= merged->block->time[0];
    if (merged->shift > TRACE_TIME_MAX || merged->shift < -TRACE_TIME_MAX)
        return tac_fail_at(err, TAC_E_INPUT, merged->path, 0, 0, "the offset is over 146 years");
    if (merged->block)
        merged->first_time = shifted(merged, 0);
    return TAC_OK;
}

/* --- Clocks ----------------------------------------------------------------------------------- */

/* A source that ties this clock to wall time; NULL when none does. */
static const struct merged_source *tie_of(const struct merge *merge, const char *clock)
{
    bool boot = !strcmp(clock, "boot");
    for (size_t i = 0; i < merge->count; i++) {
        const tac_trace_source *source = merge->sources[i].source;
        if (boot ? source->ties_boot : source->ties_monotonic)
            return &merge->sources[i];
    }
    return NULL;
}

static void __attribute__((format(printf, 2, 3))) warn(struct merge *merge, const char *format, ...)
{
    va_list args;
    tac_str text = {0};
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_vec_push(&merge->result->warnings,
                 tac_arena_strdup(&merge->result->arena, tac_str_text(&text)));
    tac_str_free(&text);
}

/* Brings sources that count since boot to wall time by another source that knows both clocks. An
 * offset that was given by hand is added as it is. */
static void join_clocks(struct merge *merge, const tac_trace_input *inputs, bool align)
{
    bool wall = false;
    for (size_t i = 0; i < merge->count; i++) {
        const char *clock = merge->sources[i].source->clock;
        wall |= clock && (!strcmp(clock, "realtime") || !strcmp(clock, "local"));
    }
    for (size_t i = 0; i < merge->count && wall && !align; i++) {
        struct merged_source *merged = &merge->sources[i];
        const char *clock = merged->source->clock;
        if (!clock || (strcmp(clock, "boot") && strcmp(clock, "monotonic")))
            continue;
        const struct merged_source *tie = tie_of(merge, clock);
        if (!tie) {
            if (!inputs[i].offset)
                warn(merge,
                     "%s counts in %s time and another source in wall time, and nothing ties the "
                     "two; give its offset",
                     merged->path, clock);
            continue;
        }
        merged->tied_by = tie->path;
        merged->clock_shift = strcmp(clock, "boot") ? tie->source->monotonic_to_realtime
                                                    : tie->source->boot_to_realtime;
        if (merged->clock_shift > TRACE_TIME_MAX / 2 || merged->clock_shift < -TRACE_TIME_MAX / 2)
            merged->clock_shift = 0;
        merged->shift += merged->clock_shift;
        if (merged->block)
            merged->first_time = shifted(merged, 0);
    }
}

/* Times without a zone are as far from wall time as the phone's zone is. */
static void warn_local(struct merge *merge, const tac_trace_input *inputs)
{
    const struct merged_source *wall = NULL;
    for (size_t i = 0; i < merge->count; i++) {
        const char *clock = merge->sources[i].source->clock;
        if (clock && !strcmp(clock, "realtime"))
            wall = &merge->sources[i];
    }
    for (size_t i = 0; i < merge->count && wall; i++) {
        const tac_trace_source *source = merge->sources[i].source;
        bool local = source->local_time || (source->clock && !strcmp(source->clock, "local"));
        if (local && !inputs[i].offset)
            warn(merge,
                 "%s has the phone's local time without a zone and %s wall time: give its offset "
                 "unless the phone was in UTC",
                 merge->sources[i].path, wall->path);
    }
}

/* A forgotten offset or year shows as sources that lie far apart. */
static void warn_far_apart(struct merge *merge)
{
    const int64_t far = (int64_t)FAR_APART_DAYS * 86400 * 1000000000;
    for (size_t i = 1; i < merge->count; i++) {
        const struct merged_source *a = &merge->sources[0], *b = &merge->sources[i];
        if (!a->block || !b->block)
            continue;
        int64_t gap = b->first_time - a->first_time;
        if (gap < far && gap > -far)
            continue;
        warn(merge, "%s starts %.0f days %s %s; is an offset or a year missing?", b->path,
             fabs((double)gap) / 86400e9, gap > 0 ? "after" : "before", a->path);
    }
}

static struct merged_source *earliest(const struct merge *merge)
{
    struct merged_source *best = NULL;
    int64_t best_time = 0;
    for (size_t i = 0; i < merge->count; i++) {
        struct merged_source *merged = &merge->sources[i];
        if (!merged->block)
            continue;
        int64_t time = shifted(merged, merged->row);
        if (!best || time < best_time) {
            best = merged;
            best_time = time;
        }
    }
    return best;
}

/* --- States ----------------------------------------------------------------------------------- */

/* Parts of one recording follow each other; counters of several at once make no sense together. */
static void take_turn(struct merge *merge, struct merged_source *merged, size_t i)
{
    struct merged_variable *variable = &merge->variables.at[merged->variables.at[i]];
    if (variable->setter == merged)
        return;
    variable->shared |= merged->turns.at[i] > 0;
    variable->setter = merged;
    merged->turns.at[i] = ++variable->turns;
}

static void copy_changes(struct merge *merge, struct merged_source *merged)
{
    size_t symbols;
    const char *const *names = tac_trace_symbols(merged->source, &symbols);
    for (size_t i = 0; i < merged->variables.count; i++) {
        size_t variable = merged->variables.at[i];
        if (merged->block->numbers[i]) {
            double value = merged->block->numbers[i][merged->row];
            double *held = &merged->held_numbers.at[i];
            uint32_t reason = tac_trace_unknown_reason(value);
            bool none = isnan(value) && isnan(*held) && reason == tac_trace_unknown_reason(*held);
            if (memcmp(&value, held, sizeof value) && !none) {
                if (reason < symbols)
                    tac_trace_writer_unknown(merge->writer, variable, names[reason] + 1);
                else
                    tac_trace_writer_number(merge->writer, variable, value);
                take_turn(merge, merged, i);
            }
            *held = value;
            continue;
        }
        uint32_t value = merged->block->symbols[i][merged->row];
        if (value != merged->held_symbols.at[i])
            tac_trace_writer_symbol(merge->writer, variable,
                                    value == TAC_TRACE_NO_SYMBOL ? NULL : names[value]);
        merged->held_symbols.at[i] = variable == merge->writer->event ? TAC_TRACE_NO_SYMBOL : value;
    }
}

static tac_status merge_states(struct merge *merge, tac_error *err)
{
    struct merged_source *merged;
    while ((merged = earliest(merge))) {
        int64_t time = shifted(merged, merged->row);
        tac_trace_writer_begin(merge->writer, time);
        copy_changes(merge, merged);
        tac_status status = tac_trace_writer_end(merge->writer, err);
        if (status)
            return status;
        if (!merge->states++)
            merge->first_time = time;
        merge->last_time = merged->last_time = time;
        if (++merged->row == merged->block->count)
            status = next_block(merge, merged, err);
        if (!status && merge->states % 65536 == 0 &&
            !tac_watch_tick(merge->watch, "states", merge->states, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        if (status)
            return status;
    }
    return TAC_OK;
}

/* Of several sources, the first one that says something about the run is believed. */
static json_t *merged_meta(const struct merge *merge)
{
    json_t *meta = json_object(), *names = json_array();
    for (size_t i = 0; i < merge->count; i++) {
        json_object_update_missing(meta,
                                   (json_t *)(uintptr_t)tac_trace_meta(merge->sources[i].source));
        json_array_append_new(names, tac_json_string(tac_base_name(merge->sources[i].path)));
        if (tac_trace_is_cut(merge->sources[i].source))
            json_object_set_new(meta, "cut", json_true());
    }
    if (merge->count > 1)
        json_object_set(meta, "sources", names);
    json_decref(names);
    return meta;
}

static void add_warnings(struct merge *merge, const char *format)
{
    for (size_t i = 0; i < merge->count; i++) {
        const struct merged_source *merged = &merge->sources[i];
        size_t index;
        json_t *note;
        json_array_foreach(json_object_get(merged->source->meta, "notes"), index, note)
        {
            warn(merge, "%s: %s", merged->path, json_string_value(note));
        }
        if (tac_trace_is_cut(merged->source) && !strcmp(format, "csv"))
            warn(merge,
                 "%s is cut, which a CSV cannot say: check it as cut, or write another format",
                 merged->path);
        if (!merged->states)
            warn(merge, "%s has no state%s", merged->path,
                 !strcmp(tac_trace_format(merged->source), "logcat")
                     ? "; does a pattern match its lines?"
                     : "");
    }
    for (size_t i = 0; i < merge->variables.count; i++) {
        const char *name = merge->writer->variables.at[i].name;
        if (merge->variables.at[i].shared && strcmp(name, "dur")) /* a slice's own */
            warn(merge, "'%s' is set by several sources in turn: each value is that of the last",
                 name);
    }
}

/* --- The result ------------------------------------------------------------------------------- */

static tac_trace_imported_source source_result(const struct merged_source *merged, int64_t offset,
                                               tac_arena *arena)
{
    const tac_trace_source *source = merged->source;
    const tac_error *skipped = tac_trace_first_skipped(source);
    char text[2048];
    return (tac_trace_imported_source){
        .path = tac_arena_strdup(arena, merged->path),
        .format = tac_arena_strdup(arena, tac_trace_format(source)),
        .states = merged->states,
        .skipped = tac_trace_skipped(source),
        .first_skipped =
            skipped ? tac_arena_strdup(arena, tac_error_text(skipped, text, sizeof text)) : NULL,
        .from = merged->states ? merged->first_time : 0,
        .to = merged->states ? merged->last_time : 0,
        .offset = offset,
        .clock = source->clock ? tac_arena_strdup(arena, source->clock) : NULL,
        .clock_from = merged->tied_by ? tac_arena_strdup(arena, merged->tied_by) : NULL,
        .clock_offset = merged->clock_shift};
}

static void fill_result(const struct merge *merge, const tac_trace_input *inputs,
                        const char *format)
{
    tac_arena *arena = &merge->result->arena;
    tac_trace_imported *shown = &merge->result->shown;
    tac_trace_imported_source *sources = tac_arena_calloc(arena, merge->count, sizeof *sources);
    for (size_t i = 0; i < merge->count; i++)
        sources[i] = source_result(&merge->sources[i], inputs[i].offset, arena);
    shown->format = tac_arena_strdup(arena, format);
    shown->states = merge->states;
    shown->from = merge->first_time;
    shown->to = merge->last_time;
    shown->sources = sources;
    shown->source_count = merge->count;
    shown->variable_count = merge->writer->variables.count;
    shown->variables = keep_variables(arena, merge->writer->variables.at, shown->variable_count);
    shown->warnings = merge->result->warnings.at;
    shown->warning_count = merge->result->warnings.count;
}

static void close_sources(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        struct merged_source *merged = &merge->sources[i];
        tac_trace_close(merged->source);
        tac_vec_free(&merged->variables);
        tac_vec_free(&merged->held_numbers);
        tac_vec_free(&merged->held_symbols);
        tac_vec_free(&merged->turns);
    }
    tac_vec_free(&merge->variables);
    free(merge->sources);
}

/* Opens, joins and writes; the writer is finished or abandoned. */
static tac_status merge_all(struct merge *merge, const tac_trace_input *inputs,
                            const tac_trace_import_options *options, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < merge->count && !status; i++)
        status = open_source(merge, &merge->sources[i], &inputs[i], options, err);
    if (!status) {
        join_clocks(merge, inputs, options->align);
        warn_far_apart(merge);
        if (!options->align)
            warn_local(merge, inputs);
        json_decref(merge->writer->meta);
        merge->writer->meta = merged_meta(merge);
        status = merge_states(merge, err);
    }
    if (status) {
        tac_trace_writer_abandon(merge->writer);
        return status;
    }
    add_warnings(merge, options->format);
    fill_result(merge, inputs, options->format);
    json_t *late = merged_meta(merge);
    status = tac_trace_writer_finish(merge->writer, late, err);
    json_decref(late);
    return status;
}

tac_status tac_trace_import(const tac_trace_input *inputs, size_t count,
                            const tac_trace_import_options *options, FILE *out,
                            tac_trace_imported **imported, tac_error *err)
{
    if (!count || count > INPUTS_MAX)
        return tac_fail(err, TAC_E_USAGE, "between 1 and %d sources can be merged", INPUTS_MAX);
    struct merge merge = {.count = count,
                          .watch = options->watch,
                          .sources = tac_calloc(count, sizeof *merge.sources),
                          .result = tac_calloc(1, sizeof *merge.result)};
    tac_status status = tac_trace_writer_new(out, options->format, NULL, &merge.writer, err);
    if (!status)
        status = merge_all(&merge, inputs, options, err);
    close_sources(&merge);
    if (status)
        tac_trace_imported_free(&merge.result->shown);
    else
        *imported = &merge.result->shown;
    return status;
}

void tac_trace_imported_free(tac_trace_imported *imported)
{
    struct owned_import *owned = (struct owned_import *)imported;
    if (!owned)
        return;
    tac_vec_free(&owned->warnings);
    tac_arena_free(&owned->arena);
    free(owned);
}
