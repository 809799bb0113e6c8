#include "trace/column.h"
#include <string.h>

size_t trace_column(const tac_trace_source *source, const char *name)
{
    size_t count, i = 0;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    while (i < count && strcmp(variables[i].name, name) != 0)
        i++;
    return i < count ? i : SIZE_MAX;
}

const char *trace_text_at(const tac_trace_source *source, const tac_trace_block *block,
                          size_t column, size_t state)
{
    size_t count;
    const char *const *symbols = tac_trace_symbols(source, &count);
    const uint32_t *values = column == SIZE_MAX ? NULL : block->symbols[column];
    return values && values[state] != TAC_TRACE_NO_SYMBOL ? symbols[values[state]] : "";
}
