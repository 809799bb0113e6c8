/* See events.h. */
#include "trace/chrome/events.h"
#include "base/data/alloc.h"
#include "trace/ftrace/text.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIRST_EVENT_MAX = 1 << 16 };

struct chrome_events {
    struct timeline *timeline;
    struct kernel *names; /* of processes and threads */
    struct json_items items;
    int64_t shift;      /* added to every time */
    tac_u64map writers; /* process << 32 | thread: those that have a track */
    tac_u64map threads; /* the same -> name id: each process numbers its threads as it likes */
    uint64_t count, without_time, without_length, impossible, not_events;
    uint64_t left_out[128]; /* by phase */
};

uint64_t chrome_hash(const json_t *value, uint64_t seed)
{
    if (json_is_string(value))
        return tac_hash_bytes(json_string_value(value), json_string_length(value), seed);
    double number = json_is_number(value) ? json_number_value(value) : -0.5;
    return tac_hash_bytes(&number, sizeof number, seed);
}

/* Ids that are not small numbers (texts, 64 bits) get a number of their own. */
static uint32_t id_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    double number = json_loose_number(value, value && !json_is_null(value) ? -1 : 0);
    if (number >= 0 && number < 2147483648.0)
        return (uint32_t)number;
    return (uint32_t)chrome_hash(value, 4) | 0x80000000u;
}

uint64_t chrome_async_key(const json_t *event)
{
    const json_t *id2 = json_object_get(event, "id2"), *id = json_object_get(event, "id");
    uint64_t key = 2;
    if (json_is_object(id2)) {
        id = json_object_get(id2, "local");
        if (id)
            key = chrome_hash(json_object_get(event, "pid"), key);
        else
            id = json_object_get(id2, "global");
    }
    key = chrome_hash(id, key);
    key = chrome_hash(json_object_get(event, "cat"), key);
    return chrome_hash(json_object_get(event, "scope"), key);
}

/* Names of processes and threads. */
static void take_meta(struct chrome_events *chrome, const json_t *event)
{
    const char *what = json_string_value(json_object_get(event, "name"));
    const char *name = json_string_value(json_object_get(json_object_get(event, "args"), "name"));
    if (!what || !name)
        return;
    uint32_t pid = id_of(event, "pid"), tid = id_of(event, "tid");
    if (!strcmp(what, "process_name"))
        kernel_process_name(chrome->names, pid, name, strlen(name));
    else if (!strcmp(what, "thread_name") && *name)
        *tac_u64map_at(&chrome->threads, (uint64_t)pid << 32 | tid, 0, NULL) =
            timeline_name_text(chrome->timeline, name);
}

/* Counters of one name with different ids are different ones: "NAME[ID]". */
static char *counter_name(const json_t *event, const char *name)
{
    const json_t *id2 = json_object_get(event, "id2"), *id = json_object_get(event, "id");
    if (json_is_object(id2))
        id = json_object_get(id2, json_object_get(id2, "local") ? "local" : "global");
    if (json_is_string(id))
        return tac_format("%s[%s]", name, json_string_value(id));
    return json_is_number(id) ? tac_format("%s[%.0f]", name, json_number_value(id))
                              : tac_strdup(name);
}

static tac_status take_counter(struct chrome_events *chrome, const json_t *event, const char *name,
                               int64_t time, tac_error *err)
{
    const char *key;
    const json_t *value;
    tac_status status = TAC_OK;
    json_t *args = (json_t *)(uintptr_t)json_object_get(event, "args");
    bool single = json_object_size(args) == 1;
    char *own = counter_name(event, name);
    json_object_foreach(args, key, value)
    {
        double number = json_loose_number(value, NAN);
        if (status || isnan(number))
            continue;
        bool plain = single && (!strcmp(key, "value") || !strcmp(key, name));
        char *full = plain ? tac_strdup(own) : tac_format("%s.%s", own, key);
        status = kernel_counter(chrome->names, time, id_of(event, "pid"), full, strlen(full), "",
                                number, err);
        free(full);
    }
    free(own);
    return status;
}

static tac_status take_complete(struct chrome_events *chrome, const json_t *event,
                                struct timeline_event *added, tac_error *err)
{
    const json_t *told = json_object_get(event, "dur");
    double length = json_loose_number(told, told ? -1 : 0) * 1000;
    if (!(length >= 0 && length < 1e18)) {
        chrome->impossible++;
        return TAC_OK;
    }
    chrome->without_length += !told;
    added->kind = TIMELINE_DONE_BEGIN;
    tac_status status = timeline_add(chrome->timeline, added, err);
    added->kind = TIMELINE_DONE_END;
    added->time += llround(length);
    added->number = length;
    return status ? status : timeline_add(chrome->timeline, added, err);
}

