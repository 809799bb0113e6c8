/* A stretch of states whose columns have been evaluated. */
#pragma once

#include "property/compile/column.h"

struct chunk {
    const struct column_program *program;
    const int64_t *time;
    uint64_t first; /* index of its first state in the trace */
    size_t count;
};
