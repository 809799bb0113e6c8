/* The cells of one row of a table of text: between separators, in quotes as of RFC 4180 ("" is a
 * quote) or with the blanks around them taken off. Linear. */
#pragma once

#include "base/data/str.h"
#include "base/data/vec.h"

typedef struct tac_cell {
    const char *text; /* unquoted, followed by a NUL byte */
    size_t length;
    size_t place; /* byte column of its first character in the line, from 1 */
} tac_cell;

typedef struct tac_cells {
    TAC_VEC(tac_cell) list;
    tac_str text; /* of all cells */
} tac_cells;

/* Splits the row at `line`, which ends with a line end or at `limit`; a quoted cell may hold line
 * ends. Returns NULL, and *end is behind the row's line end; or what is wrong, at the byte column
 * *place: then *open tells that a quote is never closed. The cells last until the next call. */
const char *tac_cells_split(tac_cells *cells, char separator, const char *line, const char *limit,
                            const char **end, size_t *place, bool *open);
void tac_cells_free(tac_cells *cells);
