/* A window that slides over an input: whole lines for text formats, counted bytes for binary ones.
 *
 *     data |.. consumed ..|begin ... whole lines ...|complete ... a started line ...|end| padding
 *
 * Invariants: begin <= complete <= end; every line in [begin, complete) is whole and ends with
 * '\n'; at the end of the input a last line without a line end gets one and `unfinished` is set. At
 * least TRACE_WINDOW_PADDING readable bytes follow `end`, so scanners may look ahead without
 * checks. The window grows only for a line or a piece that does not fit, up to TRACE_LINE_MAX. */
#pragma once

#include "base/io/input.h"
#include "tactus/trace.h"

#define TRACE_WINDOW_SIZE ((size_t)256 * 1024)
#define TRACE_WINDOW_PADDING 64
#define TRACE_LINE_MAX ((size_t)32 * 1024 * 1024)

struct trace_window {
    tac_input *input;
    char *data;
    size_t begin, complete, end, capacity;
    size_t line;     /* number of the line that starts at begin, from 1 */
    bool ended;      /* the input has no more bytes */
    bool unfinished; /* the last line had no line end */
    bool live;       /* a pipe or a followed file: more may come later */
    bool follow;
    bool replaced; /* the file was rotated; what is left of the old one is read to its end */
    tac_watch *watch;
    /* Texts in UTF-16 (a byte order mark says so, or every other byte of the first is 0) become
     * UTF-8; the mark of UTF-8 is dropped. */
    enum { WINDOW_BYTES, WINDOW_UTF16_LITTLE, WINDOW_UTF16_BIG } encoding;
    bool begun;            /* the encoding is known */
    unsigned char held[4]; /* bytes of a character that is not whole yet */
    size_t held_count;
};

tac_status window_open(struct trace_window *window, const char *path,
                       const tac_trace_options *options, tac_error *err);
void window_close(struct trace_window *window);

/* Reads until [begin, complete) holds at least one more whole line than now, or the input has
 * ended. A line over TRACE_LINE_MAX is TAC_E_LIMIT with its line number; window_drop_line then
 * skips it. */
tac_status window_more_lines(struct trace_window *window, tac_error *err);
tac_status window_drop_line(struct trace_window *window, tac_error *err);
/* After window_need: the bytes that are there are lines. */
void window_mark_lines(struct trace_window *window);
/* Reads until `wanted` bytes (at most TRACE_LINE_MAX) follow begin, or the input has ended. */
tac_status window_need(struct trace_window *window, size_t wanted, tac_error *err);

static inline bool window_has_line(const struct trace_window *window)
{
    return window->begin < window->complete;
}

/* True when another line or piece would have to be waited for. */
static inline bool window_would_wait(const struct trace_window *window)
{
    return window->live && !window->ended;
}
