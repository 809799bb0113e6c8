/* Values of a source by the names of its variables. */
#pragma once

#include "trace/trace.h"

/* SIZE_MAX: there is no such variable (yet). */
size_t trace_column(const tac_trace_source *source, const char *name);
/* The text of a state of the block; "" where there is none. */
const char *trace_text_at(const tac_trace_source *source, const tac_trace_block *block,
                          size_t column, size_t state);
