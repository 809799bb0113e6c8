/* Copies of what a source lends, for results that outlive it. */
#pragma once

#include "base/data/arena.h"
#include "tactus/trace.h"

/* The array, its names and its units, all the arena's. */
const tac_trace_variable *keep_variables(tac_arena *arena, const tac_trace_variable *variables,
                                         size_t count);
/* Another owner of the meta data, who ends with drop_meta. */
const json_t *keep_meta(const tac_trace_source *source);
void drop_meta(const json_t *meta);
