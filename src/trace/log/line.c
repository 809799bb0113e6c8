/* See line.h. */
#include "trace/log/line.h"
#include "trace/text/clock.h"
#include "trace/text/number.h"
#include <ctype.h>
#include <string.h>

static const char *skip_spaces(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static const char *scan_integer(const char *at)
{
    const char *start = at = skip_spaces(at);
    while (digit_of(*at) < 10)
        at++;
    return at == start ? NULL : at;
}

/* The number that ends at `end`, as scan_integer found it. */
static uint32_t integer_before(const char *end)
{
    const char *start = end;
    uint32_t value = 0;
    while (digit_of(start[-1]) < 10 && end - start < 10)
        start--;
    if (end - start > 9)
        return 0;
    for (; start < end; start++)
        value = value * 10 + digit_of(*start);
    return value;
}

static bool two_digits(const char *at, unsigned *out)
{
    unsigned tens = digit_of(at[0]), ones = tens < 10 ? digit_of(at[1]) : 10;
    *out = tens * 10 + ones;
    return tens < 10 && ones < 10;
}

/* [YYYY-]MM-DD HH:MM:SS.fraction [+ZZZZ], or seconds. */
static const char *scan_stamp(const char *at, struct logcat_line *line)
{
    const char *end;
    at = skip_spaces(at);
    unsigned century, decade;
    if (two_digits(at, &century) && two_digits(at + 2, &decade) && at[4] == '-') {
        line->has_year = true;
        line->year = (int64_t)century * 100 + decade;
        at += 5;
    }
    if (two_digits(at, &line->month) && at[2] == '-' && two_digits(at + 3, &line->day) &&
        at[5] == ' ') {
        int64_t year = line->has_year ? line->year : 1972;
        line->has_date = true;
        if (year < 1830 || year > 2110 || line->month < 1 || line->month > 12 || line->day < 1 ||
            line->day > clock_month_length(year, line->month) ||
            !(end = clock_scan_time_of_day(skip_spaces(at + 6), &line->time)))
            return NULL;
        if (*end == ' ' && (end[1] == '+' || end[1] == '-') && digit_of(end[2]) < 10) {
            unsigned hours, minutes;
            if (!two_digits(end + 2, &hours) || !two_digits(end + 4, &minutes))
                return NULL;
            int64_t zone = ((int64_t)hours * 60 + minutes) * 60 * 1000000000;
            line->time -= end[1] == '+' ? zone : -zone;
            line->has_zone = true;
            end += 6;
        }
        return end;
    }
    if (line->has_year || !(end = scan_seconds(at, &line->time)) || *end != ' ')
        return NULL;
    return end;
}

static bool is_level(char c)
{
    return c && strchr("VDIWEFSA", c);
}

/* Cuts the blanks that pad a tag. */
static void set_tag(struct logcat_line *line, const char *start, const char *end)
{
    while (end > start && end[-1] == ' ')
        end--;
    line->tag = start;
    line->tag_length = (size_t)(end - start);
}

/* Behind "USER:", by number or name, which is what `-v uid` puts before a process; the place itself
 * where there is none. */
static const char *past_user(const char *at)
{
    const char *name = skip_spaces(at), *end = name;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    return end > name && *end == ':' ? end + 1 : at;
}

/* P/TAG([USER:] PID): MESSAGE */
static const char *scan_time_layout(const char *at, const char *end, struct logcat_line *line)
{
    line->level = *at;
    const char *tag = at + 2, *open = tag, *close;
    for (;; open++) {
        open = memchr(open, '(', (size_t)(end - open));
        if (!open)
            return NULL;
        close = scan_integer(past_user(open + 1));
        if (close && close[0] == ')' && close[1] == ':')
            break;
    }
    set_tag(line, tag, open);
    line->pid = line->tid = integer_before(close);
    line->message = close + 2 + (close[2] == ' ');
    line->layout = LOGCAT_TIME;
    return end;
}

/* "PID TID P ": where P stands; NULL: something else does. */
static const char *scan_numbers(const char *at, const char **pid, const char **tid)
{
    *pid = scan_integer(at);
    *tid = *pid ? scan_integer(*pid) : NULL;
    const char *level = *tid ? skip_spaces(*tid) : NULL;
    return level && is_level(*level) && level[1] == ' ' ? level : NULL;
}

/* [USER] PID TID P TAG: MESSAGE; the user, by number or name, is what `-v uid` adds. */
static const char *scan_threadtime_layout(const char *at, const char *end, struct logcat_line *line)
{
    const char *pid, *tid, *level = scan_numbers(at, &pid, &tid);
    if (!level) {
        at = skip_spaces(at);
        while (at < end && *at != ' ')
            at++;
        level = at < end ? scan_numbers(at, &pid, &tid) : NULL;
    }
    if (!level)
        return NULL;
    line->level = *level;
    const char *tag = level + 2, *colon = tag;
    for (;; colon++) {
        colon = memchr(colon, ':', (size_t)(end - colon));
        if (!colon)
            return NULL;
        if (colon + 1 == end || colon[1] == ' ')
            break;
    }
    set_tag(line, tag, colon);
    line->pid = integer_before(pid);
    line->tid = integer_before(tid);
    line->message = colon + 1 + (colon + 1 < end);
    line->layout = LOGCAT_THREADTIME;
    return end;
}

/* A number, or one with 0x before it: old versions printed threads so. */
static const char *scan_thread(const char *at)
{
    at = skip_spaces(at);
    if (at[0] != '0' || at[1] != 'x')
        return scan_integer(at);
    const char *start = at += 2;
    while (digit_of(*at) < 10 || (*at >= 'a' && *at <= 'f'))
        at++;
    return at == start ? NULL : at;
}

/* [ STAMP [USER:] PID: TID P/TAG ] */
static const char *scan_long_layout(const char *at, const char *end, struct logcat_line *line)
{
    const char *pid, *tid, *level, *user;
    if (!(at = scan_stamp(at + 1, line)))
        return NULL;
    user = past_user(at);
    if (user > at && past_user(user) > user) /* what is behind it is "PID:" */
        at = user;
    if (!(pid = scan_integer(at)) || *pid != ':' || !(tid = scan_thread(pid + 1)))
        return NULL;
    level = skip_spaces(tid);
    if (!is_level(*level) || level[1] != '/' || end[-1] != ']' || end - level < 4)
        return NULL;
    line->level = *level;
    line->pid = integer_before(pid);
    line->tid = integer_before(tid);
    set_tag(line, level + 2, end - 1);
    line->message = end;
    line->layout = LOGCAT_LONG;
    return end;
}

struct logcat_line logcat_parse(const char *text, size_t length, const char **reached)
{
    struct logcat_line line = {0};
    const char *end = text + length, *at;
    *reached = text;
    if (length && *text == '[') {
        if (!scan_long_layout(text, end, &line))
            line.layout = LOGCAT_NONE;
    } else if ((at = scan_stamp(text, &line))) {
        at += at[0] == ':' && at[1] == ' '; /* Eclipse, Visual Studio */
        *reached = at = skip_spaces(at);
        if (is_level(*at) && at[1] == '/')
            scan_time_layout(at, end, &line);
        else
            scan_threadtime_layout(at, end, &line);
    }
    if (line.layout != LOGCAT_NONE)
        line.message_length = (size_t)(end - line.message);
    return line;
}

bool logcat_is_divider(const char *line, size_t length)
{
    return length >= 9 && !memcmp(line, "---------", 9);
}
