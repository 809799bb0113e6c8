/* What each thread is in the middle of, and the text it is writing. */
#include "jvm/agent/agent.h"
#include <stdarg.h>
#include <stdio.h>

/* Loaded with the virtual machine, so a fixed place is at hand: no call to find it. */
static __thread __attribute__((tls_model("initial-exec"))) struct thread_state *mine;

struct thread_state *thread_state(void)
{
    if (mine)
        return mine;
    mine = calloc(1, sizeof *mine);
    if (mine)
        mine->number = atomic_fetch_add(&agent.next_thread, 1) + 1;
    return mine;
}

void thread_state_free(void)
{
    struct thread_state *t = mine;
    mine = NULL;
    if (!t)
        return;
    for (uint32_t i = 0; i < t->frame_count; i++) {
        free(t->frames[i].values.at);
        free(t->frames[i].label);
    }
    free(t->frames);
    free(t->now.values.at);
    free(t);
}

void text_add(struct text *t, const char *bytes, size_t n)
{
    if (t->capacity - t->count <= n) {
        size_t capacity = (t->capacity + n) * 2 + 128;
        char *grown = realloc(t->at, capacity);
        if (!grown)
            return;
        t->at = grown;
        t->capacity = capacity;
    }
    memcpy(t->at + t->count, bytes, n);
    t->count += n;
    t->at[t->count] = 0;
}

void text_addf(struct text *t, const char *format, ...)
{
    char piece[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (n > 0)
        text_add(t, piece, (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1);
}

/* One UTF-16 unit of modified UTF-8; 0xfffd where the bytes are none. */
static uint32_t next_unit(const unsigned char **at)
{
    const unsigned char *p = *at;
    uint32_t unit = 0xfffd;
    size_t size = 1;
    if (p[0] < 0x80) {
        unit = p[0];
    } else if ((p[0] & 0xe0) == 0xc0 && (p[1] & 0xc0) == 0x80) {
        unit = (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
        size = 2;
    } else if ((p[0] & 0xf0) == 0xe0 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80) {
        unit = (uint32_t)(p[0] & 0xf) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
        size = 3;
    }
    *at = p + size;
    return unit ? unit : 0xfffd;
}

void text_add_json(struct text *t, const char *java, size_t limit)
{
    const unsigned char *at = (const unsigned char *)java;
    text_add(t, "\"", 1);
    for (size_t n = 0; *at; n++) {
        if (n == limit) { /* told apart by what follows: length and a hash */
            uint32_t hash = 5381, rest = 0;
            for (; *at; at++, rest++)
                hash = hash * 33 + *at;
            text_addf(t, "...(%u more, %08x)", rest, hash);
            break;
        }
        uint32_t unit = next_unit(&at);
        if (unit >= 0xd800 && unit < 0xdc00) { /* half a pair alone is not Unicode */
            const unsigned char *ahead = at;
            uint32_t low = *at ? next_unit(&ahead) : 0;
            if (low >= 0xdc00 && low < 0xe000) {
                text_addf(t, "\\u%04x\\u%04x", unit, low);
                at = ahead;
                continue;
            }
            unit = 0xfffd;
        } else if (unit >= 0xdc00 && unit < 0xe000) {
            unit = 0xfffd;
        }
        if (unit < 0x20 || unit > 0x7e || unit == '"' || unit == '\\') {
            text_addf(t, "\\u%04x", unit);
        } else {
            char c = (char)unit;
            text_add(t, &c, 1);
        }
    }
    text_add(t, "\"", 1);
}
