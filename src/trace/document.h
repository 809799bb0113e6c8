/* The documents of traces, described: `trace import`, `trace stat` and `trace show`. */
#pragma once

#include "base/describe/describe.h"
#include "trace/tools.h"

DESCRIBED(trace_variable, tac_trace_variable);
DESCRIBED(trace_imported, tac_trace_imported);
DESCRIBED(trace_statistics, tac_trace_statistics);
DESCRIBED(trace_states, tac_trace_states);
