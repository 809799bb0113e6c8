/* See link.h. Numbers of link types are those of tcpdump's list; layouts are those of the standards
 * (802.3, 802.11, PPP) and of the list's pages (cooked, loopback, pktap, nflog, radiotap). */
#include "trace/capture/link.h"
#include <stdbool.h>
#include <string.h>

enum link_type {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_PPP = 9,
    LINK_RAW_OLD = 12,
    LINK_RAW_BSD = 14,
    LINK_PPP_SERIAL = 50,
    LINK_PPPOE = 51,
    LINK_RAW = 101,
    LINK_80211 = 105,
    LINK_LOOP = 108,
    LINK_COOKED = 113,
    LINK_PRISM = 119,
    LINK_RADIOTAP = 127,
    LINK_USER2 = 149, /* pktap in older captures of a Mac */
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_NFLOG = 239,
    LINK_PKTAP = 258,
    LINK_COOKED_2 = 276
};

enum {
    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86dd,
    TYPE_VLAN = 0x8100,
    TYPE_QINQ = 0x88a8,
    TYPE_QINQ_OLD = 0x9100,
    TYPE_MPLS = 0x8847,
    TYPE_MPLS_MANY = 0x8848,
    TYPE_PPPOE = 0x8864
};

void packet_skip(struct packet_bytes *bytes, size_t count)
{
    size_t kept = count < bytes->size ? count : bytes->size;
    bytes->at += kept;
    bytes->size -= kept;
    bytes->wire -= count < bytes->wire ? count : bytes->wire;
}

static uint16_t little16(const uint8_t *at)
{
    return (uint16_t)(at[1] << 8 | at[0]);
}

static uint32_t little32(const uint8_t *at)
{
    return (uint32_t)little16(at) | (uint32_t)little16(at + 2) << 16;
}

static int raw(const struct packet_bytes *bytes)
{
    int version = bytes->size ? bytes->at[0] >> 4 : 0;
    return version == 4 || version == 6 ? version : 0;
}

static int ppp(struct packet_bytes *bytes)
{
    if (bytes->size >= 2 && bytes->at[0] == 0xff && bytes->at[1] == 0x03)
        packet_skip(bytes, 2);
    if (bytes->size < 2)
        return 0;
    bool is_short = bytes->at[0] & 1;
    unsigned protocol = is_short ? bytes->at[0] : packet_big16(bytes->at);
    packet_skip(bytes, is_short ? 1 : 2);
    return protocol == 0x21 ? 4 : protocol == 0x57 ? 6 : 0;
}

/* Version, code, session, length; then PPP without its address. */
static int pppoe(struct packet_bytes *bytes)
{
    if (bytes->size < 6 || bytes->at[1] != 0)
        return 0;
    packet_skip(bytes, 6);
    return ppp(bytes);
}

/* Labels up to the bottom of the stack; nothing tells what follows but its first half byte. */
static int mpls(struct packet_bytes *bytes)
{
    bool bottom = false;
    while (!bottom && bytes->size >= 4) {
        bottom = bytes->at[2] & 1;
        packet_skip(bytes, 4);
    }
    return bottom ? raw(bytes) : 0;
}

/* What follows an Ethernet type: tags are passed. */
static int by_type(uint16_t type, struct packet_bytes *bytes)
{
    while ((type == TYPE_VLAN || type == TYPE_QINQ || type == TYPE_QINQ_OLD) && bytes->size >= 4) {
        type = packet_big16(bytes->at + 2);
        packet_skip(bytes, 4);
    }
    if (type == TYPE_PPPOE)
        return pppoe(bytes);
    if (type == TYPE_MPLS || type == TYPE_MPLS_MANY)
        return mpls(bytes);
    return type == TYPE_IPV4 ? 4 : type == TYPE_IPV6 ? 6 : 0;
}

/* LLC with SNAP: the type stands behind it. */
static int llc(struct packet_bytes *bytes)
{
    static const uint8_t snap[] = {0xaa, 0xaa, 0x03, 0, 0, 0};
    if (bytes->size < 8 || memcmp(bytes->at, snap, sizeof snap))
        return 0;
    uint16_t type = packet_big16(bytes->at + 6);
    packet_skip(bytes, 8);
    return by_type(type, bytes);
}

