/* See wire_field.h. */
#include "property/check/wire_field.h"

#include "base/data/alloc.h"
#include <string.h>

void wire_put_number(tac_str *out, uint64_t value)
{
    char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    tac_str_add_bytes(out, bytes, sizeof bytes);
}

void wire_put_real(tac_str *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    wire_put_number(out, bits);
}

void wire_put_text(tac_str *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    wire_put_number(out, length);
    tac_str_add_bytes(out, text ? text : "", length);
}

void wire_put_maybe(tac_str *out, const char *text)
{
    wire_put_number(out, text != NULL);
    if (text)
        wire_put_text(out, text);
}

static size_t rest(const struct wire_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

uint64_t wire_take_number(struct wire_reader *reader)
{
    uint64_t value = 0;
    if (reader->cut || rest(reader) < sizeof value) {
        reader->cut = true;
        return 0;
    }
    memcpy(&value, reader->at, sizeof value);
    reader->at += sizeof value;
    return value;
}

/* Nothing that is counted is sent in less than a number. */
size_t wire_take_count(struct wire_reader *reader)
{
    uint64_t count = wire_take_number(reader);
    if (count > rest(reader) / sizeof count) {
        reader->cut = true;
        return 0;
    }
    return (size_t)count;
}

double wire_take_real(struct wire_reader *reader)
{
    uint64_t bits = wire_take_number(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Borrowed from the reader's bytes. */
static const char *take_bytes(struct wire_reader *reader, size_t *length)
{
    uint64_t wanted = wire_take_number(reader);
    if (wanted > rest(reader)) {
        reader->cut = true;
        wanted = 0;
    }
    const char *bytes = reader->at;
    reader->at += wanted;
    *length = (size_t)wanted;
    return bytes;
}

char *wire_take_text(struct wire_reader *reader)
{
    size_t length;
    const char *bytes = take_bytes(reader, &length);
    return tac_strndup(bytes, length);
}

char *wire_take_maybe(struct wire_reader *reader)
{
    return wire_take_number(reader) ? wire_take_text(reader) : NULL;
}

const char *wire_take_kept(struct wire_reader *reader, tac_arena *arena)
{
    if (!wire_take_number(reader))
        return NULL;
    size_t length;
    const char *bytes = take_bytes(reader, &length);
    return tac_arena_strndup(arena, bytes, length);
}
