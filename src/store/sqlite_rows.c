/* Reading tables of an index that is not believed: every column has to have the type of its place,
 * because SQLite keeps any value in any column. */
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "store/sqlite.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WHAT = 160, MOST_COLUMNS = STORE_COLUMNS + 3 };

/* A statement that stands on a row. The first column is the row's number. */
struct table_row {
    sqlite3_stmt *at;
    const char *table;
    int64_t number;
    char flaw[WHAT]; /* "" while all columns read had their type */
};

static void note(struct table_row *row, int column, const char *what)
{
    assert(column > 0 && column < MOST_COLUMNS);
    if (!row->flaw[0])
        snprintf(row->flaw, sizeof row->flaw, "its column '%.40s' %s",
                 sqlite3_column_name(row->at, column), what);
}

static int64_t integer_in(struct table_row *row, int column)
{
    if (sqlite3_column_type(row->at, column) != SQLITE_INTEGER)
        note(row, column, "is not a whole number");
    return sqlite3_column_int64(row->at, column);
}

static double real_in(struct table_row *row, int column)
{
    int type = sqlite3_column_type(row->at, column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
        note(row, column, "is not a number");
    return sqlite3_column_double(row->at, column);
}

/* Never NULL. */
static const char *text_in(struct table_row *row, int column)
{
    int type = sqlite3_column_type(row->at, column);
    const char *text = (const char *)sqlite3_column_text(row->at, column);
    if (type != SQLITE_TEXT || !text)
        note(row, column, type == SQLITE_NULL ? "is NULL" : "is not a text");
    else if (strlen(text) != (size_t)sqlite3_column_bytes(row->at, column))
        note(row, column, "holds a NUL");
    return text && type == SQLITE_TEXT ? text : "";
}

static uint64_t seed_in(struct table_row *row, int column)
{
    uint64_t seed = 0;
    if (!tac_parse_u64(text_in(row, column), &seed))
        note(row, column, "is not a seed");
    return seed;
}

static void read_column(struct table_row *row, int place, const struct store_column *column,
                        struct store_row *out)
{
    bool null = sqlite3_column_type(row->at, place) == SQLITE_NULL;
    switch (column->type) {
    case STORE_INTEGER:
        *store_integer(out, column) = integer_in(row, place);
        return;
    case STORE_REAL:
        *store_real(out, column) = real_in(row, place);
        return;
    case STORE_SEED:
        *store_seed(out, column) = seed_in(row, place);
        return;
    case STORE_TEXT:
        *store_text(out, column) = text_in(row, place);
        return;
    case STORE_MAYBE:
        *store_text(out, column) = null ? NULL : text_in(row, place);
    }
}

static bool give(struct table_row *row, enum store_table table, const struct store_reader *reader)
{
    const struct store_shape *shape = &store_shapes[table];
    struct store_row out = {.table = table, .number = row->number};
    for (size_t i = 0; i < shape->count; i++)
        read_column(row, (int)i + 1, &shape->columns[i], &out);
    if (table == STORE_VERDICT)
        out.verdict.has_run = sqlite3_column_int(row->at, (int)shape->count + 1) != 0;
    return row->flaw[0] ? reader->broken(reader->context, row->table, row->number, row->flaw)
                        : reader->row(reader->context, &out);
}

/* The rows of a table with their numbers, in its order; the caller's. old: of version 1. */
static char *select_of(enum store_table table, bool old)
{
    const struct store_shape *shape = &store_shapes[table];
    tac_str sql = {0};
    tac_str_add(&sql, "SELECT rowid AS number");
    for (size_t i = 0; i < shape->count; i++) {
        const struct store_column *column = &shape->columns[i];
        tac_str_addf(&sql, ",%s", old && column->before_two ? column->before_two : column->name);
    }
    tac_str_addf(&sql, "%s FROM %s ORDER BY %s",
                 table == STORE_VERDICT ? ",EXISTS(SELECT 1 FROM run WHERE run.id=verdict.run)"
                                        : "",
                 shape->name, shape->order);
    return tac_str_take(&sql);
}

/* What SQLite says in the middle of a table, with the row after which it said it. */
static tac_status cannot_go_on(struct sqlite_store *store, const struct table_row *row, bool any,
                               tac_error *err)
{
    char what[120];
    if (any)
        snprintf(what, sizeof what, "read the table '%s' after its row %" PRId64, row->table,
                 row->number);
    else
        snprintf(what, sizeof what, "read the table '%s'", row->table);
    return sqlite_fail(store, what, err);
}

/* False when memory ends while texts are fetched: that says nothing about the row. */
static bool is_loaded(sqlite3_stmt *row)
{
    for (int column = 0; column < sqlite3_column_count(row); column++)
        if (sqlite3_column_type(row, column) == SQLITE_TEXT && !sqlite3_column_text(row, column))
            return false;
    return true;
}

tac_status sqlite_read_table(void *data, enum store_table table, const struct store_reader *reader,
                             tac_error *err)
{
    struct sqlite_store *store = data;
    bool old = store->version < 2;
    struct table_row row = {.table = store_shapes[table].name};
    if (old && table == STORE_ASIDE)
        return TAC_OK; /* which it does not have */
    char *sql = select_of(table, old);
    tac_status status = sqlite_prepare(store, sql, &row.at, err);
    free(sql);
    if (status != TAC_OK)
        return status;
    assert(sqlite3_column_count(row.at) < MOST_COLUMNS);
    int code = SQLITE_DONE;
    bool go_on = true, any = false;
    while (go_on && (code = sqlite3_step(row.at)) == SQLITE_ROW) {
        if (!is_loaded(row.at))
            break;
        any = true;
        row.number = sqlite3_column_int64(row.at, 0);
        row.flaw[0] = '\0';
        go_on = give(&row, table, reader);
    }
    if (go_on && code != SQLITE_DONE)
        status = cannot_go_on(store, &row, any, err);
    sqlite3_finalize(row.at);
    return status;
}
