/* See packet.h. */
#include "trace/capture/packet.h"
#include <arpa/inet.h>
#include <string.h>

enum link {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_PPP = 9,
    LINK_RAW_OLD = 12,
    LINK_RAW_BSD = 14,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_COOKED = 113,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_COOKED_2 = 276
};

enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_VLAN = 0x8100, TYPE_QINQ = 0x88a8 };

struct bytes {
    const uint8_t *at;
    size_t size; /* kept */
    size_t wire; /* on the wire */
};

static uint16_t big16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static void skip(struct bytes *bytes, size_t count)
{
    size_t kept = count < bytes->size ? count : bytes->size;
    bytes->at += kept;
    bytes->size -= kept;
    bytes->wire -= count < bytes->wire ? count : bytes->wire;
}

static int version_of(uint16_t type)
{
    return type == TYPE_IPV4 ? 4 : type == TYPE_IPV6 ? 6 : 0;
}

static int ethernet(struct bytes *bytes)
{
    if (bytes->size < 14)
        return 0;
    uint16_t type = big16(bytes->at + 12);
    skip(bytes, 14);
    while ((type == TYPE_VLAN || type == TYPE_QINQ) && bytes->size >= 4) {
        type = big16(bytes->at + 2);
        skip(bytes, 4);
    }
    return version_of(type);
}

static int cooked(struct bytes *bytes, bool second, int *packet_type)
{
    size_t head = second ? 20 : 16;
    if (bytes->size < head)
        return 0;
    uint16_t type = big16(bytes->at + (second ? 0 : 14));
    *packet_type = second ? bytes->at[10] : big16(bytes->at);
    skip(bytes, head);
    if ((type == TYPE_VLAN || type == TYPE_QINQ) && bytes->size >= 4) {
        type = big16(bytes->at + 2);
        skip(bytes, 4);
    }
    return version_of(type);
}

/* The family is in the byte order of the machine that captured. */
static int loopback(struct bytes *bytes)
{
    if (bytes->size < 4)
        return 0;
    uint32_t little = (uint32_t)bytes->at[0] | (uint32_t)bytes->at[1] << 8;
    uint32_t big = (uint32_t)bytes->at[3] | (uint32_t)bytes->at[2] << 8;
    uint32_t family = little ? little : big;
    skip(bytes, 4);
    return family == 2 ? 4 : family == 10 || family == 24 || family == 28 || family == 30 ? 6 : 0;
}

static int ppp(struct bytes *bytes)
{
    if (bytes->size >= 2 && bytes->at[0] == 0xff && bytes->at[1] == 0x03)
        skip(bytes, 2);
    if (bytes->size < 2)
        return 0;
    bool is_short = bytes->at[0] & 1;
    unsigned protocol = is_short ? bytes->at[0] : big16(bytes->at);
    skip(bytes, is_short ? 1 : 2);
    return protocol == 0x21 ? 4 : protocol == 0x57 ? 6 : 0;
}

static int raw(const struct bytes *bytes)
{
    int version = bytes->size ? bytes->at[0] >> 4 : 0;
    return version == 4 || version == 6 ? version : 0;
}

static int link_version(uint32_t link, struct bytes *bytes, int *packet_type)
{
    switch (link) {
    case LINK_ETHERNET:
        return ethernet(bytes);
    case LINK_COOKED:
        return cooked(bytes, false, packet_type);
    case LINK_COOKED_2:
        return cooked(bytes, true, packet_type);
    case LINK_NULL:
    case LINK_LOOP:
        return loopback(bytes);
    case LINK_PPP:
        return ppp(bytes);
    case LINK_RAW:
    case LINK_RAW_OLD:
    case LINK_RAW_BSD:
        return raw(bytes);
    case LINK_IPV4:
        return 4;
    case LINK_IPV6:
        return 6;
    default:
        return 0;
    }
}

/* Ports, and the payload's size behind the header. */
static void transport(struct bytes *bytes, struct packet_view *out)
{
    bool tcp = out->protocol == PROTOCOL_TCP;
    if ((!tcp && out->protocol != PROTOCOL_UDP) || bytes->size < (tcp ? 13 : 8))
        return;
    size_t head = tcp ? (size_t)(bytes->at[12] >> 4) * 4 : 8;
    size_t said = tcp ? bytes->wire : big16(bytes->at + 4);
    if (head < 8 || (tcp && head < 20))
        return;
    out->transport = true;
    out->from_port = big16(bytes->at);
    out->to_port = big16(bytes->at + 2);
    out->payload = said > head ? said - head : 0;
    skip(bytes, head);
    out->data = bytes->at;
    out->kept = bytes->size < out->payload ? bytes->size : out->payload;
}

static void ipv4(struct bytes *bytes, struct packet_view *out)
{
    if (bytes->size < 20)
        return;
    size_t head = (size_t)(bytes->at[0] & 15) * 4, total = big16(bytes->at + 2);
    unsigned fragment = big16(bytes->at + 6) & 0x1fff;
    memcpy(out->from, bytes->at + 12, 4);
    memcpy(out->to, bytes->at + 16, 4);
    out->addressed = true;
    out->protocol = bytes->at[9];
    if (head < 20)
        return;
    if (total >= head && total)
        bytes->wire = total;
    skip(bytes, head);
    if (!fragment)
        transport(bytes, out);
}

/* Extension headers stand between the header and the transport. */
static void ipv6(struct bytes *bytes, struct packet_view *out)
{
    if (bytes->size < 40)
        return;
    size_t length = big16(bytes->at + 4);
    int next = bytes->at[6];
    memcpy(out->from, bytes->at + 8, 16);
    memcpy(out->to, bytes->at + 24, 16);
    out->addressed = true;
    skip(bytes, 40);
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
        if (next == 44 && big16(bytes->at + 2) >> 3)
            first = false;
        next = bytes->at[0];
        skip(bytes, size);
    }
    out->protocol = next;
    if (first)
        transport(bytes, out);
}

void packet_view(const struct capture_packet *packet, struct packet_view *out)
{
    struct bytes bytes = {packet->data, packet->captured, packet->length};
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
