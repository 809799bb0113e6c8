/* From events in any order to the states of a trace: what the readers of recordings share.
 *
 *     decoder -> add -> sorter -> pairing -> states of the source
 *
 * A decoder reads its whole input when the source is opened, so that the variables are known then;
 * memory does not depend on the input's length (sorter.h). What becomes what:
 *
 *     slice      event begin:NAME and end:NAME; at the end `dur` [ms]
 *     instant    event NAME
 *     counter    a variable with its unit
 *     log line   event TAG, `level`; patterns are matched against "TAG: MESSAGE"
 *
 * `process` and `thread` say where it happened. Times are those of the recording's clock, shifted
 * to wall time where the recording tells it. */
#pragma once

#include "trace/read/pattern.h"
#include "trace/read/source.h"
#include "trace/timeline/slices.h"
#include "trace/timeline/sorter.h"

enum timeline_kind {
    TIMELINE_BEGIN,        /* track, name, payload */
    TIMELINE_END,          /* track; closes the innermost begin of the track */
    TIMELINE_END_NAMED,    /* track, name; closes the innermost of that name, if any */
    TIMELINE_DONE_BEGIN,   /* a slice whose length is known: name, track */
    TIMELINE_DONE_END,     /* name, track; number = its length in ns */
    TIMELINE_INSTANT,      /* track, name */
    TIMELINE_COUNTER,      /* name = series, number */
    TIMELINE_SET,          /* name = series of a discrete variable, track = name id of its value */
    TIMELINE_JOIN_COUNTER, /* as COUNTER and SET, in one state with the next event, which must be */
    TIMELINE_JOIN_SET,     /* added right behind it with the same time */
    TIMELINE_LOG, /* name = tag, track = name id of the message, integer = level character */
    TIMELINE_OWN  /* and above: the decoder's, given to `emit` */
};

/* What a series is before it is a variable; variables are named when all series are known. */
struct timeline_series {
    uint32_t base, owner; /* name ids; owner TAC_NONE when there is none */
    const char *unit;     /* borrowed */
    tac_variable_kind kind;
    double scale;    /* what a raw number is multiplied with */
    size_t variable; /* SIZE_MAX: not selected or too many */
};

struct timeline_where {
    uint32_t process, thread; /* name ids; TAC_NONE = not known */
};

struct timeline {
    tac_trace_source *source;
    struct sorter sorter;
    struct slices slices;
    tac_names names;
    TAC_VEC(uint32_t) symbols; /* 3 per name: begin:, end:, plain; TAC_NONE = not made yet */
    TAC_VEC(uint8_t) selected; /* per name: 0 = not asked yet, 1 = no, 2 = yes */
    TAC_VEC(struct timeline_series) series;
    tac_u64map series_index, wheres; /* mix of base and owner -> series; track -> place */
    TAC_VEC(struct timeline_where) places;
    int64_t shift;                                  /* added to every time at the end */
    size_t event, duration, process, thread, level; /* variables; SIZE_MAX = none */
    bool any_event, any_slice, any_place, any_log;
    uint64_t out_of_range, too_many;
    size_t reserved; /* variables that the decoder adds behind the counters */
    TAC_VEC(struct trace_pattern) patterns;
    tac_str text;
    /* The decoder's: settles what a payload means, emits its own kinds. May be NULL. */
    tac_status (*emit)(struct timeline *timeline, const struct timeline_event *event,
                       tac_error *err);
    /* Adds what a begin's payload says to the current state. May be NULL. */
    void (*payload)(struct timeline *timeline, int64_t payload);
    /* After the last state, to say what is known only then. May be NULL. */
    void (*ended)(struct timeline *timeline);
    void *decoder;
};

/* The source's reader owns it. */
void timeline_open(struct timeline *timeline, tac_trace_source *source);
tac_status timeline_add(struct timeline *timeline, const struct timeline_event *event,
                        tac_error *err);
uint32_t timeline_name(struct timeline *timeline, const void *text, size_t length);
uint32_t timeline_name_text(struct timeline *timeline, const char *text);
/* The series of a counter or a discrete variable; owner (a process) may be TAC_NONE. Equal names of
 * several owners become NAME:OWNER. */
uint32_t timeline_series(struct timeline *timeline, uint32_t base, uint32_t owner,
                         tac_variable_kind kind, const char *unit, double scale);
/* Where a track is; changes nothing that is known already and not given here. */
void timeline_where(struct timeline *timeline, uint64_t track, uint32_t process, uint32_t thread);
/* After the last event: names the variables and starts giving states. */
tac_status timeline_finish(struct timeline *timeline, tac_error *err);
/* The same for a reader whose first member is its timeline. */
tac_status timeline_fill_source(tac_trace_source *source, tac_error *err);
void timeline_close(struct timeline *timeline);

/* For `emit`: set an event of the state that was begun, and commit it. */
tac_status timeline_set_event(struct timeline *timeline, uint32_t name, int which, tac_error *err);
tac_status timeline_commit(struct timeline *timeline, int64_t time, tac_error *err);
/* The same for an event that is not selected: a state only where something was set for it. */
tac_status timeline_commit_joined(struct timeline *timeline, int64_t time, tac_error *err);

/* Says something about the reading in the meta data (a list "notes"). */
void timeline_note(struct timeline *timeline, const char *format, ...) TAC_PRINTF(2, 3);
/* "COUNT one" or "COUNT many"; nothing for 0. */
void timeline_note_count(struct timeline *timeline, uint64_t count, const char *one,
                         const char *many);

/* Is the name selected by the options? Everything is when nothing was asked for. */
bool timeline_selects(struct timeline *timeline, uint32_t name);
