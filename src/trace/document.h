/* The documents of traces, described: `trace import`, `trace stat` and `trace show`. */
#ifndef TAC_TRACE_DOCUMENT_H
#define TAC_TRACE_DOCUMENT_H

#include "base/describe/describe.h"
#include "tactus/trace_tools.h"

DESCRIBED(variable_described, tac_trace_variable);
DESCRIBED(imported_described, tac_trace_imported);
DESCRIBED(statistics_described, tac_trace_statistics);
DESCRIBED(states_described, tac_trace_states);

#endif
