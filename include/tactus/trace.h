/* Enriched traces: states in time order, each with named discrete and continuous values.
 *
 * A trace is read as a stream: open a source, read its schema (variables and meta data), then pull
 * blocks of states. Memory does not depend on the length of the trace. Values persist (hold) until
 * they change; `event` is an instant and is present only in the state where it happened.
 *
 * Inside a block everything is columnar: for variable v the block has one array over its states,
 * already filled by the hold rule, so a monitor reads plain numbers. Discrete values are ids into
 * the source's table (tac_trace_symbols); TAC_TRACE_NO_SYMBOL is "no value". A continuous value
 * that has not been seen yet is NaN. */
#ifndef TACTUS_TRACE_H
#define TACTUS_TRACE_H

#include "tactus/api.h"
#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

#define TAC_TRACE_NO_SYMBOL UINT32_MAX
#define TAC_TRACE_BLOCK_STATES 4096 /* the most states a block holds */

typedef enum tac_variable_kind { TAC_DISCRETE, TAC_CONTINUOUS } tac_variable_kind;

/* What the symbols of a discrete variable are. A list is kept as the text of its JSON array, so
 * that equal lists are one symbol. Of a text, unlike a name, "" is a value. */
typedef enum tac_value_type {
    TAC_VALUE_NAME,
    TAC_VALUE_TEXT,
    TAC_VALUE_LIST,   /* of texts: ["a","b"] */
    TAC_VALUE_BOOLEAN /* true, false */
} tac_value_type;

typedef struct tac_trace_variable {
    const char *name; /* "event" is the event variable, always discrete */
    const char *unit; /* "" when unknown; continuous only */
    tac_variable_kind kind;
    bool linear;         /* continuous: interpolated between states instead of held */
    tac_value_type type; /* discrete only */
} tac_trace_variable;

typedef struct tac_trace_block {
    size_t count;        /* states in this block */
    uint64_t first;      /* index of its first state in the trace, from 0 */
    const int64_t *time; /* nanoseconds, never decreasing */
    /* one entry per variable; exactly one of the two is set, according to the variable's kind */
    const double *const *numbers;
    const uint32_t *const *symbols;
} tac_trace_block;

typedef struct tac_trace_source tac_trace_source;

typedef struct tac_trace_options {
    const char *format;      /* registry name ("csv", "jsonl", ...), or NULL: by content and name */
    const char *time_column; /* CSV: NULL = t, time or timestamp */
    const char *discrete;    /* CSV: comma-separated columns that are discrete although numbers */
    const char *const *patterns; /* logcat: regular expressions that map lines to events */
    size_t pattern_count;
    bool lenient;     /* skip and count bad rows instead of failing */
    bool follow;      /* a growing file or pipe: wait for more instead of ending; blocks then
                       * come as soon as they have a state, not only when they are full */
    tac_watch *watch; /* ticked while waiting in follow mode; may be NULL */
    bool shared; /* the options are for several sources: columns they name may be absent here */
    const char *const *select; /* names of counters and events to keep, with * and ?; recordings */
    size_t select_count;       /* 0 = all */
    const char *host;          /* captures: an address of the device; NULL = told by the capture */
    int year;                  /* logcat lines without a year are dated in this one; 0 = 1972 */
    int64_t reorder; /* logs that grow: how long a record waits for earlier ones, nanoseconds */
} tac_trace_options;

/* options may be NULL. */
tac_status tac_trace_open(const char *path, const tac_trace_options *options,
                          tac_trace_source **out, tac_error *err);
/* Variables known so far, in column order. A source may gain variables while it is read (JSON
 * Lines): the count only grows and indices stay. Borrowed. */
const tac_trace_variable *tac_trace_variables(const tac_trace_source *source, size_t *count);
/* Symbols of discrete values; grows while reading, ids stay. Borrowed. */
const char *const *tac_trace_symbols(const tac_trace_source *source, size_t *count);
/* The header: device, app, model, flow, scenario, verdict, exception, stack, ...; an object,
 * possibly empty. Borrowed. */
const json_t *tac_trace_meta(const tac_trace_source *source);
/* The next block, valid until the next call; *block NULL at the end. */
tac_status tac_trace_next(tac_trace_source *source, const tac_trace_block **block, tac_error *err);
uint64_t tac_trace_skipped(const tac_trace_source *source); /* rows skipped by lenient */
/* After the last block: the input, or what it was made of, ended in the middle of something. */
bool tac_trace_is_cut(const tac_trace_source *source);
/* What was wrong with the first skipped row, with its place; NULL when none was. Borrowed. */
const tac_error *tac_trace_first_skipped(const tac_trace_source *source);
const char *tac_trace_format(const tac_trace_source *source); /* registry name; borrowed */
void tac_trace_close(tac_trace_source *source);

/* --- Writing --- */

typedef struct tac_trace_writer tac_trace_writer;

/* format: "jsonl", "binary" or "csv". Writes to out, which stays the caller's. meta may be NULL. */
tac_status tac_trace_writer_new(FILE *out, const char *format, const json_t *meta,
                                tac_trace_writer **writer, tac_error *err);
/* Declare before the first state. Returns the variable's index. */
size_t tac_trace_writer_variable(tac_trace_writer *writer, const tac_trace_variable *variable);
/* One state: begin, set what changed, end. Unset values hold; `event` does not. A list is set as
 * the text of its JSON array. */
void tac_trace_writer_begin(tac_trace_writer *writer, int64_t time);
void tac_trace_writer_number(tac_trace_writer *writer, size_t variable, double value);
void tac_trace_writer_symbol(tac_trace_writer *writer, size_t variable, const char *value);
/* From now on the variable's value is not known, for this reason. */
void tac_trace_writer_unknown(tac_trace_writer *writer, size_t variable, const char *reason);
/* From now on the variable has no value. */
void tac_trace_writer_missing(tac_trace_writer *writer, size_t variable);
tac_status tac_trace_writer_end(tac_trace_writer *writer, tac_error *err);
/* Closes the trace (last block, end mark, late meta such as the verdict) and frees the writer. */
tac_status tac_trace_writer_finish(tac_trace_writer *writer, const json_t *late_meta,
                                   tac_error *err);
/* Instead of finishing: what was written stays without its end, and reads as cut. */
void tac_trace_writer_abandon(tac_trace_writer *writer);

TAC_END_DECLARATIONS

#endif
