/* A Perfetto trace: packets by payload, clocks, processes, and its parts (parts.h). */
#include "base/data/alloc.h"
#include "figures/perfetto/names.h"
#include "figures/perfetto/parts.h"
#include "trace/perfetto/clocks.h"
#include "trace/perfetto/packets.h"
#include <inttypes.h>
#include <stdlib.h>

enum payload {
    PAYLOAD_FTRACE = 1,
    PAYLOAD_PROCESSES = 2,
    PAYLOAD_CLOCKS = 6,
    PAYLOAD_SYSTEM = 7,
    PAYLOAD_TRACK_EVENT = 11,
    PAYLOAD_THREAD = 44,
    PAYLOAD_DESCRIPTOR = 60,
    PAYLOAD_FRAME = 76
};

struct perfetto_facts {
    struct figures *facts;
    struct packets packets;
    struct clocks clocks;
    struct sequences sequences;
    uint64_t count, snapshots, undated;
    tac_u64map payloads, timestamp_clocks, processes, threads;
    char *first_snapshot, *last_snapshot;
    struct tally system_fields;
    struct ftrace_facts ftrace;
    struct track_facts track;
    struct frame_facts frames;
};

static const char *clock_name(uint32_t id)
{
    static const char *const names[] = {"",          "REALTIME",         "REALTIME_COARSE",
                                        "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW",
                                        "BOOTTIME"};
    return id >= CLOCK_REALTIME_ID && id <= CLOCK_BOOT_ID ? names[id] : NULL;
}

static void add_clock_name(tac_str *text, uint32_t id)
{
    if (clock_name(id))
        tac_str_add(text, clock_name(id));
    else
        tac_str_addf(text, "%u", id);
}

/* "BOOTTIME=1 64=2*1000 65=3(incr)*1000 primary=BOOTTIME" */
static char *snapshot_text(const struct clocks *clocks)
{
    tac_str text = {0};
    for (size_t i = 0; i < clocks->readings.count; i++) {
        const struct clock_reading *reading = &clocks->readings.at[i];
        add_clock_name(&text, reading->id);
        tac_str_addf(&text, "=%" PRIu64 "%s", reading->value, reading->incremental ? "(incr)" : "");
        if (reading->unit != 1)
            tac_str_addf(&text, "*%" PRIu64, reading->unit);
        tac_str_add(&text, " ");
    }
    if (clocks->primary) {
        tac_str_add(&text, "primary=");
        add_clock_name(&text, clocks->primary);
    }
    return text.text ? tac_str_take(&text) : tac_strdup("");
}

static void take_snapshot(struct perfetto_facts *all, const struct packet_head *head)
{
    clocks_snapshot(&all->clocks, head->sequence, head->data, head->size);
    char *text = snapshot_text(&all->clocks);
    free(all->last_snapshot);
    all->last_snapshot = text;
    if (!all->snapshots++)
        all->first_snapshot = tac_strdup(text);
}

static void take_processes(struct perfetto_facts *all, struct wire wire)
{
    struct wire_field field, inner;
    while (wire_next(&wire, &field)) {
        if ((field.number != 1 && field.number != 2) || field.type != WIRE_BYTES)
            continue;
        for (struct wire one = wire_inside(&field); wire_next(&one, &inner);)
            if (inner.number == 1) {
                tac_u64map_at(field.number == 1 ? &all->processes : &all->threads,
                              wire_number(&inner), 0, NULL);
                break;
            }
    }
}

static tac_status take_payload(struct perfetto_facts *all, const struct packet_head *head,
                               struct sequence *sequence, tac_error *err)
{
    struct wire wire = wire_over(head->data ? head->data : (const uint8_t *)"", head->size);
    struct wire_field field;
    int64_t boot = 0;
    bool timed = head->has_timestamp &&
                 clocks_to_boot(&all->clocks, head->sequence, head->clock, head->timestamp, &boot);
    if (head->payload == PAYLOAD_TRACK_EVENT)
        timed |= sequence_event_time(sequence, &all->clocks, wire, &boot);
    all->undated += head->has_timestamp && !timed;
    switch (head->payload) {
    case PAYLOAD_FTRACE:
        return ftrace_facts_bundle(&all->ftrace, wire, err);
    case PAYLOAD_PROCESSES:
        take_processes(all, wire);
        return TAC_OK;
    case PAYLOAD_CLOCKS:
        take_snapshot(all, head);
        return TAC_OK;
    case PAYLOAD_SYSTEM:
        while (wire_next(&wire, &field))
            tally_add_number(&all->system_fields, field.number);
        return TAC_OK;
    case PAYLOAD_TRACK_EVENT:
        return track_facts_event(&all->track, head, &all->sequences, sequence, timed, boot, err);
    case PAYLOAD_THREAD:
        sequence_thread(sequence, head, wire);
        return TAC_OK;
    case PAYLOAD_DESCRIPTOR:
        track_facts_descriptor(&all->track, wire);
        return TAC_OK;
    case PAYLOAD_FRAME:
        frame_facts_event(&all->frames, wire, boot);
        return TAC_OK;
    default:
        return TAC_OK;
    }
}

