/* The index of a folder: opening, the lock of the one writer, the schema and its versions.
 *
 * Writers use a write-ahead log, so that readers may read meanwhile, and give the folder back
 * without one when they close: a finished folder is one plain file, which a reader can open where
 * it may write nothing. Without `durable` nothing is synced: the promise is against a killed
 * process, whose writes the kernel keeps; with it, every commit is on the disk before it returns.
 *
 * The schema is looked at before anything else: an index with views or triggers, or whose tables
 * have not the columns, is somebody else's and is refused before a statement of it runs. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "store/sqlite.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 2, LARGEST_VALUE = 64 << 20 };

/* Version 1 had neither trace_size and trace_digest nor the table aside. */
static const char schema[] =
    "CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " flow INTEGER NOT NULL, scenario TEXT NOT NULL, repeat INTEGER NOT NULL, seed TEXT NOT NULL,"
    " verdict TEXT NOT NULL, message TEXT NOT NULL, exception TEXT NOT NULL, trace TEXT NOT NULL,"
    " seconds REAL NOT NULL, steps INTEGER NOT NULL, details TEXT,"
    " trace_size INTEGER NOT NULL DEFAULT -1, trace_digest TEXT NOT NULL DEFAULT '');"
    "CREATE TABLE verdict(run INTEGER NOT NULL, property TEXT NOT NULL, answer TEXT NOT NULL,"
    " document TEXT NOT NULL, PRIMARY KEY(run, property));"
    "CREATE TABLE document(kind TEXT NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL,"
    " PRIMARY KEY(kind, name));"
    "CREATE TABLE aside(source TEXT NOT NULL, row INTEGER NOT NULL, reason TEXT NOT NULL,"
    " content TEXT NOT NULL);";

static const char from_version_1[] =
    "ALTER TABLE run ADD COLUMN trace_size INTEGER NOT NULL DEFAULT -1;"
    "ALTER TABLE run ADD COLUMN trace_digest TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE aside(source TEXT NOT NULL, row INTEGER NOT NULL, reason TEXT NOT NULL,"
    " content TEXT NOT NULL);";

bool sqlite_writes(const struct sqlite_store *store)
{
    return store->mode != TAC_STORE_READ;
}

tac_status sqlite_fail(const struct sqlite_store *store, const char *what, tac_error *err)
{
    int code = sqlite3_errcode(store->index) & 0xff;
    const char *advice = "";
    if (code == SQLITE_BUSY)
        advice = "; another tactus is writing to this folder";
    else if (code == SQLITE_NOTADB)
        advice = "; this is not an index of tactus, choose another folder";
    tac_status status = code == SQLITE_CORRUPT ? TAC_E_INPUT : TAC_E_IO;
    return tac_fail_at(err, status, store->path, 0, 0, "cannot %s: %s%s", what,
                       sqlite3_errmsg(store->index), advice);
}

tac_status sqlite_prepare(struct sqlite_store *store, const char *sql, sqlite3_stmt **out,
                          tac_error *err)
{
    if (sqlite3_prepare_v2(store->index, sql, -1, out, NULL) != SQLITE_OK)
        return sqlite_fail(store, "read the index", err);
    assert(*out);
    return TAC_OK;
}

