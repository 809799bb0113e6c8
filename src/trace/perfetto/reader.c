/* Perfetto traces (docs/traces.md, "Perfetto"). Everything is brought to boot time, sorted, and
 * given in wall time by the first snapshot that ties the two, so that durations are those of one
 * clock. */
#include "trace/perfetto/reader.h"
#include "trace/read/format.h"
#include <inttypes.h>

enum payload {
    PAYLOAD_FTRACE = 1,
    PAYLOAD_PROCESSES = 2,
    PAYLOAD_CLOCKS = 6,
    PAYLOAD_SYSTEM = 7,
    PAYLOAD_PROCESS_STATS = 9,
    PAYLOAD_TRACK_EVENT = 11,
    PAYLOAD_BATTERY = 38,
    PAYLOAD_LOG = 39,
    PAYLOAD_RAILS = 40,
    PAYLOAD_PROCESS = 43,
    PAYLOAD_THREAD = 44,
    PAYLOAD_DESCRIPTOR = 60,
    PAYLOAD_FRAME = 76
};

static int sniff(const struct trace_probe *probe)
{
    return packets_sniff(probe->head, probe->size);
}

static tac_status take_timed(struct perfetto *perfetto, const struct packet_head *head,
                             const struct sequence *sequence, int64_t time, tac_error *err)
{
    struct wire wire = wire_over(head->data, head->size);
    switch (head->payload) {
    case PAYLOAD_SYSTEM:
        return perfetto_system(perfetto, wire, time, err);
    case PAYLOAD_PROCESS_STATS:
        return perfetto_process_stats(perfetto, wire, time, err);
    case PAYLOAD_TRACK_EVENT:
        return perfetto_track_event(perfetto, head, sequence, time, err);
    case PAYLOAD_BATTERY:
        return perfetto_battery(perfetto, wire, time, err);
    case PAYLOAD_RAILS:
        return perfetto_rails(perfetto, wire, time, err);
    case PAYLOAD_FRAME:
        return perfetto_frame(perfetto, wire, time, err);
    default:
        return TAC_OK;
    }
}

static tac_status take_packet(struct perfetto *perfetto, const struct packet_head *head,
                              struct sequence *sequence, tac_error *err)
{
    int64_t boot = 0;
    bool timed = head->has_timestamp && clocks_to_boot(&perfetto->clocks, head->sequence,
                                                       head->clock, head->timestamp, &boot);
    if (!head->data)
        return TAC_OK;
    struct wire wire = wire_over(head->data, head->size);
    bool event = head->payload == PAYLOAD_TRACK_EVENT;
    bool told = event && sequence_event_time(sequence, &perfetto->clocks, wire, &boot);
    switch (head->payload) {
    case PAYLOAD_FTRACE:
        return perfetto_bundle(perfetto, wire, err);
    case PAYLOAD_PROCESSES:
        perfetto_processes(perfetto, wire);
        return TAC_OK;
    case PAYLOAD_CLOCKS:
        clocks_snapshot(&perfetto->clocks, head->sequence, head->data, head->size);
        return TAC_OK;
    case PAYLOAD_LOG:
        return perfetto_log(perfetto, wire, err);
    case PAYLOAD_DESCRIPTOR:
        perfetto_descriptor(perfetto, wire);
        return TAC_OK;
    case PAYLOAD_PROCESS:
        perfetto_process(perfetto, wire);
        return TAC_OK;
    case PAYLOAD_THREAD:
        perfetto_thread(perfetto, sequence, wire);
        sequence_thread(sequence, head, wire);
        return TAC_OK;
    default:
        perfetto->undated += head->has_timestamp && !timed && !told;
        perfetto->untimed += event && !head->has_timestamp && !told;
        return timed || told ? take_timed(perfetto, head, sequence, boot, err) : TAC_OK;
    }
}

static tac_status read_packets(struct perfetto *perfetto, tac_error *err)
{
    tac_watch *watch = perfetto->timeline.source->options.watch;
    tac_status status = TAC_OK;
    const uint8_t *data = NULL;
    size_t size;
    while (!status && !(status = packets_next(&perfetto->packets, &data, &size, err)) && data) {
        struct packet_head head;
        struct sequence *sequence;
        sequences_packet(&perfetto->sequences, data, size, &head, &sequence);
        status = take_packet(perfetto, &head, sequence, err);
        if (!status && perfetto->count++ % 4096 == 0 &&
            !tac_watch_tick(watch, "reading packets", perfetto->count, 0))
            status =
                source_fail(perfetto->timeline.source, err, TAC_E_INTERRUPTED, 0, 0, "interrupted");
    }
    return status;
}

