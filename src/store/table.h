/* The tables of a store, once for every place that keeps them: what a row is in memory, and what
 * its columns are called, hold and lie in it. Statements, what is bound, what is read and copies of
 * rows come from here; a new column stands here and in the schemas of both places. */
#pragma once

#include "base/data/arena.h"
#include "store/store.h"

/* A verdict as it is kept: the document is text until it was checked. */
struct store_verdict {
    int64_t run;
    const char *property, *answer, *document;
    bool has_run; /* the run it speaks of has a row; no column */
};

struct store_document {
    const char *kind, *name, *document;
};

struct store_setting {
    const char *key, *value;
};

/* A row that repair set aside, as it is kept. */
struct store_aside {
    const char *source, *reason, *content;
    int64_t row;
};

enum store_table { STORE_RUN, STORE_VERDICT, STORE_DOCUMENT, STORE_SETTING, STORE_ASIDE };
enum { STORE_TABLES = STORE_ASIDE + 1 };

/* Which one it is says `table`. */
struct store_row {
    enum store_table table;
    int64_t number; /* the place's own of the row */
    union {
        tac_store_run run;
        struct store_verdict verdict;
        struct store_document document;
        struct store_setting setting;
        struct store_aside aside;
    };
};

enum store_type {
    STORE_INTEGER,
    STORE_REAL,
    STORE_SEED, /* an unsigned number, kept as text because databases count with a sign */
    STORE_TEXT,
    STORE_MAYBE /* a text, or NULL */
};

struct store_column {
    const char *name;
    enum store_type type;
    size_t at;              /* in struct store_row */
    const char *before_two; /* what the first version of a folder's index has instead; or NULL */
};

enum { STORE_COLUMNS = 16 }; /* the most that a table has */

struct store_shape {
    const char *name;
    const struct store_column *columns;
    size_t count;
    const char *order; /* in which its rows are read */
};

extern const struct store_shape store_shapes[STORE_TABLES];

/* A column's value in a row. */
int64_t *store_integer(struct store_row *row, const struct store_column *column);
double *store_real(struct store_row *row, const struct store_column *column);
uint64_t *store_seed(struct store_row *row, const struct store_column *column);
const char **store_text(struct store_row *row, const struct store_column *column);
/* "BEFOREidAFTER,BEFOREkindAFTER": every column between the texts of its type; the caller's. */
struct store_around {
    const char *before, *after;
};
char *store_columns(const struct store_shape *shape, const struct store_around *around,
                    const char *between);
/* "1,2,3" between the texts; the caller's. */
char *store_places(size_t count, const char *before, size_t first);
/* The row of a struct as it is told from outside: a copy, whose NULL texts are "". */
struct store_row store_row_of(enum store_table table, const void *fields);
/* Its texts are the arena's from now on. */
void store_row_keep(tac_arena *arena, struct store_row *row);
