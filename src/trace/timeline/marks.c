/* See marks.h. */
#include "trace/timeline/marks.h"
#include "base/check.h"
#include "trace/timeline/mark.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel_open(struct kernel *kernel, struct timeline *timeline)
{
    *kernel = (struct kernel){.timeline = timeline};
}

void kernel_close(struct kernel *kernel)
{
    tac_u64map_free(&kernel->tgids);
    tac_u64map_free(&kernel->thread_names);
    tac_u64map_free(&kernel->process_names);
    tac_u64map_free(&kernel->writers);
}

void kernel_thread_name(struct kernel *kernel, uint32_t tid, const char *name, size_t length)
{
    if (tid && length)
        *tac_u64map_at(&kernel->thread_names, tid, 0, NULL) =
            timeline_name(kernel->timeline, name, length);
}

void kernel_process_name(struct kernel *kernel, uint32_t pid, const char *name, size_t length)
{
    if (length)
        *tac_u64map_at(&kernel->process_names, pid, 0, NULL) =
            timeline_name(kernel->timeline, name, length);
}

void kernel_thread_of(struct kernel *kernel, uint32_t tid, uint32_t tgid)
{
    *tac_u64map_at(&kernel->tgids, tid, 0, NULL) = tgid;
}

static uint32_t number_name(struct kernel *kernel, uint32_t number)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%" PRIu32, number);
    return timeline_name(kernel->timeline, text, (size_t)length);
}

uint32_t kernel_process(struct kernel *kernel, uint32_t pid)
{
    const uint64_t *name = tac_u64map_find(&kernel->process_names, pid);
    if (!name)
        name = tac_u64map_find(&kernel->thread_names, pid);
    return name ? (uint32_t)*name : number_name(kernel, pid);
}

static uint64_t async_key(const struct mark *mark)
{
    const char *name = mark->track_length ? mark->track : mark->name;
    size_t length = mark->track_length ? mark->track_length : mark->name_length;
    return tac_hash_bytes(name, length, (uint64_t)mark->tgid + 31 * mark->track_length) ^
           tac_hash_u64((uint64_t)mark->value);
}

static tac_status add_async(struct kernel *kernel, int64_t time, const struct mark *mark,
                            tac_error *err)
{
    bool begins = mark->kind == 'S' || mark->kind == 'G';
    struct timeline_event event = {.time = time,
                                   .kind = begins ? TIMELINE_BEGIN : TIMELINE_END,
                                   .track = hashed_track(3, async_key(mark))};
    if (begins)
        event.name = timeline_name(kernel->timeline, mark->name, mark->name_length);
    return timeline_add(kernel->timeline, &event, err);
}

tac_status kernel_counter(struct kernel *kernel, int64_t time, uint32_t pid, const char *name,
                          size_t length, const char *unit, double value, tac_error *err)
{
    uint32_t base = timeline_name(kernel->timeline, name, length);
    struct timeline_event event = {.time = time,
                                   .kind = TIMELINE_COUNTER,
                                   .name = timeline_series(kernel->timeline, base,
                                                           number_name(kernel, pid), TAC_CONTINUOUS,
                                                           unit, 1),
                                   .number = value};
    return timeline_add(kernel->timeline, &event, err);
}

tac_status kernel_mark(struct kernel *kernel, int64_t time, uint32_t tid, const char *text,
                       size_t length, tac_error *err)
{
    struct mark mark;
    if (!mark_parse(text, length, &mark))
        return TAC_OK;
    if (mark.tgid > 0 && strchr("BE", mark.kind))
        kernel_thread_of(kernel, tid, (uint32_t)mark.tgid);
    struct timeline_event event = {.time = time, .track = thread_track(tid)};
    if (strchr("BEIN", mark.kind))
        tac_u64map_at(&kernel->writers, tid, 0, NULL);
    switch (mark.kind) {
    case 'B':
        event.kind = TIMELINE_BEGIN;
        event.name = timeline_name(kernel->timeline, mark.name, mark.name_length);
        return timeline_add(kernel->timeline, &event, err);
    case 'E':
        event.kind = TIMELINE_END;
        return timeline_add(kernel->timeline, &event, err);
    case 'I':
    case 'N':
        event.kind = TIMELINE_INSTANT;
        event.name = timeline_name(kernel->timeline, mark.name, mark.name_length);
        return timeline_add(kernel->timeline, &event, err);
    case 'C':
        return kernel_counter(kernel, time, (uint32_t)mark.tgid, mark.name, mark.name_length, "",
                              mark.number, err);
    default:
        return add_async(kernel, time, &mark, err);
    }
}

