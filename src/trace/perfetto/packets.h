/* The container of a Perfetto trace: field 1, repeated, is a TracePacket. A packet whose field 50
 * (zlib) or 133 (zstd) holds packed packets is unpacked and read in place.
 *
 * Memory is one packet, or one unpacked bundle of them. A file that ends inside a packet gives what
 * came before and sets `cut`. */
#pragma once

#include "trace/perfetto/wire.h"
#include "trace/read/window.h"

#define PACKET_MAX ((size_t)64 << 20)

struct packets {
    struct trace_window *window;
    uint64_t offset;   /* of the next byte of the file (unpacked from gzip or xz) */
    struct wire inner; /* packets that were packed inside one; empty when none */
    uint8_t *unpacked; /* owned */
    size_t capacity;
    uint64_t damaged; /* packets that could not be unpacked */
    bool cut;         /* the file ended inside a packet */
    uint64_t cut_at;  /* where that packet starts */
};

/* The next packet, valid until the next call; *data NULL at the end. */
tac_status packets_next(struct packets *packets, const uint8_t **data, size_t *size,
                        tac_error *err);
void packets_free(struct packets *packets);

/* Does the text begin like a Perfetto trace? Packets, all whole or the last one cut. 0 = no, 1 = as
 * far as can be seen, 2 = several packets. */
int packets_sniff(const void *head, size_t size);
