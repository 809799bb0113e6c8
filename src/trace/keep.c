/* See keep.h. */
#include "trace/keep.h"
#include <stdint.h>

const tac_trace_variable *keep_variables(tac_arena *arena, const tac_trace_variable *variables,
                                         size_t count)
{
    tac_trace_variable *kept = tac_arena_calloc(arena, count, sizeof *kept);
    for (size_t i = 0; i < count; i++) {
        kept[i] = variables[i];
        kept[i].name = tac_arena_strdup(arena, variables[i].name);
        kept[i].unit = tac_arena_strdup(arena, variables[i].unit);
    }
    return kept;
}

const json_t *keep_meta(const tac_trace_source *source)
{
    return json_incref((json_t *)(uintptr_t)tac_trace_meta(source));
}

void drop_meta(const json_t *meta)
{
    json_decref((json_t *)(uintptr_t)meta);
}
