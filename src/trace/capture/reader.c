/* Packet captures (docs/traces.md, "Captures"): each IP packet is the event packet.rx or packet.tx
 * of the device; `rxData` and `txData` count bytes on the wire (original lengths, link layer
 * included), rxPackets and txPackets packets; per endpoint rxData:NAME and txData:NAME, with the
 * name that a DNS answer in the capture gave its address. Which side is the device is told by the
 * link layer of a cooked capture, by the option `host`, or else taken to be the address in most
 * packets. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "trace/capture/dns.h"
#include "trace/capture/packet.h"
#include "trace/read/format.h"
#include "trace/timeline/timeline.h"
#include "trace/trace.h"
#include <arpa/inet.h>
#include <inttypes.h>

/* LINK_HEAD_MAX: frames of which less was kept may be IP or not. */
enum { PACKET = TIMELINE_OWN, ENDPOINTS_NAMED = 200, LINK_HEAD_MAX = 20 };

/* number of a PACKET event: length; name: packet type + 1; track: from << 32 | to. */

struct endpoint {
    uint64_t packets;
    double bytes;
    uint32_t rx, tx; /* series, shared by addresses of one name; TAC_NONE = too many endpoints */
    bool is_far;     /* by the packet type it is not the device */
    bool is_near;    /* by the packet type it is */
};

struct capture_reader {
    struct timeline timeline;
    struct capture capture;
    tac_names addresses; /* ids are endpoints */
    TAC_VEC(struct endpoint) endpoints;
    struct dns_names names;
    uint32_t device; /* endpoint; TAC_NONE when the packet type tells */
    uint32_t rx, tx, rx_packets, tx_packets, other; /* series */
    uint32_t rx_event, tx_event, near_event;        /* name ids */
    TAC_VEC(double) totals;                         /* by series */
    uint32_t unknown; /* why no total is known: a symbol; TAC_NONE: they are */
    uint64_t not_ip, not_ip_bytes, short_frames, untimed, typed, count, neither;
    bool started; /* the state in which every counter is 0 was given */
};

static int sniff(const struct trace_probe *probe)
{
    return capture_sniff(probe->head, probe->size) ? 2 : 0;
}

static uint32_t endpoint_of(struct capture_reader *reader, const struct packet_view *view,
                            bool from)
{
    char text[64];
    const char *address = packet_address(view, from, text, sizeof text);
    uint32_t id = tac_names_intern(&reader->addresses, address);
    if (id == reader->endpoints.count)
        tac_vec_push(&reader->endpoints, (struct endpoint){.rx = TAC_NONE, .tx = TAC_NONE});
    return id;
}

static tac_status take_packet(struct capture_reader *reader, const struct capture_packet *packet,
                              tac_error *err)
{
    struct packet_view view;
    packet_view(packet, &view);
    if (!view.version || !view.addressed) {
        bool kept_too_little = view.version || packet->captured < LINK_HEAD_MAX;
        if (kept_too_little && packet->captured < packet->length) {
            reader->short_frames++;
            return TAC_OK;
        }
        reader->not_ip++;
        reader->not_ip_bytes += packet->length;
        return TAC_OK;
    }
    if (!packet->timed) {
        reader->untimed++;
        return TAC_OK;
    }
    uint32_t from = endpoint_of(reader, &view, true), to = endpoint_of(reader, &view, false);
    reader->endpoints.at[from].packets++;
    reader->endpoints.at[from].bytes += (double)packet->length;
    reader->endpoints.at[to].packets++;
    reader->endpoints.at[to].bytes += (double)packet->length;
    bool sent = view.packet_type == 4;
    if (view.packet_type >= 0) {
        reader->typed += sent || view.packet_type == 0;
        reader->endpoints.at[sent ? to : from].is_far = true;
        reader->endpoints.at[sent ? from : to].is_near |= sent || view.packet_type == 0;
    }
    if (view.transport && view.protocol == PROTOCOL_UDP && view.from_port == 53)
        dns_answer(&reader->names, view.data, view.kept);
    struct timeline_event event = {.time = packet->time,
                                   .kind = PACKET,
                                   .name = (uint32_t)(view.packet_type + 1),
                                   .track = (uint64_t)from << 32 | to,
                                   .number = (double)packet->length};
    reader->timeline.any_event = true;
    return timeline_add(&reader->timeline, &event, err);
}

