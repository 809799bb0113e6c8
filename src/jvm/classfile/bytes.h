/* Big-endian bytes, read within bounds and written with growth. Neither ends the process: the code
 * runs inside other people's programs, so running out of bytes or of memory sets `bad`, and the
 * class is left alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct class_cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline size_t bytes_left(const struct class_cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* The next n bytes, or NULL. */
static inline const uint8_t *take_bytes(struct class_cursor *c, size_t n)
{
    if (c->bad || bytes_left(c) < n) {
        c->bad = true;
        return NULL;
    }
    const uint8_t *start = c->at;
    c->at += n;
    return start;
}

static inline uint32_t get_u2(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t get_u4(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t take_u1(struct class_cursor *c)
{
    const uint8_t *p = take_bytes(c, 1);
    return p ? *p : 0;
}

static inline uint32_t take_u2(struct class_cursor *c)
{
    const uint8_t *p = take_bytes(c, 2);
    return p ? get_u2(p) : 0;
}

static inline uint32_t take_u4(struct class_cursor *c)
{
    const uint8_t *p = take_bytes(c, 4);
    return p ? get_u4(p) : 0;
}

struct class_bytes {
    uint8_t *at;
    size_t count, capacity;
    bool bad;
};

static inline uint8_t *add_space(struct class_bytes *b, size_t n)
{
    if (!b->bad && b->capacity - b->count < n) {
        size_t capacity = (b->capacity + n) * 2 + 64;
        uint8_t *grown = realloc(b->at, capacity);
        b->bad = !grown;
        if (grown) {
            b->at = grown;
            b->capacity = capacity;
        }
    }
    if (b->bad)
        return NULL;
    b->count += n;
    return b->at + b->count - n;
}

static inline void add_bytes(struct class_bytes *b, const void *bytes, size_t n)
{
    uint8_t *p = n ? add_space(b, n) : NULL;
    if (p)
        memcpy(p, bytes, n);
}

static inline void put_u2(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static inline void put_u4(uint8_t *p, uint32_t v)
{
    put_u2(p, v >> 16);
    put_u2(p + 2, v);
}

static inline void add_u1(struct class_bytes *b, uint32_t v)
{
    uint8_t *p = add_space(b, 1);
    if (p)
        *p = (uint8_t)v;
}

static inline void add_u2(struct class_bytes *b, uint32_t v)
{
    uint8_t *p = add_space(b, 2);
    if (p)
        put_u2(p, v);
}

static inline void add_u4(struct class_bytes *b, uint32_t v)
{
    uint8_t *p = add_space(b, 4);
    if (p)
        put_u4(p, v);
}
