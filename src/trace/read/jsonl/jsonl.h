/* Shared by the reader of JSON Lines (jsonl.c) and its values (value.c). */
#pragma once

#include "trace/read/format.h"

enum { JSONL_RING = 32 };
static const size_t jsonl_time_key = SIZE_MAX - 1; /* in the place of a variable: the key "t" */

struct expected_key {
    uint64_t head, mask; /* its first eight bytes */
    const char *text;    /* behind the opening quote; lives as long as the source */
    size_t length, variable;
};

struct jsonl {
    struct expected_key ring[JSONL_RING];
    size_t ring_count;
    tac_str scratch, list;
    bool ends, saw_end;
    bool epoch; /* times were taken to count since 1970, and that was noted */
};

/* The line that is being read; it ends with a '\n'. */
struct jsonl_line {
    const char *text;
    size_t number;
    const char *at;
    size_t cursor; /* into the ring: the key that is expected next */
    int64_t time;
    bool has_time;
};

/* An error at a place of the line; at the end of a file that is cut it says so instead. */
tac_status jsonl_bad(const tac_trace_source *source, const struct jsonl_line *line, const char *at,
                     tac_error *err, const char *message);
/* A value of each kind at line->at, into the variable's column; SIZE_MAX: it is skipped. */
tac_status jsonl_read_text(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                           size_t variable, tac_error *err);
static inline const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

tac_status jsonl_read_unknown(struct jsonl *jsonl, tac_trace_source *source,
                              struct jsonl_line *line, size_t variable, tac_error *err);
tac_status jsonl_read_list(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                           size_t variable, tac_error *err);
tac_status jsonl_read_number(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                             size_t variable, tac_error *err);
/* true, false, null, and the words that are none of them. */
tac_status jsonl_read_word(tac_trace_source *source, struct jsonl_line *line, size_t variable,
                           tac_error *err);
