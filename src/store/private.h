/* What the files of the store share. */
#ifndef TAC_STORE_PRIVATE_H
#define TAC_STORE_PRIVATE_H

#include "tactus/store.h"
#include <sqlite3.h>

struct tac_store {
    char *folder;
    int lock; /* held by the one process that writes; -1 for readers */
    sqlite3 *index;
    sqlite3_stmt *add_run, *add_verdict;
    unsigned pending; /* rows since the last commit */
    bool in_transaction;
};

/* TAC_E_IO with SQLite's words and the index's path. */
tac_status store_fail(const tac_store *store, const char *what, tac_error *err);
tac_status store_prepare(tac_store *store, const char *sql, sqlite3_stmt **out, tac_error *err);
/* Opens a transaction when none is open; commits after every BATCH rows. */
tac_status store_begin(tac_store *store, tac_error *err);
tac_status store_count_row(tac_store *store, tac_error *err);

#endif
