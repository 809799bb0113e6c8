/* Frames: the start packet's time and the end packet with the same cookie give the interval. Actual
 * frames of a surface are the slice `frame`, the others `frame.expected`, `frame.display` and
 * `frame.display.expected`; `layer`, `jank` and `on_time` say more. */
#include "trace/perfetto/reader.h"

enum { EXPECTED_DISPLAY = 1, ACTUAL_DISPLAY, EXPECTED_SURFACE, ACTUAL_SURFACE, FRAME_END };

static const char *const slice_names[] = {"", "frame.display.expected", "frame.display",
                                          "frame.expected", "frame"};

/* The payload of a frame: 32 bits layer's name id, 16 bits jank, then flags. */
enum { FLAG_FRAME = 1 << 30, FLAG_ON_TIME = 1 << 29, FLAG_LATE = 1 << 28, JANK_MASK = 0xffff };

struct frame_fields {
    uint64_t cookie, pid, jank, on_time;
    bool has_on_time;
    const uint8_t *layer;
    size_t layer_length;
};

static void read_frame(struct wire wire, unsigned kind, struct frame_fields *out)
{
    struct wire_field field;
    bool surface = kind == ACTUAL_SURFACE || kind == EXPECTED_SURFACE;
    uint32_t pid_at = surface ? 4 : 3;
    uint32_t on_time_at = kind == ACTUAL_SURFACE ? 7 : kind == ACTUAL_DISPLAY ? 5 : 0;
    uint32_t jank_at = kind == ACTUAL_SURFACE ? 9 : kind == ACTUAL_DISPLAY ? 7 : 0;
    *out = (struct frame_fields){0};
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            out->cookie = wire_number(&field);
        else if (field.number == pid_at)
            out->pid = wire_number(&field);
        else if (surface && field.number == 5 && field.type == WIRE_BYTES)
            out->layer = field.data, out->layer_length = field.size;
        else if (on_time_at && field.number == on_time_at)
            out->on_time = wire_number(&field), out->has_on_time = true;
        else if (jank_at && field.number == jank_at)
            out->jank = wire_number(&field);
    }
}

static int64_t payload_of(struct perfetto *perfetto, const struct frame_fields *frame)
{
    uint32_t layer = frame->layer
                         ? timeline_name(&perfetto->timeline, frame->layer, frame->layer_length)
                         : TAC_NONE;
    uint32_t low = (uint32_t)(frame->jank & JANK_MASK) | FLAG_FRAME;
    if (frame->has_on_time)
        low |= frame->on_time ? FLAG_ON_TIME : FLAG_LATE;
    return (int64_t)((uint64_t)layer << 32 | low);
}

tac_status perfetto_frame(struct perfetto *perfetto, struct wire wire, int64_t time, tac_error *err)
{
    struct wire_field field;
    tac_status status = TAC_OK;
    while (!status && wire_next(&wire, &field)) {
        if (field.type != WIRE_BYTES || field.number > FRAME_END)
            continue;
        struct frame_fields frame;
        read_frame(wire_inside(&field), field.number, &frame);
        struct timeline_event event = {
            .time = time, .kind = TIMELINE_END, .track = hashed_track(5, frame.cookie)};
        if (field.number != FRAME_END) {
            event.kind = TIMELINE_BEGIN;
            event.name = timeline_name_text(&perfetto->timeline, slice_names[field.number]);
            event.integer = payload_of(perfetto, &frame);
            perfetto->any_frame = true;
        }
        status = timeline_add(&perfetto->timeline, &event, err);
    }
    return status;
}

/* The worst reason names the jank. */
static const char *jank_name(uint32_t bits)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } reasons[] = {{64, "app_deadline_missed"},
                   {1024, "dropped"},
                   {16, "sf_cpu_deadline_missed"},
                   {32, "sf_gpu_deadline_missed"},
                   {8, "display_hal"},
                   {2, "sf_scheduling"},
                   {4, "prediction_error"},
                   {128, "buffer_stuffing"},
                   {512, "sf_stuffing"},
                   {256, "unknown"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (bits & reasons[i].bit)
            return reasons[i].name;
    return bits ? "none" : NULL;
}

static void set_text(struct timeline *timeline, size_t variable, const char *text)
{
    uint32_t symbol = TAC_TRACE_NO_SYMBOL;
    tac_error ignored;
    if (variable == SIZE_MAX)
        return;
    if (text && source_symbol_slow(timeline->source, text, strnlen(text, 4096), &symbol, &ignored))
        symbol = TAC_TRACE_NO_SYMBOL;
    source_set_symbol(timeline->source, variable, symbol);
}

void perfetto_frame_payload(struct timeline *timeline, int64_t payload)
{
    const struct perfetto *perfetto = timeline->decoder;
    uint32_t low = (uint32_t)payload, layer = (uint32_t)((uint64_t)payload >> 32);
    if (!(low & FLAG_FRAME))
        return;
    set_text(timeline, perfetto->layer, layer == TAC_NONE ? NULL : timeline->names.text[layer]);
    set_text(timeline, perfetto->jank, jank_name(low & JANK_MASK));
    set_text(timeline, perfetto->on_time,
             low & FLAG_ON_TIME ? "true"
             : low & FLAG_LATE  ? "false"
                                : NULL);
}
