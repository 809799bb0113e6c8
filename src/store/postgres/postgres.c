/* A PostgreSQL database as the place of a store: opening a campaign, writing rows, setting aside.
 *
 * Many processes write to one campaign. Each row stands once by its key; what belongs to one run
 * (its place in the queue, its row, verdicts and trace) changes in one transaction. */
#include "store/postgres/postgres.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- opening --- */

static tac_status find_campaign(struct postgres_store *store, bool *found, tac_error *err)
{
    const char *const name[] = {store->campaign};
    PGresult *result = NULL;
    tac_status status =
        postgres_query(store, "look for the campaign",
                       "SELECT campaign FROM tactus.campaign WHERE name=$1", 1, name, &result, err);
    if (status != TAC_OK)
        return status;
    *found = libpq.ntuples(result) == 1;
    if (*found)
        snprintf(store->key, sizeof store->key, "%s", libpq.getvalue(result, 0, 0));
    libpq.clear(result);
    return TAC_OK;
}

static tac_status enter_campaign(struct postgres_store *store, bool create, tac_error *err)
{
    bool found = false;
    tac_status status = find_campaign(store, &found, err);
    if (status == TAC_OK && !found && create) {
        const char *const name[] = {store->campaign};
        status =
            postgres_query(store, "add the campaign",
                           "INSERT INTO tactus.campaign(name) VALUES($1) ON CONFLICT DO NOTHING", 1,
                           name, NULL, err);
        if (status == TAC_OK)
            status = find_campaign(store, &found, err);
    }
    if (status == TAC_OK && !found)
        status = tac_fail_at(err, TAC_E_INPUT, store->address, 0, 0,
                             "the database holds no such campaign, or the role may not read it");
    return status;
}

static tac_status open_store(const char *where, tac_store_mode mode, void **data, tac_error *err)
{
    struct postgres_store *store = tac_calloc(1, sizeof *store);
    bool create = mode == TAC_STORE_CREATE || mode == TAC_STORE_DURABLE;
    store->mode = mode;
    tac_status status = postgres_address(where, true, store, err);
    if (status == TAC_OK)
        status = postgres_connect(store, err);
    if (status == TAC_OK)
        status = postgres_schema(store, create, err);
    if (status == TAC_OK)
        status = enter_campaign(store, create, err);
    assert(status != TAC_OK || (store->link && store->key[0]));
    if (status == TAC_OK)
        *data = store;
    else
        postgres_free(store);
    return status;
}

static void close_store(void *data)
{
    postgres_free(data);
}

static const char *file_of(const void *data)
{
    const struct postgres_store *store = data;
    return store->address;
}

/* --- transactions --- */

static tac_status begin(void *data, tac_error *err)
{
    struct postgres_store *store = data;
    assert(!store->in_transaction && !store->cursors);
    tac_status status = postgres_query(store, "begin a transaction", "BEGIN", 0, NULL, NULL, err);
    store->in_transaction = status == TAC_OK;
    store->lease = 0;
    return status;
}

/* The server answers a commit of a transaction that has failed with a rollback. */
static tac_status commit(void *data, tac_error *err)
{
    struct postgres_store *store = data;
    assert(store->in_transaction);
    PGresult *result = NULL;
    const char *const campaign[] = {store->campaign};
    tac_status status = postgres_query(store, "tell of new rows", "SELECT pg_notify('tactus',$1)",
                                       1, campaign, NULL, err);
    if (status == TAC_OK)
        status = postgres_query(store, "commit", "COMMIT", 0, NULL, &result, err);
    if (status != TAC_OK)
        return status;
    if (strcmp(libpq.cmdStatus(result), "COMMIT"))
        status = tac_fail_at(err, TAC_E_IO, store->address, 0, 0,
                             "the rows were not committed, because one could not be written");
    libpq.clear(result);
    store->in_transaction = false;
    return status;
}

static void rollback(void *data)
{
    struct postgres_store *store = data;
    bool passing = store->passing;
    if (store->in_transaction && libpq.status(store->link) == CONNECTION_OK)
        libpq.clear(libpq.exec(store->link, "ROLLBACK"));
    store->in_transaction = false;
    store->passing = passing;
}

