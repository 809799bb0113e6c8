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

static void bind(struct sqlite_store *store, sqlite3_stmt *statement, int place,
                 struct store_row *row, const struct store_column *column)
{
    switch (column->type) {
    case STORE_INTEGER:
        bind_number(store, statement, place, *store_integer(row, column));
        return;
    case STORE_REAL:
        keep_failure(store, sqlite3_bind_double(statement, place, *store_real(row, column)));
        return;
    case STORE_SEED: {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, *store_seed(row, column));
        keep_failure(store, sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT));
        return;
    }
    case STORE_MAYBE:
        if (!*store_text(row, column))
            return; /* NULL, as bindings are cleared to */
        /* fall through */
    case STORE_TEXT:
        bind_text(store, statement, place, *store_text(row, column));
    }
}

/* The statement that adds a row; kept between calls. */
static tac_status prepare_add(struct sqlite_store *store, enum store_table table, tac_error *err)
{
    static const struct store_around plain[STORE_MAYBE + 1];
    const struct store_shape *shape = &store_shapes[table];
    bool replaces = table == STORE_DOCUMENT || table == STORE_SETTING;
    if (store->add[table])
        return TAC_OK;
    char *columns = store_columns(shape, plain, ","), *places = store_places(shape->count, "?", 1);
    char *sql = tac_format("INSERT %sINTO %s(%s) VALUES(%s)", replaces ? "OR REPLACE " : "",
                           shape->name, columns, places);
    tac_status status = sqlite_prepare(store, sql, &store->add[table], err);
    free(columns);
    free(places);
    free(sql);
    return status;
}

/* A row that was added is there. Asked by the checking build only. */
__attribute__((unused)) static bool is_kept(struct sqlite_store *store, const tac_store_run *run)
{
    sqlite3_stmt *row;
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT name,steps FROM run WHERE id=%" PRId64, run->id);
    if (sqlite3_prepare_v2(store->index, sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    bool same = sqlite3_step(row) == SQLITE_ROW &&
                !strcmp((const char *)sqlite3_column_text(row, 0), run->name) &&
                sqlite3_column_int64(row, 1) == run->steps;
    sqlite3_finalize(row);
    return same;
}

static tac_status add(void *data, const struct store_row *given, tac_error *err)
{
    struct sqlite_store *store = data;
    struct store_row row = *given;
    const struct store_shape *shape = &store_shapes[row.table];
    tac_status status = prepare_add(store, row.table, err);
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < shape->count; i++)
        bind(store, store->add[row.table], (int)i + 1, &row, &shape->columns[i]);
    status = step_once(store, store->add[row.table], err);
    assert_costly(status != TAC_OK || row.table != STORE_RUN || is_kept(store, &row.run));
    return status;
}

/* --- setting aside --- */

/* Moves the rows of a table that `where` tells, with ?1 bound to number. Each column is quoted as
 * SQL would have it, so that nothing of the row is lost. */
static tac_status move_aside(struct sqlite_store *store, enum store_table table, const char *where,
                             int64_t number, const char *reason, tac_error *err)
{
    static const struct store_around quoted[] = {[STORE_INTEGER] = {"quote(", ")"},
                                                 [STORE_REAL] = {"quote(", ")"},
                                                 [STORE_SEED] = {"quote(", ")"},
                                                 [STORE_TEXT] = {"quote(", ")"},
                                                 [STORE_MAYBE] = {"quote(", ")"}};
    TABLE_COVERS(quoted, STORE_MAYBE);
    const struct store_shape *shape = &store_shapes[table];
    char *content = store_columns(shape, quoted, "||','||");
    char *statements[] = {
        tac_format("INSERT INTO aside SELECT '%s', rowid, ?2, %s FROM %s WHERE %s", shape->name,
                   content, shape->name, where),
        tac_format("DELETE FROM %s WHERE %s", shape->name, where),
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
    free(content);
    return status;
}

static tac_status set_aside(void *data, enum store_table table, int64_t row, const char *reason,
                            tac_error *err)
{
    return move_aside(data, table, "rowid=?1", row, reason, err);
}

static tac_status set_run_aside(void *data, int64_t run, const char *reason, tac_error *err)
{
    tac_status status = move_aside(data, STORE_RUN, "id=?1", run, reason, err);
    if (status == TAC_OK)
        status = move_aside(data, STORE_VERDICT, "run=?1", run, reason, err);
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
    .add = add,
    .read = sqlite_read_table,
    .set_aside = set_aside,
    .set_run_aside = set_run_aside,
    .put_file = sqlite_put_file,
    .get_file = sqlite_get_file,
    .seal = sqlite_seal,
    .move_file = sqlite_move_file,
    .each_file = sqlite_each_file,
    .file_path = sqlite_file_path,
    .check = check,
};
