/* See timeline.h: from sorted events to states. */
#include "base/check.h"
#include "trace/text/number.h"
#include "trace/timeline/timeline.h"

enum { WHICH_BEGIN, WHICH_END, WHICH_PLAIN };

/* The symbol of "begin:NAME", "end:NAME" or NAME, made once. */
static tac_status event_symbol(struct timeline *timeline, uint32_t name, int which, uint32_t *out,
                               tac_error *err)
{
    static const char *const heads[] = {"begin:", "end:", ""};
    assert(name < timeline->names.count);
    while (timeline->symbols.count <= (size_t)name * 3 + 2)
        tac_vec_push(&timeline->symbols, TAC_NONE);
    uint32_t *known = &timeline->symbols.at[(size_t)name * 3 + (size_t)which];
    if (*known == TAC_NONE) {
        tac_str_clear(&timeline->text);
        tac_str_add(&timeline->text, heads[which]);
        const char *text = timeline->names.text[name];
        /* A symbol holds no NUL, and a hostile name of megabytes is cut. */
        size_t length = strnlen(text, 4096);
        tac_str_add_bytes(&timeline->text, text, length);
        if (!timeline->text.length)
            tac_str_add(&timeline->text, "(no name)");
        tac_status status = source_symbol_slow(timeline->source, tac_str_text(&timeline->text),
                                               timeline->text.length, known, err);
        if (status)
            return status;
    }
    *out = *known;
    return TAC_OK;
}

tac_status timeline_set_event(struct timeline *timeline, uint32_t name, int which, tac_error *err)
{
    uint32_t symbol;
    tac_status status = event_symbol(timeline, name, which, &symbol, err);
    if (!status)
        source_set_symbol(timeline->source, timeline->event, symbol);
    return status;
}

static void set_place(struct timeline *timeline, size_t variable, uint32_t name)
{
    uint32_t symbol = TAC_TRACE_NO_SYMBOL;
    tac_error ignored;
    if (variable == SIZE_MAX)
        return;
    if (name != TAC_NONE && event_symbol(timeline, name, WHICH_PLAIN, &symbol, &ignored))
        symbol = TAC_TRACE_NO_SYMBOL;
    source_set_symbol(timeline->source, variable, symbol);
}

static void timeline_begin_state(struct timeline *timeline, uint64_t track, bool placed)
{
    const uint64_t *at = tac_u64map_find(&timeline->wheres, track);
    struct timeline_where where = {TAC_NONE, TAC_NONE};
    if (at)
        where = timeline->places.at[*at];
    if (placed) {
        set_place(timeline, timeline->process, where.process);
        set_place(timeline, timeline->thread, where.thread);
    }
}

tac_status timeline_commit(struct timeline *timeline, int64_t time, tac_error *err)
{
    tac_trace_source *source = timeline->source;
    int64_t shifted = time + timeline->shift;
    if (shifted > TRACE_TIME_MAX || shifted < -TRACE_TIME_MAX)
        shifted = shifted > 0 ? TRACE_TIME_MAX : -TRACE_TIME_MAX;
    tac_status status = TAC_OK;
    if (!source_commit(source, shifted))
        status = source_commit_error(source, shifted, 0, 0, err);
    source_begin(source);
    return status;
}

tac_status timeline_commit_joined(struct timeline *timeline, int64_t time, tac_error *err)
{
    return timeline->source->settings.count ? timeline_commit(timeline, time, err) : TAC_OK;
}

static tac_status slice_state(struct timeline *timeline, const struct timeline_event *event,
                              uint32_t name, int which, int64_t length, tac_error *err)
{
    timeline_begin_state(timeline, event->track, true);
    tac_status status = timeline_set_event(timeline, name, which, err);
    if (which == WHICH_END && timeline->duration != SIZE_MAX)
        source_set_number(timeline->source, timeline->duration, (double)length / 1e6);
    return status ? status : timeline_commit(timeline, event->time, err);
}

static tac_status end_slice(struct timeline *timeline, const struct timeline_event *event,
                            tac_error *err)
{
    struct open_slice slice;
    bool ended = event->kind == TIMELINE_END_NAMED
                     ? slices_end_named(&timeline->slices, event->track, event->name, &slice)
                     : slices_end(&timeline->slices, event->track, &slice);
    if (!ended || !timeline_selects(timeline, slice.name))
        return timeline_commit_joined(timeline, event->time, err);
    if (timeline->payload)
        timeline->payload(timeline, slice.payload);
    return slice_state(timeline, event, slice.name, WHICH_END, event->time - slice.begin, err);
}

