/* Frames of the display (packet field 76): a start packet and an end packet share a cookie. */
#include "figures/perfetto/parts.h"
#include <inttypes.h>
#include <stdlib.h>

enum { EXPECTED_DISPLAY = 1, ACTUAL_DISPLAY, EXPECTED_SURFACE, ACTUAL_SURFACE, FRAME_END };

static void close_frame(struct frame_facts *frames, uint64_t kind, int64_t from, int64_t to)
{
    if (kind == ACTUAL_SURFACE) {
        frames->closed++;
        frames->total += to - from;
    }
}

static void take_surface(struct frame_facts *frames, struct wire wire)
{
    struct wire_field field;
    uint64_t pid = 0, jank = 0;
    const char *layer = "";
    int length = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 4)
            pid = wire_number(&field);
        else if (field.number == 5 && field.type == WIRE_BYTES)
            layer = (const char *)field.data, length = (int)(field.size < 4096 ? field.size : 4096);
        else if (field.number == 9)
            jank = wire_number(&field);
    }
    char name[4200];
    int used = snprintf(name, sizeof name, "%" PRIu64 " %.*s", pid, length, layer);
    tally_add(&frames->layers, name, (size_t)used, 0);
    tally_add_number(&frames->janks, jank);
}

static uint64_t cookie_of(struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field))
        if (field.number == 1)
            return wire_number(&field);
    return 0;
}

void frame_facts_event(struct frame_facts *frames, struct wire wire, int64_t time)
{
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.type != WIRE_BYTES || field.number > FRAME_END)
            continue;
        uint64_t cookie = cookie_of(wire_inside(&field));
        frames->kinds[field.number]++;
        bool ends = field.number == FRAME_END;
        const uint64_t *other = tac_u64map_find(ends ? &frames->starts : &frames->ends, cookie);
        uint64_t kind = ends ? (other ? *tac_u64map_at(&frames->start_kinds, cookie, 0, NULL) : 0)
                             : field.number;
        if (other)
            close_frame(frames, kind, ends ? (int64_t)*other : time, ends ? time : (int64_t)*other);
        *tac_u64map_at(ends ? &frames->ends : &frames->starts, cookie, 0, NULL) = (uint64_t)time;
        if (!ends)
            *tac_u64map_at(&frames->start_kinds, cookie, 0, NULL) = field.number;
        if (field.number == ACTUAL_SURFACE)
            take_surface(frames, wire_inside(&field));
    }
}

void frame_facts_values(struct frame_facts *frames, struct figures *facts)
{
    static const char *const names[] = {NULL,
                                        "frame_timeline.expected_display",
                                        "frame_timeline.actual_display",
                                        "frame_timeline.expected_surface",
                                        "frame_timeline.actual_surface",
                                        "frame_timeline.end"};
    uint64_t any = 0, unclosed = 0;
    for (size_t i = 1; i < 6; i++)
        any += frames->kinds[i];
    if (!any)
        return;
    for (size_t i = 1; i < 6; i++)
        figures_number(facts, names[i], (int64_t)frames->kinds[i]);
    const tac_u64map_entry *start;
    for (size_t at = 0; (start = tac_u64map_next(&frames->starts, &at));)
        unclosed += !tac_u64map_find(&frames->ends, start->key);
    figures_number(facts, "frame_timeline.actual_surface_closed", (int64_t)frames->closed);
    figures_number(facts, "frame_timeline.actual_surface_total_ns", frames->total);
    char *janks = tally_text_by_number(&frames->janks);
    figures_text(facts, "frame_timeline.jank_type", janks);
    free(janks);
    figures_number(facts, "frame_timeline.unclosed", (int64_t)unclosed);
    figures_top(facts, "frame_timeline.layer", &frames->layers, 2, false);
}

void frame_facts_free(struct frame_facts *frames)
{
    tally_free(&frames->janks);
    tally_free(&frames->layers);
    tac_u64map_free(&frames->starts);
    tac_u64map_free(&frames->ends);
    tac_u64map_free(&frames->start_kinds);
}
