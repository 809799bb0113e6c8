/* See packet.h. */
#include "network/packet.h"
#include <string.h>

enum { IP_HEADER = 20, TCP_HEADER = 20, UDP_HEADER = 8 };

static uint32_t get16(const uint8_t *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t get32(const uint8_t *at)
{
    return get16(at) << 16 | get16(at + 2);
}

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value & 0xffff);
}

bool packet_read(const uint8_t *packet, uint32_t size, struct packet_about *out)
{
    if (size < IP_HEADER || packet[0] >> 4 != 4)
        return false;
    uint32_t header = (uint32_t)(packet[0] & 15) * 4, whole = get16(packet + 2);
    bool fragment = (get16(packet + 6) & 0x3fff) != 0;
    if (header < IP_HEADER || whole > size || whole < header + UDP_HEADER || fragment)
        return false;
    const uint8_t *body = packet + header;
    *out = (struct packet_about){.from = get32(packet + 12),
                                 .to = get32(packet + 16),
                                 .from_port = (uint16_t)get16(body),
                                 .to_port = (uint16_t)get16(body + 2),
                                 .protocol = packet[9]};
    if (out->protocol == PACKET_TCP && whole >= header + TCP_HEADER) {
        out->sequence = get32(body + 4);
        out->flags = body[13];
        return true;
    }
    out->payload = body + UDP_HEADER;
    out->payload_size = whole - header - UDP_HEADER;
    return out->protocol == PACKET_UDP && get16(body + 4) == out->payload_size + UDP_HEADER;
}

static uint32_t sum(const uint8_t *at, uint32_t size, uint32_t before)
{
    for (uint32_t i = 0; i + 1 < size; i += 2)
        before += get16(at + i);
    if (size & 1)
        before += (uint32_t)at[size - 1] << 8;
    while (before >> 16)
        before = (before & 0xffff) + (before >> 16);
    return before;
}

static void write_header(uint8_t *out, uint32_t whole, uint8_t protocol, uint32_t from, uint32_t to)
{
    memset(out, 0, IP_HEADER);
    out[0] = 0x45;
    put16(out + 2, whole);
    put16(out + 6, 0x4000); /* do not fragment */
    out[8] = 64;
    out[9] = protocol;
    put32(out + 12, from);
    put32(out + 16, to);
    put16(out + 10, ~sum(out, IP_HEADER, 0) & 0xffff);
}

/* Over the addresses too. */
static uint32_t body_checksum(const uint8_t *packet, uint32_t size, uint8_t protocol)
{
    uint32_t pseudo = sum(packet + 12, 8, protocol + size);
    return ~sum(packet + IP_HEADER, size, pseudo) & 0xffff;
}

uint32_t packet_refuse(const struct packet_about *syn, uint8_t *out)
{
    uint8_t *body = out + IP_HEADER;
    write_header(out, IP_HEADER + TCP_HEADER, PACKET_TCP, syn->to, syn->from);
    memset(body, 0, TCP_HEADER);
    put16(body, syn->to_port);
    put16(body + 2, syn->from_port);
    put32(body + 8, syn->sequence + 1);
    body[12] = TCP_HEADER / 4 << 4;
    body[13] = PACKET_RST | PACKET_ACK;
    put16(body + 16, body_checksum(out, TCP_HEADER, PACKET_TCP));
    return IP_HEADER + TCP_HEADER;
}

uint32_t packet_datagram(const struct packet_about *about, uint8_t *out)
{
    uint8_t *body = out + IP_HEADER;
    uint32_t size = UDP_HEADER + about->payload_size;
    write_header(out, IP_HEADER + size, PACKET_UDP, about->from, about->to);
    put16(body, about->from_port);
    put16(body + 2, about->to_port);
    put16(body + 4, size);
    put16(body + 6, 0);
    memcpy(body + UDP_HEADER, about->payload, about->payload_size);
    uint32_t check = body_checksum(out, size, PACKET_UDP);
    put16(body + 6, check ? check : 0xffff);
    return IP_HEADER + size;
}
