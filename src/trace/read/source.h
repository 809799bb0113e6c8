/* What all readers share: the schema, the symbols and the block under construction.
 *
 * A column's arrays have one slot before their first element: [-1] is the value that held at the
 * end of the previous block, so "hold" is always "copy the element before", also at the block's
 * start.
 *
 * Dense readers (CSV, binary) write every column of a row and call source_commit_dense. Sparse
 * readers (JSON Lines, logcat, ...) set what a state says and call source_commit; columns are
 * filled up to `filled` only when they change and at the end of the block, so a state costs what it
 * sets and not the number of variables. Nothing of a state counts before its commit: a bad row is
 * dropped by starting the next one. */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "tactus/trace.h"
#include "trace/read/window.h"
#include <string.h>

#define TRACE_VARIABLES_MAX 1024
#define TRACE_SYMBOLS_MAX ((size_t)1 << 20)
#define TRACE_SYMBOL_LENGTH_MAX ((size_t)1 << 16)
#define TRACE_TEXT_LENGTH_MAX ((size_t)1 << 24) /* of texts and lists */

struct trace_column {
    double *numbers;   /* element 0 of the block; continuous only */
    uint32_t *symbols; /* discrete only */
    /* Instead of `numbers`, this block's values where the reader has them in memory already; NULL
     * when not. Valid until the next block. */
    const double *borrowed;
    size_t filled; /* elements of this block that have their value */
    bool is_event; /* an instant: filled with "no value" */
    bool is_text;  /* "" is a value */
    bool is_list;  /* its symbols are lists as trace/text/list.h writes them */
};

/* A value that the current state sets; kept apart until the state is committed. */
struct trace_setting {
    size_t variable;
    double number;
    uint32_t symbol;
};

/* Exact for texts of at most 16 bytes: the bytes themselves are the key. */
struct symbol_slot {
    uint64_t low, high;
    uint32_t length_plus_one, id;
};

enum { SYMBOL_SLOTS = 256 };

struct trace_format;

struct tac_trace_source {
    const struct trace_format *format;
    void *reader; /* the format's own state */
    tac_trace_options options;
    char *path; /* as given; window.input has the name for messages */
    const char *name;
    struct trace_window window;

    TAC_VEC(tac_trace_variable) variables;
    TAC_VEC(struct trace_column) columns;
    tac_names variable_names; /* ids are variable indices */
    tac_names symbols;
    struct symbol_slot slots[SYMBOL_SLOTS];
    json_t *meta;
    const char *clock;              /* "realtime", "boot", "monotonic", "local"; NULL = not known */
    bool local_time;                /* dates without a zone, of a log whose clock is not known */
    bool ties_boot, ties_monotonic; /* of a realtime source: what is added to these */
    int64_t boot_to_realtime, monotonic_to_realtime; /* clocks' times, in nanoseconds */

    int64_t *time;
    size_t count;   /* states committed in this block */
    uint64_t first; /* index of its first state */
    int64_t last_time;
    bool ended;
    const double **number_pointers;
    const uint32_t **symbol_pointers;
    tac_trace_block block;
    TAC_VEC(struct trace_setting) settings;

    bool cut; /* the input ended in the middle of something */
    uint64_t skipped;
    tac_error first_skipped;
    tac_error pending; /* an error behind the states of the block that was handed out */
};

/* A source without a file: the states come from the reader, which the format's close frees. */
tac_status source_open_made(const struct trace_format *format, void *reader, const char *name,
                            tac_trace_source **out, tac_error *err);

/* A new variable at the end; name and unit are copied. Fails past TRACE_VARIABLES_MAX and for a
 * name that exists. */
tac_status source_add_variable(tac_trace_source *source, const char *name, size_t length,
                               tac_variable_kind kind, const char *unit, bool linear, size_t *index,
                               tac_error *err);
/* What the symbols of a discrete variable are. */
void source_set_type(tac_trace_source *source, size_t variable, tac_value_type type);
/* The index, or SIZE_MAX. */
size_t source_find_variable(const tac_trace_source *source, const char *name, size_t length);
/* Finds or adds; a variable of the other kind is an error. */
tac_status source_want_variable(tac_trace_source *source, const char *name, tac_variable_kind kind,
                                const char *unit, size_t *index, tac_error *err);

/* The symbol that stands for a value that is not known, and why. */
tac_status source_unknown(tac_trace_source *source, const char *reason, size_t length, uint32_t *id,
                          tac_error *err);
