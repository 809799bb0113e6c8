/* What the files of the PostgreSQL backend share. */
#pragma once

#include "store/backend.h"
#include "store/postgres/libpq.h"

struct postgres_store {
    char *address;    /* what messages name: no password, the campaign behind a '#' */
    char *connection; /* the same without the campaign, for libpq */
    char *campaign;   /* its name */
    char key[24];     /* its number, as a parameter of every statement */
    tac_store_mode mode;
    PGconn *link;
    unsigned cursors; /* open ones, one inside the other */
    bool in_transaction;
    bool passing; /* the last failure may be over soon */
    bool listening;
    double rest;   /* seconds that a transaction of a writer may stand still; 0 = not set yet */
    int64_t lease; /* handed in with the next run that is added; 0 = none */
};

/* address.c: takes an address apart. campaign may be absent (NULL then) unless it is needed. */
tac_status postgres_address(const char *address, bool needs_campaign, struct postgres_store *out,
                            tac_error *err);

/* connection.c. A statement outside a transaction connects again when the link is gone. */
tac_status postgres_connect(struct postgres_store *store, tac_error *err);
/* How long the server lets this writer keep others waiting, in seconds, from now on. */
tac_status postgres_bound(struct postgres_store *store, double rest, tac_error *err);
void postgres_free(struct postgres_store *store); /* NULL is fine */
/* TAC_E_IO with the server's words; notes whether the failure passes. */
tac_status postgres_fail(struct postgres_store *store, const PGresult *result, const char *what,
                         tac_error *err);
/* Parameters are texts, NULL being SQL's NULL. *out, when it is wanted, is the caller's to clear.
 * what: "read the runs". */
tac_status postgres_query(struct postgres_store *store, const char *what, const char *sql,
                          size_t count, const char *const *parameters, PGresult **out,
                          tac_error *err);
/* The same with sizes: a parameter whose size is not 0 is bytes, and so is every result. */
tac_status postgres_query_bytes(struct postgres_store *store, const char *what, const char *sql,
                                size_t count, const char *const *parameters, const int *sizes,
                                PGresult **out, tac_error *err);
int64_t postgres_number(const PGresult *result, int row, int column);
bool postgres_writes(const struct postgres_store *store);

/* schema.c: makes or updates the schema where the role may, else says what is missing. */
tac_status postgres_schema(struct postgres_store *store, bool create, tac_error *err);

/* rows.c, files.c */
tac_status postgres_read_table(void *data, enum store_table table,
                               const struct store_reader *reader, tac_error *err);
tac_status postgres_put_file(void *data, const char *name, const char *path, tac_error *err);
tac_status postgres_get_file(void *data, const char *name, const char *path, tac_error *err);
tac_status postgres_seal(void *data, const char *name, tac_store_seal *out, tac_error *err);
tac_status postgres_move_file(void *data, const char *name, const char *to, bool *taken,
                              tac_error *err);
tac_status postgres_each_file(void *data, bool (*visit)(void *context, const char *name),
                              void *context, tac_error *err);
char *postgres_file_path(const void *data, const char *name);

/* rows.c: the column with a row's own number, by table. */
extern const char *const postgres_row_number[];

/* Walks through the rows of a query by a cursor, some hundred at a time: other statements may be
 * sent meanwhile. Returning false stops. */
tac_status postgres_walk(struct postgres_store *store, const char *what, const char *sql,
                         bool (*visit)(void *context, const PGresult *result, int row),
                         void *context, tac_error *err);

/* queue.c */
extern const struct store_queue postgres_queue;

/* campaigns.c and connection.c: of an address, see struct store_backend. */
bool postgres_is_away(const char *address);
tac_status postgres_list(const char *address,
                         bool (*visit)(void *context, const tac_store_campaign *campaign),
                         void *context, tac_error *err);
tac_status postgres_remove(const char *address, bool force, tac_error *err);
