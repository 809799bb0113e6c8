/* Captures: packets and bytes on the wire, per second, per endpoint, per direction. */
#include "figures/kind.h"
#include "figures/tally.h"
#include "trace/capture/packet.h"
#include <inttypes.h>
#include <stdlib.h>

enum { ENDPOINTS = 6 };

struct capture_facts {
    int64_t packets, wire, captured, cut, first, last, before, ipv4, ipv6, other;
    int64_t tcp, tcp_payload, udp, udp_payload, untimed;
    bool timed, sorted;
    struct tally encapsulations, seconds, endpoints, types;
};

static int sniff(const struct figures_input *input)
{
    return capture_sniff(input->raw, input->raw_size);
}

/* Link types as Wireshark's tools number them ("encap"); the link type itself where not listed. */
static uint64_t encapsulation(uint32_t link)
{
    static const struct {
        uint32_t link, number;
    } known[] = {{0, 15},    {1, 1},     {6, 2},     {7, 8},     {8, 3},     {9, 4},     {10, 6},
                 {11, 10},   {12, 7},    {14, 7},    {50, 4},    {51, 139},  {100, 10},  {101, 7},
                 {104, 28},  {105, 20},  {107, 26},  {108, 174}, {109, 38},  {112, 28},  {113, 25},
                 {117, 39},  {119, 21},  {122, 18},  {127, 23},  {129, 9},   {143, 33},  {147, 45},
                 {148, 46},  {149, 47},  {150, 48},  {151, 49},  {152, 50},  {153, 51},  {154, 52},
                 {155, 53},  {156, 54},  {157, 55},  {158, 56},  {159, 57},  {160, 58},  {161, 59},
                 {162, 60},  {163, 24},  {187, 41},  {189, 95},  {192, 97},  {195, 104}, {201, 99},
                 {220, 115}, {227, 125}, {228, 129}, {229, 130}, {230, 127}, {235, 132}, {239, 141},
                 {249, 152}, {251, 154}, {252, 155}, {253, 158}, {254, 159}, {258, 171}, {272, 186},
                 {276, 210}, {283, 206}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].link == link)
            return known[i].number;
    return link;
}

static void add_bytes(struct tally *tally, const char *name, size_t length)
{
    tally_add(tally, name, strlen(name), (int64_t)length);
}

static void take_time(struct capture_facts *all, const struct capture_packet *packet)
{
    char second[24];
    if (!packet->timed) {
        all->untimed++;
        return;
    }
    if (all->timed && packet->time < all->before)
        all->sorted = false;
    if (!all->timed || packet->time < all->first)
        all->first = packet->time;
    if (!all->timed || packet->time > all->last)
        all->last = packet->time;
    all->timed = true;
    all->before = packet->time;
    snprintf(second, sizeof second, "%" PRId64, packet->time / 1000000000);
    add_bytes(&all->seconds, second, packet->length);
}

static void take_packet(struct capture_facts *all, const struct capture_packet *packet)
{
    struct packet_view view;
    char address[64], type[16];
    packet_view(packet, &view);
    all->packets++;
    all->wire += (int64_t)packet->length;
    all->captured += (int64_t)packet->captured;
    all->cut += packet->captured < packet->length;
    tally_add_number(&all->encapsulations, encapsulation(packet->link));
    take_time(all, packet);
    all->ipv4 += view.version == 4;
    all->ipv6 += view.version == 6;
    all->other += !view.version;
    if (view.starts && view.protocol == PROTOCOL_TCP) {
        all->tcp++;
        all->tcp_payload += (int64_t)view.payload;
    } else if (view.starts) {
        all->udp++;
        all->udp_payload += (int64_t)view.payload;
    }
    for (int from = 1; from >= 0; from--)
        if (from ? view.has_from : view.has_to)
            add_bytes(&all->endpoints, packet_address(&view, from, address, sizeof address),
                      packet->length);
    if (view.packet_type >= 0) {
        snprintf(type, sizeof type, "%d", view.packet_type);
        add_bytes(&all->types, type, packet->length);
    }
}

