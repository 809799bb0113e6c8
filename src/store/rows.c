/* Rows of the index: runs, verdicts of properties on runs, documents of analyses. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "store/private.h"
#include <stdio.h>
#include <string.h>

static void bind_text(sqlite3_stmt *statement, int column, const char *text)
{
    sqlite3_bind_text(statement, column, text ? text : "", -1, SQLITE_TRANSIENT);
}

/* Runs a statement that returns no rows and makes it ready for the next time. */
static tac_status step_once(tac_store *store, sqlite3_stmt *statement, tac_error *err)
{
    int code = sqlite3_step(statement);
    tac_status status = TAC_OK;
    if (code == SQLITE_CONSTRAINT)
        status = tac_fail_at(err, TAC_E_INTERNAL, store->folder, 0, 0,
                             "a row was to be added twice: %s", sqlite3_errmsg(store->index));
    else if (code != SQLITE_DONE)
        status = store_fail(store, "write to the index", err);
    sqlite3_reset(statement);
    return status == TAC_OK ? store_count_row(store, err) : status;
}

tac_status tac_store_add_run(tac_store *store, const tac_store_run *run, tac_error *err)
{
    tac_status status = store_begin(store, err);
    if (status == TAC_OK && !store->add_run)
        status = store_prepare(store, "INSERT INTO run VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                               &store->add_run, err);
    if (status != TAC_OK)
        return status;
    char seed[24]; /* as text: SQLite's integers are signed */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->seed);
    sqlite3_stmt *row = store->add_run;
    sqlite3_bind_int64(row, 1, run->id);
    bind_text(row, 2, run->kind);
    bind_text(row, 3, run->name);
    sqlite3_bind_int64(row, 4, run->flow);
    bind_text(row, 5, run->scenario);
    sqlite3_bind_int64(row, 6, run->repeat);
    bind_text(row, 7, seed);
    bind_text(row, 8, run->verdict);
    bind_text(row, 9, run->message);
    bind_text(row, 10, run->exception);
    bind_text(row, 11, run->trace);
    sqlite3_bind_double(row, 12, run->seconds);
    sqlite3_bind_int64(row, 13, run->steps);
    if (run->details)
        bind_text(row, 14, run->details);
    else
        sqlite3_bind_null(row, 14);
    return step_once(store, row, err);
}