static tac_status hold(void *data, tac_error *err)
{
    struct postgres_store *store = data;
    assert(!store->in_transaction && !store->cursors);
    tac_status status =
        postgres_query(store, "begin to read", "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
                       0, NULL, NULL, err);
    store->in_transaction = status == TAC_OK;
    return status;
}

/* --- rows --- */

/* A key that stands twice is a defect of the caller, as in a folder. Told without an error of the
 * server, which would end the transaction. */
static tac_status was_added(struct postgres_store *store, PGresult *result, tac_error *err)
{
    bool added = !strcmp(libpq.cmdTuples(result), "1");
    libpq.clear(result);
    return added ? TAC_OK
                 : tac_fail_at(err, TAC_E_INTERNAL, store->address, 0, 0,
                               "a row was to be added twice");
}

/* What is done with a row that is there, and how failures are told. */
static const struct {
    const char *what, *conflict;
    bool once; /* a row that is there is an error */
} adding[] = {
    [STORE_RUN] = {"add a run", " ON CONFLICT DO NOTHING", true},
    [STORE_VERDICT] = {"add a verdict", " ON CONFLICT DO NOTHING", true},
    [STORE_DOCUMENT] = {"write a document",
                        " ON CONFLICT(campaign,kind,name) DO UPDATE SET document=excluded.document",
                        false},
    [STORE_SETTING] = {"write a setting",
                       " ON CONFLICT(campaign,key) DO UPDATE SET value=excluded.value", false},
    [STORE_ASIDE] = {"set a row aside", "", false}};
TABLE_COVERS(adding, STORE_ASIDE);

enum { NUMBER_TEXT = 40 };

/* The column as a parameter; numbers are written into `room`. */
static const char *parameter(struct store_row *row, const struct store_column *column,
                             char room[NUMBER_TEXT])
{
    switch (column->type) {
    case STORE_INTEGER:
        snprintf(room, NUMBER_TEXT, "%" PRId64, *store_integer(row, column));
        return room;
    case STORE_REAL:
        snprintf(room, NUMBER_TEXT, "%.17g", *store_real(row, column));
        return room;
    case STORE_SEED:
        snprintf(room, NUMBER_TEXT, "%" PRIu64, *store_seed(row, column));
        return room;
    case STORE_TEXT:
    case STORE_MAYBE:
        break;
    }
    return *store_text(row, column);
}

static tac_status add(void *data, const struct store_row *given, tac_error *err)
{
    static const struct store_around plain[STORE_MAYBE + 1];
    struct postgres_store *store = data;
    struct store_row row = *given;
    const struct store_shape *shape = &store_shapes[row.table];
    char room[STORE_COLUMNS][NUMBER_TEXT], lease[24];
    const char *values[STORE_COLUMNS + 2] = {store->key};
    bool leased = row.table == STORE_RUN;
    size_t count = 1 + shape->count;
    for (size_t i = 0; i < shape->count; i++)
        values[i + 1] = parameter(&row, &shape->columns[i], room[i]);
    snprintf(lease, sizeof lease, "%" PRId64, store->lease);
    if (leased)
        values[count++] = store->lease ? lease : NULL;
    char *columns = store_columns(shape, plain, ","), *places = store_places(count, "$", 1);
    char *sql = tac_format("INSERT INTO tactus.%s(campaign,%s%s) VALUES(%s)%s", shape->name,
                           columns, leased ? ",lease" : "", places, adding[row.table].conflict);
    PGresult *result = NULL;
    tac_status status =
        postgres_query(store, adding[row.table].what, sql, count, values, &result, err);
    free(columns);
    free(places);
    free(sql);
    if (leased)
        store->lease = 0;
    if (status == TAC_OK && adding[row.table].once)
        return was_added(store, result, err);
    libpq.clear(result);
    return status;
}

/* --- setting aside --- */

