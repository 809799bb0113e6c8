/* The schema `tactus` of a database: made on first use, brought forward by steps, never backward.
 *
 * Each step is one file and one transaction with its version; a lock of the database lets one
 * process do it at a time. A role that may not do it is told what its owner has to do. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "postgres_schema_1.h"
#include "postgres_schema_2.h"
#include "store/postgres/postgres.h"
#include <inttypes.h>

static const char *const steps[] = {postgres_schema_1, postgres_schema_2};
enum { VERSION = sizeof steps / sizeof *steps };

static tac_status find_version(struct postgres_store *store, int64_t *version, tac_error *err)
{
    PGresult *result = NULL;
    tac_status status =
        postgres_query(store, "look at the schema",
                       "SELECT to_regclass('tactus.version') IS NOT NULL", 0, NULL, &result, err);
    *version = 0;
    bool there = status == TAC_OK && libpq.getvalue(result, 0, 0)[0] == 't';
    if (status == TAC_OK)
        libpq.clear(result);
    if (!there)
        return status;
    status = postgres_query(store, "read the version of the schema",
                            "SELECT max(version) FROM tactus.version", 0, NULL, &result, err);
    if (status == TAC_OK) {
        *version = postgres_number(result, 0, 0);
        libpq.clear(result);
    }
    return status;
}

static tac_status run_script(struct postgres_store *store, const char *sql, tac_error *err)
{
    PGresult *result = libpq.exec(store->link, sql);
    tac_status status = TAC_OK;
    if (libpq.resultStatus(result) != PGRES_COMMAND_OK)
        status = postgres_fail(store, result, "make the schema 'tactus'", err);
    libpq.clear(result);
    return status;
}

static tac_status bring_forward(struct postgres_store *store, tac_error *err)
{
    int64_t version = 0;
    /* a number of ours: "tactus" */
    tac_status status = postgres_query(
        store, "lock the schema", "SELECT pg_advisory_lock(8241990764391)", 0, NULL, NULL, err);
    if (status == TAC_OK)
        status = find_version(store, &version, err);
    for (; status == TAC_OK && version < VERSION; version++) {
        assert(version >= 0);
        char *sql = tac_format("BEGIN;%s;DELETE FROM tactus.version;"
                               "INSERT INTO tactus.version VALUES(%" PRId64 ");COMMIT;",
                               steps[version], version + 1);
        status = run_script(store, sql, err);
        free(sql);
    }
    if (status == TAC_OK)
        status = postgres_query(store, "unlock the schema",
                                "SELECT pg_advisory_unlock(8241990764391)", 0, NULL, NULL, err);
    return status;
}

tac_status postgres_schema(struct postgres_store *store, bool create, tac_error *err)
{
    int64_t version;
    tac_status status = find_version(store, &version, err);
    if (status != TAC_OK)
        return status;
    if (version > VERSION)
        return tac_fail_at(err, TAC_E_INPUT, store->address, 0, 0,
                           "its schema was written by a later version of tactus; update");
    if (version == VERSION)
        return TAC_OK;
    if (!version && !create)
        return tac_fail_at(err, TAC_E_INPUT, store->address, 0, 0,
                           "the database holds no campaigns of tactus; plan one first");
    return bring_forward(store, err);
}
