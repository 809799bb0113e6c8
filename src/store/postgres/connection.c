/* The link to a database: made, lost and made again; statements and what they failed of.
 *
 * A failure is passing when waiting may end it: no connection, a server that restarts, a full disk,
 * too many connections, a deadlock. Whoever has a transaction open repeats it as a whole (see
 * run/remote); single statements outside a transaction find a new link by themselves. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "store/postgres/postgres.h"
#include <math.h>
#include <string.h>

/* Whoever holds locks is bounded, so that a process that is frozen, or a link that is silent, never
 * stops the others: a lock is waited for, a statement lasts and a transaction rests so long at
 * most. With leases the rest is half of one. Readers hold no lock that others wait for, and may
 * think as long as they like. */
static const double usual_rest = 30, least_rest = 0.5, statement_limit = 600;

bool postgres_writes(const struct postgres_store *store)
{
    return store->mode != TAC_STORE_READ;
}

/* One line of what the server or libpq said; the caller's. */
static char *one_line(const char *text)
{
    char *line = tac_strdup(text ? text : "");
    size_t length = strlen(line);
    while (length && strchr("\r\n ", line[length - 1]))
        line[--length] = '\0';
    for (char *c = line; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    return line;
}

static bool state_passes(const char *state)
{
    static const char *const passing[] = {"08",    "53",    "57P01", "57P02", "57P03",
                                          "57014", "25P02", "25P03", "57P05", "55P03",
                                          "58030", "40001", "40P01", NULL};
    for (size_t i = 0; passing[i]; i++)
        if (!strncmp(state, passing[i], strlen(passing[i])))
            return true;
    return false;
}

static const char *advice_on(const char *state)
{
    if (!strcmp(state, "53100"))
        return "; the database's disk is full: free some space there";
    if (!strcmp(state, "42501"))
        return "; the role lacks the right: its owner grants it with SELECT tactus.allow(...)";
    if (!strcmp(state, "55P03"))
        return "; another process holds a lock";
    if (!strcmp(state, "25P03") || !strcmp(state, "57P05"))
        return "; this process stood still with locks, so the server took them away";
    return "";
}

tac_status postgres_fail(struct postgres_store *store, const PGresult *result, const char *what,
                         tac_error *err)
{
    const char *state = result ? libpq.resultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *primary = result ? libpq.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    bool gone =
        libpq.status(store->link) == CONNECTION_BAD || !state; /* only a server gives a state */
    char *words = one_line(primary ? primary : libpq.errorMessage(store->link));
    store->passing = gone || (state && state_passes(state));
    if (gone && !state)
        tac_fail_at(err, TAC_E_IO, store->address, 0, 0, "the database cannot be reached: %s",
                    words);
    else
        tac_fail_at(err, TAC_E_IO, store->address, 0, 0, "cannot %s: %s%s", what, words,
                    advice_on(state ? state : ""));
    free(words);
    if (gone) { /* libpq notices a broken link late */
        libpq.finish(store->link);
        store->link = NULL;
    }
    return TAC_E_IO;
}

static tac_status execute(struct postgres_store *store, const char *sql, tac_error *err)
{
    PGresult *result = libpq.exec(store->link, sql);
    ExecStatusType code = libpq.resultStatus(result);
    tac_status status = TAC_OK;
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK)
        status = postgres_fail(store, result, "set up the connection", err);
    libpq.clear(result);
    return status;
}

