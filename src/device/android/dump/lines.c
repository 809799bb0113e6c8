/* Lines and numbers of what Android prints. */
#include "device/android/dump/parse.h"
#include <string.h>

bool android_next_line(struct android_lines *lines)
{
    if (lines->at >= lines->end)
        return false;
    const char *from = lines->at;
    const char *to = memchr(from, '\n', (size_t)(lines->end - from));
    lines->at = to ? to + 1 : lines->end;
    if (!to)
        to = lines->end;
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\r' || to[-1] == '\t'))
        to--;
    lines->line = from;
    lines->length = (size_t)(to - from);
    return true;
}

bool android_starts(const struct android_lines *lines, const char *prefix)
{
    size_t n = strlen(prefix);
    return lines->length >= n && !memcmp(lines->line, prefix, n);
}

const char *android_after(const struct android_lines *lines, const char *key)
{
    size_t n = strlen(key);
    if (!lines->length)
        return NULL;
    const char *found = memmem(lines->line, lines->length, key, n);
    return found ? found + n : NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A separator counts only before exactly three digits. */
static bool is_group(const char *at, const char *end)
{
    return (*at == ',' || *at == '.' || *at == '\'') && end - at >= 4 && is_digit(at[1]) &&
           is_digit(at[2]) && is_digit(at[3]) && (end - at == 4 || !is_digit(at[4]));
}

bool android_count(const char *at, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at >= end || !is_digit(*at))
        return false;
    for (; at < end; at++) {
        if (is_group(at, end))
            continue;
        if (!is_digit(*at))
            break;
        if (value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *out = value;
    return true;
}

const char *android_part(const char *text, size_t size, const char *name, size_t *part_size)
{
    struct android_lines lines = {.at = text, .end = text + size};
    const char *from = NULL, *to = text + size;
    size_t length = strlen(name);
    while (android_next_line(&lines)) {
        if (!android_starts(&lines, "=="))
            continue;
        if (from) {
            to = lines.line;
            break;
        }
        if (lines.length - 2 == length && !memcmp(name, lines.line + 2, length))
            from = lines.at;
    }
    *part_size = from ? (size_t)(to - from) : 0;
    return from ? from : "";
}

int64_t android_date(const char *text, size_t size)
{
    int64_t value = 0;
    size_t digits = 0;
    for (; digits < size && is_digit(text[digits]) && digits < 18; digits++)
        value = value * 10 + (text[digits] - '0');
    if (digits > 11 && digits < size && is_digit(text[digits]) && value < INT64_MAX / 10 - 1)
        return value * 10 + (text[digits] - '0');
    if (digits > 11)
        return value;
    return value <= INT64_MAX / 1000000000 ? value * 1000000000 : 0;
}
