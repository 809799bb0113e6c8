/* A property that a trace can answer, ready to be put into a file. */
#pragma once

#include "base/data/str.h"
#include "trace/tools.h"

/* greatest[i] is the greatest value of variable i (NaN when none, ignored for discrete ones). Adds
 * one or two lines, or nothing when the trace offers nothing. */
void example_property(const tac_trace_variable *variables, const double *greatest, size_t count,
                      const tac_trace_event_count *events, size_t event_count, tac_str *out);
