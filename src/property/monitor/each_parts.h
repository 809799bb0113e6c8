/* Shared by the files of each.h: values, totals, open runs. */
#pragma once

#include "property/monitor/each.h"

/* Of a value, in each_state's flags. */
enum { VALUE_MET = 1, VALUE_FINISHED = 2, VALUE_VIOLATED = 4, VALUE_DECIDED = 8 };

/* The value of the block's state i, or COLUMN_NONE where a variable has none. */
uint32_t each_value_at(struct each_state *each, const tac_trace_block *block, size_t i);

/* Why it is not known: a symbol that tells it, or TAC_TRACE_NO_SYMBOL. */
uint32_t each_reason(const struct each_state *each, const tac_trace_block *block, size_t i);

void each_finding_init(const struct property_part *part, struct each_finding *finding);
void each_finding_free(struct each_finding *finding);
void each_totals_clear(const struct property_part *part, struct each_totals *totals);
/* Is the value violated, as things stand (or, with ended, at the end)? */
bool each_value_bad(const struct each_state *each, const struct part_run *run, uint8_t flags,
                    bool ended);
/* Adds a value's run. */
void each_fold(struct each_state *each, struct each_totals *totals, uint32_t id,
               const struct part_run *run, bool bad);
/* When some value was decided first. */
void each_note_run(struct each_totals *totals, const struct each_state *each,
                   const struct part_run *run);