static tac_status walk(struct perfetto_facts *all, tac_watch *watch, tac_error *err)
{
    tac_status status = TAC_OK;
    const uint8_t *data = NULL;
    size_t size;
    while (!status && !(status = packets_next(&all->packets, &data, &size, err)) && data) {
        struct packet_head head;
        struct sequence *sequence;
        sequences_packet(&all->sequences, data, size, &head, &sequence);
        ++*tac_u64map_at(&all->payloads, head.payload, 0, NULL);
        if (head.has_timestamp)
            ++*tac_u64map_at(&all->timestamp_clocks, head.clock, 0, NULL);
        status = take_payload(all, &head, sequence, err);
        if (!status && all->count++ % 4096 == 0 &&
            !tac_watch_tick(watch, "reading packets", all->count, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted after %llu packets",
                              (unsigned long long)all->count);
    }
    return status;
}

static void add_packets(struct perfetto_facts *all)
{
    char name[80], buffer[16];
    struct figures *facts = all->facts;
    const struct trace_window *window = all->packets.window;
    figures_number(facts, "bytes", (int64_t)(all->packets.offset + (window->end - window->begin)));
    figures_number(facts, "packets", (int64_t)all->count);
    for (uint32_t number = 0; number < 4096; number++) {
        const uint64_t *count = tac_u64map_find(&all->payloads, number);
        if (!count)
            continue;
        snprintf(name, sizeof name, "packet.%s",
                 number ? payload_name(number, buffer, sizeof buffer) : "(no payload)");
        figures_number(facts, name, (int64_t)*count);
    }
    const tac_u64map_entry *clock;
    for (size_t at = 0; (clock = tac_u64map_next(&all->timestamp_clocks, &at));) {
        uint32_t id = (uint32_t)clock->key;
        snprintf(buffer, sizeof buffer, "%u", id);
        snprintf(name, sizeof name, "timestamp_clock.%s", clock_name(id) ? clock_name(id) : buffer);
        figures_number(facts, name, (int64_t)clock->value);
    }
}

static void add_snapshots(struct perfetto_facts *all)
{
    char name[48];
    if (all->snapshots)
        figures_text(all->facts, "clock_snapshot.0", all->first_snapshot);
    if (all->snapshots > 1) {
        snprintf(name, sizeof name, "clock_snapshot.%" PRIu64, all->snapshots - 1);
        figures_text(all->facts, name, all->last_snapshot);
    }
}

/* {'f1': 810, 'f9': 45} */
static void add_system_fields(struct perfetto_facts *all)
{
    tac_str text = {0};
    const struct tally *fields = &all->system_fields;
    for (uint32_t number = 0, found = 0; found < fields->rows.count && number < 65536; number++) {
        char name[16];
        snprintf(name, sizeof name, "%u", number);
        uint32_t row = tac_names_find(&fields->names, name);
        if (row != TAC_NONE)
            tac_str_addf(&text, "%s'f%u': %" PRId64, found++ ? ", " : "", number,
                         fields->rows.at[row].count);
    }
    if (text.length)
        figures_textf(all->facts, "sys_stats.fields", "{%s}", tac_str_text(&text));
    tac_str_free(&text);
}

static void add_warnings(struct perfetto_facts *all)
{
    if (all->packets.cut)
        figures_warn(all->facts, "the file ends inside the packet at byte %" PRIu64,
                     all->packets.cut_at);
    if (all->packets.damaged)
        figures_warn(all->facts, "%" PRIu64 " packed packets are damaged", all->packets.damaged);
    if (all->undated)
        figures_warn(all->facts, "%" PRIu64 " packets have a time of a clock without a snapshot",
                     all->undated);
}

static tac_status add_values(struct perfetto_facts *all, tac_error *err)
{
    add_packets(all);
    add_snapshots(all);
    tac_status status = ftrace_facts_values(&all->ftrace, all->facts, err);
    figures_number(all->facts, "processes", (int64_t)all->processes.count);
    figures_number(all->facts, "threads", (int64_t)all->threads.count);
    add_system_fields(all);
    if (!status)
        status = ftrace_facts_more(&all->ftrace, all->facts, err);
    if (!status)
        status = track_facts_values(&all->track, all->facts, err);
    frame_facts_values(&all->frames, all->facts);
    add_warnings(all);
    return status;
}

static tac_status read_perfetto(const struct figures_input *input, struct figures *facts,
                                tac_error *err)
{
    struct trace_window window;
    tac_trace_options options = {.watch = input->watch};
    struct perfetto_facts all = {.facts = facts, .packets.window = &window};
    tac_status status = window_open(&window, input->path, &options, err);
    if (status)
        return status;
    status = walk(&all, input->watch, err);
    if (!status)
        status = add_values(&all, err);
    ftrace_facts_free(&all.ftrace);
    track_facts_free(&all.track);
    frame_facts_free(&all.frames);
    packets_free(&all.packets);
    clocks_free(&all.clocks);
    sequences_free(&all.sequences);
    tac_u64map_free(&all.payloads);
    tac_u64map_free(&all.timestamp_clocks);
    tac_u64map_free(&all.processes);
    tac_u64map_free(&all.threads);
    tally_free(&all.system_fields);
    free(all.first_snapshot);
    free(all.last_snapshot);
    window_close(&window);
    return status;
}

static int sniff(const struct figures_input *input)
{
    return packets_sniff(input->raw, input->raw_size) > 1 ? 3
           : packets_sniff(input->raw, input->raw_size)   ? 1
                                                          : 0;
}

const struct figures_kind figures_kind_perfetto = {
    .name = "perfetto",
    .summary = "a Perfetto trace: packets, clocks, kernel events, slices, frames",
    .sniff = sniff,
    .read = read_perfetto,
};
