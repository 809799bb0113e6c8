/* Link layers of captures: where the IP packet of a frame starts, and whether there is one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What is left of a frame. */
struct packet_bytes {
    const uint8_t *at;
    size_t size; /* kept */
    size_t wire; /* on the wire */
};

void packet_skip(struct packet_bytes *bytes, size_t count);

static inline uint16_t packet_big16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

/* 4 or 6 when the link layer announces such a packet, and then `bytes` starts with it; else 0.
 * *packet_type: the direction that a cooked capture tells; unchanged by others. */
int link_version(uint32_t link, struct packet_bytes *bytes, int *packet_type);
