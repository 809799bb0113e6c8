/* See scpi_line.h. */
#include "trace/read/scpi_line.h"
#include "trace/text/clock.h"
#include "trace/text/number.h"
#include <math.h>
#include <string.h>

static const char *skip_separators(const char *at, const char *end)
{
    while (at < end && strchr(" \t,;", *at))
        at++;
    return at;
}

/* >, ->, <, <-, =, TX and RX say who speaks; the text itself does so too. */
static const char *skip_direction(const char *at, const char *end)
{
    static const char *const words[] = {"->", "<-", ">", "<", "=", "TX", "RX"};
    at = skip_separators(at, end);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - at) > length && !memcmp(at, words[i], length) &&
            (length < 2 || at[0] < 'A' || strchr(" \t:", at[length])))
            return skip_separators(at + length + (at[length] == ':'), end);
    }
    return at;
}

static bool starts_number(const char *at, const char *end)
{
    at += at < end && (*at == '+' || *at == '-');
    at += at < end && *at == '.';
    return at < end && digit_of(*at) < 10;
}

static void parse_query(const char *at, const char *mark, const char *end, struct scpi_line *out)
{
    out->query = at;
    out->query_length = (size_t)(mark - at);
    at = skip_separators(mark + 1, end);
    const char *open = memmem(at, (size_t)(end - at), "(@", 2);
    const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
    if (close) {
        out->channels = open + 2;
        out->channels_length = (size_t)(close - open - 2);
        at = close + 1;
    }
    at = skip_direction(at, end);
    if (starts_number(at, end))
        out->answer = at;
}

bool scpi_parse(const char *line, size_t length, struct scpi_line *out)
{
    const char *end = line + length, *at;
    *out = (struct scpi_line){0};
    at = clock_scan_date(line, &out->time);
    if (!at)
        at = scan_seconds(line, &out->time);
    if (!at || at >= end || !strchr(" \t,;", *at))
        return false;
    at = skip_direction(at, end);
    const char *mark = memchr(at, '?', (size_t)(end - at));
    if (mark)
        parse_query(at, mark, end, out);
    else if (starts_number(at, end))
        out->answer = at;
    else
        out->command = at;
    return true;
}

const char *scpi_number(const char *text, double *value)
{
    const char *end = scan_number(text, value);
    if (!end || !strchr(", \t;\r\n", *end))
        return NULL;
    if (fabs(*value) >= 9.9e37)
        *value = NAN;
    end += strspn(end, " \t");
    end += *end == ',' || *end == ';'; /* one: two of them miss a value between */
    return end + strspn(end, " \t");
}
