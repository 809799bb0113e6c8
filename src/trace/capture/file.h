/* Packets of a capture file, pcap or pcapng, in file order.
 *
 * libpcap reads these files too, but refuses a pcapng file whose interfaces differ in link type
 * (phones write such) and reads from a file of its own; the tests compare with it. Memory is one
 * packet. A file that ends inside a packet gives what came before and sets `cut`. */
#pragma once

#include "base/data/vec.h"
#include "trace/read/window.h"

#define CAPTURE_PACKET_MAX ((size_t)16 << 20)

struct capture_interface {
    uint32_t link;
    uint64_t ticks; /* per second */
    int64_t offset; /* seconds added to each time */
    uint32_t snap;  /* bytes kept of a packet; 0 = all */
};

struct capture {
    struct trace_window *window;
    uint64_t offset; /* of the next byte */
    bool is_ng, swapped, nano;
    uint32_t link;      /* pcap */
    size_t record_head; /* pcap: bytes before the data of a packet */
    TAC_VEC(struct capture_interface) interfaces;
    bool cut;
    uint64_t cut_at, packets;
    uint64_t unreadable; /* blocks of packets that say less than they must */
    uint64_t dropped;    /* packets that the capturing machine says it missed */
};

struct capture_packet {
    bool timed;   /* simple packets of pcapng have no time */
    int64_t time; /* nanoseconds since 1970 */
    uint32_t link;
    const uint8_t *data;
    size_t captured, length; /* kept and on the wire */
};

/* Reads the head of the file; window stays the caller's. */
tac_status capture_open(struct capture *capture, struct trace_window *window, tac_error *err);
/* *found false at the end. The packet is valid until the next call. */
tac_status capture_next(struct capture *capture, struct capture_packet *packet, bool *found,
                        tac_error *err);
void capture_close(struct capture *capture);

/* 3 when the bytes begin a capture, else 0. */
int capture_sniff(const void *head, size_t size);
