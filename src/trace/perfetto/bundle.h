/* The events of an ftrace bundle: one CPU's, each with its time brought to boot time. */
#ifndef TAC_TRACE_BUNDLE_H
#define TAC_TRACE_BUNDLE_H

#include "trace/perfetto/wire.h"

struct bundle {
    struct wire events;
    uint32_t cpu;
    uint64_t lost;
    int64_t to_boot;     /* added to every time */
    struct wire compact; /* scheduling in columns; empty when absent */
};

struct bundle_event {
    int64_t time; /* boot, nanoseconds */
    uint32_t tid, kind;
    struct wire_field payload; /* kind 0: none */
};

/* Reads what stands beside the events. */
static inline struct bundle bundle_open(struct wire wire)
{
    struct bundle bundle = {.events = wire};
    struct wire_field field;
    uint64_t clock = 0, clock_time = 0, boot_time = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 2)
            continue;
        uint64_t value = wire_number(&field);
        if (field.number == 1)
            bundle.cpu = (uint32_t)value;
        else if (field.number == 3)
            bundle.lost = value;
        else if (field.number == 4)
            bundle.compact = wire_inside(&field);
        else if (field.number == 5)
            clock = value;
        else if (field.number == 6)
            clock_time = value;
        else if (field.number == 7)
            boot_time = value;
    }
    if (clock && clock_time && boot_time)
        bundle.to_boot = (int64_t)(boot_time - clock_time);
    return bundle;
}

/* The next event; false at the end. */
static inline bool bundle_next(struct bundle *bundle, struct bundle_event *event)
{
    struct wire_field field;
    while (wire_next(&bundle->events, &field)) {
        if (field.number != 2 || field.type != WIRE_BYTES)
            continue;
        struct wire wire = wire_inside(&field);
        uint64_t time = 0;
        event->tid = event->kind = 0;
        while (wire_next(&wire, &field)) {
            if (field.number == 1)
                time = wire_number(&field);
            else if (field.number == 2)
                event->tid = (uint32_t)wire_number(&field);
            else if (field.number >= 3 && field.type == WIRE_BYTES && !event->kind) {
                event->kind = field.number;
                event->payload = field;
            }
        }
        event->time = (int64_t)(time + (uint64_t)bundle->to_boot);
        return true;
    }
    return false;
}

#endif