/* --- Which side is the device ----------------------------------------------------------------- */

/* An address of a home or company's own net, of a carrier's or of the link (RFC 1918, 6598, 3927,
 * 4193, 4291): servers on the other side have none. */
static bool is_local(const char *address)
{
    unsigned char at[16];
    if (inet_pton(AF_INET, address, at) == 1)
        return at[0] == 10 || (at[0] == 172 && (at[1] & 0xf0) == 16) ||
               (at[0] == 192 && at[1] == 168) || (at[0] == 100 && (at[1] & 0xc0) == 64) ||
               (at[0] == 169 && at[1] == 254);
    return inet_pton(AF_INET6, address, at) == 1 &&
           ((at[0] & 0xfe) == 0xfc || (at[0] == 0xfe && (at[1] & 0xc0) == 0x80));
}

/* The address in most packets; of several, as when there are only two, a local one. */
static void guess_device(struct capture_reader *reader)
{
    const struct endpoint *endpoints = reader->endpoints.at;
    const tac_names *addresses = &reader->addresses;
    uint32_t best = TAC_NONE, rivals = 0;
    for (uint32_t i = 0; i < reader->endpoints.count; i++) {
        bool more = best == TAC_NONE || endpoints[i].packets > endpoints[best].packets;
        bool as_many = !more && endpoints[i].packets == endpoints[best].packets;
        bool local = is_local(addresses->text[i]);
        if (more || (as_many && local && !is_local(addresses->text[best]))) {
            best = i;
            rivals = 0;
        } else if (as_many && local == is_local(addresses->text[best])) {
            rivals++;
        }
    }
    reader->device = best;
    if (best == TAC_NONE)
        return;
    json_object_set_new(reader->timeline.source->meta, "host",
                        tac_json_string(addresses->text[best]));
    if (rivals)
        timeline_note(&reader->timeline,
                      "the device is taken to be %s, the first of %" PRIu32
                      " addresses in most packets; name the host to be sure which way is which",
                      addresses->text[best], rivals + 1);
    else
        timeline_note(&reader->timeline,
                      "the device is taken to be %s, the address in most packets",
                      addresses->text[best]);
}

static tac_status find_device(struct capture_reader *reader, tac_error *err)
{
    tac_trace_source *source = reader->timeline.source;
    const char *host = source->options.host;
    reader->device = TAC_NONE;
    if (host) {
        reader->device = tac_names_find(&reader->addresses, host);
        if (reader->device == TAC_NONE && !source->options.shared)
            return source_fail(source, err, TAC_E_INPUT, 0, 0,
                               "no packet has the address '%s'; the capture has %zu addresses",
                               host, reader->addresses.count);
    }
    if (!host && !reader->typed)
        guess_device(reader);
    return TAC_OK;
}

static uint32_t counter(struct timeline *timeline, const char *name, const char *owner,
                        const char *unit)
{
    char *text = owner ? tac_format("%s:%s", name, owner) : tac_strdup(name);
    uint32_t series = timeline_series(timeline, timeline_name_text(timeline, text), TAC_NONE,
                                      TAC_CONTINUOUS, unit, 1);
    free(text);
    return series;
}

/* The endpoints with the most bytes get variables of their own. */
static void name_endpoints(struct capture_reader *reader)
{
    struct timeline *timeline = &reader->timeline;
    size_t count = reader->endpoints.count;
    double least = 0;
    for (size_t named = ENDPOINTS_NAMED; count > ENDPOINTS_NAMED && named >= ENDPOINTS_NAMED;) {
        named = 0;
        least = least > 0 ? least * 1.5 : 1;
        for (size_t i = 0; i < count; i++)
            named += reader->endpoints.at[i].bytes >= least;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct endpoint *endpoint = &reader->endpoints.at[i];
        bool far = reader->device == TAC_NONE ? endpoint->is_far || !endpoint->is_near
                                              : i != reader->device;
        if (!far || endpoint->bytes < least)
            continue;
        const char *name = dns_name(&reader->names, reader->addresses.text[i]);
        endpoint->rx = counter(timeline, "rxData", name ? name : reader->addresses.text[i], "B");
        endpoint->tx = counter(timeline, "txData", name ? name : reader->addresses.text[i], "B");
    }
    if (least > 0)
        timeline_note(timeline, "endpoints with less than %.0f bytes have no variable of their own",
                      least);
}