/* The endpoints with the most bytes; equal ones in order of appearance. */
static void add_endpoints(const struct tally *tally, struct figures *facts)
{
    size_t count = tally->rows.count;
    bool *shown = tac_calloc(count + 1, sizeof *shown);
    figures_number(facts, "endpoints", (int64_t)count);
    for (size_t n = 0; n < ENDPOINTS && n < count; n++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if (!shown[i] &&
                (best == count || tally->rows.at[i].total > tally->rows.at[best].total))
                best = i;
        shown[best] = true;
        char *name = tac_format("endpoint.%s", tally->names.text[best]);
        figures_textf(facts, name, "packets=%" PRId64 " bytes=%" PRId64, tally->rows.at[best].count,
                      tally->rows.at[best].total);
        free(name);
    }
    free(shown);
}

static void add_times(const struct capture_facts *all, struct figures *facts)
{
    if (!all->timed)
        return;
    figures_textf(facts, "first_epoch", "%" PRId64 ".%09" PRId64, all->first / 1000000000,
                  all->first % 1000000000);
    figures_textf(facts, "last_epoch", "%" PRId64 ".%09" PRId64, all->last / 1000000000,
                  all->last % 1000000000);
    figures_number(facts, "time_order", all->sorted);
}

static void add_values(const struct capture_facts *all, struct figures *facts)
{
    char *encapsulations = tally_text_by_number(&all->encapsulations);
    figures_number(facts, "packets", all->packets);
    figures_text(facts, "encap", encapsulations);
    free(encapsulations);
    figures_number(facts, "bytes_wire", all->wire);
    figures_number(facts, "bytes_captured", all->captured);
    figures_number(facts, "cut_packets", all->cut);
    add_times(all, facts);
    figures_number(facts, "ipv4", all->ipv4);
    figures_number(facts, "ipv6", all->ipv6);
    figures_number(facts, "not_ip", all->other);
    figures_number(facts, "tcp", all->tcp);
    figures_number(facts, "tcp_payload", all->tcp_payload);
    figures_number(facts, "udp", all->udp);
    figures_number(facts, "udp_payload", all->udp_payload);
    for (size_t i = 0; i < all->seconds.rows.count; i++) {
        char *name = tac_format("second.%s", all->seconds.names.text[i]);
        figures_number(facts, name, all->seconds.rows.at[i].total);
        free(name);
    }
    add_endpoints(&all->endpoints, facts);
    for (size_t i = 0; i < all->types.rows.count; i++) {
        char *name = tac_format("sll.pkttype.%s", all->types.names.text[i]);
        figures_textf(facts, name, "packets=%" PRId64 " bytes=%" PRId64,
                      all->types.rows.at[i].count, all->types.rows.at[i].total);
        free(name);
    }
}

static tac_status read_capture(const struct figures_input *input, struct figures *facts,
                               tac_error *err)
{
    struct trace_window window;
    tac_trace_options options = {.watch = input->watch};
    tac_status status = window_open(&window, input->path, &options, err);
    if (status)
        return status;
    struct capture_facts all = {.sorted = true};
    struct capture capture = {0};
    struct capture_packet packet;
    bool found = true;
    status = capture_open(&capture, &window, err);
    while (!status && !(status = capture_next(&capture, &packet, &found, err)) && found) {
        take_packet(&all, &packet);
        if (all.packets % 8192 == 0 &&
            !tac_watch_tick(input->watch, "reading packets", (uint64_t)all.packets, 0))
            status = tac_fail_at(err, TAC_E_INTERRUPTED, input->path, 0, 0, "interrupted");
    }
    /* Damage behind the first packets: what came before stays. */
    if (status == TAC_E_INPUT && all.packets && err) {
        figures_warn(facts, "%s", err->message);
        status = TAC_OK;
    }
    if (!status)
        add_values(&all, facts);
    if (capture.cut)
        figures_warn(facts, "the file ends inside the packet at byte %" PRIu64, capture.cut_at);
    if (capture.unreadable)
        figures_warn(facts,
                     "%" PRIu64
                     " packets are of an interface that the capture does not describe, or "
                     "are cut, and are not counted",
                     capture.unreadable);
    if (all.untimed)
        figures_warn(facts, "%" PRId64 " packets have no time", all.untimed);
    capture_close(&capture);
    window_close(&window);
    tally_free(&all.encapsulations);
    tally_free(&all.seconds);
    tally_free(&all.endpoints);
    tally_free(&all.types);
    return status;
}

const struct figures_kind figures_kind_capture = {
    .name = "capture",
    .summary = "a packet capture, pcap or pcapng: packets, bytes, endpoints",
    .sniff = sniff,
    .read = read_capture,
};
