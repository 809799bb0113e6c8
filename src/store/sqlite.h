/* What the files of the SQLite backend share. */
#pragma once

#include "store/backend.h"
#include <sqlite3.h>

struct sqlite_store {
    char *folder, *path; /* DIR and DIR/index.sqlite */
    tac_store_mode mode;
    int lock;    /* held by the one process that writes; -1 for readers */
    int version; /* of the schema that was found */
    sqlite3 *index;
    sqlite3_stmt *add[STORE_TABLES]; /* kept between calls; NULL before the first */
    int unbound; /* the first failure to bind a value of the statement at hand; SQLITE_OK */
};

/* sqlite_open.c */
tac_status sqlite_open_store(const char *where, tac_store_mode mode, void **data, tac_error *err);
void sqlite_close_store(void *data);
/* TAC_E_IO (TAC_E_INPUT for a damaged index) with SQLite's words and the index's path. */
tac_status sqlite_fail(const struct sqlite_store *store, const char *what, tac_error *err);
tac_status sqlite_execute(struct sqlite_store *store, const char *sql, const char *what,
                          tac_error *err);
tac_status sqlite_prepare(struct sqlite_store *store, const char *sql, sqlite3_stmt **out,
                          tac_error *err);
bool sqlite_writes(const struct sqlite_store *store);

/* sqlite_rows.c */
tac_status sqlite_read_table(void *data, enum store_table table, const struct store_reader *reader,
                             tac_error *err);

/* sqlite_files.c: the files of the folder beside its index. */
tac_status sqlite_put_file(void *data, const char *name, const char *path, tac_error *err);
tac_status sqlite_get_file(void *data, const char *name, const char *path, tac_error *err);
tac_status sqlite_seal(void *data, const char *name, tac_store_seal *out, tac_error *err);
tac_status sqlite_move_file(void *data, const char *name, const char *to, bool *taken,
                            tac_error *err);
tac_status sqlite_each_file(void *data, bool (*visit)(void *context, const char *name),
                            void *context, tac_error *err);
char *sqlite_file_path(const void *data, const char *name);
