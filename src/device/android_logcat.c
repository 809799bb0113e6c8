/* One line of `logcat`, through the reader that also serves stored logs. */
#include "device/android_parse.h"
#include "trace/logcat_line.h"
#include <stdio.h>
#include <string.h>

static const unsigned days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

/* The whole number that stands in the n-th blank-separated word (from 0), or 0. */
static int word_number(const char *line, size_t length, int n)
{
    size_t i = 0;
    for (; n >= 0; n--) {
        while (i < length && line[i] == ' ')
            i++;
        if (n)
            while (i < length && line[i] != ' ')
                i++;
    }
    int value = 0;
    for (; i < length && line[i] >= '0' && line[i] <= '9' && value < 100000000; i++)
        value = value * 10 + (line[i] - '0');
    return value;
}

bool android_read_log_line(const char *line, size_t length, int64_t year_seconds, tac_str *storage,
                           tac_log_line *out)
{
    tac_str_clear(storage);
    tac_str_add_bytes(storage, line, length);
    tac_str_add_bytes(storage, "\n", 2); /* the reader wants a line end; the copy gets a NUL too */
    const char *copy = storage->text, *reached = NULL;
    struct logcat_line read = logcat_parse(copy, length, &reached);
    if (read.layout != LOGCAT_THREADTIME && read.layout != LOGCAT_TIME)
        return false;
    int64_t seconds = 0;
    if (read.has_date && read.month >= 1 && read.month <= 12) {
        bool leap = year_seconds > 0 && ((year_seconds / 31557600 + 1970) % 4) == 0;
        seconds = year_seconds +
                  86400 * (int64_t)(days_before[read.month - 1] + (leap && read.month > 2) +
                                    (read.day ? read.day - 1 : 0));
    }
    *out = (tac_log_line){.time = seconds * 1000000000 + read.time, .level = read.level};
    if (read.layout == LOGCAT_THREADTIME) {
        int first = read.has_date ? 2 : 1;
        out->pid = word_number(copy, length, first);
        out->tid = word_number(copy, length, first + 1);
    } else {
        const char *open = memchr(copy, '(', length);
        out->pid = out->tid =
            open ? word_number(open + 1, length - (size_t)(open + 1 - copy), 0) : 0;
    }
    /* raw, tag and message as three terminated texts behind each other */
    tac_str parts = {0};
    size_t at = storage->length;
    tac_str_add_bytes(&parts, read.tag, read.tag_length);
    tac_str_add_bytes(&parts, "", 1);
    tac_str_add_bytes(&parts, read.message, read.message_length);
    tac_str_add_bytes(&parts, "", 1);
    size_t tag = at, message = at + read.tag_length + 1;
    tac_str_add_bytes(storage, parts.text, parts.length);
    tac_str_free(&parts);
    storage->text[length] = '\0';
    out->raw = storage->text;
    out->tag = storage->text + tag;
    out->message = storage->text + message;
    return true;
}
