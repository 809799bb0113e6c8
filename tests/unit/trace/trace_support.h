/* Traces as text, so that tests compare what was read with what they wrote down. */
#ifndef TRACE_SUPPORT_H
#define TRACE_SUPPORT_H

#include "base/data/random.h"
#include "base/data/str.h"
#include "tactus/trace.h"

/* One line per state: "T NAME=VALUE ...", in variable order, values that are absent left out.
 * Times in seconds, numbers with 17 digits. Returns the status of the read; what came before an
 * error is in the text. The caller frees. */
char *dump_trace(const char *path, const tac_trace_options *options, tac_error *err);
/* "NAME:kind[unit] ..." of a source that is read to its end; the caller frees. */
char *dump_schema(const char *path, const tac_trace_options *options);

/* A random trace in memory: times, and for each variable and state a value or none. */
typedef struct random_trace {
    size_t states, variables;
    int64_t time[6000];
    double number[6000][6];      /* NaN = not set by this state */
    const char *symbol[6000][6]; /* NULL = not set by this state */
    tac_trace_variable variable[6];
} random_trace;

/* wild: values and names that only JSON Lines and the binary format can hold. */
random_trace *make_random_trace(uint64_t seed, size_t most_states, bool wild);
/* What a reader must give, by the hold rule, straightforwardly. */
char *expected_dump(const random_trace *trace);
void write_random_trace(const random_trace *trace, const char *path, const char *format);

#endif