static tac_status begin_slice(struct timeline *timeline, const struct timeline_event *event,
                              tac_error *err)
{
    slices_begin(&timeline->slices, event->track, event->time, event->name, event->integer);
    if (!timeline_selects(timeline, event->name))
        return timeline_commit_joined(timeline, event->time, err);
    if (timeline->payload)
        timeline->payload(timeline, event->integer);
    return slice_state(timeline, event, event->name, WHICH_BEGIN, 0, err);
}

/* Sets the series' variable in the current state; false when it is not selected. */
static bool set_series(struct timeline *timeline, const struct timeline_event *event)
{
    assert(event->name < timeline->series.count);
    const struct timeline_series *series = &timeline->series.at[event->name];
    bool number = event->kind == TIMELINE_COUNTER || event->kind == TIMELINE_JOIN_COUNTER;
    if (series->variable == SIZE_MAX)
        return false;
    if (number != (series->kind == TAC_CONTINUOUS))
        return false;
    if (number)
        source_set_number(timeline->source, series->variable, event->number * series->scale);
    else
        set_place(timeline, series->variable, (uint32_t)event->track);
    return true;
}

static tac_status log_state(struct timeline *timeline, const struct timeline_event *event,
                            tac_error *err)
{
    tac_trace_source *source = timeline->source;
    const char *tag = timeline->names.text[event->name];
    const char *message = timeline->names.text[event->track];
    char level[2] = {(char)event->integer, '\0'};
    uint32_t symbol;
    bool matched = false;
    tac_status status = TAC_OK;
    if (!timeline->patterns.count) {
        if (!timeline_selects(timeline, event->name))
            return TAC_OK;
        status = timeline_set_event(timeline, event->name, WHICH_PLAIN, err);
        if (!status)
            status = source_symbol_slow(source, level, 1, &symbol, err);
        if (!status)
            source_set_symbol(source, timeline->level, symbol);
        return status ? status : timeline_commit(timeline, event->time, err);
    }
    char *subject = tac_format("%s: %s", tag, message);
    for (size_t i = 0; i < timeline->patterns.count && !status; i++)
        status = pattern_apply(&timeline->patterns.at[i], source, subject, 0, &matched, err);
    free(subject);
    if (!status && matched)
        status = timeline_commit(timeline, event->time, err);
    return status;
}

static tac_status emit_event(struct timeline *timeline, const struct timeline_event *event,
                             tac_error *err)
{
    switch (event->kind) {
    case TIMELINE_BEGIN:
        return begin_slice(timeline, event, err);
    case TIMELINE_END:
    case TIMELINE_END_NAMED:
        return end_slice(timeline, event, err);
    case TIMELINE_DONE_BEGIN:
    case TIMELINE_DONE_END:
    case TIMELINE_INSTANT:
        if (!timeline_selects(timeline, event->name))
            return timeline_commit_joined(timeline, event->time, err);
        return slice_state(timeline, event, event->name,
                           event->kind == TIMELINE_DONE_BEGIN ? WHICH_BEGIN
                           : event->kind == TIMELINE_DONE_END ? WHICH_END
                                                              : WHICH_PLAIN,
                           (int64_t)event->number, err);
    case TIMELINE_COUNTER:
    case TIMELINE_SET:
        return set_series(timeline, event) ? timeline_commit(timeline, event->time, err) : TAC_OK;
    case TIMELINE_JOIN_COUNTER:
    case TIMELINE_JOIN_SET:
        set_series(timeline, event);
        return TAC_OK;
    case TIMELINE_LOG:
        return log_state(timeline, event, err);
    default:
        return timeline->emit ? timeline->emit(timeline, event, err) : TAC_OK;
    }
}

static void end_of_events(struct timeline *timeline)
{
    const struct slices *slices = &timeline->slices;
    timeline->source->ended = true;
    timeline_note_count(timeline, slices->now_open, "slice is open at the end",
                        "slices are open at the end");
    timeline_note_count(timeline, slices->ends_without_begin,
                        "end of slices that began before the recording",
                        "ends of slices that began before the recording");
    if (timeline->ended)
        timeline->ended(timeline);
}

/* The source's fill. */
static tac_status timeline_fill(struct timeline *timeline, tac_error *err)
{
    const struct timeline_event *event;
    tac_status status = TAC_OK;
    while (!status && timeline->source->count < TAC_TRACE_BLOCK_STATES) {
        status = sorter_next(&timeline->sorter, &event, err);
        if (!status && !event) {
            end_of_events(timeline);
            return TAC_OK;
        }
        if (!status)
            status = emit_event(timeline, event, err);
    }
    return status;
}

tac_status timeline_fill_source(tac_trace_source *source, tac_error *err)
{
    return timeline_fill(source->reader, err);
}
