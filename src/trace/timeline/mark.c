/* See mark.h. */
#include "trace/timeline/mark.h"
#include "base/data/text.h"
#include <stdio.h>
#include <string.h>

static bool scan_integer(const char *at, const char *end, int64_t *out)
{
    bool negative = at < end && *at == '-';
    uint64_t value = 0;
    const char *first = at += negative;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *out = (int64_t)(negative ? 0 - value : value);
    return at > first;
}

/* Of at most 18 digits; others may have decimals, or be too large for 63 bits. */
static bool is_small_integer(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *first = at;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at == end && at > first && at - first <= 18;
}

static const char *last_bar(const char *from, const char *end)
{
    return from < end ? memrchr(from, '|', (size_t)(end - from)) : NULL;
}

/* "name|value" with the value behind the last bar. */
static bool name_and_value(const char *at, const char *end, struct mark *out)
{
    const char *bar = last_bar(at, end);
    if (!bar)
        return false;
    out->name = at;
    out->name_length = (size_t)(bar - at);
    const char *value = bar + 1;
    scan_integer(value, end, &out->value);
    out->number = (double)out->value;
    if (out->kind == 'C' && !is_small_integer(value, end)) {
        char text[64];
        double number;
        snprintf(text, sizeof text, "%.*s", (int)(end - value < 63 ? end - value : 63), value);
        if (tac_parse_double(text, &number))
            out->number = number;
    }
    return true;
}

/* "track|rest" with the track before the first bar. */
static const char *take_track(const char *at, const char *end, struct mark *out)
{
    const char *bar = at < end ? memchr(at, '|', (size_t)(end - at)) : NULL;
    if (!bar)
        return NULL;
    out->track = at;
    out->track_length = (size_t)(bar - at);
    return bar + 1;
}

static bool parse_rest(const char *at, const char *end, struct mark *out)
{
    switch (out->kind) {
    case 'B':
    case 'I':
        out->name = at;
        out->name_length = (size_t)(end - at);
        return true;
    case 'C':
    case 'S':
    case 'F':
        return name_and_value(at, end, out);
    case 'G':
        return (at = take_track(at, end, out)) && name_and_value(at, end, out);
    case 'H':
        return (at = take_track(at, end, out)) && (scan_integer(at, end, &out->value), true);
    case 'N':
        if (!(at = take_track(at, end, out)))
            return false;
        out->name = at;
        out->name_length = (size_t)(end - at);
        return true;
    default:
        return false;
    }
}

bool mark_parse(const char *text, size_t length, struct mark *out)
{
    const char *end = text + length;
    while (end > text && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == '\0'))
        end--;
    *out = (struct mark){.tgid = -1, .name = "", .track = ""};
    if (text == end || !strchr("BECSFIGHN", *text) || (end - text > 1 && text[1] != '|'))
        return false;
    out->kind = *text;
    if (end - text < 2)
        return out->kind == 'E';
    const char *at = text + 2, *bar = memchr(at, '|', (size_t)(end - at));
    scan_integer(at, bar ? bar : end, &out->tgid);
    if (out->kind == 'E')
        return true;
    return bar && parse_rest(bar + 1, end, out);
}

/* A decimal number times `unit`, in nanoseconds. */
static int64_t scan_decimal(const char *at, const char *end, int64_t unit)
{
    int64_t whole = 0, part = 0, scale = unit;
    for (; at < end && *at >= '0' && *at <= '9' && whole < INT64_MAX / 20 / unit; at++)
        whole = whole * 10 + (*at - '0');
    if (at < end && *at == '.')
        for (at++; at < end && *at >= '0' && *at <= '9' && scale >= 10; at++)
            part += (*at - '0') * (scale /= 10);
    return whole * unit + part;
}

bool mark_clock_sync(const char *text, size_t length, bool *realtime, int64_t *nanoseconds)
{
    static const char head[] = "trace_event_clock_sync: ";
    static const char wall[] = "realtime_ts=", parent[] = "parent_ts=";
    size_t skip = sizeof head - 1;
    const char *end = text + length, *at = text + skip;
    if (length < skip || memcmp(text, head, skip))
        return false;
    *realtime = (size_t)(end - at) > sizeof wall && !memcmp(at, wall, sizeof wall - 1);
    bool is_parent = (size_t)(end - at) > sizeof parent && !memcmp(at, parent, sizeof parent - 1);
    if (*realtime)
        *nanoseconds = scan_decimal(at + sizeof wall - 1, end, 1000000);
    else if (is_parent)
        *nanoseconds = scan_decimal(at + sizeof parent - 1, end, 1000000000);
    return *realtime || is_parent;
}
