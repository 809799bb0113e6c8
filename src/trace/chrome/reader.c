/* Chrome's trace events as JSON (docs/traces.md, "Chrome"). Times are of the monotonic clock. */
#include "base/io/json.h"
#include "trace/chrome/sniff.h"
#include "trace/json/items.h"
#include "trace/read/format.h"
#include "trace/timeline/marks.h"
#include <inttypes.h>
#include <math.h>

struct chrome {
    struct timeline timeline;
    struct kernel names; /* of processes and threads */
    struct json_items items;
    uint64_t count, without_time;
};

static int sniff(const struct trace_probe *probe)
{
    return chrome_sniff(probe->head) ? 2 : 0;
}

static uint64_t hash_value(const json_t *value, uint64_t seed)
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
    return (uint32_t)hash_value(value, 4) | 0x80000000u;
}

static uint64_t async_track(const json_t *event)
{
    const json_t *id2 = json_object_get(event, "id2"), *id = json_object_get(event, "id");
    uint64_t key = 2;
    if (json_is_object(id2)) {
        id = json_object_get(id2, "local");
        if (id)
            key = hash_value(json_object_get(event, "pid"), key);
        else
            id = json_object_get(id2, "global");
    }
    key = hash_value(id, key);
    key = hash_value(json_object_get(event, "cat"), key);
    return hashed_track(3, hash_value(json_object_get(event, "scope"), key));
}

/* Names of processes and threads. */
static void take_meta(struct chrome *chrome, const json_t *event)
{
    const char *what = json_string_value(json_object_get(event, "name"));
    const char *name = json_string_value(json_object_get(json_object_get(event, "args"), "name"));
    if (!what || !name)
        return;
    if (!strcmp(what, "process_name"))
        kernel_process_name(&chrome->names, id_of(event, "pid"), name, strlen(name));
    else if (!strcmp(what, "thread_name"))
        kernel_thread_name(&chrome->names, id_of(event, "tid"), name, strlen(name));
}

static tac_status take_counter(struct chrome *chrome, const json_t *event, const char *name,
                               int64_t time, tac_error *err)
{
    const char *key;
    const json_t *value;
    tac_status status = TAC_OK;
    json_t *args = (json_t *)(uintptr_t)json_object_get(event, "args");
    bool single = json_object_size(args) == 1;
    json_object_foreach(args, key, value)
    {
        double number = json_loose_number(value, NAN);
        if (status || isnan(number))
            continue;
        bool plain = single && (!strcmp(key, "value") || !strcmp(key, name));
        char *full = plain ? tac_strdup(name) : tac_format("%s.%s", name, key);
        status = kernel_counter(&chrome->names, time, id_of(event, "pid"), full, strlen(full), "",
                                number, err);
        free(full);
    }
    return status;
}

static tac_status take_complete(struct chrome *chrome, const json_t *event,
                                struct timeline_event *added, tac_error *err)
{
    double length = json_loose_number(json_object_get(event, "dur"), 0) * 1000;
    if (!(length >= 0 && length < 1e18))
        length = 0;
    added->kind = TIMELINE_DONE_BEGIN;
    tac_status status = timeline_add(&chrome->timeline, added, err);
    added->kind = TIMELINE_DONE_END;
    added->time += llround(length);
    added->number = length;
    return status ? status : timeline_add(&chrome->timeline, added, err);
}

/* Ids that are texts or large numbers are their own names until others are given. */
static void name_large_id(tac_u64map *names, struct timeline *timeline, uint32_t id,
                          const json_t *value)
{
    char number[32];
    if (!(id >> 31) || tac_u64map_find(names, id))
        return;
    snprintf(number, sizeof number, "%.0f", json_number_value(value));
    const char *text = json_is_string(value) ? json_string_value(value) : number;
    *tac_u64map_at(names, id, 0, NULL) = timeline_name(timeline, text, strlen(text));
}

