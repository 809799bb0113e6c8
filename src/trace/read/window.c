/* See window.h. Each byte is moved at most twice: once into the window, once when the rest of
 * a line slides to its front. */
#include "trace/read/window.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <string.h>
#include <time.h>

enum { WAIT_MILLISECONDS = 20 };

static void reserve(struct trace_window *window, size_t capacity)
{
    window->data = tac_realloc(window->data, capacity + TRACE_WINDOW_PADDING, 1);
    window->capacity = capacity;
    memset(window->data + window->end, 0, TRACE_WINDOW_PADDING);
}

tac_status window_open(struct trace_window *window, const char *path,
                       const tac_trace_options *options, tac_error *err)
{
    *window = (struct trace_window){.line = 1, .follow = options->follow, .watch = options->watch};
    tac_status status = tac_input_open(path, &window->input, err);
    if (status)
        return status;
    window->live = window->follow || tac_input_is_stream(window->input);
    reserve(window, TRACE_WINDOW_SIZE);
    return TAC_OK;
}

void window_close(struct trace_window *window)
{
    tac_input_close(window->input);
    free(window->data);
    *window = (struct trace_window){0};
}

static tac_status ask_watch(struct trace_window *window, tac_error *err)
{
    if (!tac_watch_tick(window->watch, "waiting for the trace to grow", 0, 0))
        return tac_fail_at(err, TAC_E_INTERRUPTED, tac_input_name(window->input), 0, 0,
                           "interrupted while waiting for more states");
    return TAC_OK;
}

static uint32_t unit_at(const struct trace_window *window, const unsigned char *at)
{
    return window->encoding == WINDOW_UTF16_LITTLE ? (uint32_t)(at[0] | at[1] << 8)
                                                   : (uint32_t)(at[0] << 8 | at[1]);
}

/* UTF-16 from raw to the window; what is not whole is held. An unpaired half is U+FFFD. */
static void decode(struct trace_window *window, const unsigned char *raw, size_t size)
{
    size_t at = 0;
    while (at + 2 <= size) {
        uint32_t unit = unit_at(window, raw + at);
        if (unit >= 0xd800 && unit < 0xdc00) {
            if (at + 4 > size)
                break;
            uint32_t low = unit_at(window, raw + at + 2);
            bool pair = low >= 0xdc00 && low < 0xe000;
            at += pair ? 4 : 2;
            unit = pair ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
        } else {
            at += 2;
            unit = unit >= 0xdc00 && unit < 0xe000 ? 0xfffd : unit;
        }
        window->end += tac_utf8_put(window->data + window->end, unit);
    }
    window->held_count = size - at;
    memcpy(window->held, raw + at, size - at);
}

/* Without a byte order mark: letters of ASCII have a 0 in every other byte. */
static int guess_encoding(const unsigned char *at, size_t size)
{
    size_t looked = size < 64 ? size & ~(size_t)1 : 64, low = 0, high = 0;
    for (size_t i = 0; i < looked; i += 2) {
        low += !at[i] && at[i + 1];
        high += at[i] && !at[i + 1];
    }
    if (looked >= 8 && high >= looked / 2 - 1)
        return WINDOW_UTF16_LITTLE;
    return looked >= 8 && low >= looked / 2 - 1 ? WINDOW_UTF16_BIG : WINDOW_BYTES;
}

/* Looks at the first bytes for the encoding. */
static void begin(struct trace_window *window)
{
    unsigned char *at = (unsigned char *)window->data;
    size_t mark = 0;
    window->begun = true;
    if (window->end >= 3 && at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf)
        mark = 3;
    else if (window->end >= 2 && at[0] == 0xff && at[1] == 0xfe)
        mark = 2, window->encoding = WINDOW_UTF16_LITTLE;
    else if (window->end >= 2 && at[0] == 0xfe && at[1] == 0xff)
        mark = 2, window->encoding = WINDOW_UTF16_BIG;
    else
        window->encoding = guess_encoding(at, window->end);
    if (!mark && window->encoding == WINDOW_BYTES)
        return;
    window->end -= mark;
    memmove(window->data, window->data + mark, window->end);
    if (window->encoding == WINDOW_BYTES)
        return;
    size_t size = window->end;
    unsigned char *raw = tac_alloc(size + 1);
    memcpy(raw, window->data, size);
    window->end = 0;
    if (size * 2 > window->capacity)
        reserve(window, size * 2);
    decode(window, raw, size);
    free(raw);
}

