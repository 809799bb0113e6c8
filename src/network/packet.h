/* IPv4 packets as the gateway sees and makes them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PACKET_TCP = 6, PACKET_UDP = 17 };
enum { PACKET_FIN = 1, PACKET_SYN = 2, PACKET_RST = 4, PACKET_ACK = 16 };

/* Addresses and ports in host order. */
struct packet_about {
    uint32_t from, to;
    uint16_t from_port, to_port;
    uint8_t protocol, flags; /* flags: TCP's */
    uint32_t sequence;
    const uint8_t *payload; /* of UDP */
    uint32_t payload_size;
};

/* False for what is not a whole, unfragmented packet of IPv4 with TCP or UDP in it. */
bool packet_read(const uint8_t *packet, uint32_t size, struct packet_about *out);
/* "No": the answer to a SYN where nobody listens; *size at most 40 bytes. */
uint32_t packet_refuse(const struct packet_about *syn, uint8_t *out);
/* A datagram; out has room for 28 bytes more than the payload. */
uint32_t packet_datagram(const struct packet_about *about, uint8_t *out);
