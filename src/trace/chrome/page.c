/* See page.h. */
#include "trace/chrome/page.h"
#include "base/data/alloc.h"
#include <nettle/base64.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 1 << 16 };

/* The place behind the opening tag of a script with this attribute, or NULL. */
static const char *script_begins(const char *line, size_t length, const char *attribute)
{
    const char *end = line + length, *tag = memmem(line, length, "<script", 7);
    const char *at = tag ? memmem(tag, (size_t)(end - tag), attribute, strlen(attribute)) : NULL;
    const char *close = at ? memchr(at, '>', (size_t)(end - at)) : NULL;
    return close && !memchr(tag, '>', (size_t)(at - tag)) ? close + 1 : NULL;
}

static void begin(struct trace_page *page, bool plain)
{
    page->inside = true;
    page->plain = plain;
    page->undecided = false;
    tac_str_clear(&page->packed);
    page->packed.cap = PAGE_DATA_MAX;
    page->packed.overflow = false;
}

/* Of a script with the trace as it is, only JSON is gathered: it is told by its first character. */
static bool begins_as_json(struct trace_page *page, const char *line, const char *end)
{
    while (line < end && strchr(" \t\r", *line))
        line++;
    if (line == end)
        return false;
    page->undecided = false;
    if (*line != '{' && *line != '[')
        return false;
    begin(page, true);
    return true;
}

enum page_line page_take_line(struct trace_page *page, const char *line, size_t length)
{
    const char *end = line + length, *data;
    if (!page->inside && (data = script_begins(line, length, "id=\"viewer-data\""))) {
        begin(page, false);
        line = data;
    } else if (!page->inside) {
        data = script_begins(line, length, "class=\"trace-data\"");
        page->undecided |= data && !page->packed_only;
        page->in_lines = (page->in_lines || data) && !memmem(line, length, "</script", 8);
        line = data ? data : line;
        if (!page->undecided || !begins_as_json(page, line, end))
            return PAGE_OTHER;
    }
    const char *stop = memmem(line, (size_t)(end - line), "</script", 8);
    tac_str_add_bytes(&page->packed, line, (size_t)((stop ? stop : end) - line));
    if (page->plain && !stop)
        tac_str_add_bytes(&page->packed, "\n", 1);
    page->inside = !stop;
    return stop ? PAGE_DATA_ENDS : PAGE_DATA;
}

void page_free(struct trace_page *page)
{
    tac_str_free(&page->packed);
}

static tac_status broken(const tac_input *input, const char *what, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, tac_input_name(input), 0, 0,
                       "the page's trace (the script 'viewer-data') %s", what);
}

/* The bytes of base64; the caller's. */
static tac_status decode(const tac_str *text, const tac_input *input, bool cut, uint8_t **bytes,
                         size_t *size, tac_error *err)
{
    struct base64_decode_ctx context;
    *bytes = tac_alloc(BASE64_DECODE_LENGTH(text->length) + 1);
    base64_decode_init(&context);
    *size = BASE64_DECODE_LENGTH(text->length);
    if (base64_decode_update(&context, size, *bytes, text->length, text->text ? text->text : "") &&
        (cut || base64_decode_final(&context)))
        return TAC_OK;
    return broken(input, "is not base64", err);
}

static tac_status inflate_all(const uint8_t *bytes, size_t size, const tac_input *input, bool cut,
                              tac_str *out, tac_error *err)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
    char piece[PIECE];
    int result = inflateInit2(&stream, 15 + 32); /* gzip or zlib */
    if (result != Z_OK)
        tac_out_of_memory(PIECE);
    while (result == Z_OK && !out->overflow) {
        stream.next_out = (Bytef *)piece;
        stream.avail_out = PIECE;
        result = inflate(&stream, Z_NO_FLUSH);
        tac_str_add_bytes(out, piece, PIECE - stream.avail_out);
    }
    inflateEnd(&stream);
    if (out->overflow)
        return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(input), 0, 0,
                           "the page's trace has more than 512 MiB");
    bool whole = result == Z_STREAM_END || (cut && result == Z_BUF_ERROR);
    return whole ? TAC_OK : broken(input, "is cut or not gzip", err);
}

tac_status page_unpack(struct trace_page *page, tac_input *input, bool cut,
                       struct trace_window *out, tac_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    tac_str text = {.cap = PAGE_DATA_MAX};
    *out = (struct trace_window){0};
    if (page->packed.overflow)
        return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(input), 0, 0,
                           "the page's trace has more than 512 MiB");
    tac_status status = TAC_OK;
    if (page->plain)
        tac_str_add_bytes(&text, tac_str_text(&page->packed), page->packed.length);
    else
        status = decode(&page->packed, input, cut, &bytes, &size, err);
    bool packed = size > 2 && ((bytes[0] == 0x1f && bytes[1] == 0x8b) || bytes[0] == 0x78);
    if (!status && packed)
        status = inflate_all(bytes, size, input, cut, &text, err);
    else if (!status && bytes)
        tac_str_add_bytes(&text, (const char *)bytes, size);
    free(bytes);
    if (!status) {
        size = text.length;
        char *data = tac_realloc(tac_str_take(&text), size + TRACE_WINDOW_PADDING, 1);
        memset(data + size, 0, TRACE_WINDOW_PADDING);
        *out = (struct trace_window){.input = input,
                                     .data = data,
                                     .end = size,
                                     .complete = size,
                                     .capacity = size,
                                     .line = 1,
                                     .ended = true,
                                     .begun = true};
    }
    tac_str_free(&text);
    return status;
}
