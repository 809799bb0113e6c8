/* The protobuf wire format, walked in place: no schema, no copies, unknown fields passed over.
 * protobuf-c wants a message whole in memory and copies it into structs; a trace of gigabytes wants
 * neither. A message that is damaged ends early with `bad` set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire {
    const uint8_t *at, *end;
    bool bad;
};

/* Number and type stand apart: compared as one word right after they were written as two, they
 * would wait for the writes. */
struct wire_field {
    uint32_t number;
    uint64_t value;      /* of a number */
    const uint8_t *data; /* of bytes; never NULL then */
    size_t size;
    enum wire_type type;
};

static inline struct wire wire_over(const void *data, size_t size)
{
    const uint8_t *at = data ? data : (const uint8_t *)""; /* a payload that is not bytes */
    return (struct wire){at, at + size, false};
}

static inline struct wire wire_inside(const struct wire_field *field)
{
    return field->type == WIRE_BYTES ? wire_over(field->data, field->size)
                                     : (struct wire){NULL, NULL, false};
}

/* False when the text ends inside the number or it has over 64 bits. */
static inline bool wire_varint(struct wire *wire, uint64_t *out)
{
    const uint8_t *at = wire->at;
    if (at < wire->end && *at < 0x80) {
        *out = *at;
        wire->at = at + 1;
        return true;
    }
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && at < wire->end; shift += 7) {
        uint8_t byte = *at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80) {
            *out = value;
            wire->at = at;
            return true;
        }
    }
    return false;
}

/* The next field; false at the end and at damage. */
static inline bool wire_next(struct wire *wire, struct wire_field *field)
{
    uint64_t tag, length;
    if (wire->at >= wire->end)
        return false;
    wire->bad = true;
    field->value = 0;
    field->data = wire->at;
    field->size = 0;
    if (!wire_varint(wire, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
        return false;
    field->number = (uint32_t)(tag >> 3);
    field->type = (enum wire_type)(tag & 7);
    size_t left = (size_t)(wire->end - wire->at);
    switch (tag & 7) {
    case WIRE_VARINT:
        wire->bad = !wire_varint(wire, &field->value);
        return !wire->bad;
    case WIRE_BYTES:
        if (!wire_varint(wire, &length) || length > (size_t)(wire->end - wire->at))
            return false;
        field->data = wire->at;
        field->size = (size_t)length;
        wire->at += length;
        break;
    case WIRE_FIXED64:
        if (left < 8)
            return false;
        memcpy(&field->value, wire->at, 8);
        wire->at += 8;
        break;
    case WIRE_FIXED32:
        if (left < 4)
            return false;
        uint32_t small;
        memcpy(&small, wire->at, 4);
        field->value = small;
        wire->at += 4;
        break;
    default:
        return false;
    }
    wire->bad = false;
    return true;
}

/* The next message of the field; false at the end. */
static inline bool wire_part(struct wire *wire, uint32_t number, struct wire *part)
{
    struct wire_field field;
    while (wire_next(wire, &field))
        if (field.number == number && field.type == WIRE_BYTES) {
            *part = wire_over(field.data, field.size);
            return true;
        }
    return false;
}

/* A small message as a whole: by field, the last number and the first text. */
enum { WIRE_SMALL = 9 };
struct wire_small {
    uint64_t number[WIRE_SMALL];
    const char *text[WIRE_SMALL]; /* NULL: none */
    size_t length[WIRE_SMALL];
    bool has[WIRE_SMALL];
};

static inline struct wire_small wire_small(struct wire wire)
{
    struct wire_small small = {0};
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.number >= WIRE_SMALL)
            continue;
        small.has[field.number] = true;
        small.number[field.number] = field.value;
        if (field.type == WIRE_BYTES && !small.text[field.number]) {
            small.text[field.number] = (const char *)field.data;
            small.length[field.number] = field.size;
        }
    }
    return small;
}

/* A name may fill its bytes with zeros. */
static inline size_t wire_name_length(const struct wire_small *small, uint32_t field)
{
    return small->text[field] ? strnlen(small->text[field], small->length[field]) : 0;
}

/* Numbers as the schema means them; 0 for bytes. */
static inline uint64_t wire_number(const struct wire_field *field)
{
    return field->type == WIRE_BYTES ? 0 : field->value;
}

static inline double wire_double(const struct wire_field *field)
{
    double wide = 0;
    float narrow;
    uint32_t small = (uint32_t)field->value;
    if (field->type == WIRE_FIXED64) {
        memcpy(&wide, &field->value, sizeof wide);
    } else if (field->type == WIRE_FIXED32) {
        memcpy(&narrow, &small, sizeof narrow);
        wide = (double)narrow;
    } else if (field->type == WIRE_VARINT) {
        wide = (double)(int64_t)field->value;
    }
    return wide;
}