static void set_clock(struct perfetto *perfetto)
{
    tac_trace_source *source = perfetto->timeline.source;
    const struct clocks *clocks = &perfetto->clocks;
    source->clock = clocks->has_realtime ? "realtime" : "boot";
    if (!clocks->has_realtime)
        return;
    perfetto->timeline.shift = clocks->realtime_minus_boot;
    source->ties_boot = true;
    source->boot_to_realtime = clocks->realtime_minus_boot;
    source->ties_monotonic = clocks->has_monotonic;
    source->monotonic_to_realtime =
        (int64_t)((uint64_t)clocks->realtime_minus_boot - (uint64_t)clocks->monotonic_minus_boot);
}

static void add_notes(struct perfetto *perfetto)
{
    struct timeline *timeline = &perfetto->timeline;
    const struct packets *packets = &perfetto->packets;
    timeline->source->cut = packets->cut;
    if (packets->cut)
        timeline_note(timeline, "the file ends inside the packet at byte %" PRIu64,
                      packets->cut_at);
    timeline_note_count(timeline, packets->damaged, "packed packet is damaged",
                        "packed packets are damaged");
    timeline_note_count(timeline, perfetto->undated,
                        "packet has a time of a clock without a snapshot",
                        "packets have a time of a clock without a snapshot");
    timeline_note_count(timeline, perfetto->untimed,
                        "track event has no time of its packet and was left out",
                        "track events have no time of their packets and were left out");
    timeline_note_count(timeline, perfetto->other_phases,
                        "track event of another phase was left out: only slices, instants and "
                        "counters are read",
                        "track events of other phases were left out: only slices, instants and "
                        "counters are read");
    timeline_note_count(timeline, perfetto->not_understood,
                        "track event needs names that were lost",
                        "track events need names that were lost");
    if (perfetto->kernel_lost)
        timeline_note(timeline, "the kernel lost events before %" PRIu64 " bundle%s",
                      perfetto->kernel_lost, perfetto->kernel_lost == 1 ? "" : "s");
}

static tac_status add_frame_variables(struct perfetto *perfetto, tac_error *err)
{
    tac_trace_source *source = perfetto->timeline.source;
    perfetto->layer = perfetto->jank = perfetto->on_time = SIZE_MAX;
    if (!perfetto->any_frame)
        return TAC_OK;
    tac_status status =
        source_want_variable(source, "layer", TAC_DISCRETE, "", &perfetto->layer, err);
    if (!status)
        status = source_want_variable(source, "jank", TAC_DISCRETE, "", &perfetto->jank, err);
    if (!status)
        status = source_want_variable(source, "on_time", TAC_DISCRETE, "", &perfetto->on_time, err);
    return status;
}

static tac_status open_perfetto(tac_trace_source *source, tac_error *err)
{
    struct perfetto *perfetto = source->reader = tac_calloc(1, sizeof *perfetto);
    timeline_open(&perfetto->timeline, source);
    perfetto->timeline.decoder = perfetto;
    perfetto->timeline.payload = perfetto_frame_payload;
    kernel_open(&perfetto->kernel, &perfetto->timeline);
    perfetto->packets.window = &source->window;
    tac_status status = read_packets(perfetto, err);
    if (status)
        return status;
    perfetto_tracks_finish(perfetto);
    kernel_finish(&perfetto->kernel);
    set_clock(perfetto);
    perfetto->timeline.reserved = perfetto->any_frame ? 3 : 0; /* layer, jank, on_time */
    status = timeline_finish(&perfetto->timeline, err);
    if (!status)
        status = add_frame_variables(perfetto, err);
    add_notes(perfetto);
    return status;
}

static void close_perfetto(tac_trace_source *source)
{
    struct perfetto *perfetto = source->reader;
    if (!perfetto)
        return;
    timeline_close(&perfetto->timeline);
    kernel_close(&perfetto->kernel);
    packets_free(&perfetto->packets);
    clocks_free(&perfetto->clocks);
    sequences_free(&perfetto->sequences);
    tac_u64map_free(&perfetto->track_index);
    tac_u64map_free(&perfetto->rails);
    tac_vec_free(&perfetto->tracks);
    free(perfetto);
}

const struct trace_format trace_format_perfetto = {
    .id = TRACE_PERFETTO,
    .endings = "|.perfetto-trace|.pftrace|.pb|",
    .sniff = sniff,
    .open = open_perfetto,
    .fill = timeline_fill_source,
    .close = close_perfetto,
};
