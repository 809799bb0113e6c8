/* See history_line.h. */
#include "trace/battery/history_line.h"
#include "trace/text/clock.h"
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *scan_number(const char *at, const char *end, int64_t *out)
{
    int64_t value = 0;
    const char *first = at;
    for (; at < end && is_digit(*at) && at - first < 15; at++)
        value = value * 10 + (*at - '0');
    *out = value;
    return at == first ? NULL : at;
}

/* The unit at `at` in milliseconds, and its length; 0 when there is none. */
static int64_t unit_at(const char *at, const char *end, size_t *length)
{
    *length = end - at >= 2 && at[0] == 'm' && at[1] == 's' ? 2 : at < end ? 1 : 0;
    if (!*length)
        return 0;
    if (*length == 2)
        return 1;
    return *at == 'd'   ? 86400000
           : *at == 'h' ? 3600000
           : *at == 'm' ? 60000
           : *at == 's' ? 1000
                        : 0;
}

/* "+1h02m03s004ms", "0", "-5s": in milliseconds. Returns the place behind it, or NULL. */
static const char *history_offset(const char *at, const char *end, int64_t *milliseconds)
{
    int64_t sum = 0, number;
    bool negative = at < end && *at == '-';
    size_t length;
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    else if (at < end && *at == '0' && (at + 1 == end || !is_digit(at[1]))) {
        *milliseconds = 0;
        if (!unit_at(at + 1, end, &length))
            return at + 1;
    }
    const char *first = at, *next;
    while (at < end && (next = scan_number(at, end, &number))) {
        int64_t unit = unit_at(next, end, &length);
        if (!unit || number > INT64_MAX / 100 / unit || sum > INT64_MAX / 4)
            return NULL;
        sum += number * unit;
        at = next + length;
    }
    if (sum > HISTORY_OFFSET_MAX)
        return NULL;
    *milliseconds = negative ? -sum : sum;
    return at == first ? NULL : at;
}

/* Digits from `at` on, all of them. */
static bool scan_fixed(const char *at, size_t count, unsigned *out)
{
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_digit(at[i]))
            return false;
        *out = *out * 10 + (unsigned)(at[i] - '0');
    }
    return true;
}

/* "07-23 12:09:00.000"; returns the place behind it, or NULL. */
static const char *scan_date(const char *at, const char *end, struct history_line *out)
{
    enum { DATE_LENGTH = 18 };
    unsigned hour, minute, second, milli;
    if (end - at < DATE_LENGTH || at[2] != '-' || at[5] != ' ' || at[8] != ':' || at[11] != ':' ||
        at[14] != '.' || !scan_fixed(at, 2, &out->month) || !scan_fixed(at + 3, 2, &out->day) ||
        !scan_fixed(at + 6, 2, &hour) || !scan_fixed(at + 9, 2, &minute) ||
        !scan_fixed(at + 12, 2, &second) || !scan_fixed(at + 15, 3, &milli))
        return NULL;
    if (out->month < 1 || out->month > 12 || out->day < 1 ||
        out->day > clock_month_length(1972, out->month) || hour > 23 || minute > 59 || second > 60)
        return NULL;
    out->dated = true;
    out->milliseconds = ((int64_t)(hour * 60 + minute) * 60 + second) * 1000 + milli;
    return at + DATE_LENGTH;
}

bool history_line_parse(const char *line, size_t length, struct history_line *out)
{
    const char *end = line + length, *start = skip_blanks(line, end), *at;
    int64_t record, level;
    *out = (struct history_line){.level = -1};
    if (!(at = scan_date(start, end, out)))
        at = history_offset(start, end, &out->milliseconds);
    if (!at || at >= end || *at != ' ')
        return false;
    at = skip_blanks(at, end);
    if (at < end && *at == '(') {
        const char *close = scan_number(at + 1, end, &record);
        if (!close || close >= end || *close != ')')
            return false;
        at = skip_blanks(close + 1, end);
    } else if (!out->dated && (at >= end || !is_digit(*at))) {
        return false; /* the layout before Android 5 has no length, but always a level */
    }
    if (end - at >= 3 && is_digit(at[0]) && is_digit(at[1]) && is_digit(at[2]) &&
        (end - at == 3 || at[3] == ' ')) {
        scan_number(at, at + 3, &level);
        out->level = (int)level;
        at = skip_blanks(at + 3, end);
    }
    out->rest = at;
    out->rest_length = (size_t)(end - at);
    return true;
}

bool history_next_change(const char **at, const char *end, struct history_change *out)
{
    const char *start = skip_blanks(*at, end), *stop = start, *equals = NULL;
    if (start >= end)
        return false;
    for (bool quoted = false; stop < end && (quoted || (*stop != ' ' && *stop != '\t')); stop++) {
        if (*stop == '"')
            quoted = !quoted;
        else if (*stop == '=' && !equals)
            equals = stop;
    }
    *at = stop;
    out->sign = *start == '+' || *start == '-' ? *start : '\0';
    out->name = start + (out->sign != 0);
    if (equals && equals < out->name)
        equals = NULL;
    out->name_length = (size_t)((equals ? equals : stop) - out->name);
    out->value = equals ? equals + 1 : stop;
    out->value_length = (size_t)(stop - out->value);
    return true;
}

/* Y-m-d-H-M-S */
static bool scan_wall(const char *at, const char *end, int64_t *nanoseconds)
{
    int64_t part[6];
    for (int i = 0; i < 6; i++) {
        if (i && (at >= end || *at++ != '-'))
            return false;
        if (!(at = scan_number(at, end, &part[i])))
            return false;
    }
    if (part[0] < 1830 || part[0] > 2110 || part[1] < 1 || part[1] > 12 || part[2] < 1 ||
        part[2] > clock_month_length(part[0], (unsigned)part[1]) || part[3] > 23 || part[4] > 59 ||
        part[5] > 60)
        return false;
    *nanoseconds = (clock_days(part[0], (unsigned)part[1], (unsigned)part[2]) * 86400 +
                    part[3] * 3600 + part[4] * 60 + part[5]) *
                   1000000000;
    return true;
}

bool history_wall_time(const struct history_line *line, const char **word, size_t *word_length,
                       const char **date, size_t *date_length, int64_t *nanoseconds)
{
    const char *end = line->rest + line->rest_length;
    const char *time = line->rest_length ? memmem(line->rest, line->rest_length, "TIME:", 5) : NULL;
    if (!time || (time != line->rest && time[-1] != ':'))
        return false;
    *word = line->rest;
    *word_length = (size_t)(time + 4 - line->rest);
    *date = skip_blanks(time + 5, end);
    const char *stop = *date;
    while (stop < end && *stop != ' ')
        stop++;
    *date_length = (size_t)(stop - *date);
    return scan_wall(*date, stop, nanoseconds);
}

int64_t history_line_time(const struct history_line *line, struct history_year *year)
{
    const char *word, *date;
    size_t word_length, date_length;
    int64_t wall, told;
    if (!line->dated)
        return line->milliseconds;
    if (history_wall_time(line, &word, &word_length, &date, &date_length, &wall) &&
        scan_number(date, date + date_length, &told))
        year->year = told;
    else if (year->year && year->month == 12 && line->month == 1)
        year->year++;
    year->month = line->month;
    return clock_days(year->year ? year->year : 1972, line->month, line->day) * 86400000 +
           line->milliseconds;
}
