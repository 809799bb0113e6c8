/* A folder with SQLite as the place of a store: writing rows, setting them aside. */
#include "store/sqlite.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A value that cannot be bound would be written as NULL: step_once asks for it. Texts are borrowed
 * until then. */
static void keep_failure(struct sqlite_store *store, int code)
{
    if (store->unbound == SQLITE_OK)
        store->unbound = code;
}

static void bind_text(struct sqlite_store *store, sqlite3_stmt *statement, int column,
                      const char *text)
{
    keep_failure(store, sqlite3_bind_text(statement, column, text ? text : "", -1, SQLITE_STATIC));
}

static void bind_number(struct sqlite_store *store, sqlite3_stmt *statement, int column,
                        int64_t value)
{
    keep_failure(store, sqlite3_bind_int64(statement, column, value));
}

/* Runs a statement that returns no rows and makes it ready for the next time. */
static tac_status step_once(struct sqlite_store *store, sqlite3_stmt *statement, tac_error *err)
{
    assert(sqlite_writes(store));
    int code = store->unbound;
    store->unbound = SQLITE_OK;
    if (code != SQLITE_OK) {
        sqlite3_clear_bindings(statement);
        return tac_fail_at(err, code == SQLITE_NOMEM ? TAC_E_LIMIT : TAC_E_IO, store->path, 0, 0,
                           "cannot write to the index: %s", sqlite3_errstr(code));
    }
    code = sqlite3_step(statement);
    tac_status status = TAC_OK;
    if (code == SQLITE_CONSTRAINT)
        status = tac_fail_at(err, TAC_E_INTERNAL, store->path, 0, 0,
                             "a row was to be added twice: %s", sqlite3_errmsg(store->index));
    else if (code != SQLITE_DONE)
        status = sqlite_fail(store, "write to the index", err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

static const char *file_of(const void *data)
{
    const struct sqlite_store *store = data;
    return store->path;
}

static tac_status begin(void *data, tac_error *err)
{
    return sqlite_execute(data, "BEGIN IMMEDIATE", "write to the index", err);
}

static tac_status commit(void *data, tac_error *err)
{
    return sqlite_execute(data, "COMMIT", "write to the index", err);
}

static void rollback(void *data)
{
    const struct sqlite_store *store = data;
    sqlite3_exec(store->index, "ROLLBACK", NULL, NULL, NULL);
    assert(sqlite3_get_autocommit(store->index));
}

static tac_status hold(void *data, tac_error *err)
{
    return sqlite_execute(data, "BEGIN", "read the index", err);
}

static tac_status put_setting(void *data, const char *key, const char *value, tac_error *err)
{
    struct sqlite_store *store = data;
    sqlite3_stmt *statement;
    tac_status status = sqlite_prepare(
        store, "INSERT OR REPLACE INTO setting(key,value) VALUES(?,?)", &statement, err);
    if (status != TAC_OK)
        return status;
    bind_text(store, statement, 1, key);
    bind_text(store, statement, 2, value);
    status = step_once(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

static bool text_is(sqlite3_stmt *row, int column, const char *text)
{
    const char *kept = (const char *)sqlite3_column_text(row, column);
    return kept && !strcmp(kept, text ? text : "");
}

/* A row equals what was written. Asked by the checking build only. */
__attribute__((unused)) static bool is_kept(struct sqlite_store *store, const tac_store_run *run)
{
    sqlite3_stmt *row;
    char sql[120];
    snprintf(
        sql, sizeof sql,
        "SELECT kind,name,scenario,verdict,message,trace,steps,flow FROM run WHERE id=%" PRId64,
        run->id);
    if (sqlite3_prepare_v2(store->index, sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    bool same = sqlite3_step(row) == SQLITE_ROW && text_is(row, 0, run->kind) &&
                text_is(row, 1, run->name) && text_is(row, 2, run->scenario) &&
                text_is(row, 3, run->verdict) && text_is(row, 4, run->message) &&
                text_is(row, 5, run->trace) && sqlite3_column_int64(row, 6) == run->steps &&
                sqlite3_column_int64(row, 7) == run->flow;
    sqlite3_finalize(row);
    return same;
}

static tac_status add_run(void *data, const tac_store_run *run, tac_error *err)
{
    struct sqlite_store *store = data;
    tac_status status = TAC_OK;
    if (!store->add_run)
        status = sqlite_prepare(store,
                                "INSERT INTO run(id,kind,name,flow,scenario,repeat,seed,verdict,"
                                "message,exception,trace,seconds,steps,details,trace_size,"
                                "trace_digest) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                &store->add_run, err);
    if (status != TAC_OK)
        return status;
    char seed[24]; /* as text: SQLite's integers are signed */
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    sqlite3_stmt *row = store->add_run;
    bind_number(store, row, 1, run->id);
    bind_text(store, row, 2, run->kind);
    bind_text(store, row, 3, run->name);
    bind_number(store, row, 4, run->flow);
    bind_text(store, row, 5, run->scenario);
    bind_number(store, row, 6, run->repeat);
    bind_text(store, row, 7, seed);
    bind_text(store, row, 8, run->verdict);
    bind_text(store, row, 9, run->message);
    bind_text(store, row, 10, run->exception);
    bind_text(store, row, 11, run->trace);
    keep_failure(store, sqlite3_bind_double(row, 12, run->seconds));
    bind_number(store, row, 13, run->steps);
    if (run->details) /* else NULL, as bindings are cleared to */
        bind_text(store, row, 14, run->details);
    bind_number(store, row, 15, run->trace_digest && *run->trace_digest ? run->trace_size : -1);
    bind_text(store, row, 16, run->trace_digest);
    status = step_once(store, row, err);
    assert_costly(status != TAC_OK || is_kept(store, run));
    return status;
}

static tac_status add_verdict(void *data, int64_t run, const char *property, const char *answer,
                              const char *document, tac_error *err)
{
    struct sqlite_store *store = data;
    tac_status status = TAC_OK;
    if (!store->add_verdict)
        status = sqlite_prepare(store,
                                "INSERT INTO verdict(run,property,answer,document) "
                                "VALUES(?,?,?,?)",
                                &store->add_verdict, err);
    if (status != TAC_OK)
        return status;
    bind_number(store, store->add_verdict, 1, run);
    bind_text(store, store->add_verdict, 2, property);
    bind_text(store, store->add_verdict, 3, answer);
    bind_text(store, store->add_verdict, 4, document);
    return step_once(store, store->add_verdict, err);
}

static tac_status put_document(void *data, const char *kind, const char *name, const char *document,
                               tac_error *err)
{
    struct sqlite_store *store = data;
    sqlite3_stmt *statement;
    tac_status status =
        sqlite_prepare(store, "INSERT OR REPLACE INTO document(kind,name,document) VALUES(?,?,?)",
                       &statement, err);
    if (status != TAC_OK)
        return status;
    bind_text(store, statement, 1, kind);
    bind_text(store, statement, 2, name);
    bind_text(store, statement, 3, document);
    status = step_once(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

/* --- setting aside --- */

/* Each column quoted as SQL would have it, so that nothing of the row is lost. */
static const struct {
    const char *name, *content;
} tables[] = {
    {"run", "quote(id)||','||quote(kind)||','||quote(name)||','||quote(flow)||','||quote(scenario)"
            "||','||quote(repeat)||','||quote(seed)||','||quote(verdict)||','||quote(message)||','"
            "||quote(exception)||','||quote(trace)||','||quote(seconds)||','||quote(steps)||','||"
            "quote(details)||','||quote(trace_size)||','||quote(trace_digest)"},
    {"verdict", "quote(run)||','||quote(property)||','||quote(answer)||','||quote(document)"},
    {"document", "quote(kind)||','||quote(name)||','||quote(document)"},
    {"setting", "quote(key)||','||quote(value)"},
};

/* Moves the rows of a table that `where` tells, with ?1 bound to number. */
static tac_status move_aside(struct sqlite_store *store, size_t table, const char *where,
                             int64_t number, const char *reason, tac_error *err)
{
    assert(table < sizeof tables / sizeof *tables);
    const char *name = tables[table].name;
    char *statements[] = {
        tac_format("INSERT INTO aside SELECT '%s', rowid, ?2, %s FROM %s WHERE %s", name,
                   tables[table].content, name, where),
        tac_format("DELETE FROM %s WHERE %s", name, where),
    };
    tac_status status = TAC_OK;
    for (size_t i = 0; i < 2; i++) {
        sqlite3_stmt *statement = NULL;
        if (status == TAC_OK)
            status = sqlite_prepare(store, statements[i], &statement, err);
        if (status == TAC_OK) {
            bind_number(store, statement, 1, number);
            if (i == 0)
                bind_text(store, statement, 2, reason);
            status = step_once(store, statement, err);
        }
        sqlite3_finalize(statement);
        free(statements[i]);
    }
    return status;
}

static tac_status set_aside(void *data, const char *table, int64_t row, const char *reason,
                            tac_error *err)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(tables[i].name, table))
            return move_aside(data, i, "rowid=?1", row, reason, err);
    return tac_fail(err, TAC_E_INTERNAL, "there is no table '%s' to set aside from", table);
}

static tac_status set_run_aside(void *data, int64_t run, const char *reason, tac_error *err)
{
    tac_status status = move_aside(data, 0, "id=?1", run, reason, err);
    if (status == TAC_OK)
        status = move_aside(data, 1, "run=?1", run, reason, err);
    return status;
}

static tac_status add_aside(void *data, const struct store_aside *aside, tac_error *err)
{
    struct sqlite_store *store = data;
    sqlite3_stmt *statement;
    tac_status status = sqlite_prepare(
        store, "INSERT INTO aside(source,row,reason,content) VALUES(?,?,?,?)", &statement, err);
    if (status != TAC_OK)
        return status;
    bind_text(store, statement, 1, aside->source);
    bind_number(store, statement, 2, aside->row);
    bind_text(store, statement, 3, aside->reason);
    bind_text(store, statement, 4, aside->content);
    status = step_once(store, statement, err);
    sqlite3_finalize(statement);
    return status;
}

static tac_status check(void *data, tac_error *err)
{
    struct sqlite_store *store = data;
    sqlite3_stmt *statement;
    tac_status status = sqlite_prepare(store, "PRAGMA integrity_check(1)", &statement, err);
    if (status != TAC_OK)
        return status;
    const char *answer = sqlite3_step(statement) == SQLITE_ROW
                             ? (const char *)sqlite3_column_text(statement, 0)
                             : NULL;
    if (!answer)
        status = sqlite_fail(store, "check the index", err);
    else if (strcmp(answer, "ok"))
        status = tac_fail_at(err, TAC_E_INPUT, store->path, 0, 0, "the index is damaged: %.300s",
                             answer);
    sqlite3_finalize(statement);
    return status;
}

const struct store_backend store_sqlite = {
    .name = "sqlite",
    .open = sqlite_open_store,
    .close = sqlite_close_store,
    .file = file_of,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .hold = hold,
    .let_go = rollback,
    .put_setting = put_setting,
    .add_run = add_run,
    .add_verdict = add_verdict,
    .put_document = put_document,
    .read = sqlite_read_table,
    .set_aside = set_aside,
    .set_run_aside = set_run_aside,
    .add_aside = add_aside,
    .put_file = sqlite_put_file,
    .get_file = sqlite_get_file,
    .seal = sqlite_seal,
    .move_file = sqlite_move_file,
    .each_file = sqlite_each_file,
    .file_path = sqlite_file_path,
    .check = check,
};
