/* What a frame carries: the link layer's announcement, addresses, transport and its payload's size.
 *
 * Sizes come from the headers, not from what was kept: captures of phones keep 96 bytes. A frame
 * that the link layer does not announce as IPv4 or IPv6 is not looked into: the modem's own frames
 * carry the same IP packets once more. */
#pragma once

#include "trace/capture/file.h"

enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17 };

struct packet_view {
    int version;              /* 4 or 6; 0 = not announced as IP */
    bool has_from, has_to;    /* the address was kept */
    bool addressed;           /* both were */
    uint8_t from[16], to[16]; /* IPv4: the first four bytes */
    int protocol;             /* of the transport, -1 when not known */
    bool starts;              /* TCP or UDP, and not a later fragment: its header is next */
    bool transport;           /* that header was kept: ports and payload are known */
    uint16_t from_port, to_port;
    size_t payload;      /* bytes behind the transport's header, on the wire; 0 = not known */
    const uint8_t *data; /* what was kept of the payload */
    size_t kept;
    int packet_type; /* of a cooked capture: 0 to us, 4 sent by us; -1 when not known */
};

void packet_view(const struct capture_packet *packet, struct packet_view *out);
/* "10.0.0.1"; buffer of 46 bytes or more. */
const char *packet_address(const struct packet_view *view, bool from, char *buffer, size_t size);