/* Ids that are texts or large numbers are their own names until others are given. */
static void name_large_id(tac_u64map *names, struct timeline *timeline, uint64_t key, uint32_t id,
                          const json_t *value)
{
    char number[32];
    if (!(id >> 31) || tac_u64map_find(names, key))
        return;
    snprintf(number, sizeof number, "%.0f", json_number_value(value));
    const char *text = json_is_string(value) ? json_string_value(value) : number;
    *tac_u64map_at(names, key, 0, NULL) = timeline_name(timeline, text, strlen(text));
}

static tac_status take_timed(struct chrome_events *chrome, const json_t *event, char phase,
                             int64_t time, tac_error *err)
{
    const char *name = json_string_value(json_object_get(event, "name"));
    uint32_t tid = id_of(event, "tid"), pid = id_of(event, "pid");
    uint64_t thread_key = (uint64_t)pid << 32 | tid;
    struct timeline_event added = {.time = time, .track = hashed_track(1, thread_key)};
    if (!name)
        name = "";
    if (phase == 'C')
        return take_counter(chrome, event, name, time, err);
    added.name = timeline_name(chrome->timeline, name, strlen(name));
    tac_u64map_at(&chrome->writers, thread_key, 0, NULL);
    name_large_id(&chrome->names->process_names, chrome->timeline, pid, pid,
                  json_object_get(event, "pid"));
    name_large_id(&chrome->threads, chrome->timeline, thread_key, tid,
                  json_object_get(event, "tid"));
    switch (phase) {
    case 'B':
    case 'E':
        added.kind = phase == 'B' ? TIMELINE_BEGIN : TIMELINE_END;
        return timeline_add(chrome->timeline, &added, err);
    case 'X':
        return take_complete(chrome, event, &added, err);
    case 'b':
    case 'S':
    case 'e':
    case 'F':
        added.kind = phase == 'b' || phase == 'S' ? TIMELINE_BEGIN
                     : *name                      ? TIMELINE_END_NAMED
                                                  : TIMELINE_END;
        added.track = hashed_track(3, chrome_async_key(event));
        return timeline_add(chrome->timeline, &added, err);
    case 'I':
    case 'i':
    case 'R':
    case 'n':
        added.kind = TIMELINE_INSTANT;
        return timeline_add(chrome->timeline, &added, err);
    default:
        chrome->left_out[(unsigned char)phase & 127]++;
        return TAC_OK;
    }
}

static tac_status take_event(struct chrome_events *chrome, const json_t *event, tac_error *err)
{
    const char *phase = json_string_value(json_object_get(event, "ph"));
    if (!phase) {
        chrome->not_events++;
        return TAC_OK;
    }
    if (*phase == 'M') {
        take_meta(chrome, event);
        return TAC_OK;
    }
    double time = json_loose_number(json_object_get(event, "ts"), NAN) * 1000;
    if (!(time > -9e17 && time < 9e17)) {
        chrome->without_time++;
        return TAC_OK;
    }
    return take_timed(chrome, event, *phase, llround(time) + chrome->shift, err);
}

static tac_status read_events(struct chrome_events *chrome, tac_error *err)
{
    tac_trace_source *source = chrome->timeline->source;
    tac_status status = TAC_OK;
    json_t *event = NULL;
    while (!status && !(status = json_items_next(&chrome->items, &event, err)) && event) {
        status = take_event(chrome, event, err);
        json_decref(event);
        if (!status && chrome->count++ % 4096 == 0 &&
            !tac_watch_tick(source->options.watch, "reading events", chrome->count, 0))
            status = source_fail(source, err, TAC_E_INTERRUPTED, 0, 0, "interrupted");
    }
    return status;
}

/* A process without a name has that of its main thread. */
static void name_processes(struct chrome_events *chrome)
{
    const tac_u64map_entry *thread;
    for (size_t at = 0; (thread = tac_u64map_next(&chrome->threads, &at));) {
        uint32_t pid = (uint32_t)(thread->key >> 32);
        if (pid == (uint32_t)thread->key)
            tac_u64map_at(&chrome->names->process_names, pid, thread->value, NULL);
    }
}

static void name_threads(struct chrome_events *chrome)
{
    const tac_u64map_entry *writer;
    for (size_t at = 0; (writer = tac_u64map_next(&chrome->writers, &at));) {
        uint32_t pid = (uint32_t)(writer->key >> 32), tid = (uint32_t)writer->key;
        const uint64_t *name = tac_u64map_find(&chrome->threads, writer->key);
        if (!name) /* the kernel's lines may know it */
            name = tac_u64map_find(&chrome->names->thread_names, tid);
        char text[16];
        snprintf(text, sizeof text, "%" PRIu32, tid);
        timeline_where(chrome->timeline, hashed_track(1, writer->key),
                       kernel_process(chrome->names, pid),
                       name ? (uint32_t)*name : timeline_name_text(chrome->timeline, text));
    }
}

