/* See line.h. The CPU in brackets is the anchor: what is before it must end in "-digits", with an
 * optional tgid between. */
#include "trace/ftrace/line.h"
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *scan_digits(const char *at, const char *end, int64_t *out)
{
    int64_t value = 0;
    const char *first = at;
    for (; at < end && is_digit(*at) && at - first < 18; at++)
        value = value * 10 + (*at - '0');
    *out = value;
    return at == first ? NULL : at;
}

/* "name-tid", ending at `end`. */
static bool parse_task(const char *line, const char *end, struct ftrace_line *out)
{
    const char *at = end;
    while (at > line && is_digit(at[-1]))
        at--;
    if (at == end || at == line || at[-1] != '-')
        return false;
    scan_digits(at, end, &out->tid);
    while (line < at && *line == ' ')
        line++;
    out->task = line;
    out->task_length = at - 1 > line ? (size_t)(at - 1 - line) : 0;
    return true;
}

/* "task-tid (tgid) ", ending at the bracket of the CPU. */
static bool parse_before(const char *line, const char *end, struct ftrace_line *out)
{
    while (end > line && end[-1] == ' ')
        end--;
    out->tgid = -1;
    if (end > line && end[-1] == ')') {
        const char *open = memrchr(line, '(', (size_t)(end - line));
        if (!open)
            return false;
        const char *at = open + 1;
        while (at < end && *at == ' ')
            at++;
        if (!scan_digits(at, end, &out->tgid))
            out->tgid = -1;
        for (end = open; end > line && end[-1] == ' ';)
            end--;
    }
    return parse_task(line, end, out);
}

/* "seconds.micros" with three to nine decimals. */
static const char *parse_time(const char *at, const char *end, int64_t *out)
{
    int64_t seconds, fraction = 0, scale = 1000000000;
    if (!(at = scan_digits(at, end, &seconds)) || at >= end || *at != '.' || seconds > 9000000000)
        return NULL;
    const char *first = ++at;
    for (; at < end && is_digit(*at) && scale >= 10; at++)
        fraction += (*at - '0') * (scale /= 10);
    *out = seconds * 1000000000 + fraction;
    return at - first >= 3 ? at : NULL;
}

/* "flags seconds.micros: event: args", behind the CPU. */
static bool parse_after(const char *at, const char *end, struct ftrace_line *out)
{
    const char *time = NULL;
    for (int part = 0; part < 3 && !time; part++) {
        while (at < end && *at == ' ')
            at++;
        time = parse_time(at, end, &out->time);
        if (time && (time >= end || *time != ':'))
            time = NULL;
        while (!time && at < end && *at != ' ')
            at++;
    }
    if (!time)
        return false;
    at = time + 1;
    while (at < end && *at == ' ')
        at++;
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (!colon || colon == at || memchr(at, ' ', (size_t)(colon - at)))
        return false;
    out->event = at;
    out->event_length = (size_t)(colon - at);
    at = colon + 1;
    while (at < end && *at == ' ')
        at++;
    out->args = at;
    out->args_length = (size_t)(end - at);
    return true;
}

bool ftrace_line_parse(const char *line, size_t length, struct ftrace_line *out)
{
    const char *end = line + length;
    if (!length || *line == '#')
        return false;
    if (length >= 3 && !memcmp(end - 3, "\\n\\", 3))
        end -= 3;
    for (const char *at = line; (at = memchr(at, '[', (size_t)(end - at))); at++) {
        int64_t cpu;
        const char *close = scan_digits(at + 1, end, &cpu);
        if (close && close < end && *close == ']' && parse_before(line, at, out) &&
            parse_after(close + 1, end, out)) {
            out->cpu = (unsigned)cpu;
            return true;
        }
    }
    return false;
}

bool ftrace_line_mark(const struct ftrace_line *line, const char **text, size_t *length)
{
    static const char *const names[] = {"tracing_mark_write", "0", "print"};
    static const char writer[] = "tracing_mark_write: "; /* before the text in `trace-cmd report` */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (line->event_length == strlen(names[i]) &&
            !memcmp(line->event, names[i], line->event_length)) {
            *text = line->args;
            *length = line->args_length;
            if (*length > sizeof writer - 1 && !memcmp(*text, writer, sizeof writer - 1)) {
                *text += sizeof writer - 1;
                *length -= sizeof writer - 1;
            }
            return true;
        }
    return false;
}

/* The text behind "NAME=", up to the next blank. */
static bool ftrace_line_text(const struct ftrace_line *line, const char *name, const char **text,
                             size_t *length)
{
    size_t wanted = strlen(name);
    const char *at = line->args, *end = at + line->args_length;
    while (at < end && (at = memmem(at, (size_t)(end - at), name, wanted))) {
        const char *equals = at + wanted;
        if ((at == line->args || at[-1] == ' ') && equals < end && *equals == '=') {
            const char *stop = memchr(equals, ' ', (size_t)(end - equals));
            *text = equals + 1;
            *length = (size_t)((stop ? stop : end) - equals - 1);
            return true;
        }
        at++;
    }
    return false;
}

bool ftrace_line_number(const struct ftrace_line *line, const char *name, int64_t *out)
{
    const char *text;
    size_t length;
    if (!ftrace_line_text(line, name, &text, &length) || !length)
        return false;
    bool negative = *text == '-';
    const char *end = text + length;
    if (!scan_digits(text + negative, end, out))
        return false;
    if (negative)
        *out = -*out;
    return true;
}

uint64_t ftrace_lost(const char *line, size_t length)
{
    static const char lost[] = "[LOST ", buffer[] = "entries-in-buffer/entries-written: ";
    const char *end = line + length, *at = memmem(line, length, lost, sizeof lost - 1);
    int64_t kept, written;
    if (at && length > 4 && !memcmp(line, "CPU:", 4))
        return scan_digits(at + sizeof lost - 1, end, &written) ? (uint64_t)written : 0;
    at = length && *line == '#' ? memmem(line, length, buffer, sizeof buffer - 1) : NULL;
    at = at ? scan_digits(at + sizeof buffer - 1, end, &kept) : NULL;
    if (!at || at == end || *at != '/' || !scan_digits(at + 1, end, &written))
        return 0;
    return written > kept ? (uint64_t)(written - kept) : 0;
}

/* A page of the trace viewer. Its data may stand behind megabytes of program, so that what the page
 * calls itself has to do. */
static bool is_viewer(const char *head)
{
    static const char *const signs[] = {
        "linuxPerfData", "class=\"trace-data\"", "# tracer:", "Android System Trace",
        "trace-viewer",  "trace_viewer",         "tr-ui-",    "viewer-data",
        "tr.exportTo("};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(head, signs[i]))
            return true;
    return false;
}

int ftrace_sniff(const char *head, size_t size)
{
    const char *end = head + size;
    int lines = 0;
    if (size >= 9 && !memcmp(head, "# tracer:", 9))
        return 2;
    if (size >= 6 && !memcmp(head, "TRACE:", 6))
        return 2;
    if (*head == '<')
        return is_viewer(head) ? 2 : 0;
    for (const char *at = head; at < end && lines < 20; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct ftrace_line line;
        if (!stop)
            break;
        if (ftrace_line_parse(at, (size_t)(stop - at), &line))
            return 2;
        at = stop + 1;
    }
    return 0;
}