/* --- States ----------------------------------------------------------------------------------- */

static void set_total(struct timeline *timeline, uint32_t series)
{
    const struct capture_reader *reader = timeline->decoder;
    if (timeline->series.at[series].variable != SIZE_MAX)
        source_set_number(timeline->source, timeline->series.at[series].variable,
                          reader->unknown == TAC_NONE ? reader->totals.at[series]
                                                      : tac_trace_unknown_number(reader->unknown));
}

static void add_to(struct timeline *timeline, uint32_t series, double amount)
{
    struct capture_reader *reader = timeline->decoder;
    if (series == TAC_NONE)
        return;
    reader->totals.at[series] += amount;
    set_total(timeline, series);
}

/* Counters begin at 0, before the first packet: their growth is all that was captured. */
static tac_status start_counters(struct timeline *timeline, int64_t time, tac_error *err)
{
    struct capture_reader *reader = timeline->decoder;
    reader->started = true;
    for (uint32_t i = 0; i < timeline->series.count; i++)
        set_total(timeline, i);
    return timeline->source->settings.count ? timeline_commit(timeline, time, err) : TAC_OK;
}

/* By the device where it is known, else by what the link layer says, else (an interface that says
 * nothing, beside one that does) by the addresses that the latter told to be the device's. */
static void direction(const struct capture_reader *reader, uint32_t from, uint32_t to, int type,
                      bool *sent, bool *received)
{
    const struct endpoint *endpoints = reader->endpoints.at;
    if (reader->device != TAC_NONE) {
        *sent = from == reader->device;
        *received = to == reader->device && !*sent;
    } else if (type >= 0) {
        *sent = type == 4;
        *received = type != 4 && type != 3;
    } else {
        *sent = endpoints[from].is_near;
        *received = endpoints[to].is_near && !*sent;
    }
}