/* A length instead of a type: LLC follows. */
static int ethernet(struct packet_bytes *bytes)
{
    if (bytes->size < 14)
        return 0;
    uint16_t type = packet_big16(bytes->at + 12);
    packet_skip(bytes, 14);
    return type <= 1500 ? llc(bytes) : by_type(type, bytes);
}

static int cooked(struct packet_bytes *bytes, bool second, int *packet_type)
{
    size_t head = second ? 20 : 16;
    if (bytes->size < head)
        return 0;
    uint16_t type = packet_big16(bytes->at + (second ? 0 : 14));
    *packet_type = second ? bytes->at[10] : packet_big16(bytes->at);
    packet_skip(bytes, head);
    return by_type(type, bytes);
}

/* The family is in the byte order of the machine that captured. */
static int loopback(struct packet_bytes *bytes)
{
    if (bytes->size < 4)
        return 0;
    uint32_t little = (uint32_t)bytes->at[0] | (uint32_t)bytes->at[1] << 8;
    uint32_t big = (uint32_t)bytes->at[3] | (uint32_t)bytes->at[2] << 8;
    uint32_t family = little ? little : big;
    packet_skip(bytes, 4);
    return family == 2 ? 4 : family == 10 || family == 24 || family == 28 || family == 30 ? 6 : 0;
}

/* Data frames that are not encrypted; the head grows with four addresses, quality of service and
 * the order bit. */
static int wireless(struct packet_bytes *bytes)
{
    if (bytes->size < 24 || (bytes->at[0] & 0x0c) != 0x08 || (bytes->at[0] & 0x40) ||
        (bytes->at[1] & 0x40))
        return 0;
    bool quality = bytes->at[0] & 0x80;
    size_t head = 24 + ((bytes->at[1] & 3) == 3 ? 6u : 0u) + (quality ? 2u : 0u);
    if (quality && (bytes->at[1] & 0x80))
        head += 4;
    packet_skip(bytes, head);
    return llc(bytes);
}

static int radiotap(struct packet_bytes *bytes)
{
    if (bytes->size < 8)
        return 0;
    size_t head = little16(bytes->at + 2);
    if (head < 8)
        return 0;
    packet_skip(bytes, head);
    return wireless(bytes);
}

/* Length, type of what follows, its link type; all little-endian. */
static int pktap(struct packet_bytes *bytes, int *packet_type)
{
    if (bytes->size < 12)
        return 0;
    size_t head = little32(bytes->at);
    uint32_t inner = little32(bytes->at + 8);
    if (head < 12 || head > bytes->size || inner == LINK_PKTAP || inner == LINK_USER2)
        return 0;
    packet_skip(bytes, head);
    return link_version(inner, bytes, packet_type);
}

/* Family, version, group; then fields of length, type and value, padded to words. */
static int nflog(struct packet_bytes *bytes)
{
    enum { PAYLOAD = 9 };
    int version = bytes->size < 4 ? 0 : bytes->at[0] == 2 ? 4 : bytes->at[0] == 10 ? 6 : 0;
    packet_skip(bytes, 4);
    while (version && bytes->size >= 4) {
        size_t size = little16(bytes->at);
        if (little16(bytes->at + 2) == PAYLOAD) {
            packet_skip(bytes, 4);
            return version;
        }
        packet_skip(bytes, size < 4 ? bytes->size : (size + 3) & ~(size_t)3);
    }
    return 0;
}

int link_version(uint32_t link, struct packet_bytes *bytes, int *packet_type)
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
    case LINK_PPP_SERIAL:
        return ppp(bytes);
    case LINK_PPPOE:
        return pppoe(bytes);
    case LINK_RAW:
    case LINK_RAW_OLD:
    case LINK_RAW_BSD:
        return raw(bytes);
    case LINK_80211:
        return wireless(bytes);
    case LINK_PRISM:
        packet_skip(bytes, 144);
        return wireless(bytes);
    case LINK_RADIOTAP:
        return radiotap(bytes);
    case LINK_NFLOG:
        return nflog(bytes);
    case LINK_PKTAP:
    case LINK_USER2:
        return pktap(bytes, packet_type);
    case LINK_IPV4:
        return 4;
    case LINK_IPV6:
        return 6;
    default:
        return 0;
    }
}
