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

static tac_status put_setting(void *data, const char *key, const char *value, tac_error *err)
{
    struct postgres_store *store = data;
    const char *const values[] = {store->key, key, value};
    return postgres_query(store, "write a setting",
                          "INSERT INTO tactus.setting(campaign,key,value) VALUES($1,$2,$3) "
                          "ON CONFLICT(campaign,key) DO UPDATE SET value=excluded.value",
                          3, values, NULL, err);
}

static tac_status put_document(void *data, const char *kind, const char *name, const char *document,
                               tac_error *err)
{
    struct postgres_store *store = data;
    const char *const values[] = {store->key, kind, name, document};
    return postgres_query(store, "write a document",
                          "INSERT INTO tactus.document(campaign,kind,name,document) "
                          "VALUES($1,$2,$3,$4) ON CONFLICT(campaign,kind,name) DO UPDATE SET "
                          "document=excluded.document",
                          4, values, NULL, err);
}

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

static tac_status add_run(void *data, const tac_store_run *run, tac_error *err)
{
    struct postgres_store *store = data;
    char id[24], flow[24], repeat[24], seed[24], seconds[40], steps[24], size[24], lease[24];
    snprintf(id, sizeof id, "%" PRId64, run->id);
    snprintf(flow, sizeof flow, "%" PRId64, run->flow);
    snprintf(repeat, sizeof repeat, "%" PRId64, run->repeat);
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    snprintf(seconds, sizeof seconds, "%.17g", run->seconds);
    snprintf(steps, sizeof steps, "%" PRId64, run->steps);
    snprintf(size, sizeof size, "%" PRId64, *run->trace_digest ? run->trace_size : -1);
    snprintf(lease, sizeof lease, "%" PRId64, store->lease);
    const char *const values[] = {store->key,
                                  id,
                                  run->kind,
                                  run->name,
                                  flow,
                                  run->scenario,
                                  repeat,
                                  seed,
                                  run->verdict,
                                  run->message,
                                  run->exception,
                                  run->trace,
                                  seconds,
                                  steps,
                                  run->details,
                                  size,
                                  run->trace_digest,
                                  store->lease ? lease : NULL};
    PGresult *result = NULL;
    tac_status status =
        postgres_query(store, "add a run",
                       "INSERT INTO tactus.run(campaign,id,kind,name,flow,scenario,repeat,seed,"
                       "verdict,message,exception,trace,seconds,steps,details,trace_size,"
                       "trace_digest,lease) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,"
                       "$15,$16,$17,$18) ON CONFLICT DO NOTHING",
                       sizeof values / sizeof *values, values, &result, err);
    store->lease = 0;
    return status == TAC_OK ? was_added(store, result, err) : status;
}

static tac_status add_verdict(void *data, int64_t run, const char *property, const char *answer,
                              const char *document, tac_error *err)
{
    struct postgres_store *store = data;
    char id[24];
    snprintf(id, sizeof id, "%" PRId64, run);
    const char *const values[] = {store->key, id, property, answer, document};
    PGresult *result = NULL;
    tac_status status = postgres_query(
        store, "add a verdict",
        "INSERT INTO tactus.verdict(campaign,run,property,answer,document) VALUES($1,$2,$3,$4,$5) "
        "ON CONFLICT DO NOTHING",
        5, values, &result, err);
    return status == TAC_OK ? was_added(store, result, err) : status;
}

static tac_status add_aside(void *data, const struct store_aside *aside, tac_error *err)
{
    struct postgres_store *store = data;
    char row[24];
    snprintf(row, sizeof row, "%" PRId64, aside->row);
    const char *const values[] = {store->key, aside->source, row, aside->reason, aside->content};
    return postgres_query(store, "set a row aside",
                          "INSERT INTO tactus.aside(campaign,source,row,reason,content) "
                          "VALUES($1,$2,$3,$4,$5)",
                          5, values, NULL, err);
}

/* --- setting aside --- */

/* The content is quoted as a folder's index quotes it. */
static const struct {
    const char *name, *number, *content;
} tables[] = {
    {"run", "id",
     "concat_ws(',',id,quote_literal(kind),quote_literal(name),flow,quote_literal(scenario),repeat,"
     "quote_literal(seed),quote_literal(verdict),quote_literal(message),quote_literal(exception),"
     "quote_literal(trace),seconds,steps,quote_nullable(details),trace_size,"
     "quote_literal(trace_digest))"},
    {"verdict", "row",
     "concat_ws(',',run,quote_literal(property),quote_literal(answer),quote_literal(document))"},
    {"document", "row",
     "concat_ws(',',quote_literal(kind),quote_literal(name),quote_literal(document))"},
    {"setting", "row", "concat_ws(',',quote_literal(key),quote_literal(value))"},
};

static tac_status move_aside(struct postgres_store *store, size_t table, const char *column,
                             int64_t number, const char *reason, tac_error *err)
{
    assert(table < sizeof tables / sizeof *tables);
    char id[24],
        *sql = tac_format("WITH gone AS (DELETE FROM tactus.%s WHERE campaign=$1 AND %s=$2 "
                          "RETURNING *) INSERT INTO tactus.aside(campaign,source,row,"
                          "reason,content) SELECT campaign,'%s',%s,$3,%s FROM gone",
                          tables[table].name, column, tables[table].name, tables[table].number,
                          tables[table].content);
    snprintf(id, sizeof id, "%" PRId64, number);
    const char *const values[] = {store->key, id, reason};
    tac_status status = postgres_query(store, "set a row aside", sql, 3, values, NULL, err);
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

static tac_status set_aside(void *data, const char *table, int64_t row, const char *reason,
                            tac_error *err)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(tables[i].name, table))
            continue;
        tac_status status = move_aside(data, i, tables[i].number, row, reason, err);
        if (status == TAC_OK && i == 0 && row >= 0)
            status = queue_again(data, row, err);
        return status;
    }
    return tac_fail(err, TAC_E_INTERNAL, "there is no table '%s' to set aside from", table);
}

static tac_status set_run_aside(void *data, int64_t run, const char *reason, tac_error *err)
{
    tac_status status = move_aside(data, 0, "id", run, reason, err);
    if (status == TAC_OK)
        status = move_aside(data, 1, "run", run, reason, err);
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
    .put_setting = put_setting,
    .add_run = add_run,
    .add_verdict = add_verdict,
    .put_document = put_document,
    .read = postgres_read_table,
    .set_aside = set_aside,
    .set_run_aside = set_run_aside,
    .add_aside = add_aside,
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
