/* Events of the kernel: scheduling, frequencies, idle states, marks of apps, names of threads. */
#include "base/check.h"
#include "trace/perfetto/bundle.h"
#include "trace/perfetto/reader.h"

enum event_kind {
    EVENT_PRINT = 3,
    EVENT_SWITCH = 4,
    EVENT_FREQUENCY = 11,
    EVENT_IDLE = 13,
    EVENT_NEW_TASK = 235,
    EVENT_RENAME = 236,
    EVENT_GPU_FREQUENCY = 332
};

/* Fields 1 and 2 of an event that has only numbers. */
static void read_pair(const struct wire_field *payload, uint64_t *first, uint64_t *second)
{
    struct wire wire = wire_inside(payload);
    struct wire_field field;
    *first = *second = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            *first = wire_number(&field);
        else if (field.number == 2)
            *second = wire_number(&field);
    }
}

/* The name may fill its 16 bytes with zeros. */
static size_t name_length(const char *name, size_t length)
{
    return name ? strnlen(name, length) : 0;
}

/* Who comes next at a switch. */
struct comer {
    const char *name;
    size_t length;
    uint32_t tid;
};

static struct comer any_switch(struct wire wire)
{
    struct wire_field field;
    struct comer comer = {.name = ""};
    while (!(comer.tid && comer.length) && wire_next(&wire, &field)) {
        if (field.number == 6)
            comer.tid = (uint32_t)wire_number(&field);
        else if (field.number == 5 && field.type == WIRE_BYTES) {
            comer.name = (const char *)field.data;
            comer.length = name_length(comer.name, field.size);
        }
    }
    return comer;
}

/* The same where all seven fields stand in order; QUICK_SLACK bytes behind are readable. */
static bool usual_switch(struct wire wire, struct comer *comer)
{
    const uint8_t *at = wire.at;
    uint64_t number = 0;
    if (wire.end - at < 16 || at[0] != 0x0a || 2 + at[1] >= wire.end - at || at[1] >= 0x80)
        return false;
    at += 2 + at[1];
    for (uint8_t tag = 0x10; tag <= 0x20; tag = (uint8_t)(tag + 8))
        if (*at != tag || !(at = quick_small(at + 1, &number)))
            return false;
    if (at[0] != 0x2a || at + 2 > wire.end || 2 + at[1] >= wire.end - at || at[1] >= 0x80)
        return false;
    comer->name = (const char *)at + 2;
    comer->length = name_length(comer->name, at[1]);
    at += 2 + at[1];
    if (*at != 0x30 || !(at = quick_small(at + 1, &number)))
        return false;
    comer->tid = (uint32_t)number;
    return *at == 0x38 && quick_small(at + 1, &number) == wire.end;
}

static bool same_comer(const struct comer *a, struct comer b)
{
    return a->tid == b.tid && a->length == b.length && !memcmp(a->name, b.name, b.length);
}

static tac_status take_switch(struct perfetto *perfetto, int64_t time, uint32_t cpu,
                              struct wire wire, bool usual, tac_error *err)
{
    struct comer comer;
    if (!usual || !usual_switch(wire, &comer))
        comer = any_switch(wire);
    assert_costly(same_comer(&comer, any_switch(wire)));
    return kernel_switch(&perfetto->kernel, time, cpu, comer.tid, comer.name, comer.length, err);
}

static tac_status take_gpu(struct perfetto *perfetto, int64_t time, const struct wire_small *small,
                           tac_error *err)
{
    char name[40];
    snprintf(name, sizeof name, "gpu%u.frequency", (unsigned)small->number[1]);
    struct timeline *timeline = &perfetto->timeline;
    struct timeline_event event = {.time = time,
                                   .kind = TIMELINE_COUNTER,
                                   .name =
                                       timeline_series(timeline, timeline_name_text(timeline, name),
                                                       TAC_NONE, TAC_CONTINUOUS, "kHz", 1),
                                   .number = (double)small->number[2]};
    return timeline_add(timeline, &event, err);
}

