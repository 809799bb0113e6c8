/* The project folder and its SQLite index: opening, the schema, settings, transactions.
 *
 * Rows are committed in batches, because a commit per run would cost more than the run. A kill
 * loses at most the uncommitted batch, whose runs are then done again. synchronous=OFF: the promise
 * is against a killed process, whose writes the kernel keeps; after a power cut the journal still
 * keeps the index consistent in practice but the last batches may be missing. */
#include "base/data/alloc.h"
#include "store/private.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 256, VERSION = 1 };

static const char schema[] =
    "CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " flow INTEGER NOT NULL, scenario TEXT NOT NULL, repeat INTEGER NOT NULL, seed TEXT NOT NULL,"
    " verdict TEXT NOT NULL, message TEXT NOT NULL, exception TEXT NOT NULL, trace TEXT NOT NULL,"
    " seconds REAL NOT NULL, steps INTEGER NOT NULL, details TEXT);"
    "CREATE TABLE verdict(run INTEGER NOT NULL, property TEXT NOT NULL, answer TEXT NOT NULL,"
    " document TEXT NOT NULL, PRIMARY KEY(run, property));"
    "CREATE TABLE document(kind TEXT NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL,"
    " PRIMARY KEY(kind, name));";

tac_status store_fail(const tac_store *store, const char *what, tac_error *err)
{
    char *path = tac_format("%s/index.sqlite", store->folder);
    int code = sqlite3_extended_errcode(store->index);
    const char *advice = "";
    if ((code & 0xff) == SQLITE_BUSY)
        advice = "; another tactus is writing to this folder";
    else if ((code & 0xff) == SQLITE_NOTADB)
        advice = "; this is not an index of tactus, choose another folder";
    tac_status status = tac_fail_at(err, TAC_E_IO, path, 0, 0, "cannot %s: %s%s", what,
                                    sqlite3_errmsg(store->index), advice);
    free(path);
    return status;
}

tac_status store_prepare(tac_store *store, const char *sql, sqlite3_stmt **out, tac_error *err)
{
    if (sqlite3_prepare_v2(store->index, sql, -1, out, NULL) != SQLITE_OK)
        return store_fail(store, "read the index", err);
    return TAC_OK;
}

static tac_status execute(tac_store *store, const char *sql, const char *what, tac_error *err)
{
    if (sqlite3_exec(store->index, sql, NULL, NULL, NULL) != SQLITE_OK)
        return store_fail(store, what, err);
    return TAC_OK;
}

static tac_status check_version(tac_store *store, bool create, tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = store_prepare(store, "PRAGMA user_version", &statement, err);
    if (status != TAC_OK)
        return status;
    int step = sqlite3_step(statement);
    int version = step == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
    sqlite3_finalize(statement);
    if (version < 0)
        return store_fail(store, "read the index", err);
    if (version > VERSION)
        return tac_fail_at(
            err, TAC_E_INPUT, store->folder, 0, 0,
            "written by a later version of tactus; update, or choose another folder");
    if (version == 0 && !create)
        return tac_fail_at(err, TAC_E_INPUT, store->folder, 0, 0, "holds no runs of tactus");
    if (version == 0) {
        char *sql = tac_format("BEGIN IMMEDIATE;%sPRAGMA user_version=%d;COMMIT;", schema, VERSION);
        status = execute(store, sql, "create the index", err);
        free(sql);
    }
    return status;
}

static tac_status make_folder(const char *path, tac_error *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, path, "cannot create the folder");
    return TAC_OK;
}

/* One writer at a time. The lock goes with the process, however it ends; workers that it leaves
 * behind for a moment hold it too, hence the patience. */
