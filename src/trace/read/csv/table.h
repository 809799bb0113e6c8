/* The shape of a CSV or TSV table: its separator, its columns and what each of them means. */
#pragma once

#include "base/io/cells.h"
#include "trace/read/source.h"

/* CSV_TYPED: a text, a list or a boolean, written as JSON ("name [text]", "name [list]"). */
enum csv_role { CSV_SECONDS, CSV_DATE, CSV_NUMBER, CSV_SYMBOL, CSV_TYPED };

struct csv_column {
    enum csv_role role;
    bool is_event;
    size_t variable; /* SIZE_MAX for the time column */
    double *numbers; /* the source's arrays */
    uint32_t *symbols;
    char *name;       /* owned */
    char *whole_name; /* owned; with what stands in brackets behind it */
    char *unit;       /* owned */
    tac_value_type type;
    size_t place; /* byte column of its name in the header line, from 1 */
};

struct csv_table {
    char separator;
    bool stops[256]; /* bytes that end or complicate a plain cell */
    TAC_VEC(struct csv_column) columns;
    size_t time_column;
    int64_t time_scale; /* nanoseconds per unit of the time column; 10^9 = seconds */
    bool unit_assumed;  /* seconds, because the column says no unit */
    const char *epoch; /* what it counts since 1970, by its numbers; NULL: seconds, or as it says */
    tac_cells row;     /* that was split last */
    tac_str typed, typed_text; /* of the typed cell under the eye */
    bool commas;               /* that stand for decimal points were read, and noted */
    bool wide;                 /* rows are tried whole first (wide.h) */
    unsigned misses;           /* how often that failed lately */
};

/* Splits one row at `line` (RFC 4180 quotes; a quoted cell may hold line ends). *end is behind the
 * row's line end. A quote that is never closed in [line, limit) gives TAC_E_INPUT with its place.
 */
tac_status csv_split(struct csv_table *table, const tac_trace_source *source, const char *line,
                     const char *limit, size_t number, const char **end, tac_error *err);
/* Splits the row at the window's begin; a quoted cell with line ends may need more of the input. */
tac_status csv_split_row(struct csv_table *table, tac_trace_source *source, const char **end,
                         tac_error *err);
/* Where commas do not part the cells, one may stand for the decimal point: the number in a cell
 * gets its point. The first is noted, since elsewhere commas part thousands. */
void csv_decimal_comma(struct csv_table *table, const tac_trace_source *source,
                       const tac_cell *cell);
/* Reads the header row and finds out what each column holds. */
tac_status csv_read_header(struct csv_table *table, tac_trace_source *source, tac_error *err);
void csv_table_free(struct csv_table *table);
