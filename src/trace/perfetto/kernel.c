/* Events of the kernel: scheduling, frequencies, idle states, marks of apps, names of threads. */
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

/* The numbers and the first text of a small event, by field number. */
struct small {
    uint64_t number[8];
    const char *text[8];
    size_t length[8];
};

static void read_small(struct wire wire, struct small *out)
{
    struct wire_field field;
    memset(out, 0, sizeof *out);
    while (wire_next(&wire, &field)) {
        if (field.number >= 8)
            continue;
        out->number[field.number] = field.value;
        if (field.type == WIRE_BYTES) {
            out->text[field.number] = (const char *)field.data;
            out->length[field.number] = field.size;
        }
    }
}

/* Fields 1 and 2 of an event that has only numbers. */
static void read_pair(struct wire wire, uint64_t *first, uint64_t *second)
{
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

static tac_status take_switch(struct perfetto *perfetto, int64_t time, uint32_t cpu,
                              struct wire wire, tac_error *err)
{
    struct wire_field field;
    const char *name = "";
    size_t length = 0;
    uint32_t tid = 0;
    while (!(tid && length) && wire_next(&wire, &field)) {
        if (field.number == 6)
            tid = (uint32_t)wire_number(&field);
        else if (field.number == 5 && field.type == WIRE_BYTES) {
            name = (const char *)field.data;
            length = name_length(name, field.size);
        }
    }
    return kernel_switch(&perfetto->kernel, time, cpu, tid, name, length, err);
}

static tac_status take_gpu(struct perfetto *perfetto, int64_t time, const struct small *small,
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
                             const struct bundle_event *event, tac_error *err)
{
    struct kernel *kernel = &perfetto->kernel;
    struct wire wire = wire_inside(&event->payload);
    struct small small;
    uint64_t value, id;
    if (event->kind == EVENT_SWITCH)
        return take_switch(perfetto, event->time, cpu, wire, err);
    switch (event->kind) {
    case EVENT_PRINT:
        read_small(wire, &small);
        return kernel_mark(kernel, event->time, event->tid, small.text[2] ? small.text[2] : "",
                           small.length[2], err);
    case EVENT_FREQUENCY:
        read_pair(wire, &value, &id);
        return kernel_frequency(kernel, event->time, (unsigned)id, (double)value, err);
    case EVENT_IDLE:
        read_pair(wire, &value, &id);
        return kernel_idle(kernel, event->time, (unsigned)id, (double)(int32_t)(uint32_t)value,
                           err);
    case EVENT_NEW_TASK:
    case EVENT_RENAME:
        read_small(wire, &small);
        const char *name = small.text[event->kind == EVENT_NEW_TASK ? 2 : 3];
        kernel_thread_name(kernel, (uint32_t)small.number[1], name ? name : "",
                           name_length(name, small.length[event->kind == EVENT_NEW_TASK ? 2 : 3]));
        return TAC_OK;
    case EVENT_GPU_FREQUENCY:
        read_small(wire, &small);
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
    while (!status && bundle_next(&bundle, &event))
        if (event.kind)
            status = take_event(perfetto, bundle.cpu, &event, err);
    if (!status && bundle.compact.at)
        status = take_compact(perfetto, &bundle, err);
    return status;
}
