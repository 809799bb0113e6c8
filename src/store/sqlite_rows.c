/* Reading tables of an index that is not believed: every column has to have the type of its place,
 * because SQLite keeps any value in any column. */
#include "base/check.h"
#include "base/data/text.h"
#include "store/sqlite.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WHAT = 160, MOST_COLUMNS = 20 };

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

static bool give_run(struct table_row *row, const struct store_reader *reader)
{
    bool details = sqlite3_column_type(row->at, 14) != SQLITE_NULL;
    tac_store_run run = {.id = integer_in(row, 1),
                         .kind = text_in(row, 2),
                         .name = text_in(row, 3),
                         .flow = integer_in(row, 4),
                         .scenario = text_in(row, 5),
                         .repeat = integer_in(row, 6),
                         .seed = seed_in(row, 7),
                         .verdict = text_in(row, 8),
                         .message = text_in(row, 9),
                         .exception = text_in(row, 10),
                         .trace = text_in(row, 11),
                         .seconds = real_in(row, 12),
                         .steps = integer_in(row, 13),
                         .details = details ? text_in(row, 14) : NULL,
                         .trace_size = integer_in(row, 15),
                         .trace_digest = text_in(row, 16)};
    return row->flaw[0] ? reader->broken(reader->context, row->table, row->number, row->flaw)
                        : reader->run(reader->context, row->number, &run);
}

static bool give_verdict(struct table_row *row, const struct store_reader *reader)
{
    struct store_verdict verdict = {.row = row->number,
                                    .run = integer_in(row, 1),
                                    .property = text_in(row, 2),
                                    .answer = text_in(row, 3),
                                    .document = text_in(row, 4),
                                    .has_run = sqlite3_column_type(row->at, 5) != SQLITE_NULL};
    return row->flaw[0] ? reader->broken(reader->context, row->table, row->number, row->flaw)
                        : reader->verdict(reader->context, &verdict);
}

static bool give_document(struct table_row *row, const struct store_reader *reader)
{
    struct store_document document = {.row = row->number,
                                      .kind = text_in(row, 1),
                                      .name = text_in(row, 2),
                                      .document = text_in(row, 3)};
    return row->flaw[0] ? reader->broken(reader->context, row->table, row->number, row->flaw)
                        : reader->document(reader->context, &document);
}

static bool give_setting(struct table_row *row, const struct store_reader *reader)
{
    const char *key = text_in(row, 1), *value = text_in(row, 2);
    return row->flaw[0] ? reader->broken(reader->context, row->table, row->number, row->flaw)
                        : reader->setting(reader->context, row->number, key, value);
}

static bool give_aside(struct table_row *row, const struct store_reader *reader)
{
    struct store_aside aside = {.source = text_in(row, 1),
                                .row = integer_in(row, 2),
                                .reason = text_in(row, 3),
                                .content = text_in(row, 4)};
    return row->flaw[0] ? reader->broken(reader->context, row->table, row->number, row->flaw)
                        : reader->aside(reader->context, &aside);
}

static const struct {
    const char *name, *sql, *old_sql; /* old_sql: of version 1, where it differs */
    bool (*give)(struct table_row *row, const struct store_reader *reader);
} tables[] = {
    {"run",
     "SELECT rowid,id,kind,name,flow,scenario,repeat,seed,verdict,message,exception,trace,seconds,"
     "steps,details,trace_size,trace_digest FROM run ORDER BY id",
     "SELECT rowid,id,kind,name,flow,scenario,repeat,seed,verdict,message,exception,trace,seconds,"
     "steps,details,-1,'' FROM run ORDER BY id",
     give_run},
    {"verdict",
     "SELECT v.rowid,v.run,v.property,v.answer,v.document,r.rowid FROM verdict v LEFT JOIN run r "
     "ON r.id=v.run ORDER BY v.property,v.run",
     NULL, give_verdict},
    {"document", "SELECT rowid,kind,name,document FROM document ORDER BY kind,name", NULL,
     give_document},
    {"setting", "SELECT rowid,key,value FROM setting ORDER BY key", NULL, give_setting},
    {"aside", "SELECT rowid,source,row,reason,content FROM aside ORDER BY rowid",
     "SELECT 0,'',0,'','' WHERE 0", give_aside},
};

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

tac_status sqlite_read_table(void *data, const char *table, const struct store_reader *reader,
                             tac_error *err)
{
    struct sqlite_store *store = data;
    size_t t = 0;
    while (t < sizeof tables / sizeof *tables && strcmp(tables[t].name, table))
        t++;
    assert(t < sizeof tables / sizeof *tables);
    bool old = store->version < 2 && tables[t].old_sql;
    struct table_row row = {.table = table};
    tac_status status =
        sqlite_prepare(store, old ? tables[t].old_sql : tables[t].sql, &row.at, err);
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
        go_on = tables[t].give(&row, reader);
    }
    if (go_on && code != SQLITE_DONE)
        status = cannot_go_on(store, &row, any, err);
    sqlite3_finalize(row.at);
    return status;
}
