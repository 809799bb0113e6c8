/* The events of an ftrace bundle: one CPU's, each with its time brought to boot time. */
#pragma once

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

/* So many readable bytes behind an event let it be read without asking for each byte. */
enum { QUICK_SLACK = 32 };

/* A number of at most 8 bytes, all of them readable; NULL when it is longer. */
static inline const uint8_t *quick_varint(const uint8_t *at, uint64_t *out)
{
    uint64_t wide;
    memcpy(&wide, at, 8);
    uint64_t last = ~wide & 0x8080808080808080u;
    if (!last)
        return NULL;
    wide &= (last ^ (last - 1)) & 0x7f7f7f7f7f7f7f7fu;
    wide = (wide & 0x007f007f007f007fu) | (wide & 0x7f007f007f007f00u) >> 1;
    wide = (wide & 0x00003fff00003fffu) | (wide & 0x3fff00003fff0000u) >> 2;
    *out = (wide & 0x000000000fffffffu) | (wide & 0x0fffffff00000000u) >> 4;
    return at + ((unsigned)__builtin_ctzll(last) + 1) / 8;
}

/* The same for lengths and small numbers: of one byte, or (a recorder writes the length of a
 * message that is not finished yet so) of four. That the length is guessed and not computed lets
 * the processor go on with what follows. */
static inline const uint8_t *quick_small(const uint8_t *at, uint64_t *out)
{
    uint32_t four;
    if (*at < 0x80) {
        *out = *at;
        return at + 1;
    }
    memcpy(&four, at, 4);
    if ((four & 0x80808080u) != 0x00808080u)
        return quick_varint(at, out);
    *out = (four & 0x7f) | (four >> 1 & 0x3f80) | (four >> 2 & 0x1fc000) | (four >> 3 & 0xfe00000);
    return at + 4;
}

/* Reads what stands beside the events. */
static inline struct bundle bundle_open(struct wire wire)
{
    struct bundle bundle = {.events = wire};
    struct wire_field field;
    uint64_t clock = 0, clock_time = 0, boot_time = 0;
    for (;;) {
        while (wire.end - wire.at > QUICK_SLACK && wire.at[0] == 0x12) { /* past an event */
            uint64_t size;
            const uint8_t *content = quick_small(wire.at + 1, &size);
            if (!content || size > (uint64_t)(wire.end - content))
                break;
            wire.at = content + size;
        }
        if (!wire_next(&wire, &field))
            break;
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

/* An event as recorders write it: time, thread, payload, nothing else. False, and nothing moved,
 * when it is any other way: bundle_next reads that. */
static inline bool bundle_next_usual(struct bundle *bundle, struct bundle_event *event)
{
    const uint8_t *at = bundle->events.at, *limit = bundle->events.end;
    uint64_t size, time, tid = 0, tag;
    if (limit - at < QUICK_SLACK || *at != 0x12 || !(at = quick_small(at + 1, &size)) ||
        *at != 0x08 || size + QUICK_SLACK > (uint64_t)(limit - at))
        return false;
    const uint8_t *end = at + size;
    at = quick_varint(at + 1, &time);
    if (at && *at == 0x10)
        at = quick_small(at + 1, &tid);
    if (!at || at >= end || !(at = quick_small(at, &tag)) || !(at = quick_small(at, &size)) ||
        (tag & 7) != WIRE_BYTES || tag >> 3 < 3 || tag >> 3 > UINT32_MAX || at > end ||
        size != (uint64_t)(end - at))
        return false;
    *event = (struct bundle_event){
        .time = (int64_t)(time + (uint64_t)bundle->to_boot),
        .tid = (uint32_t)tid,
        .kind = (uint32_t)(tag >> 3),
        .payload = {.number = (uint32_t)(tag >> 3), .type = WIRE_BYTES, .data = at, .size = size}};
    bundle->events.at = end;
    return true;
}
