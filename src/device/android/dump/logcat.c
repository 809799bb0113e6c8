/* One line of `logcat`, through the reader that also serves stored logs. */
#include "device/android/dump/parse.h"
#include "trace/log/line.h"
#include "trace/text/clock.h"

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
    int64_t days = 0, year = read.has_year ? read.year : 1970 + (year_seconds + 86400) / 31556952;
    if (read.has_date)
        days = clock_days(year, read.month, read.day);
    *out = (tac_log_line){.time = days * 86400 * 1000000000 + read.time,
                          .level = read.level,
                          .pid = (int)read.pid,
                          .tid = (int)read.tid};
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
