/* What the writers share: declared variables, the values that hold, the state under construction.
 */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "tactus/trace.h"

struct writer_value {
    bool set;        /* by the state under construction */
    double number;   /* NaN: no value */
    uint32_t symbol; /* TAC_TRACE_NO_SYMBOL: no value */
    double held_number;
    uint32_t held_symbol;
};

struct writer_format {
    const char *name;
    bool late_variables; /* variables may be declared behind the first state */
    void (*open)(tac_trace_writer *writer);
    /* Before the first state, or at the end of a trace without states. */
    void (*header)(tac_trace_writer *writer);
    void (*state)(tac_trace_writer *writer);
    void (*finish)(tac_trace_writer *writer, const json_t *late_meta);
    void (*close)(tac_trace_writer *writer); /* frees writer->own */
};

struct tac_trace_writer {
    const struct writer_format *format;
    FILE *out;
    json_t *meta;
    void *own;
    TAC_VEC(tac_trace_variable) variables; /* names and units are owned */
    TAC_VEC(struct writer_value) values;
    tac_names variable_names; /* ids are variable indices */
    tac_names symbols;
    size_t event; /* index of the event variable, or SIZE_MAX */
    bool started;
    int64_t time, last_time;
    uint64_t states;
    tac_str text;      /* of the line under construction */
    tac_error problem; /* the first thing that was wrong; told by the next _end or _finish */
};

extern const struct writer_format writer_format_binary;
extern const struct writer_format writer_format_csv;
extern const struct writer_format writer_format_jsonl;

/* Why the value of the state is not known; NULL where it is, or where there is none. */
const char *writer_reason(const tac_trace_writer *writer, size_t variable);
/* Appends the shortest text that reads back as the same number. */
void writer_add_number(tac_str *text, double value);
/* Writes writer->text to the file and clears it. */
void writer_flush_text(tac_trace_writer *writer);
