/* What a store asks of the place that keeps it: a folder with SQLite (sqlite.c), or a PostgreSQL
 * database that several hosts share (postgres/).
 *
 * Division of work. A backend moves rows and knows nothing about what they mean: it hands over what
 * it finds, typed, or says that a row has not even the types (a NULL, a text in a number's place).
 * store.c checks every row against the plan, so that no backend can forget to.
 *
 * Every function gives TAC_E_IO when the place cannot be used, with the words of its engine. */
#pragma once

#include "base/data/vec.h"
#include "store/queue.h"
#include "store/table.h"

/* Receives rows in order. Each returns false to stop. `broken` gets a row that has not the types of
 * its table; what: "its column 'verdict' is NULL". */
struct store_reader {
    void *context;
    bool (*row)(void *context, const struct store_row *row);
    bool (*broken)(void *context, const char *table, int64_t row, const char *what);
};

struct store_backend {
    const char *name;
    /* *data is the backend's own; the place is free of half-written transactions afterwards. */
    tac_status (*open)(const char *where, tac_store_mode mode, void **data, tac_error *err);
    void (*close)(void *data);
    const char *(*file)(const void *data); /* what messages name */

    /* Transactions: begin is called once before the first write after a commit. */
    tac_status (*begin)(void *data, tac_error *err);
    tac_status (*commit)(void *data, tac_error *err);
    void (*rollback)(void *data);

    /* A run or a verdict that is there is TAC_E_INTERNAL; a setting or a document is replaced. */
    tac_status (*add)(void *data, const struct store_row *row, tac_error *err);

    /* Reads one table in its order; what was set aside, as it came. */
    tac_status (*read)(void *data, enum store_table table, const struct store_reader *reader,
                       tac_error *err);
    /* What is read from here until it ends is of one moment, whatever others add meanwhile. Of a
     * place that was opened for reading. */
    tac_status (*hold)(void *data, tac_error *err);
    void (*let_go)(void *data);
    /* Moves a row to the table `aside` with the reason. */
    tac_status (*set_aside)(void *data, enum store_table table, int64_t row, const char *reason,
                            tac_error *err);
    /* The same with the run's row and all its verdicts. */
    tac_status (*set_run_aside)(void *data, int64_t run, const char *reason, tac_error *err);

    /* Files below the store, by their path there. A file that is put replaces one that is there and
     * belongs to the transaction where the place has such. `seal` is TAC_E_INPUT, with the path,
     * when the file is gone or its parts do not fit together. */
    tac_status (*put_file)(void *data, const char *name, const char *path, tac_error *err);
    tac_status (*get_file)(void *data, const char *name, const char *path, tac_error *err);
    tac_status (*seal)(void *data, const char *name, tac_store_seal *out, tac_error *err);
    /* Replaces nothing: *taken tells that something has the new name, and nothing was moved. What
     * is not a file, or not there, stays. */
    tac_status (*move_file)(void *data, const char *name, const char *to, bool *taken,
                            tac_error *err);
    tac_status (*each_file)(void *data, bool (*visit)(void *context, const char *name),
                            void *context, tac_error *err);
    /* "DIR/traces/000007.jsonl": how messages name a file; the caller's. */
    char *(*file_path)(const void *data, const char *name);

    /* The queue of runs that are to be done. NULL where there is none. */
    const struct store_queue *queue;

    /* Structural damage of the place itself that no row shows; TAC_E_INPUT with the engine's words.
     */
    tac_status (*check)(void *data, tac_error *err);

    /* Of an address, where a place holds many campaigns: whether nobody answers there, all of them,
     * removing one. */
    bool (*is_away)(const char *address);
    tac_status (*list)(const char *address,
                       bool (*visit)(void *context, const tac_store_campaign *campaign),
                       void *context, tac_error *err);
    tac_status (*remove)(const char *address, bool force, tac_error *err);
};

/* Runs that many processes share (store/queue.h says what each means). */
struct store_queue {
    tac_status (*lock)(void *data, bool take, tac_error *err);
    tac_status (*plan)(void *data, int64_t runs, bool again, tac_error *err);
    tac_status (*take)(void *data, const tac_store_order *order, tac_store_lease *out,
                       size_t *count, tac_error *err);
    tac_status (*renew)(void *data, const tac_store_lease *leases, size_t count, double seconds,
                        tac_error *err);
    tac_status (*give_back)(void *data, const tac_store_lease *lease, const char *worker,
                            const char *problem, tac_error *err);
    tac_status (*hand_in)(void *data, const tac_store_lease *lease, bool *accepted, bool *done,
                          tac_error *err);
    tac_status (*count)(void *data, tac_store_queue_count *out, tac_error *err);
    tac_status (*wait)(void *data, double seconds, bool *changed, tac_error *err);
    bool (*is_passing)(const void *data); /* the last failure may be over soon */
};

extern const struct store_backend store_sqlite;
extern const struct store_backend store_postgres; /* refuses where it was not built in */

struct store_plan {
    bool known;
    int64_t runs, flows, repeat; /* flows -1: random runs */
    TAC_VEC(char *) scenarios;
};

struct tac_store {
    const struct store_backend *backend;
    void *data;
    char *where;
    tac_store_mode mode;
    bool writing; /* between begin and commit */
    struct store_plan plan;
};

/* plan.c: what the setting "plan" says, as far as rows depend on it. An unset plan (NULL) knows
 * nothing. TAC_E_INPUT when it is not an object with "runs", or its numbers are wrong. */
tac_status store_plan_read(struct store_plan *plan, const char *text, const char *file,
                           tac_error *err);
void store_plan_free(struct store_plan *plan);

/* row_check.c: NULL when the row can be believed, else what is wrong with it, in `why`. */
#define STORE_WHY 240
const char *store_run_flaw(const struct store_plan *plan, const tac_store_run *run,
                           char why[STORE_WHY]);
const char *store_verdict_flaw(const struct store_plan *plan, const struct store_verdict *verdict,
                               char why[STORE_WHY]);
/* Of a row of any table; nothing is wrong with settings and what was set aside. */
const char *store_row_flaw(const struct store_plan *plan, const struct store_row *row,
                           char why[STORE_WHY]);

/* The same file: what a campaign has beside its rows, folders of files and single ones, each list
 * ended by NULL. Names come from databases that others may write to: one that is not of these
 * places could lead out of a folder, or into its index. */
extern const char *const store_folders[], *const store_files[];
bool store_is_file_name(const char *name);
tac_status store_strange_file(const tac_store *store, const char *name, tac_error *err);

/* store.c: "row 17 of the table 'run' is damaged: WHAT" at the index. */
tac_status store_damaged(const tac_store *store, const char *table, int64_t row, const char *what,
                         tac_error *err);
tac_status store_begin(tac_store *store, tac_error *err);
/* Adds the row of a struct of the table, in the transaction that is open or a new one. */
tac_status store_add(tac_store *store, enum store_table table, const void *fields, tac_error *err);
