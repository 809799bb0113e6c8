/* One part of a property (an interval property or a temporal formula) running over states. `for
 * each` runs many of them on one plan. */
#pragma once

#include "property/plan/plan.h"

struct part_run {
    struct interval_state interval;
    struct temporal_state temporal;
    struct duty_state duties, twin;     /* twin: doubtful, while split */
    struct temporal_state beside;       /* of the duties, while an automaton answers */
    bool kleene;                        /* something was unknown: the duties answer */
    bool split;                         /* they and their twin have come apart */
    bool lost;                          /* something was unknown, and there are no duties */
    struct column_unknown blame;        /* what it was */
    union end_value *first_ends, *ends; /* temporal: per watched slot at `since` and now */
    uint64_t noted_since;
    bool exercised;    /* temporal: its trigger has held */
    uint64_t untested; /* temporal: states that needed something missing */
};

void part_run_init(const struct property_part *part, struct part_run *run);
void part_run_reset(const struct property_part *part, struct part_run *run);
void part_run_copy(const struct property_part *part, struct part_run *to,
                   const struct part_run *from);
void part_run_free(const struct property_part *part, struct part_run *run);
/* scratch: room for COLUMN_CHUNK letters. listener: of closed intervals, may be NULL. */
void part_run_feed(const struct property_part *part, struct part_run *run,
                   const struct chunk *chunk, uint16_t *scratch,
                   const struct interval_listener *listener);
/* Time has reached `now` after state `last` without a state. */
void part_run_tick(const struct property_part *part, struct part_run *run, uint64_t last,
                   int64_t now);
/* Temporal: the answer if the trace ended here. */
tac_answer part_run_answer(const struct property_part *part, const struct part_run *run);
/* Nothing is open in `run`, and it would go on as `other` does. */
bool part_run_idle(const struct property_part *part, const struct part_run *run,
                   const struct part_run *other);
/* The operator that holds more open obligations than a monitor keeps, or NULL. */
const struct ast *part_run_overflow(const struct property_part *part, const struct part_run *run);