/* Is the first thing in the window an event, and not a document with events in it? */
static tac_status is_event(struct trace_window *window, bool *found, tac_error *err)
{
    tac_status status = window_need(window, FIRST_EVENT_MAX, err);
    *found = false;
    if (status)
        return status;
    const char *at = window->data + window->begin;
    size_t size = window->end - window->begin;
    size = size < FIRST_EVENT_MAX ? size : FIRST_EVENT_MAX;
    json_error_t problem;
    json_t *first = json_loadb(at, size, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &problem);
    *found = json_is_string(json_object_get(first, "ph"));
    json_decref(first);
    return TAC_OK;
}

tac_status chrome_items_open(struct json_items *items, struct trace_window *window, tac_error *err)
{
    static const char *const path[] = {"traceEvents", NULL};
    bool lines;
    tac_status status = is_event(window, &lines, err);
    if (lines)
        json_items_open_sequence(items, window);
    else
        json_items_open(items, window, path);
    return status;
}

/* The kernel's lines that Chrome or systrace put beside the events, and its list of processes. */
static tac_status read_system(struct chrome_events *chrome, tac_error *err)
{
    const json_t *lines = json_object_get(chrome->items.others, "systemTraceEvents");
    const json_t *dump = json_object_get(chrome->items.others, "atraceProcessDump");
    struct ftrace_text text = {.kernel = chrome->names, .only_clocks = true};
    tac_status status = TAC_OK;
    if (!json_is_string(lines))
        return TAC_OK;
    status = ftrace_text_all(&text, json_string_value(lines), json_string_length(lines), err);
    text.only_clocks = false;
    text.shift = chrome->shift + (text.has_parent ? text.monotonic_minus_trace : 0);
    if (!status && json_is_string(dump))
        status = ftrace_text_all(&text, json_string_value(dump), json_string_length(dump), err);
    if (!status)
        status = ftrace_text_all(&text, json_string_value(lines), json_string_length(lines), err);
    if (!text.has_parent && chrome->count)
        timeline_note(chrome->timeline, "no mark ties the clock of the kernel's lines to that of "
                                        "the events; they are taken to be one");
    return status;
}

/* Flows, objects, samples, memory dumps: what has no place in a trace. */
static void note_left_out(struct chrome_events *chrome)
{
    tac_str text = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof chrome->left_out / sizeof *chrome->left_out; i++) {
        if (!chrome->left_out[i])
            continue;
        sum += chrome->left_out[i];
        if (i > ' ' && i < 127)
            tac_str_addf(&text, "%s%c %" PRIu64, text.length ? ", " : "", (int)i,
                         chrome->left_out[i]);
    }
    if (sum)
        timeline_note(chrome->timeline,
                      "%" PRIu64 " event%s of other phases (%s) %s left out: only slices, instants "
                      "and counters are read",
                      sum, sum == 1 ? "" : "s", tac_str_text(&text), sum == 1 ? "was" : "were");
    tac_str_free(&text);
}

static void add_notes(struct chrome_events *chrome)
{
    struct timeline *timeline = chrome->timeline;
    const struct json_items *items = &chrome->items;
    timeline->source->cut |= items->cut && !items->cut_between;
    json_items_tell(items, source_note_sentence, timeline->source);
    timeline_note_count(timeline, chrome->not_events, "element is not an event and was left out",
                        "elements are not events and were left out");
    timeline_note_count(timeline, chrome->without_time, "event has no time that can be",
                        "events have no time that can be");
    timeline_note_count(timeline, chrome->without_length,
                        "slice does not tell how long it took: 0 ms",
                        "slices do not tell how long they took: 0 ms");
    timeline_note_count(timeline, chrome->impossible,
                        "slice has a length that cannot be and was left out",
                        "slices have a length that cannot be and were left out");
    note_left_out(chrome);
}

tac_status chrome_read(struct timeline *timeline, struct kernel *names, struct trace_window *window,
                       int64_t shift, tac_error *err)
{
    struct chrome_events chrome = {.timeline = timeline, .names = names, .shift = shift};
    tac_status status = chrome_items_open(&chrome.items, window, err);
    if (!status)
        status = read_events(&chrome, err);
    if (!status)
        status = read_system(&chrome, err);
    if (!status) {
        name_processes(&chrome);
        name_threads(&chrome);
        add_notes(&chrome);
    }
    tac_u64map_free(&chrome.writers);
    tac_u64map_free(&chrome.threads);
    json_items_close(&chrome.items);
    return status;
}
