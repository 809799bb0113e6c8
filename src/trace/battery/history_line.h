/* One line of the battery history as `dumpsys batterystats` prints it:
 *
 *     +1h02m03s004ms (2) 042 status=charging +screen -wake_lock top=1000:"com.android.settings"
 *     offset since the reset, length of the record, level (absent in time lines), changes
 *
 * or, since Android 14 ("Battery History [Format: 2]"), with the phone's date instead:
 *
 *     07-23 12:09:00.000 092 +screen
 *
 * Lines point into the caller's text; nothing is copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history_line {
    int64_t milliseconds; /* since the reset; dated: since midnight */
    bool dated;
    unsigned month, day; /* of a dated line */
    int level;           /* percent; -1 when the line has none */
    const char *rest;    /* the changes, or "RESET:TIME: ..." */
    size_t rest_length;
};

/* False for a line that is not a record (a continuation, an empty line). */
bool history_line_parse(const char *line, size_t length, struct history_line *out);

/* No history is longer than 31 years: nanoseconds and wall times added to them do not overflow. */
#define HISTORY_OFFSET_MAX ((int64_t)1000000000000)

/* A change: the sign ('+', '-' or 0), the name, and the value behind '=' (length 0 when none).
 * Values in quotes may hold blanks. */
struct history_change {
    char sign;
    const char *name, *value;
    size_t name_length, value_length;
};

/* Walks over the changes of a line; false at the end. *at starts at `rest`. */
bool history_next_change(const char **at, const char *end, struct history_change *out);

/* "RESET:TIME: Y-m-d-H-M-S" or "TIME: ...": the word without its colon, and the time as nanoseconds
 * since 1970 (of a wall clock without a zone). False when the line is not one of these. */
bool history_wall_time(const struct history_line *line, const char **word, size_t *word_length,
                       const char **date, size_t *date_length, int64_t *nanoseconds);

/* The year of dated lines: told by time lines, and counted on at New Year. */
struct history_year {
    int64_t year; /* 0 = not told yet */
    unsigned month;
};

/* When a line was: milliseconds since the reset, or of a dated line since 1970 (without a year
 * that of 1972). */
int64_t history_line_time(const struct history_line *line, struct history_year *year);
