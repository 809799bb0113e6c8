/* The battery history on a timeline: fed line by line, the text of a dump or of --checkin. */
#pragma once

#include "trace/battery/history_line.h"
#include "trace/timeline/timeline.h"

/* What is on, as a slice. */
struct history_slice {
    uint64_t track;
    uint32_t name;
};

struct history {
    struct timeline *timeline;
    TAC_VEC(struct history_slice) open; /* in the order of their begins */
    bool inside, ended, checkin;
    uint64_t records, continuations, backwards, not_numbers, overflows;
    uint64_t off;    /* slices that ended with the phone */
    int64_t last;    /* milliseconds of the record before */
    int64_t last_on; /* time of the last record that is neither a time nor a start */
    struct history_year year;
    bool tied;                 /* wall time is known */
    int64_t wall_minus_offset; /* nanoseconds, by the latest time line */
    uint32_t level;            /* series */
    int last_level;
    tac_names pool; /* checkin: strings by index */
    TAC_VEC(uint32_t) pool_names;
};

void history_open(struct history *history, struct timeline *timeline);
tac_status history_take_line(struct history *history, const char *line, size_t length,
                             tac_error *err);
/* Ends of what is still on are not made up, but where the phone went off; says what was odd. */
tac_status history_finish(struct history *history, tac_error *err);
void history_close(struct history *history);

/* Does the text begin like `dumpsys batterystats --checkin` with a history? */
bool history_is_checkin(const char *head);