/* The content is quoted as a folder's index quotes it. */
static tac_status move_aside(struct postgres_store *store, enum store_table table,
                             const char *column, int64_t number, const char *reason, tac_error *err)
{
    static const struct store_around quoted[] = {[STORE_INTEGER] = {"", ""},
                                                 [STORE_REAL] = {"", ""},
                                                 [STORE_SEED] = {"quote_literal(", ")"},
                                                 [STORE_TEXT] = {"quote_literal(", ")"},
                                                 [STORE_MAYBE] = {"quote_nullable(", ")"}};
    TABLE_COVERS(quoted, STORE_MAYBE);
    const struct store_shape *shape = &store_shapes[table];
    char id[24], *content = store_columns(shape, quoted, ",");
    char *sql = tac_format("WITH gone AS (DELETE FROM tactus.%s WHERE campaign=$1 AND %s=$2 "
                           "RETURNING *) INSERT INTO tactus.aside(campaign,source,row,"
                           "reason,content) SELECT campaign,'%s',%s,$3,concat_ws(',',%s) FROM gone",
                           shape->name, column, shape->name, postgres_row_number[table], content);
    snprintf(id, sizeof id, "%" PRId64, number);
    const char *const values[] = {store->key, id, reason};
    tac_status status = postgres_query(store, "set a row aside", sql, 3, values, NULL, err);
    free(content);
    free(sql);
    return status;
}

/* The run is to be done again. */
static tac_status queue_again(struct postgres_store *store, int64_t run, tac_error *err)
{
    char id[24];
    snprintf(id, sizeof id, "%" PRId64, run);
    const char *const values[] = {store->key, id};
    return postgres_query(store, "queue a run again",
                          "INSERT INTO tactus.queue(campaign,run) VALUES($1,$2) ON CONFLICT DO "
                          "NOTHING",
                          2, values, NULL, err);
}

static tac_status set_aside(void *data, enum store_table table, int64_t row, const char *reason,
                            tac_error *err)
{
    tac_status status = move_aside(data, table, postgres_row_number[table], row, reason, err);
    if (status == TAC_OK && table == STORE_RUN && row >= 0)
        status = queue_again(data, row, err);
    return status;
}

static tac_status set_run_aside(void *data, int64_t run, const char *reason, tac_error *err)
{
    tac_status status = move_aside(data, STORE_RUN, "id", run, reason, err);
    if (status == TAC_OK)
        status = move_aside(data, STORE_VERDICT, "run", run, reason, err);
    if (status == TAC_OK)
        status = queue_again(data, run, err);
    return status;
}

/* The server looks after its own pages. What no row shows: runs that stand nowhere, or twice. */
static tac_status check(void *data, tac_error *err)
{
    struct postgres_store *store = data;
    const char *const key[] = {store->key};
    PGresult *result = NULL;
    tac_status status = postgres_query(
        store, "compare the runs with the queue",
        "SELECT count(*) FROM tactus.run r JOIN tactus.queue q ON q.campaign=r.campaign AND "
        "q.run=r.id WHERE r.campaign=$1",
        1, key, &result, err);
    if (status != TAC_OK)
        return status;
    int64_t both = postgres_number(result, 0, 0);
    libpq.clear(result);
    if (both)
        status = tac_fail_at(err, TAC_E_INPUT, store->address, 0, 0,
                             "%" PRId64 " runs have a row and stand in the queue too", both);
    return status;
}

const struct store_backend store_postgres = {
    .name = "postgresql",
    .open = open_store,
    .close = close_store,
    .file = file_of,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .hold = hold,
    .let_go = rollback,
    .add = add,
    .read = postgres_read_table,
    .set_aside = set_aside,
    .set_run_aside = set_run_aside,
    .put_file = postgres_put_file,
    .get_file = postgres_get_file,
    .seal = postgres_seal,
    .move_file = postgres_move_file,
    .each_file = postgres_each_file,
    .file_path = postgres_file_path,
    .queue = &postgres_queue,
    .check = check,
    .is_away = postgres_is_away,
    .list = postgres_list,
    .remove = postgres_remove,
};
