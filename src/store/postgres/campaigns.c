/* The campaigns of a database: listing them, removing one. */
#include "base/data/alloc.h"
#include "store/postgres/postgres.h"
#include <inttypes.h>

static tac_status open_database(const char *address, bool needs_campaign,
                                struct postgres_store **out, tac_error *err)
{
    struct postgres_store *store = tac_calloc(1, sizeof *store);
    store->mode = TAC_STORE_WRITE;
    tac_status status = postgres_address(address, needs_campaign, store, err);
    if (status == TAC_OK)
        status = postgres_connect(store, err);
    if (status == TAC_OK)
        status = postgres_schema(store, false, err);
    if (status == TAC_OK)
        *out = store;
    else
        postgres_free(store);
    return status;
}

/* Planned runs are those of the plan; a plan that is damaged counts as none. */
static const char list_sql[] =
    "SELECT c.name,to_char(c.created AT TIME ZONE 'UTC','YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
    "COALESCE((SELECT substring(s.value FROM '\"runs\":([0-9]{1,12})')::bigint FROM tactus.setting "
    "s "
    "WHERE s.campaign=c.campaign AND s.key='plan'),-1),"
    "(SELECT count(*) FROM tactus.run r WHERE r.campaign=c.campaign),"
    "q.open,q.leased,q.given_up,q.workers FROM tactus.campaign c LEFT JOIN LATERAL ("
    "SELECT count(*) FILTER (WHERE attempts<3 AND (until IS NULL OR until<clock_timestamp())) open,"
    "count(*) FILTER (WHERE until>=clock_timestamp()) leased,"
    "count(*) FILTER (WHERE attempts>=3) given_up,"
    "count(DISTINCT worker) FILTER (WHERE until>=clock_timestamp()) workers "
    "FROM tactus.queue WHERE campaign=c.campaign) q ON true "
    "WHERE $1::text IS NULL OR c.name=$1 ORDER BY c.name COLLATE \"C\"";
_Static_assert(TAC_STORE_MOST_ATTEMPTS == 3, "the statement above says so");

tac_status postgres_list(const char *address,
                         bool (*visit)(void *context, const tac_store_campaign *campaign),
                         void *context, tac_error *err)
{
    struct postgres_store *store = NULL;
    PGresult *result = NULL;
    tac_status status = open_database(address, false, &store, err);
    if (status == TAC_OK) {
        const char *const name[] = {store->campaign};
        status = postgres_query(store, "list the campaigns", list_sql, 1, name, &result, err);
    }
    int count = status == TAC_OK ? libpq.ntuples(result) : 0;
    if (status == TAC_OK && store->campaign && !count)
        status = tac_fail_at(err, TAC_E_INPUT, store->address, 0, 0,
                             "the database holds no such campaign, or the role may not read it");
    for (int row = 0; row < count; row++) {
        tac_store_campaign campaign = {.name = libpq.getvalue(result, row, 0),
                                       .created = libpq.getvalue(result, row, 1),
                                       .runs = postgres_number(result, row, 2),
                                       .done = postgres_number(result, row, 3),
                                       .queue = {.open = postgres_number(result, row, 4),
                                                 .leased = postgres_number(result, row, 5),
                                                 .given_up = postgres_number(result, row, 6)},
                                       .workers = postgres_number(result, row, 7)};
        if (!visit(context, &campaign))
            break;
    }
    libpq.clear(result);
    postgres_free(store);
    return status;
}

static tac_status delete_all(struct postgres_store *store, tac_error *err)
{
    static const char *const tables[] = {"queue", "piece",    "file",    "verdict", "run",
                                         "aside", "document", "setting", "access",  "campaign"};
    const char *const key[] = {store->key};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == TAC_OK; i++) {
        char *sql = tac_format("DELETE FROM tactus.%s WHERE campaign=$1", tables[i]);
        status = postgres_query(store, "remove the campaign", sql, 1, key, NULL, err);
        free(sql);
    }
    return status;
}

tac_status postgres_remove(const char *address, bool force, tac_error *err)
{
    struct postgres_store *store = NULL;
    PGresult *result = NULL;
    tac_status status = open_database(address, true, &store, err);
    if (status == TAC_OK)
        status = postgres_query(store, "begin a transaction", "BEGIN", 0, NULL, NULL, err);
    if (status == TAC_OK) {
        store->in_transaction = true;
        const char *const name[] = {store->campaign};
        status =
            postgres_query(store, "look for the campaign",
                           "SELECT c.campaign,(SELECT count(*) FROM tactus.queue q WHERE "
                           "q.campaign=c.campaign AND "
                           "q.until>=clock_timestamp()) FROM tactus.campaign c WHERE c.name=$1",
                           1, name, &result, err);
    }
    if (status == TAC_OK && libpq.ntuples(result) != 1)
        status = tac_fail_at(err, TAC_E_INPUT, store->address, 0, 0,
                             "the database holds no such campaign, or the role may not read it");
    if (status == TAC_OK) {
        int64_t leased = postgres_number(result, 0, 1);
        snprintf(store->key, sizeof store->key, "%s", libpq.getvalue(result, 0, 0));
        if (leased && !force)
            status = tac_fail_at(err, TAC_E_USAGE, store->address, 0, 0,
                                 "workers hold %" PRId64 " of its runs; stop them first", leased);
    }
    if (status == TAC_OK)
        status = delete_all(store, err);
    if (status == TAC_OK)
        status = postgres_query(store, "commit", "COMMIT", 0, NULL, NULL, err);
    libpq.clear(result);
    postgres_free(store);
    return status;
}
