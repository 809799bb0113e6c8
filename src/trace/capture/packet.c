/* See packet.h. */
#include "trace/capture/packet.h"
#include "trace/capture/link.h"
#include <arpa/inet.h>
#include <string.h>

/* Ports, and the payload's size behind the header. The size of UDP stands in its first bytes. */
static void transport(struct packet_bytes *bytes, struct packet_view *out)
{
    bool tcp = out->protocol == PROTOCOL_TCP;
    if (!tcp && out->protocol != PROTOCOL_UDP)
        return;
    out->starts = true;
    if (bytes->size < (tcp ? 13 : 6))
        return;
    size_t head = tcp ? (size_t)(bytes->at[12] >> 4) * 4 : 8;
    size_t said = tcp ? bytes->wire : packet_big16(bytes->at + 4);
    if (head < 8 || (tcp && head < 20))
        return;
    out->payload = said > head ? said - head : 0;
    if (!tcp && bytes->size < 8)
        return;
    out->transport = true;
    out->from_port = packet_big16(bytes->at);
    out->to_port = packet_big16(bytes->at + 2);
    packet_skip(bytes, head);
    out->data = bytes->at;
    out->kept = bytes->size < out->payload ? bytes->size : out->payload;
}

/* Addresses, as far as they were kept: two of `size` bytes from `at` on. */
static void addresses(const struct packet_bytes *bytes, size_t at, size_t size,
                      struct packet_view *out)
{
    out->has_from = bytes->size >= at + size;
    out->has_to = bytes->size >= at + 2 * size;
    if (out->has_from)
        memcpy(out->from, bytes->at + at, size);
    if (out->has_to)
        memcpy(out->to, bytes->at + at + size, size);
    out->addressed = out->has_from && out->has_to;
}

static void ipv4(struct packet_bytes *bytes, struct packet_view *out)
{
    addresses(bytes, 12, 4, out);
    if (bytes->size < 20)
        return;
    size_t head = (size_t)(bytes->at[0] & 15) * 4, total = packet_big16(bytes->at + 2);
    unsigned fragment = packet_big16(bytes->at + 6) & 0x1fff;
    out->protocol = bytes->at[9];
    if (head < 20 || bytes->size < head)
        return;
    if (total >= head && total)
        bytes->wire = total;
    packet_skip(bytes, head);
    if (!fragment)
        transport(bytes, out);
}

/* Extension headers stand between the header and the transport. */
static void ipv6(struct packet_bytes *bytes, struct packet_view *out)
{
    addresses(bytes, 8, 16, out);
    if (bytes->size < 40)
        return;
    size_t length = packet_big16(bytes->at + 4);
    int next = bytes->at[6];
    packet_skip(bytes, 40);
    if (length)
        bytes->wire = length;
    bool first = true;
    for (int i = 0; i < 16; i++) {
        bool extension = next == 0 || next == 43 || next == 60 || next == 135;
        if ((!extension && next != 44 && next != 51) || bytes->size < 8)
            break;
        size_t size = next == 44   ? 8
                      : next == 51 ? ((size_t)bytes->at[1] + 2) * 4
                                   : ((size_t)bytes->at[1] + 1) * 8;
        if (next == 44 && packet_big16(bytes->at + 2) >> 3)
            first = false;
        next = bytes->at[0];
        packet_skip(bytes, size);
    }
    out->protocol = next;
    if (first)
        transport(bytes, out);
}

void packet_view(const struct capture_packet *packet, struct packet_view *out)
{
    struct packet_bytes bytes = {packet->data, packet->captured, packet->length};
    *out = (struct packet_view){.protocol = -1, .packet_type = -1};
    out->version = link_version(packet->link, &bytes, &out->packet_type);
    if (out->version == 4)
        ipv4(&bytes, out);
    else if (out->version == 6)
        ipv6(&bytes, out);
}

const char *packet_address(const struct packet_view *view, bool from, char *buffer, size_t size)
{
    const char *text = inet_ntop(view->version == 4 ? AF_INET : AF_INET6,
                                 from ? view->from : view->to, buffer, (socklen_t)size);
    return text ? text : "";
}