/* The series "cpuN.WHAT", made once. */
static uint32_t cpu_series(struct kernel *kernel, uint32_t *cache, unsigned cpu, const char *what,
                           tac_variable_kind kind, const char *unit)
{
    char name[40];
    assert(cpu < CPUS_MAX);
    if (!cache[cpu]) {
        snprintf(name, sizeof name, "cpu%u.%s", cpu, what);
        cache[cpu] =
            1 + timeline_series(kernel->timeline, timeline_name_text(kernel->timeline, name),
                                TAC_NONE, kind, unit, 1);
    }
    return cache[cpu] - 1;
}

tac_status kernel_switch(struct kernel *kernel, int64_t time, unsigned cpu, uint32_t tid,
                         const char *name, size_t length, tac_error *err)
{
    if (cpu >= CPUS_MAX)
        return TAC_OK;
    uint64_t *known = tac_u64map_at(&kernel->thread_names, tid, TAC_NONE, NULL);
    const tac_names *names = &kernel->timeline->names;
    if (*known == TAC_NONE || names->length[*known] != length ||
        memcmp(names->text[*known], name, length))
        *known = timeline_name(kernel->timeline, name, length);
    struct timeline_event event = {
        .time = time,
        .kind = TIMELINE_SET,
        .name = cpu_series(kernel, kernel->tasks, cpu, "task", TAC_DISCRETE, ""),
        .track = *known};
    return timeline_add(kernel->timeline, &event, err);
}

static tac_status add_number(struct kernel *kernel, int64_t time, uint32_t series, double number,
                             tac_error *err)
{
    struct timeline_event event = {
        .time = time, .kind = TIMELINE_COUNTER, .name = series, .number = number};
    return timeline_add(kernel->timeline, &event, err);
}

tac_status kernel_frequency(struct kernel *kernel, int64_t time, unsigned cpu, double kilohertz,
                            tac_error *err)
{
    if (cpu >= CPUS_MAX)
        return TAC_OK;
    uint32_t series =
        cpu_series(kernel, kernel->frequencies, cpu, "frequency", TAC_CONTINUOUS, "kHz");
    return add_number(kernel, time, series, kilohertz, err);
}

tac_status kernel_idle(struct kernel *kernel, int64_t time, unsigned cpu, double state,
                       tac_error *err)
{
    if (cpu >= CPUS_MAX)
        return TAC_OK;
    uint32_t series = cpu_series(kernel, kernel->idles, cpu, "idle", TAC_CONTINUOUS, "");
    return add_number(kernel, time, series, state, err);
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

/* Owners were numbers of processes; now they get names, with the number where two share one. */
static void name_owners(struct kernel *kernel)
{
    struct timeline *timeline = kernel->timeline;
    tac_u64map used = {0}; /* name id -> pid's name id */
    for (size_t i = 0; i < timeline->series.count; i++) {
        struct timeline_series *series = &timeline->series.at[i];
        if (series->owner == TAC_NONE || !is_number(timeline->names.text[series->owner]))
            continue;
        uint32_t number = series->owner;
        uint32_t pid = (uint32_t)strtoul(timeline->names.text[number], NULL, 10);
        uint32_t name = kernel_process(kernel, pid);
        const uint64_t *other = tac_u64map_find(&used, name);
        if (other && *other != number) {
            char *text = tac_format("%s.%u", timeline->names.text[name], pid);
            name = timeline_name_text(timeline, text);
            free(text);
        } else {
            *tac_u64map_at(&used, name, 0, NULL) = number;
        }
        series->owner = name;
    }
    tac_u64map_free(&used);
}

void kernel_finish(struct kernel *kernel)
{
    const tac_u64map_entry *writer;
    for (size_t at = 0; (writer = tac_u64map_next(&kernel->writers, &at));) {
        uint32_t tid = (uint32_t)writer->key;
        const uint64_t *tgid = tac_u64map_find(&kernel->tgids, tid);
        const uint64_t *name = tac_u64map_find(&kernel->thread_names, tid);
        uint32_t thread = name && *name != TAC_NONE ? (uint32_t)*name : number_name(kernel, tid);
        timeline_where(kernel->timeline, thread_track(tid),
                       tgid ? kernel_process(kernel, (uint32_t)*tgid) : TAC_NONE, thread);
    }
    name_owners(kernel);
}
