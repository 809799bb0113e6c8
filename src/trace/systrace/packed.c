/* See packed.h. Unpacked in pieces; only the line that has started is kept. */
#include "trace/systrace/packed.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include <string.h>
#include <zlib.h>

struct unpacking {
    z_stream stream;
    tac_str rest; /* a line that has started */
    ftrace_take_line *take;
    void *context;
};

static tac_status give_line(struct unpacking *unpacking, tac_error *err)
{
    const char *line = tac_str_text(&unpacking->rest);
    size_t length = unpacking->rest.length;
    if (length && line[length - 1] == '\r')
        length--;
    return unpacking->take(unpacking->context, line, length, err);
}

static tac_status take_unpacked(struct unpacking *unpacking, const char *text, size_t size,
                                tac_error *err)
{
    tac_status status = TAC_OK;
    while (size && !status) {
        const char *stop = memchr(text, '\n', size);
        size_t length = stop ? (size_t)(stop - text) : size;
        tac_str_add_bytes(&unpacking->rest, text, length);
        text += length + (stop != NULL);
        size -= length + (stop != NULL);
        if (!stop)
            break;
        status = give_line(unpacking, err);
        tac_str_clear(&unpacking->rest);
    }
    return status;
}

static tac_status inflate_some(struct unpacking *unpacking, bool *ended, bool *whole,
                               tac_error *err)
{
    char out[1 << 14];
    tac_status status = TAC_OK;
    while (!status && !*ended) {
        unpacking->stream.next_out = (Bytef *)out;
        unpacking->stream.avail_out = sizeof out;
        int result = inflate(&unpacking->stream, Z_NO_FLUSH);
        *ended = result != Z_OK && result != Z_BUF_ERROR;
        *whole = result == Z_STREAM_END;
        size_t got = sizeof out - unpacking->stream.avail_out;
        status = take_unpacked(unpacking, out, got, err);
        if (!got)
            break;
    }
    return status;
}

tac_status ftrace_packed_lines(struct trace_window *window, ftrace_take_line *take, void *context,
                               bool *whole, tac_error *err)
{
    struct unpacking unpacking = {.rest.cap = TRACE_LINE_MAX, .take = take, .context = context};
    bool ended = false;
    *whole = false;
    if (inflateInit(&unpacking.stream) != Z_OK)
        tac_out_of_memory(65536);
    tac_status status = TAC_OK;
    while (!status && !ended && !(status = window_need(window, 1, err)) &&
           window->begin < window->end) {
        unpacking.stream.next_in = (Bytef *)window->data + window->begin;
        unpacking.stream.avail_in = (uInt)(window->end - window->begin);
        status = inflate_some(&unpacking, &ended, whole, err);
        window->begin = window->end - unpacking.stream.avail_in;
    }
    if (!status && unpacking.rest.length)
        status = give_line(&unpacking, err);
    inflateEnd(&unpacking.stream);
    tac_str_free(&unpacking.rest);
    return status;
}

/* "TRACE:\n" and then the two bytes of a zlib head. */
tac_status ftrace_packed_head(struct trace_window *window, bool *packed, tac_error *err)
{
    tac_status status = window_need(window, 16, err);
    const char *at = window->data + window->begin;
    *packed = false;
    if (status || window->end - window->begin < 10 || memcmp(at, "TRACE:", 6))
        return status;
    size_t head = at[6] == '\r' ? 8 : 7;
    *packed = at[head] == 0x78 &&
              (((unsigned char)at[head] << 8) | (unsigned char)at[head + 1]) % 31 == 0;
    if (*packed)
        window->begin += head;
    return TAC_OK;
}