tac_status sqlite_execute(struct sqlite_store *store, const char *sql, const char *what,
                          tac_error *err)
{
    if (sqlite3_exec(store->index, sql, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_fail(store, what, err);
    return TAC_OK;
}

/* The only number that a statement gives. */
static tac_status one_number(struct sqlite_store *store, const char *sql, int *out, tac_error *err)
{
    sqlite3_stmt *statement;
    tac_status status = sqlite_prepare(store, sql, &statement, err);
    if (status != TAC_OK)
        return status;
    assert(sqlite3_column_count(statement) == 1);
    if (sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int(statement, 0);
    else
        status = sqlite_fail(store, "read the index", err);
    sqlite3_finalize(statement);
    return status;
}

static tac_status refuse(const struct sqlite_store *store, const char *what, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, store->path, 0, 0,
                       "%s; this is not an index that tactus wrote", what);
}

/* Views and triggers would run somebody's statements. */
static tac_status check_schema(struct sqlite_store *store, tac_error *err)
{
    int strange = 0, tables = 0;
    tac_status status =
        one_number(store, "SELECT count(*) FROM sqlite_schema WHERE type IN ('view','trigger')",
                   &strange, err);
    if (status == TAC_OK)
        status = one_number(store,
                            "SELECT count(*) FROM sqlite_schema WHERE type='table' AND name IN "
                            "('run','verdict','setting','document') AND sql LIKE 'CREATE TABLE%'",
                            &tables, err);
    if (status == TAC_OK && strange)
        status = refuse(store, "it holds views or triggers", err);
    else if (status == TAC_OK && tables != 4)
        status = refuse(store, "a table of run, verdict, setting and document is missing", err);
    return status;
}

static tac_status check_version(struct sqlite_store *store, tac_error *err)
{
    int version = 0;
    tac_status status = one_number(store, "PRAGMA user_version", &version, err);
    if (status != TAC_OK)
        return status;
    if (version > VERSION)
        return tac_fail_at(
            err, TAC_E_INPUT, store->folder, 0, 0,
            "written by a later version of tactus; update, or choose another folder");
    bool create = store->mode == TAC_STORE_CREATE || store->mode == TAC_STORE_DURABLE;
    if (version < 0 || (version == 0 && !create))
        return tac_fail_at(err, TAC_E_INPUT, store->folder, 0, 0, "holds no runs of tactus");
    store->version = version;
    if (version)
        status = check_schema(store, err);
    if (status == TAC_OK && version < VERSION && sqlite_writes(store)) {
        char *sql = tac_format("BEGIN IMMEDIATE;%sPRAGMA user_version=%d;COMMIT;",
                               version ? from_version_1 : schema, VERSION);
        status = sqlite_execute(store, sql, version ? "update the index" : "create the index", err);
        free(sql);
        store->version = VERSION;
    }
    return status;
}

/* One writer at a time. The lock goes with the process, however it ends; workers that it leaves
 * behind for a moment hold it too, hence the patience. */
static tac_status take_lock(struct sqlite_store *store, tac_error *err)
{
    enum { TRIES = 100 };
    assert(sqlite_writes(store) && store->lock < 0);
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

static bool has_log(const struct sqlite_store *store)
{
    struct stat about;
    char *log = tac_format("%s-wal", store->path);
    bool has = !stat(log, &about) && about.st_size > 0;
    free(log);
    return has;
}

/* "file:PATH?immutable=1" with what a URI gives a meaning escaped; the caller's. */
static char *immutable_uri(const char *path)
{
    tac_str uri = {0};
    tac_str_add(&uri, "file:");
    for (; *path; path++)
        if (strchr("%?#", *path))
            tac_str_addf(&uri, "%%%02x", (unsigned char)*path);
        else
            tac_str_add_char(&uri, *path);
    tac_str_add(&uri, "?immutable=1");
    return tac_str_take(&uri);
}

/* A reader leaves no file behind. Where nothing may be written SQLite cannot share an index that is
 * in the mode of a log, but when the log is empty the file alone is the index. */
static tac_status open_to_read(struct sqlite_store *store, tac_error *err)
{
    int version = 0;
    tac_error ignored;
    if (sqlite3_open_v2(store->path, &store->index, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        (one_number(store, "PRAGMA schema_version", &version, &ignored) == TAC_OK ||
         sqlite3_errcode(store->index) != SQLITE_CANTOPEN || has_log(store)))
        return TAC_OK;
    char *uri = immutable_uri(store->path);
    sqlite3_close(store->index);
    store->index = NULL;
    tac_status status = TAC_OK;
    if (sqlite3_open_v2(uri, &store->index, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) !=
        SQLITE_OK)
        status = sqlite_fail(store, "open the index", err);
    free(uri);
    return status;
}

static tac_status open_index(struct sqlite_store *store, tac_error *err)
{
    bool create = store->mode == TAC_STORE_CREATE || store->mode == TAC_STORE_DURABLE;
    struct stat about;
    if (!create && stat(store->folder, &about))
        return tac_fail_at(err, TAC_E_IO, store->folder, 0, 0,
                           "is not there; give the folder of a campaign");
    if (!create && stat(store->path, &about))
        return tac_fail_at(err, TAC_E_IO, store->folder, 0, 0,
                           "holds no index.sqlite; give the folder of a campaign");
    if (!sqlite_writes(store))
        return open_to_read(store, err);
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(store->path, &store->index, flags, NULL) != SQLITE_OK)
        return sqlite_fail(store, "open the index", err);
    return TAC_OK;
}

/* What SQLite may do with a file that it did not write. */
static void be_careful(sqlite3 *index)
{
    sqlite3_busy_timeout(index, 5000);
    sqlite3_limit(index, SQLITE_LIMIT_LENGTH, LARGEST_VALUE);
    sqlite3_db_config(index, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(index, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(index, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(index, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

tac_status sqlite_open_store(const char *where, tac_store_mode mode, void **data, tac_error *err)
{
    struct sqlite_store *store = tac_calloc(1, sizeof *store);
    *store = (struct sqlite_store){.folder = tac_strdup(where),
                                   .path = tac_format("%s/index.sqlite", where),
                                   .mode = mode,
                                   .lock = -1};
    tac_status status = TAC_OK;
    if ((mode == TAC_STORE_CREATE || mode == TAC_STORE_DURABLE) && mkdir(where, 0777) &&
        errno != EEXIST)
        status = tac_fail_errno(err, errno, where, "cannot create the folder");
    if (status == TAC_OK && sqlite_writes(store))
        status = take_lock(store, err);
    if (status == TAC_OK)
        status = open_index(store, err);
    if (status == TAC_OK) {
        be_careful(store->index);
        if (sqlite_writes(store))
            status = sqlite_execute(store,
                                    mode == TAC_STORE_DURABLE
                                        ? "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                        : "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
                                    "open the index", err);
    }
    if (status == TAC_OK)
        status = check_version(store, err);
    assert(status != TAC_OK || (store->index && sqlite_writes(store) == (store->lock >= 0)));
    if (status == TAC_OK)
        *data = store;
    else
        sqlite_close_store(store);
    return status;
}

void sqlite_close_store(void *data)
{
    struct sqlite_store *store = data;
    for (size_t i = 0; i < STORE_TABLES; i++)
        sqlite3_finalize(store->add[i]);
    if (store->index && sqlite_writes(store)) /* fails while somebody reads: then the log stays */
        sqlite3_exec(store->index, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
    int code = sqlite3_close(store->index);
    assert(code == SQLITE_OK); /* every statement was finalised */
    if (store->lock >= 0)
        close(store->lock);
    free(store->folder);
    free(store->path);
    free(store);
}
