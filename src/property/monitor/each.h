/* `for each`: one formula judged for every value of a variable (or combination of variables).
 *
 * For a value v the trace has the events of the states where the variable is v; in all others the
 * event is hidden. A value that never occurs sees no event at all: its run is the *null run*. A
 * value whose run stands as the null run does is idle: it is forgotten, only its counts are kept,
 * and when it occurs again it starts as a copy of the null run. So memory holds the runs of values
 * with something open, at most EACH_MOST, and a few bytes per value that was met.
 *
 * States are taken EACH_CHUNK at a time; the null run is fed last, so that what it was before is
 * there for values that appear. Cost: per chunk, one evaluation for every value that occurs in it
 * or is open. */
#pragma once

#include "base/data/str.h"
#include "property/monitor/part.h"

enum { EACH_CHUNK = 64, EACH_MOST = 1 << 20 };

struct each_value {
    uint32_t id; /* of the value */
    struct part_run run;
    struct column_past *past;
};

/* A finding kept for the witness. */
struct each_finding {
    bool set;
    uint32_t id;
    uint64_t decided; /* the state that told */
    bool has_margin;
    double margin;
    struct interval_record record; /* interval properties */
    tac_interval interval;         /* temporal formulas */
    union end_value *first_ends, *ends;
};

struct each_totals {
    uint64_t intervals, violated, open;    /* intervals */
    uint64_t values_violated, values_open; /* values */
    uint64_t values_unsure;                /* ... of which it cannot be told */
    uint64_t untested;
    bool exercised;
    bool has_margin;
    double margin;
    struct each_finding first, worst;
    struct column_unknown blame;
    bool decided; /* some value is violated for good */
    uint64_t decided_state;
    int64_t decided_time;
};

struct each_state {
    const struct property_part *part;
    struct part_run null_run;
    struct column_past *null_past;
    TAC_VEC(struct each_value) open; /* the first open_count are in use */
    size_t open_count;
    tac_names keys;                 /* several variables, or numbers: key bytes -> id */
    TAC_VEC(uint32_t) place;        /* per id: 1 + index in `open`, or 0 */
    TAC_VEC(uint8_t) flags;         /* per id */
    uint64_t met, finished;         /* values that occurred; of these decided for good */
    struct each_totals kept, shown; /* of forgotten values; scratch of each_result */
    struct part_run scratch;
    uint32_t *mixed; /* EACH_CHUNK events */
    bool too_many;
    bool lost;                    /* a run has met something unknown that it cannot tell of */
    struct column_unknown nobody; /* an event of a value that is not known */
    void (*closed)(void *context, uint32_t id, const struct interval_record *record);
    void *context;
};

struct each_state *each_new(const struct property_part *part);
void each_reset(struct each_state *each);
void each_free(struct each_state *each);
/* count <= COLUMN_CHUNK states of the block from offset on; first: their index. */
void each_feed(struct each_state *each, const tac_trace_block *block, size_t offset, size_t count,
               uint64_t first, uint16_t *scratch);
void each_tick(struct each_state *each, uint64_t last, int64_t now);
/* Totals over all values; ended: the trace is complete. Valid until the next call. */
const struct each_totals *each_result(struct each_state *each, bool ended, tac_answer *answer);
/* The trace is complete: closes what its end closes, with the listener told. */
void each_finish(struct each_state *each);
/* "lock=7" or "pid=1, lock=7". */
void each_value_text(const struct each_state *each, uint32_t id, const char *const *symbols,
                     size_t symbol_count, tac_str *out);