static tac_status take_event(struct perfetto *perfetto, uint32_t cpu,
                             const struct bundle_event *event, bool usual, tac_error *err)
{
    struct kernel *kernel = &perfetto->kernel;
    struct wire wire = wire_inside(&event->payload);
    struct wire_small small;
    uint64_t value, id;
    uint32_t at;
    if (event->kind == EVENT_SWITCH)
        return take_switch(perfetto, event->time, cpu, wire, usual, err);
    switch (event->kind) {
    case EVENT_PRINT:
        small = wire_small(wire);
        return kernel_mark(kernel, event->time, event->tid, small.text[2] ? small.text[2] : "",
                           small.length[2], err);
    case EVENT_FREQUENCY:
        read_pair(&event->payload, &value, &id);
        return kernel_frequency(kernel, event->time, (unsigned)id, (double)value, err);
    case EVENT_IDLE:
        read_pair(&event->payload, &value, &id);
        return kernel_idle(kernel, event->time, (unsigned)id, (double)(int32_t)(uint32_t)value,
                           err);
    case EVENT_NEW_TASK:
    case EVENT_RENAME:
        small = wire_small(wire);
        at = event->kind == EVENT_NEW_TASK ? 2 : 3;
        kernel_thread_name(kernel, (uint32_t)small.number[1], small.text[at] ? small.text[at] : "",
                           wire_name_length(&small, at));
        return TAC_OK;
    case EVENT_GPU_FREQUENCY:
        small = wire_small(wire);
        return take_gpu(perfetto, event->time, &small, err);
    default:
        return TAC_OK;
    }
}

/* --- Scheduling in columns -------------------------------------------------------------------- */

struct compact {
    struct wire times, tids, name_indices;
    const char *names[1024];
    size_t lengths[1024], name_count;
};

static struct compact read_compact(struct wire wire)
{
    struct compact compact = {0};
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.type != WIRE_BYTES)
            continue;
        if (field.number == 1)
            compact.times = wire_inside(&field);
        else if (field.number == 3)
            compact.tids = wire_inside(&field);
        else if (field.number == 6)
            compact.name_indices = wire_inside(&field);
        else if (field.number == 5 && compact.name_count < 1024) {
            compact.names[compact.name_count] = (const char *)field.data;
            compact.lengths[compact.name_count++] = field.size;
        }
    }
    return compact;
}

static tac_status take_compact(struct perfetto *perfetto, const struct bundle *bundle,
                               tac_error *err)
{
    struct compact compact = read_compact(bundle->compact);
    uint64_t time = 0, delta, tid, index;
    tac_status status = TAC_OK;
    while (!status && wire_varint(&compact.times, &delta) && wire_varint(&compact.tids, &tid) &&
           wire_varint(&compact.name_indices, &index)) {
        time += delta;
        if (index < compact.name_count)
            status = kernel_switch(&perfetto->kernel, (int64_t)(time + (uint64_t)bundle->to_boot),
                                   bundle->cpu, (uint32_t)tid, compact.names[index],
                                   name_length(compact.names[index], compact.lengths[index]), err);
    }
    return status;
}

tac_status perfetto_bundle(struct perfetto *perfetto, struct wire wire, tac_error *err)
{
    struct bundle bundle = bundle_open(wire);
    struct bundle_event event = {0};
    tac_status status = TAC_OK;
    perfetto->kernel_lost += bundle.lost != 0;
    bool usual;
    while (!status &&
           ((usual = bundle_next_usual(&bundle, &event)) || bundle_next(&bundle, &event)))
        if (event.kind)
            status = take_event(perfetto, bundle.cpu, &event, usual, err);
    if (!status && bundle.compact.at)
        status = take_compact(perfetto, &bundle, err);
    return status;
}
