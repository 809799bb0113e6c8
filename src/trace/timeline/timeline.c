/* See timeline.h: adding events, naming variables. */
#include "trace/timeline/timeline.h"
#include "base/check.h"
#include "trace/text/number.h"
#include <fnmatch.h>

enum { SERIES_MAX = 1 << 16 };

void timeline_open(struct timeline *timeline, tac_trace_source *source)
{
    *timeline = (struct timeline){.source = source};
    timeline->event = timeline->duration = timeline->process = timeline->thread = SIZE_MAX;
    timeline->level = SIZE_MAX;
}

uint32_t timeline_name(struct timeline *timeline, const void *text, size_t length)
{
    return tac_names_intern_bytes(&timeline->names, text, length);
}

uint32_t timeline_name_text(struct timeline *timeline, const char *text)
{
    return tac_names_intern(&timeline->names, text);
}

bool timeline_selects(struct timeline *timeline, uint32_t name)
{
    const tac_trace_options *options = &timeline->source->options;
    if (!options->select_count)
        return true;
    assert(name < timeline->names.count);
    while (timeline->selected.count <= name)
        tac_vec_push(&timeline->selected, 0);
    uint8_t *known = &timeline->selected.at[name];
    for (size_t i = 0; !*known && i < options->select_count; i++)
        if (!fnmatch(options->select[i], timeline->names.text[name], 0))
            *known = 2;
    if (!*known)
        *known = 1;
    return *known == 2;
}

tac_status timeline_add(struct timeline *timeline, const struct timeline_event *event,
                        tac_error *err)
{
    if (event->time > TRACE_TIME_MAX || event->time < -TRACE_TIME_MAX) {
        timeline->out_of_range++;
        return TAC_OK;
    }
    switch (event->kind) {
    case TIMELINE_BEGIN:
    case TIMELINE_DONE_END:
        timeline->any_slice = timeline->any_event = true;
        break;
    case TIMELINE_INSTANT:
        timeline->any_event = true;
        break;
    case TIMELINE_LOG:
        timeline->any_log = timeline->any_event = true;
        break;
    default:
        break;
    }
    return sorter_add(&timeline->sorter, event, err);
}

uint32_t timeline_series(struct timeline *timeline, uint32_t base, uint32_t owner,
                         tac_variable_kind kind, const char *unit, double scale)
{
    uint64_t key = (uint64_t)base << 32 | owner;
    bool is_new;
    uint64_t *at = tac_u64map_at(&timeline->series_index, key, timeline->series.count, &is_new);
    if (is_new && timeline->series.count >= SERIES_MAX) {
        *at = SERIES_MAX - 1;
        is_new = false;
        timeline->too_many++;
    }
    if (is_new)
        tac_vec_push(&timeline->series, (struct timeline_series){.base = base,
                                                                 .owner = owner,
                                                                 .unit = unit,
                                                                 .kind = kind,
                                                                 .scale = scale,
                                                                 .variable = SIZE_MAX});
    return (uint32_t)*at;
}

void timeline_where(struct timeline *timeline, uint64_t track, uint32_t process, uint32_t thread)
{
    bool is_new;
    uint64_t *at = tac_u64map_at(&timeline->wheres, track, timeline->places.count, &is_new);
    if (is_new)
        tac_vec_push(&timeline->places, (struct timeline_where){TAC_NONE, TAC_NONE});
    struct timeline_where *place = &timeline->places.at[*at];
    if (process != TAC_NONE)
        place->process = process;
    if (thread != TAC_NONE)
        place->thread = thread;
    timeline->any_place = true;
}

void timeline_note(struct timeline *timeline, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    source_note_sentence(timeline->source, tac_str_text(&text));
    tac_str_free(&text);
}

void timeline_note_count(struct timeline *timeline, uint64_t count, const char *one,
                         const char *many)
{
    source_note_count(timeline->source, count, one, many);
}

/* --- Variables -------------------------------------------------------------------------------- */

/* How many series have this base name: 1 needs no owner in its variable's name. */
static uint8_t *count_bases(const struct timeline *timeline)
{
    uint8_t *counts = tac_calloc(timeline->names.count + 1, sizeof *counts);
    for (size_t i = 0; i < timeline->series.count; i++) {
        uint8_t *count = &counts[timeline->series.at[i].base];
        *count = (uint8_t)(*count + (*count < 2));
    }
    return counts;
}