static tac_status take_timed(struct chrome *chrome, const json_t *event, char phase, int64_t time,
                             tac_error *err)
{
    const char *name = json_string_value(json_object_get(event, "name"));
    uint32_t tid = id_of(event, "tid"), pid = id_of(event, "pid");
    uint64_t thread = hashed_track(1, (uint64_t)pid << 32 | tid);
    struct timeline_event added = {.time = time, .track = thread};
    if (!name)
        name = "";
    if (phase == 'C')
        return take_counter(chrome, event, name, time, err);
    added.name = timeline_name(&chrome->timeline, name, strlen(name));
    tac_u64map_at(&chrome->names.writers, (uint64_t)pid << 32 | tid, 0, NULL);
    name_large_id(&chrome->names.process_names, &chrome->timeline, pid,
                  json_object_get(event, "pid"));
    name_large_id(&chrome->names.thread_names, &chrome->timeline, tid,
                  json_object_get(event, "tid"));
    switch (phase) {
    case 'B':
    case 'E':
        added.kind = phase == 'B' ? TIMELINE_BEGIN : TIMELINE_END;
        return timeline_add(&chrome->timeline, &added, err);
    case 'X':
        return take_complete(chrome, event, &added, err);
    case 'b':
    case 'S':
    case 'e':
    case 'F':
        added.kind = phase == 'b' || phase == 'S' ? TIMELINE_BEGIN : TIMELINE_END;
        added.track = async_track(event);
        return timeline_add(&chrome->timeline, &added, err);
    case 'I':
    case 'i':
    case 'R':
    case 'n':
        added.kind = TIMELINE_INSTANT;
        return timeline_add(&chrome->timeline, &added, err);
    default:
        return TAC_OK;
    }
}

static tac_status take_event(struct chrome *chrome, const json_t *event, tac_error *err)
{
    const char *phase = json_string_value(json_object_get(event, "ph"));
    if (!phase)
        return TAC_OK;
    if (*phase == 'M') {
        take_meta(chrome, event);
        return TAC_OK;
    }
    double time = json_loose_number(json_object_get(event, "ts"), NAN) * 1000;
    if (!(time > -9e18 && time < 9e18)) {
        chrome->without_time++;
        return TAC_OK;
    }
    return take_timed(chrome, event, *phase, llround(time), err);
}

static tac_status read_events(struct chrome *chrome, tac_error *err)
{
    tac_trace_source *source = chrome->timeline.source;
    tac_status status = TAC_OK;
    json_t *event = NULL;
    while (!status && !(status = json_items_next(&chrome->items, &event, err)) && event) {
        if (json_is_object(event))
            status = take_event(chrome, event, err);
        json_decref(event);
        if (!status && chrome->count++ % 4096 == 0 &&
            !tac_watch_tick(source->options.watch, "reading events", chrome->count, 0))
            status = source_fail(source, err, TAC_E_INTERRUPTED, 0, 0, "interrupted");
    }
    return status;
}

static void name_threads(struct chrome *chrome)
{
    const tac_u64map *writers = &chrome->names.writers;
    for (size_t i = 0; i < writers->capacity; i++) {
        if (!writers->used[i])
            continue;
        uint32_t pid = (uint32_t)(writers->keys[i] >> 32), tid = (uint32_t)writers->keys[i];
        const uint64_t *name = tac_u64map_find(&chrome->names.thread_names, tid);
        char text[16];
        snprintf(text, sizeof text, "%" PRIu32, tid);
        timeline_where(&chrome->timeline, hashed_track(1, writers->keys[i]),
                       kernel_process(&chrome->names, pid),
                       name ? (uint32_t)*name : timeline_name_text(&chrome->timeline, text));
    }
    chrome->names.writers.count = 0;
    tac_u64map_free(&chrome->names.writers);
    chrome->names.writers = (tac_u64map){0};
}

static tac_status open_chrome(tac_trace_source *source, tac_error *err)
{
    static const char *const path[] = {"traceEvents", NULL};
    struct chrome *chrome = source->reader = tac_calloc(1, sizeof *chrome);
    timeline_open(&chrome->timeline, source);
    kernel_open(&chrome->names, &chrome->timeline);
    json_items_open(&chrome->items, &source->window, path);
    tac_status status = read_events(chrome, err);
    if (status)
        return status;
    name_threads(chrome);
    kernel_finish(&chrome->names);
    source->clock = "monotonic";
    if (chrome->items.cut)
        timeline_note(&chrome->timeline, "the document ends early, at byte %" PRIu64,
                      chrome->items.cut_at);
    if (chrome->items.damaged)
        timeline_note(&chrome->timeline, "%" PRIu64 " elements are not JSON",
                      chrome->items.damaged);
    if (chrome->without_time)
        timeline_note(&chrome->timeline, "%" PRIu64 " events have no time", chrome->without_time);
    return timeline_finish(&chrome->timeline, err);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct chrome *chrome = source->reader;
    return timeline_fill(&chrome->timeline, err);
}

static void close_chrome(tac_trace_source *source)
{
    struct chrome *chrome = source->reader;
    if (!chrome)
        return;
    timeline_close(&chrome->timeline);
    kernel_close(&chrome->names);
    json_items_close(&chrome->items);
    free(chrome);
}

const struct trace_format trace_format_chrome = {
    .name = "chrome",
    .endings = "|.json|",
    .summary = "Chrome's trace events as JSON",
    .sniff = sniff,
    .open = open_chrome,
    .fill = fill,
    .close = close_chrome,
};