/* The symbol of a text or a list, which may be long. */
tac_status source_symbol_text(tac_trace_source *source, const char *text, size_t length,
                              uint32_t *id, tac_error *err);
tac_status source_symbol_slow(tac_trace_source *source, const char *text, size_t length,
                              uint32_t *id, tac_error *err);

/* The text must be followed by 16 readable bytes (it lies in the window). */
static inline tac_status source_symbol_window(tac_trace_source *source, const char *text,
                                              size_t length, uint32_t *id, tac_error *err)
{
    if (length - 1 >= 16)
        return source_symbol_slow(source, text, length, id, err);
    uint64_t low, high;
    memcpy(&low, text, 8);
    memcpy(&high, text + 8, 8);
    if (length < 8) {
        low &= ((uint64_t)1 << (8 * length)) - 1;
        high = 0;
    } else if (length < 16) {
        high &= ((uint64_t)1 << (8 * (length - 8))) - 1;
    }
    uint64_t mixed = (low ^ (high * 0x9e3779b97f4a7c15u)) * 0xd6e8feb86659fd93u;
    struct symbol_slot *slot = &source->slots[mixed >> 56];
    if (slot->low != low || slot->high != high || slot->length_plus_one != length + 1) {
        uint32_t found;
        tac_status status = source_symbol_slow(source, text, length, &found, err);
        if (status)
            return status;
        *slot = (struct symbol_slot){low, high, (uint32_t)length + 1, found};
    }
    *id = slot->id;
    return TAC_OK;
}

/* --- A state, sparse -------------------------------------------------------------------------- */

static inline void source_begin(tac_trace_source *source)
{
    source->settings.count = 0;
}

static inline void source_set_number(tac_trace_source *source, size_t variable, double value)
{
    tac_vec_push(&source->settings, (struct trace_setting){variable, value, TAC_TRACE_NO_SYMBOL});
}

static inline void source_set_symbol(tac_trace_source *source, size_t variable, uint32_t symbol)
{
    tac_vec_push(&source->settings, (struct trace_setting){variable, 0, symbol});
}

/* Extends a column to `count` elements by the hold rule. */
void source_fill(struct trace_column *column, size_t count);

/* False when time goes back, or a variable was set twice: then nothing has changed. */
bool source_commit(tac_trace_source *source, int64_t time);
/* After a false commit: the error for it. line and column as usual. */
tac_status source_commit_error(tac_trace_source *source, int64_t time, size_t line, size_t column,
                               tac_error *err);

/* --- A state, dense: every column[row] is written --------------------------------------------- */

static inline void source_commit_dense(tac_trace_source *source, int64_t time)
{
    source->time[source->count++] = time;
    source->last_time = time;
}

/* Says something about the reading in the meta data (a list "notes"). */
void source_note(const tac_trace_source *source, const char *format, ...) TAC_PRINTF(2, 3);
/* The same, as a callback (json_items_tell). */
void source_note_sentence(void *source, const char *sentence);
/* "COUNT one" or "COUNT many"; nothing for 0. */
void source_note_count(const tac_trace_source *source, uint64_t count, const char *one,
                       const char *many);
/* That times were taken to count since 1970 (trace_epoch_scale). */
void source_note_epoch(const tac_trace_source *source, const char *unit);
/* --- Errors ----------------------------------------------------------------------------------- */

tac_status source_fail(const tac_trace_source *source, tac_error *err, tac_status status,
                       size_t line, size_t column, const char *format, ...) TAC_PRINTF(6, 7);
/* What to do with a bad row: TAC_OK when it may be skipped (lenient; counted), else its status.
 * `problem` is what source_fail filled. */
tac_status source_skip_or_fail(tac_trace_source *source, const tac_error *problem, tac_error *err);
/* Makes the window hold a whole line; without one at the end, or (then *waits) when waiting would
 * hold back states that are ready. */
tac_status source_more_lines(tac_trace_source *source, bool *waits, tac_error *err);
/* The next whole line of the window: [*line, *line + *length) without its line end, followed by it.
 * *line NULL at the end, or when waiting would hold back states that are ready (then *waits). */
tac_status source_next_line(tac_trace_source *source, const char **line, size_t *length,
                            size_t *number, bool *waits, tac_error *err);

/* The fill of a reader that takes line by line: until `most` states are ready, the input waits or
 * ends. A line whose read fails is skipped or fails the source. */
typedef tac_status source_read_line(tac_trace_source *source, const char *line, size_t length,
                                    size_t number, tac_error *err);
tac_status source_fill_by_line(tac_trace_source *source, size_t most, source_read_line *read,
                               tac_error *err);