static void series_name(const struct timeline *timeline, const struct timeline_series *series,
                        bool with_owner, tac_str *out)
{
    tac_str_clear(out);
    tac_str_add(out, timeline->names.text[series->base]);
    if (!out->length)
        tac_str_add(out, "counter");
    if (with_owner && series->owner != TAC_NONE)
        tac_str_addf(out, ":%s", timeline->names.text[series->owner]);
}

/* A name that another variable has gets a number: two counters never become one. */
static void make_single(const struct timeline *timeline, tac_str *name)
{
    const size_t length = name->length;
    for (unsigned n = 2;
         source_find_variable(timeline->source, tac_str_text(name), name->length) != SIZE_MAX;
         n++) {
        name->length = length;
        tac_str_addf(name, "#%u", n);
    }
}

static tac_status name_series(struct timeline *timeline, tac_error *err)
{
    uint8_t *bases = count_bases(timeline);
    const size_t most = TRACE_VARIABLES_MAX - timeline->reserved;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < timeline->series.count && !status; i++) {
        struct timeline_series *series = &timeline->series.at[i];
        series_name(timeline, series, bases[series->base] > 1, &timeline->text);
        if (timeline->source->variables.count < most)
            make_single(timeline, &timeline->text);
        const char *name = tac_str_text(&timeline->text);
        uint32_t id = timeline_name_text(timeline, name);
        if (!timeline_selects(timeline, id) && !timeline_selects(timeline, series->base))
            continue;
        if (timeline->source->variables.count >= most)
            timeline->too_many++;
        else
            status = source_add_variable(timeline->source, name, strlen(name), series->kind,
                                         series->unit, false, &series->variable, err);
    }
    free(bases);
    return status;
}

static tac_status name_fixed(struct timeline *timeline, tac_error *err)
{
    tac_trace_source *source = timeline->source;
    tac_status status = TAC_OK;
    if (timeline->any_event)
        status = source_want_variable(source, "event", TAC_DISCRETE, "", &timeline->event, err);
    if (!status && timeline->any_slice)
        status =
            source_want_variable(source, "dur", TAC_CONTINUOUS, "ms", &timeline->duration, err);
    if (!status && timeline->any_place)
        status = source_want_variable(source, "process", TAC_DISCRETE, "", &timeline->process, err);
    if (!status && timeline->any_place)
        status = source_want_variable(source, "thread", TAC_DISCRETE, "", &timeline->thread, err);
    if (!status && timeline->any_log)
        status = source_want_variable(source, "level", TAC_DISCRETE, "", &timeline->level, err);
    for (size_t i = 0; i < source->options.pattern_count && timeline->any_log && !status; i++) {
        struct trace_pattern pattern;
        status = pattern_compile(&pattern, source, source->options.patterns[i], err);
        if (!status)
            tac_vec_push(&timeline->patterns, pattern);
    }
    return status;
}

static void add_notes(struct timeline *timeline)
{
    timeline_note_count(timeline, timeline->out_of_range,
                        "event lies over 146 years from 1970 and was left out",
                        "events lie over 146 years from 1970 and were left out");
    if (timeline->too_many)
        timeline_note(
            timeline, "%llu counters past the first %zu were left out; select the ones you need",
            (unsigned long long)timeline->too_many, TRACE_VARIABLES_MAX - timeline->reserved);
}

tac_status timeline_finish(struct timeline *timeline, tac_error *err)
{
    tac_status status = name_fixed(timeline, err);
    if (!status)
        status = name_series(timeline, err);
    if (!status)
        status = sorter_finish(&timeline->sorter, err);
    if (timeline->source->window.unfinished)
        timeline_note(timeline, "the last line has no line end: the text may be cut there");
    add_notes(timeline);
    return status;
}

void timeline_close(struct timeline *timeline)
{
    sorter_free(&timeline->sorter);
    slices_free(&timeline->slices);
    tac_names_free(&timeline->names);
    tac_vec_free(&timeline->symbols);
    tac_vec_free(&timeline->selected);
    tac_vec_free(&timeline->series);
    tac_u64map_free(&timeline->series_index);
    tac_u64map_free(&timeline->wheres);
    tac_vec_free(&timeline->places);
    for (size_t i = 0; i < timeline->patterns.count; i++)
        pattern_free(&timeline->patterns.at[i]);
    tac_vec_free(&timeline->patterns);
    tac_str_free(&timeline->text);
}