tac_status tac_store_has_run(tac_store *store, int64_t id, bool *has, tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = store_prepare(store, "SELECT 1 FROM run WHERE id=?", &statement, err);
    if (status != TAC_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    *has = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return TAC_OK;
}

static const char *column_text(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static void read_run(sqlite3_stmt *row, tac_store_run *run)
{
    *run = (tac_store_run){.id = sqlite3_column_int64(row, 0),
                           .kind = column_text(row, 1),
                           .name = column_text(row, 2),
                           .flow = sqlite3_column_int64(row, 3),
                           .scenario = column_text(row, 4),
                           .repeat = sqlite3_column_int64(row, 5),
                           .seed = strtoull(column_text(row, 6), NULL, 10),
                           .verdict = column_text(row, 7),
                           .message = column_text(row, 8),
                           .exception = column_text(row, 9),
                           .trace = column_text(row, 10),
                           .seconds = sqlite3_column_double(row, 11),
                           .steps = sqlite3_column_int64(row, 12),
                           .details = column_text(row, 13)};
}

tac_status tac_store_each_run(tac_store *store,
                              bool (*visit)(void *context, const tac_store_run *run), void *context,
                              tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = store_prepare(store, "SELECT * FROM run ORDER BY id", &statement, err);
    if (status != TAC_OK)
        return status;
    int code;
    bool go_on = true;
    while (go_on && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        tac_store_run run;
        read_run(statement, &run);
        go_on = visit(context, &run);
    }
    if (go_on && code != SQLITE_DONE)
        status = store_fail(store, "read the index", err);
    sqlite3_finalize(statement);
    return status;
}

tac_status tac_store_count_runs(tac_store *store, const char *verdict, int64_t *count,
                                tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = store_prepare(
        store, "SELECT count(*) FROM run WHERE ?1 IS NULL OR verdict=?1", &statement, err);
    if (status != TAC_OK)
        return status;
    if (verdict)
        bind_text(statement, 1, verdict);
    if (sqlite3_step(statement) == SQLITE_ROW)
        *count = sqlite3_column_int64(statement, 0);
    else
        status = store_fail(store, "read the index", err);
    sqlite3_finalize(statement);
    return status;
}

static char *dump(const json_t *document)
{
    return tac_json_text(document, JSON_COMPACT);
}

tac_status tac_store_add_verdict(tac_store *store, int64_t run, const char *property,
                                 const char *answer, const json_t *document, tac_error *err)
{
    tac_status status = store_begin(store, err);
    if (status == TAC_OK && !store->add_verdict)
        status =
            store_prepare(store, "INSERT INTO verdict VALUES(?,?,?,?)", &store->add_verdict, err);
    if (status != TAC_OK)
        return status;
    char *text = dump(document);
    sqlite3_bind_int64(store->add_verdict, 1, run);
    bind_text(store->add_verdict, 2, property);
    bind_text(store->add_verdict, 3, answer);
    bind_text(store->add_verdict, 4, text);
    free(text);
    return step_once(store, store->add_verdict, err);
}

static json_t *parse(sqlite3_stmt *row, int column)
{
    json_t *document = json_loads(column_text(row, column), JSON_DECODE_ANY, NULL);
    return document ? document : json_null();
}

tac_status tac_store_each_verdict(tac_store *store,
                                  bool (*visit)(void *context, int64_t run, const char *property,
                                                const char *answer, const json_t *document),
                                  void *context, tac_error *err)
{
    sqlite3_stmt *row;
    tac_status status =
        store_prepare(store, "SELECT * FROM verdict ORDER BY property, run", &row, err);
    if (status != TAC_OK)
        return status;
    int code;
    bool go_on = true;
    while (go_on && (code = sqlite3_step(row)) == SQLITE_ROW) {
        json_t *document = parse(row, 3);
        go_on = visit(context, sqlite3_column_int64(row, 0), column_text(row, 1),
                      column_text(row, 2), document);
        json_decref(document);
    }
    if (go_on && code != SQLITE_DONE)
        status = store_fail(store, "read the index", err);
    sqlite3_finalize(row);
    return status;
}

tac_status tac_store_put_document(tac_store *store, const char *kind, const char *name,
                                  const json_t *document, tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = store_begin(store, err);
    if (status == TAC_OK)
        status =
            store_prepare(store, "INSERT OR REPLACE INTO document VALUES(?,?,?)", &statement, err);
    if (status != TAC_OK)
        return status;
    char *text = dump(document);
    bind_text(statement, 1, kind);
    bind_text(statement, 2, name);
    bind_text(statement, 3, text);
    free(text);
    status = step_once(store, statement, err);
    sqlite3_finalize(statement);
    return status == TAC_OK ? tac_store_commit(store, err) : status;
}

tac_status tac_store_each_document(tac_store *store,
                                   bool (*visit)(void *context, const char *kind, const char *name,
                                                 const json_t *document),
                                   void *context, tac_error *err)
{
    sqlite3_stmt *row;
    tac_status status =
        store_prepare(store, "SELECT * FROM document ORDER BY kind, name", &row, err);
    if (status != TAC_OK)
        return status;
    int code;
    bool go_on = true;
    while (go_on && (code = sqlite3_step(row)) == SQLITE_ROW) {
        json_t *document = parse(row, 2);
        go_on = visit(context, column_text(row, 0), column_text(row, 1), document);
        json_decref(document);
    }
    if (go_on && code != SQLITE_DONE)
        status = store_fail(store, "read the index", err);
    sqlite3_finalize(row);
    return status;
}
