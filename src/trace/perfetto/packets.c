/* See packets.h. */
#include "trace/perfetto/packets.h"
#include "base/data/alloc.h"
#include <zlib.h>
#include <zstd.h>

enum { PACKET = 1, PACKED_ZLIB = 50, PACKED_ZSTD = 133 };

static void reserve(struct packets *packets, size_t wanted)
{
    if (packets->capacity >= wanted)
        return;
    packets->capacity = wanted < 65536 ? 65536 : wanted + wanted / 2;
    packets->unpacked = tac_realloc(packets->unpacked, packets->capacity, 1);
}

static bool unpack_zlib(struct packets *packets, const struct wire_field *field, size_t *size)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)field->data, .avail_in = (uInt)field->size};
    if (inflateInit(&stream) != Z_OK)
        tac_out_of_memory(65536);
    int result = Z_OK;
    size_t used = 0;
    while (result == Z_OK && used <= PACKET_MAX) {
        reserve(packets, used + 65536);
        stream.next_out = packets->unpacked + used;
        stream.avail_out = (uInt)(packets->capacity - used);
        result = inflate(&stream, Z_NO_FLUSH);
        used = packets->capacity - stream.avail_out;
        if (result == Z_BUF_ERROR && !stream.avail_in)
            break;
    }
    inflateEnd(&stream);
    *size = used;
    return result == Z_STREAM_END;
}

static bool unpack_zstd(struct packets *packets, const struct wire_field *field, size_t *size)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {field->data, field->size, 0};
    size_t used = 0, result = 1;
    while (result && !ZSTD_isError(result) && used <= PACKET_MAX) {
        reserve(packets, used + 65536);
        ZSTD_outBuffer out = {packets->unpacked, packets->capacity, used};
        result = ZSTD_decompressStream(stream, &out, &in);
        if (out.pos == used && in.pos == in.size)
            break;
        used = out.pos;
    }
    ZSTD_freeDStream(stream);
    *size = used;
    return !result;
}

/* True when the packet was a bundle of packed ones: packets->inner has them then. */
static bool unpack(struct packets *packets, const uint8_t *data, size_t size)
{
    struct wire wire = wire_over(data, size);
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.type != WIRE_BYTES ||
            (field.number != PACKED_ZLIB && field.number != PACKED_ZSTD))
            continue;
        size_t length = 0;
        bool whole = field.number == PACKED_ZLIB ? unpack_zlib(packets, &field, &length)
                                                 : unpack_zstd(packets, &field, &length);
        packets->damaged += !whole;
        packets->inner = wire_over(packets->unpacked, length);
        return true;
    }
    return false;
}

/* A packed bundle's own packets. */
static bool next_inner(struct packets *packets, const uint8_t **data, size_t *size)
{
    struct wire_field field;
    while (wire_next(&packets->inner, &field))
        if (field.number == PACKET && field.type == WIRE_BYTES) {
            *data = field.data;
            *size = field.size;
            return true;
        }
    packets->damaged += packets->inner.bad;
    packets->inner = (struct wire){0};
    return false;
}

/* Tag and length at the window's begin; false when they are not whole. */
static bool read_head(struct packets *packets, size_t *head, uint64_t *tag, uint64_t *length)
{
    const struct trace_window *window = packets->window;
    struct wire wire = wire_over(window->data + window->begin, window->end - window->begin);
    if (!wire_varint(&wire, tag) ||
        (*length = 0, (*tag & 7) == WIRE_BYTES    ? !wire_varint(&wire, length)
                      : (*tag & 7) == WIRE_VARINT ? !wire_varint(&wire, length)
                                                  : false))
        return false;
    if ((*tag & 7) != WIRE_BYTES)
        *length = (*tag & 7) == WIRE_FIXED64 ? 8 : (*tag & 7) == WIRE_FIXED32 ? 4 : 0;
    *head = (size_t)(wire.at - (const uint8_t *)(window->data + window->begin));
    return true;
}

static tac_status end_inside(struct packets *packets, const uint8_t **data)
{
    packets->cut = true;
    packets->cut_at = packets->offset;
    *data = NULL;
    return TAC_OK;
}

tac_status packets_next(struct packets *packets, const uint8_t **data, size_t *size, tac_error *err)
{
    struct trace_window *window = packets->window;
    *data = NULL;
    while (!packets->cut) {
        if (packets->inner.at && next_inner(packets, data, size))
            return TAC_OK;
        size_t head;
        uint64_t tag, length;
        tac_status status = window_need(window, 20, err);
        if (status || window->begin == window->end)
            return status;
        if (!read_head(packets, &head, &tag, &length))
            return end_inside(packets, data);
        unsigned type = (unsigned)(tag & 7);
        if (tag >> 3 == 0 || (type != WIRE_BYTES && type != WIRE_VARINT && type != WIRE_FIXED32 &&
                              type != WIRE_FIXED64))
            return tac_fail_at(err, TAC_E_INPUT, tac_input_name(window->input), 0, 0,
                               "not a packet of a Perfetto trace at byte %llu",
                               (unsigned long long)packets->offset);
        if (length > PACKET_MAX)
            return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(window->input), 0, 0,
                               "the packet at byte %llu is larger than 64 MiB",
                               (unsigned long long)packets->offset);
        if ((status = window_need(window, head + (size_t)length, err)))
            return status;
        if (window->end - window->begin < head + length)
            return end_inside(packets, data);
        const uint8_t *content = (const uint8_t *)window->data + window->begin + head;
        window->begin += head + (size_t)length;
        packets->offset += head + length;
        if (tag != (PACKET << 3 | WIRE_BYTES) || unpack(packets, content, (size_t)length))
            continue;
        *data = content;
        *size = (size_t)length;
        return TAC_OK;
    }
    return TAC_OK;
}

void packets_free(struct packets *packets)
{
    free(packets->unpacked);
    *packets = (struct packets){0};
}

int packets_sniff(const void *head, size_t size)
{
    struct wire wire = wire_over(head, size);
    uint64_t length;
    int found = 0;
    size_t fields = 0;
    if (!size || *wire.at != (PACKET << 3 | WIRE_BYTES))
        return 0;
    while (wire.at < wire.end) {
        if (*wire.at++ != (PACKET << 3 | WIRE_BYTES))
            return 0;
        if (!wire_varint(&wire, &length))
            return wire.end - wire.at < 10 && fields ? (found > 1 ? 2 : 1) : 0;
        if (length > PACKET_MAX)
            return 0;
        struct wire inside = wire;
        inside.end = length > (size_t)(wire.end - wire.at) ? wire.end : wire.at + length;
        struct wire_field field;
        bool whole = inside.end != wire.end || length == (size_t)(wire.end - wire.at);
        for (; wire_next(&inside, &field); fields++)
            if (field.number > 100000)
                return 0;
        if (whole && inside.bad)
            return 0;
        found++;
        wire.at = inside.end < wire.at + length ? wire.end : wire.at + length;
    }
    return !fields ? 0 : found > 1 ? 2 : 1;
}