static void say_nothing(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

tac_status postgres_bound(struct postgres_store *store, double rest, tac_error *err)
{
    char sql[200];
    rest = fmax(rest, least_rest);
    snprintf(sql, sizeof sql,
             "SET idle_in_transaction_session_timeout = %.0f; SET lock_timeout = %.0f; "
             "SET statement_timeout = %.0f",
             rest * 1000, rest * 1000, statement_limit * 1000);
    store->rest = rest;
    return execute(store, sql, err);
}

tac_status postgres_connect(struct postgres_store *store, tac_error *err)
{
    assert(!store->in_transaction && !store->cursors);
    static const char *const keywords[] = {"connect_timeout",
                                           "keepalives_idle",
                                           "tcp_user_timeout",
                                           "dbname",
                                           "fallback_application_name",
                                           "client_encoding",
                                           NULL};
    const char *const values[] = {"10", "20", "60000", store->connection, "tactus", "UTF8", NULL};
    libpq.finish(store->link);
    store->link = libpq.connectdbParams(keywords, values, 1);
    if (libpq.status(store->link) != CONNECTION_OK)
        return postgres_fail(store, NULL, "connect", err);
    libpq.setNoticeReceiver(store->link, say_nothing, NULL);
    store->passing = false;
    tac_status status = execute(store,
                                "SET search_path = pg_catalog, pg_temp; SET TimeZone = 'UTC'; "
                                "SET extra_float_digits = 3; SET bytea_output = 'hex'; "
                                "SET idle_in_transaction_session_timeout = 0",
                                err);
    if (status == TAC_OK && postgres_writes(store))
        status = postgres_bound(store, store->rest > 0 ? store->rest : usual_rest, err);
    if (status == TAC_OK && store->mode != TAC_STORE_DURABLE && store->mode != TAC_STORE_READ)
        status = execute(store, "SET synchronous_commit = off", err);
    if (status == TAC_OK && store->listening)
        status = execute(store, "LISTEN tactus", err);
    return status;
}

bool postgres_is_away(const char *address)
{
    static const char *const keywords[] = {"connect_timeout", "dbname", NULL};
    struct postgres_store *store = tac_calloc(1, sizeof *store);
    tac_error ignored;
    bool away = false;
    if (postgres_address(address, false, store, &ignored) == TAC_OK) {
        const char *const values[] = {"10", store->connection, NULL};
        PGPing answer = libpq.pingParams(keywords, values, 1);
        away = answer == PQPING_REJECT || answer == PQPING_NO_RESPONSE;
    }
    postgres_free(store);
    return away;
}

void postgres_free(struct postgres_store *store)
{
    if (!store)
        return;
    if (store->link)
        libpq.finish(store->link);
    free(store->address);
    free(store->connection);
    free(store->campaign);
    free(store);
}

/* What a broken link took with it is gone: a transaction is begun again by its owner. */
static tac_status be_connected(struct postgres_store *store, tac_error *err)
{
    if (libpq.status(store->link) == CONNECTION_OK)
        return TAC_OK;
    if (store->in_transaction || store->cursors) {
        store->passing = true;
        return tac_fail_at(err, TAC_E_IO, store->address, 0, 0,
                           "the connection to the database broke");
    }
    return postgres_connect(store, err);
}

tac_status postgres_query_bytes(struct postgres_store *store, const char *what, const char *sql,
                                size_t count, const char *const *parameters, const int *sizes,
                                PGresult **out, tac_error *err)
{
    enum { MOST = 24 };
    int formats[MOST] = {0};
    assert(count <= MOST);
    for (size_t i = 0; sizes && i < count; i++)
        formats[i] = sizes[i] > 0;
    tac_status status = be_connected(store, err);
    if (status != TAC_OK)
        return status;
    PGresult *result = libpq.execParams(store->link, sql, (int)count, NULL, parameters, sizes,
                                        sizes ? formats : NULL, sizes != NULL);
    ExecStatusType code = libpq.resultStatus(result);
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK)
        status = postgres_fail(store, result, what, err);
    if (status == TAC_OK && out)
        *out = result;
    else
        libpq.clear(result);
    return status;
}

tac_status postgres_query(struct postgres_store *store, const char *what, const char *sql,
                          size_t count, const char *const *parameters, PGresult **out,
                          tac_error *err)
{
    return postgres_query_bytes(store, what, sql, count, parameters, NULL, out, err);
}

int64_t postgres_number(const PGresult *result, int row, int column)
{
    int64_t number = 0;
    tac_parse_i64(libpq.getvalue(result, row, column), &number);
    return number;
}
