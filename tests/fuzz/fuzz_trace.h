/* Reading a trace from bytes: shared by the targets of the trace formats. */
#ifndef FUZZ_TRACE_H
#define FUZZ_TRACE_H

#include "fuzz_target.h"
#include "tactus/trace.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Reads strictly and leniently; what a block promises must be true of it. */
static void read_trace_bytes(const uint8_t *data, size_t size, const char *format,
                             const char *const *patterns, size_t pattern_count)
{
    int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int lenient = 0; lenient < 2; lenient++) {
        tac_trace_options options = {.format = format,
                                     .lenient = lenient,
                                     .patterns = patterns,
                                     .pattern_count = pattern_count};
        tac_trace_source *source;
        const tac_trace_block *block;
        tac_error err;
        if (tac_trace_open(path, &options, &source, &err))
            continue;
        int64_t last = INT64_MIN;
        while (!tac_trace_next(source, &block, &err) && block) {
            size_t variables, symbols;
            tac_trace_variables(source, &variables);
            tac_trace_symbols(source, &symbols);
            for (size_t i = 0; i < block->count; i++) {
                if (block->time[i] < last)
                    abort();
                last = block->time[i];
                for (size_t v = 0; v < variables; v++)
                    if (block->symbols[v] && block->symbols[v][i] != TAC_TRACE_NO_SYMBOL &&
                        block->symbols[v][i] >= symbols)
                        abort();
            }
        }
        tac_trace_close(source);
    }
    close(file);
}

#endif
