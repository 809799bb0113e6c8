/* One line of a logcat, in the layouts that carry a time.
 *
 *     threadtime  03-14 12:00:01.123  1234  1250 I Tag     : message
 *     time        03-14 12:00:01.123 I/Tag     ( 1234): message
 *     long        [ 03-14 12:00:01.123  1234: 1250 I/Tag      ]   and the message on the next lines
 *     epoch       any of them with seconds since 1970 in the place of the date
 *
 * The modifiers year, usec, nsec, zone, uid and monotonic are understood where they stand. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum logcat_layout { LOGCAT_NONE, LOGCAT_THREADTIME, LOGCAT_TIME, LOGCAT_LONG };

struct logcat_line {
    enum logcat_layout layout;
    bool has_date, has_year; /* no date: seconds */
    bool has_zone;           /* the time is brought to UTC */
    unsigned month, day;
    int64_t year;
    int64_t time; /* nanoseconds: of the day when has_date, since 1970 (or boot) otherwise */
    char level;   /* V D I W E F S */
    uint32_t pid,
        tid; /* tid is pid where the layout has only one; 0 when not a number of 9 digits */
    const char *tag;
    size_t tag_length;
    const char *message; /* empty for the long layout */
    size_t message_length;
};

/* The line must be followed by a '\n' or '\r'. layout is LOGCAT_NONE when it is none of them;
 * *reached is then how far the line looked like one. */
struct logcat_line logcat_parse(const char *line, size_t length, const char **reached);
/* "--------- beginning of main" and the like. */
bool logcat_is_divider(const char *line, size_t length);
