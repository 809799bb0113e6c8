/* The marks that apps write into the kernel's trace: "B|1234|measure", "E|1234", "C|1234|heap|42".
 *
 * B and E nest on the thread that wrote them. Names may hold anything, bars included: in B the name
 * is everything behind the second bar, in C, S and F the last part is the value or the cookie. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mark {
    char kind;        /* B E C S F I G H N, or 0 for another text */
    int64_t tgid;     /* -1 when absent (an old "E") */
    const char *name; /* borrowed; not terminated */
    size_t name_length;
    const char *track; /* G H N: the track's name */
    size_t track_length;
    int64_t value; /* of C, cut to a whole number; the cookie of S F G H */
    double number; /* of C */
};

/* The text of the mark; a line end behind it is not part of it. False when it is not a mark. */
bool mark_parse(const char *text, size_t length, struct mark *out);

/* "trace_event_clock_sync: parent_ts=SECONDS" (true, *realtime false) or "realtime_ts=MILLISECONDS"
 * (true, *realtime true): in nanoseconds. */
bool mark_clock_sync(const char *text, size_t length, bool *realtime, int64_t *nanoseconds);
