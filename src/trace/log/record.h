/* One record of a log, in any layout that Android's tools print.
 *
 *     threadtime  03-14 12:00:01.123  1234  1250 I Tag     : message
 *     time        03-14 12:00:01.123 I/Tag     ( 1234): message
 *     brief       I/Tag     ( 1234): message
 *     long        [ 03-14 12:00:01.123  1234: 1250 I/Tag      ]   and the message on the next lines
 *     studio-old  03-14 12:00:01.123 1234-1250/com.example I/Tag: message
 *     studio-new  2026-03-14 12:00:01.123  1234-1250  Tag   com.example   I  message
 *
 *     tag         I/Tag     : message
 *     epoch       1589700000.123  1234  1250 I Tag     : message     seconds since 1970, or since
 * boot
 *     process     I( 1234) message  (Tag)
 *     thread      I( 1234: 1250) message
 *     unity       2026/03/14 12:00:01.123 1234 1250 Info Tag message     exported by Unity's window
 *
 * Eclipse and Visual Studio write a colon behind the time of the layout time. A paste may be
 * indented. Before a record may stand what a search printed: "FILE:" or "LINE:".
 *
 * A file is of one layout, so its reader asks for that. What people paste into a report (a stack
 * with its headers cut, shortened, of another tool) is read loosely, line by line: the first
 * layout that fits. */
#pragma once

#include "base/data/pattern.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_layout {
    LAYOUT_THREADTIME,
    LAYOUT_TIME,
    LAYOUT_BRIEF,
    LAYOUT_LONG,
    LAYOUT_STUDIO_OLD,
    LAYOUT_STUDIO_NEW,
    LAYOUT_TAG,
    LAYOUT_EPOCH,
    LAYOUT_PROCESS,
    LAYOUT_THREAD,
    LAYOUT_UNITY,
    LAYOUT_COUNT
};
const char *layout_name(enum log_layout layout);

struct text_span {
    const char *at;
    size_t length;
};

struct log_record {
    struct text_span time; /* date and time as printed; empty for brief */
    int64_t milliseconds;  /* of a leap year's time, or since 1970 with a year; 0 for brief */
    uint32_t pid;
    struct text_span pid_text;
    char level;
    struct text_span tag, package, message;
};

enum { PASTED_LAYOUTS = 10 };

struct record_reader {
    tac_pattern *at[LAYOUT_COUNT], *prefix, *pasted[PASTED_LAYOUTS];
};

void record_reader_open(struct record_reader *reader);
void record_reader_close(struct record_reader *reader);
/* Whether the line is a record of the layout; *out is then filled. */
bool record_read(const struct record_reader *reader, enum log_layout layout, const char *line,
                 size_t length, struct log_record *out);
/* Whether a pasted line has a header; without one the whole line is the message. Of *out only the
 * spans of pid, tag, package and message are filled, each within the line. */
bool record_read_pasted(const struct record_reader *reader, const char *line, size_t length,
                        struct log_record *out);
/* How much a search printed before the record; 0: nothing. */
size_t record_prefix(const struct record_reader *reader, const char *line, size_t length);
/* Leaves out the colours that a terminal was told at both ends of the line. */
void record_uncolour(const char **line, size_t *length);
