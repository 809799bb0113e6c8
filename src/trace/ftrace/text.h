/* The kernel's trace as lines of text onto a timeline: events, the marks that tie clocks, and the
 * list of processes that systrace puts beside them ("PROCESS DUMP"), which has their full names. */
#pragma once

#include "trace/timeline/marks.h"

struct ftrace_text {
    struct kernel *kernel;
    bool only_clocks; /* look for ties of clocks, add nothing */
    int64_t shift;    /* added to every time */
    bool tied;        /* wall time is known */
    int64_t realtime_minus_trace;
    bool has_parent;
    int64_t monotonic_minus_trace;
    int dump;         /* inside a list: 0 no, 1 its head is next, 2 processes, 3 threads */
    bool understood;  /* the last line: an event, a comment or empty */
    size_t name_from; /* of a list of processes: the column of the name */
    bool page;        /* a line of HTML was seen: what is not an event may be the page's program */
    uint64_t lost;    /* events that the kernel says it lost, by its lines and its header */
    uint64_t events, others; /* lines that are events, and those behind the first that are not */
    uint64_t unused;         /* events of kinds that nothing is made of */
};

/* What is not in the trace, as notes of the timeline. */
void ftrace_text_notes(const struct ftrace_text *text, struct timeline *timeline);

tac_status ftrace_text_line(struct ftrace_text *text, const char *line, size_t length,
                            tac_error *err);
/* All lines of a text that is in memory. */
tac_status ftrace_text_all(struct ftrace_text *text, const char *lines, size_t size,
                           tac_error *err);