static tac_status take_lock(tac_store *store, tac_error *err)
{
    enum { TRIES = 100 };
    const struct timespec pause = {.tv_nsec = 50000000};
    char *path = tac_format("%s/index.lock", store->folder);
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    tac_status status = TAC_OK;
    if (store->lock < 0)
        status = tac_fail_errno(err, errno, path, "cannot write");
    for (int i = 0; status == TAC_OK && flock(store->lock, LOCK_EX | LOCK_NB); i++) {
        if (i == TRIES)
            status = tac_fail_at(err, TAC_E_IO, store->folder, 0, 0,
                                 "another tactus is writing to this folder; wait for it, or choose "
                                 "another folder");
        nanosleep(&pause, NULL);
    }
    free(path);
    return status;
}

tac_status tac_store_open(const char *folder, bool create, tac_store **out, tac_error *err)
{
    tac_status status = create ? make_folder(folder, err) : TAC_OK;
    if (status != TAC_OK)
        return status;
    tac_store *store = tac_calloc(1, sizeof *store);
    store->folder = tac_strdup(folder);
    store->lock = -1;
    if (create)
        status = take_lock(store, err);
    char *path = tac_format("%s/index.sqlite", folder);
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    struct stat about;
    if (status == TAC_OK && !create && stat(path, &about))
        status = tac_fail_at(err, TAC_E_IO, folder, 0, 0,
                             "holds no index.sqlite; give the folder that 'tactus run -o' wrote");
    else if (status == TAC_OK && sqlite3_open_v2(path, &store->index, flags, NULL) != SQLITE_OK)
        status = store_fail(store, "open the index", err);
    free(path);
    if (status == TAC_OK) {
        sqlite3_busy_timeout(store->index, 5000);
        status = execute(store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
                         "open the index", err);
    }
    if (status == TAC_OK)
        status = check_version(store, create, err);
    if (status == TAC_OK)
        *out = store;
    else
        tac_store_close(store, NULL);
    return status;
}

tac_status tac_store_close(tac_store *store, tac_error *err)
{
    if (!store)
        return TAC_OK;
    tac_status status = store->index ? tac_store_commit(store, err) : TAC_OK;
    sqlite3_finalize(store->add_run);
    sqlite3_finalize(store->add_verdict);
    sqlite3_close(store->index);
    if (store->lock >= 0)
        close(store->lock);
    free(store->folder);
    free(store);
    return status;
}

const char *tac_store_folder(const tac_store *store)
{
    return store->folder;
}

tac_status store_begin(tac_store *store, tac_error *err)
{
    if (store->in_transaction)
        return TAC_OK;
    tac_status status = execute(store, "BEGIN IMMEDIATE", "write to the index", err);
    store->in_transaction = status == TAC_OK;
    return status;
}

tac_status store_count_row(tac_store *store, tac_error *err)
{
    return ++store->pending >= BATCH ? tac_store_commit(store, err) : TAC_OK;
}

tac_status tac_store_commit(tac_store *store, tac_error *err)
{
    if (!store->in_transaction)
        return TAC_OK;
    tac_status status = execute(store, "COMMIT", "write to the index", err);
    store->in_transaction = status != TAC_OK;
    store->pending = 0;
    return status;
}

tac_status tac_store_set(tac_store *store, const char *key, const char *value, tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = store_begin(store, err);
    if (status == TAC_OK)
        status =
            store_prepare(store, "INSERT OR REPLACE INTO setting VALUES(?,?)", &statement, err);
    if (status != TAC_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE)
        status = store_fail(store, "write to the index", err);
    sqlite3_finalize(statement);
    return status == TAC_OK ? tac_store_commit(store, err) : status;
}

tac_status tac_store_get(tac_store *store, const char *key, char **value, tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status =
        store_prepare(store, "SELECT value FROM setting WHERE key=?", &statement, err);
    if (status != TAC_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        *value = tac_strdup((const char *)sqlite3_column_text(statement, 0));
    else if (step == SQLITE_DONE)
        *value = NULL;
    else
        status = store_fail(store, "read the index", err);
    sqlite3_finalize(statement);
    return status;
}