static tac_status emit(struct timeline *timeline, const struct timeline_event *event,
                       tac_error *err)
{
    struct capture_reader *reader = timeline->decoder;
    uint32_t from = (uint32_t)(event->track >> 32), to = (uint32_t)event->track;
    bool sent, received;
    direction(reader, from, to, (int)event->name - 1, &sent, &received);
    if (!reader->started) {
        tac_status begun = start_counters(timeline, event->time, err);
        if (begun)
            return begun;
    }
    const struct endpoint *far = &reader->endpoints.at[sent ? to : from];
    uint32_t name = sent ? reader->tx_event : received ? reader->rx_event : reader->near_event;
    reader->neither += !sent && !received;
    if (sent) {
        add_to(timeline, reader->tx, event->number);
        add_to(timeline, reader->tx_packets, 1);
        add_to(timeline, far->tx, event->number);
    } else if (received) {
        add_to(timeline, reader->rx, event->number);
        add_to(timeline, reader->rx_packets, 1);
        add_to(timeline, far->rx, event->number);
    }
    if (!timeline_selects(timeline, name) && !timeline->source->settings.count)
        return TAC_OK;
    tac_status status = TAC_OK;
    if (timeline_selects(timeline, name))
        status = timeline_set_event(timeline, name, 2, err);
    return status ? status : timeline_commit(timeline, event->time, err);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static tac_status read_packets(struct capture_reader *reader, tac_error *err)
{
    tac_trace_source *source = reader->timeline.source;
    struct capture_packet packet;
    bool found = true;
    tac_status status = capture_open(&reader->capture, &source->window, err);
    while (!status && !(status = capture_next(&reader->capture, &packet, &found, err)) && found) {
        status = take_packet(reader, &packet, err);
        if (!status && reader->count++ % 8192 == 0 &&
            !tac_watch_tick(source->options.watch, "reading packets", reader->count, 0))
            status = source_fail(source, err, TAC_E_INTERRUPTED, 0, 0, "interrupted");
    }
    if (status == TAC_E_INPUT && reader->count && source->options.lenient) {
        timeline_note(&reader->timeline, "%s", err ? err->message : "damaged");
        status = TAC_OK;
    }
    return status;
}

/* Packets that are missing: no total is known. */
static tac_status note_missing(struct capture_reader *reader, tac_error *err)
{
    uint64_t missing = reader->capture.dropped + reader->capture.unreadable + reader->untimed +
                       reader->short_frames;
    reader->unknown = TAC_NONE;
    timeline_note_count(&reader->timeline, reader->capture.dropped,
                        "packet was dropped while capturing: the totals are unknown",
                        "packets were dropped while capturing: the totals are unknown");
    if (!missing)
        return TAC_OK;
    char *text =
        tac_format("the capture misses %" PRIu64 " packet%s", missing, missing == 1 ? "" : "s");
    tac_status status =
        source_unknown(reader->timeline.source, text, strlen(text), &reader->unknown, err);
    free(text);
    return status;
}

static void add_notes(struct capture_reader *reader)
{
    struct timeline *timeline = &reader->timeline;
    timeline->source->cut = reader->capture.cut;
    if (reader->capture.cut)
        timeline_note(timeline, "the file ends inside the packet at byte %" PRIu64,
                      reader->capture.cut_at);
    if (reader->not_ip)
        timeline_note(timeline,
                      "%" PRIu64 " frame%s of %" PRIu64
                      " bytes %s not announced as IP and %s not counted",
                      reader->not_ip, reader->not_ip == 1 ? "" : "s", reader->not_ip_bytes,
                      reader->not_ip == 1 ? "is" : "are", reader->not_ip == 1 ? "is" : "are");
    if (reader->short_frames)
        timeline_note(timeline,
                      "of %" PRIu64 " frame%s too little was kept to tell the addresses; %s not "
                      "counted",
                      reader->short_frames, reader->short_frames == 1 ? "" : "s",
                      reader->short_frames == 1 ? "it is" : "they are");
    timeline_note_count(timeline, reader->untimed, "packet has no time and was left out",
                        "packets have no time and were left out");
    timeline_note_count(timeline, reader->capture.unreadable,
                        "packet is of an interface that the capture does not describe, or is cut, "
                        "and was left out",
                        "packets are of an interface that the capture does not describe, or are "
                        "cut, and were left out");
}

/* Known only when all packets were given a direction. */
static void note_neither(struct timeline *timeline)
{
    const struct capture_reader *reader = timeline->decoder;
    timeline_note_count(timeline, reader->neither,
                        "packet is neither from nor to the device: the event 'packet', not in "
                        "rxData or txData",
                        "packets are neither from nor to the device: the event 'packet', not in "
                        "rxData or txData");
}

static tac_status open_capture(tac_trace_source *source, tac_error *err)
{
    struct capture_reader *reader = source->reader = tac_calloc(1, sizeof *reader);
    struct timeline *timeline = &reader->timeline;
    timeline_open(timeline, source);
    timeline->decoder = reader;
    timeline->emit = emit;
    timeline->ended = note_neither;
    reader->rx = counter(timeline, "rxData", NULL, "B");
    reader->tx = counter(timeline, "txData", NULL, "B");
    reader->rx_packets = counter(timeline, "rxPackets", NULL, "");
    reader->tx_packets = counter(timeline, "txPackets", NULL, "");
    reader->rx_event = timeline_name_text(timeline, "packet.rx");
    reader->tx_event = timeline_name_text(timeline, "packet.tx");
    reader->near_event = timeline_name_text(timeline, "packet");
    tac_status status = read_packets(reader, err);
    if (!status)
        status = find_device(reader, err);
    if (status)
        return status;
    name_endpoints(reader);
    while (reader->totals.count < timeline->series.count)
        tac_vec_push(&reader->totals, 0);
    source->clock = "realtime";
    add_notes(reader);
    status = note_missing(reader, err);
    if (status)
        return status;
    return timeline_finish(timeline, err);
}

static void close_capture(tac_trace_source *source)
{
    struct capture_reader *reader = source->reader;
    if (!reader)
        return;
    timeline_close(&reader->timeline);
    capture_close(&reader->capture);
    tac_names_free(&reader->addresses);
    tac_vec_free(&reader->endpoints);
    tac_vec_free(&reader->totals);
    dns_free(&reader->names);
    free(reader);
}

const struct trace_format trace_format_pcap = {
    .id = TRACE_PCAP,
    .endings = "|.pcap|.pcapng|.cap|",
    .sniff = sniff,
    .open = open_capture,
    .fill = timeline_fill_source,
    .close = close_capture,
};