/* Reads bytes, or characters where the input is UTF-16; *got counts what was read. */
static tac_status read_input(struct trace_window *window, size_t *got, tac_error *err)
{
    if (window->encoding == WINDOW_BYTES) {
        tac_status status = tac_input_read(window->input, window->data + window->end,
                                           window->capacity - window->end, got, err);
        window->end += status ? 0 : *got;
        if (!status && *got && !window->begun)
            begin(window);
        return status;
    }
    unsigned char raw[8192];
    size_t room = (window->capacity - window->end) / 3 * 2, most = sizeof raw - sizeof window->held;
    memcpy(raw, window->held, window->held_count);
    size_t held = window->held_count;
    tac_status status =
        tac_input_read(window->input, raw + held, room < most ? (room ? room : 2) : most, got, err);
    if (!status)
        decode(window, raw, held + *got);
    return status;
}

/* Appends at least one byte, or sets ended. */
static tac_status read_some(struct trace_window *window, tac_error *err)
{
    for (;;) {
        while (window->live && !tac_input_wait(window->input, WAIT_MILLISECONDS)) {
            tac_status stopped = ask_watch(window, err);
            if (stopped)
                return stopped;
        }
        size_t got = 0;
        size_t end = window->end;
        tac_status status = read_input(window, &got, err);
        if (status)
            return status;
        if (got && window->end == end)
            continue; /* half a character, or only a mark */
        if (got) {
            window->replaced = false;
            memset(window->data + window->end, 0, TRACE_WINDOW_PADDING);
            return TAC_OK;
        }
        /* A pipe that ended will not grow again; a followed file may. */
        if (!window->follow || tac_input_is_stream(window->input)) {
            window->ended = true;
            return TAC_OK;
        }
        /* Looked at twice: what was written before the rotation has been read then. */
        bool replaced = tac_input_was_replaced(window->input);
        if (replaced && window->replaced) {
            window->ended = true;
            return TAC_OK;
        }
        window->replaced = replaced;
        if (replaced)
            continue;
        struct timespec pause = {.tv_nsec = WAIT_MILLISECONDS * 1000000L};
        nanosleep(&pause, NULL);
        if ((status = ask_watch(window, err)))
            return status;
    }
}

static void slide(struct trace_window *window)
{
    if (!window->begin)
        return;
    memmove(window->data, window->data + window->begin, window->end - window->begin);
    window->end -= window->begin;
    window->complete = window->complete > window->begin ? window->complete - window->begin : 0;
    window->begin = 0;
}

void window_mark_lines(struct trace_window *window)
{
    const char *newline = memrchr(window->data, '\n', window->end);
    window->complete = newline ? (size_t)(newline - window->data) + 1 : 0;
}

static void finish_last_line(struct trace_window *window)
{
    if (window->end > window->complete) {
        window->unfinished = true;
        window->data[window->end++] = '\n'; /* into the padding when the window is full */
        window->complete = window->end;
    }
    memset(window->data + window->end, 0, TRACE_WINDOW_PADDING - 1);
}

static tac_status line_too_long(const struct trace_window *window, tac_error *err)
{
    return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(window->input), window->line, 0,
                       "the line is longer than %zu MiB; is this a trace?",
                       TRACE_LINE_MAX / (1024 * 1024));
}

tac_status window_more_lines(struct trace_window *window, tac_error *err)
{
    slide(window);
    while (!window->ended) {
        if (window->end == window->capacity) {
            if (window->capacity >= TRACE_LINE_MAX)
                return line_too_long(window, err);
            reserve(window, window->capacity * 2);
        }
        size_t old_end = window->end;
        tac_status status = read_some(window, err);
        if (status)
            return status;
        const char *newline = memrchr(window->data + old_end, '\n', window->end - old_end);
        if (newline) {
            window->complete = (size_t)(newline - window->data) + 1;
            return TAC_OK;
        }
    }
    finish_last_line(window);
    return TAC_OK;
}

tac_status window_drop_line(struct trace_window *window, tac_error *err)
{
    for (;;) {
        const char *start = window->data + window->begin;
        const char *newline = memchr(start, '\n', window->end - window->begin);
        if (newline) {
            window->begin = (size_t)(newline - window->data) + 1;
            window->line++;
            const char *last =
                memrchr(window->data + window->begin, '\n', window->end - window->begin);
            window->complete = last ? (size_t)(last - window->data) + 1 : window->begin;
            return TAC_OK;
        }
        window->begin = window->complete = window->end = 0;
        if (window->ended)
            return TAC_OK;
        tac_status status = read_some(window, err);
        if (status)
            return status;
    }
}

tac_status window_need(struct trace_window *window, size_t wanted, tac_error *err)
{
    if (window->end - window->begin >= wanted)
        return TAC_OK;
    slide(window);
    if (window->capacity < wanted)
        reserve(window, wanted);
    while (!window->ended && window->end < wanted) {
        tac_status status = read_some(window, err);
        if (status)
            return status;
    }
    return TAC_OK;
}
