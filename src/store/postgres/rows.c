/* Reading the tables of a campaign. The database keeps the types, so a row can only be wrong in
 * what it says, which store.c looks at; a seed that is not one is told here. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "store/postgres/postgres.h"
#include <stdio.h>
#include <string.h>

enum { ROWS_AT_ONCE = 500 };

/* --- walking --- */

static tac_status fetch_all(struct postgres_store *store, const char *what, const char *fetch,
                            bool (*visit)(void *context, const PGresult *result, int row),
                            void *context, tac_error *err)
{
    tac_status status = TAC_OK;
    bool go_on = true;
    while (go_on && status == TAC_OK) {
        PGresult *result = NULL;
        status = postgres_query(store, what, fetch, 0, NULL, &result, err);
        if (status != TAC_OK)
            break;
        int count = libpq.ntuples(result);
        go_on = count > 0;
        for (int row = 0; row < count && go_on; row++)
            go_on = visit(context, result, row);
        libpq.clear(result);
    }
    return status;
}

tac_status postgres_walk(struct postgres_store *store, const char *what, const char *sql,
                         bool (*visit)(void *context, const PGresult *result, int row),
                         void *context, tac_error *err)
{
    bool own = !store->in_transaction && !store->cursors;
    tac_status status = TAC_OK;
    if (own)
        status = postgres_query(store, what, "BEGIN ISOLATION LEVEL REPEATABLE READ", 0, NULL, NULL,
                                err);
    if (status != TAC_OK)
        return status;
    unsigned depth = store->cursors++;
    char *declare = tac_format("DECLARE tactus_%u NO SCROLL CURSOR FOR %s", depth, sql);
    char fetch[48], end[48];
    snprintf(fetch, sizeof fetch, "FETCH %d FROM tactus_%u", (int)ROWS_AT_ONCE, depth);
    snprintf(end, sizeof end, "CLOSE tactus_%u", depth);
    const char *parameters[] = {store->key};
    status = postgres_query(store, what, declare, 1, parameters, NULL, err);
    free(declare);
    if (status == TAC_OK)
        status = fetch_all(store, what, fetch, visit, context, err);
    if (status == TAC_OK && !own)
        status = postgres_query(store, what, end, 0, NULL, NULL, err);
    assert(store->cursors == depth + 1);
    store->cursors--;
    if (own) {
        PGresult *result = libpq.exec(store->link, "ROLLBACK"); /* only read: nothing to keep */
        libpq.clear(result);
    }
    return status;
}

/* --- tables --- */

struct table_walk {
    const struct store_reader *reader;
};

static const char *text_at(const PGresult *result, int row, int column)
{
    return libpq.getvalue(result, row, column);
}

static double real_at(const PGresult *result, int row, int column)
{
    double number = 0;
    if (!tac_parse_double(libpq.getvalue(result, row, column), &number))
        number = -1; /* NaN or Infinity: not a time, and refused as one */
    return number;
}

static bool give_run(void *context, const PGresult *result, int row)
{
    const struct store_reader *reader = ((struct table_walk *)context)->reader;
    bool details = !libpq.getisnull(result, row, 13);
    tac_store_run run = {.id = postgres_number(result, row, 0),
                         .kind = text_at(result, row, 1),
                         .name = text_at(result, row, 2),
                         .flow = postgres_number(result, row, 3),
                         .scenario = text_at(result, row, 4),
                         .repeat = postgres_number(result, row, 5),
                         .verdict = text_at(result, row, 7),
                         .message = text_at(result, row, 8),
                         .exception = text_at(result, row, 9),
                         .trace = text_at(result, row, 10),
                         .seconds = real_at(result, row, 11),
                         .steps = postgres_number(result, row, 12),
                         .details = details ? text_at(result, row, 13) : NULL,
                         .trace_size = postgres_number(result, row, 14),
                         .trace_digest = text_at(result, row, 15)};
    if (!tac_parse_u64(text_at(result, row, 6), &run.seed))
        return reader->broken(reader->context, "run", run.id, "its column 'seed' is not a seed");
    return reader->run(reader->context, run.id, &run);
}

static bool give_verdict(void *context, const PGresult *result, int row)
{
    const struct store_reader *reader = ((struct table_walk *)context)->reader;
    struct store_verdict verdict = {.row = postgres_number(result, row, 0),
                                    .run = postgres_number(result, row, 1),
                                    .property = text_at(result, row, 2),
                                    .answer = text_at(result, row, 3),
                                    .document = text_at(result, row, 4),
                                    .has_run = text_at(result, row, 5)[0] == 't'};
    return reader->verdict(reader->context, &verdict);
}

static bool give_document(void *context, const PGresult *result, int row)
{
    const struct store_reader *reader = ((struct table_walk *)context)->reader;
    struct store_document document = {.row = postgres_number(result, row, 0),
                                      .kind = text_at(result, row, 1),
                                      .name = text_at(result, row, 2),
                                      .document = text_at(result, row, 3)};
    return reader->document(reader->context, &document);
}

static bool give_setting(void *context, const PGresult *result, int row)
{
    const struct store_reader *reader = ((struct table_walk *)context)->reader;
    return reader->setting(reader->context, postgres_number(result, row, 0),
                           text_at(result, row, 1), text_at(result, row, 2));
}

static bool give_aside(void *context, const PGresult *result, int row)
{
    const struct store_reader *reader = ((struct table_walk *)context)->reader;
    struct store_aside aside = {.source = text_at(result, row, 0),
                                .row = postgres_number(result, row, 1),
                                .reason = text_at(result, row, 2),
                                .content = text_at(result, row, 3)};
    return reader->aside(reader->context, &aside);
}

/* Texts are ordered by their bytes, as a folder's index orders them. */
static const struct {
    const char *name, *what, *sql;
    bool (*give)(void *context, const PGresult *result, int row);
} tables[] = {
    {"run", "read the runs",
     "SELECT id,kind,name,flow,scenario,repeat,seed,verdict,message,exception,trace,seconds,steps,"
     "details,trace_size,trace_digest FROM tactus.run WHERE campaign=$1 ORDER BY id",
     give_run},
    {"verdict", "read the verdicts",
     "SELECT v.row,v.run,v.property,v.answer,v.document,EXISTS(SELECT 1 FROM tactus.run r WHERE "
     "r.campaign=v.campaign AND r.id=v.run) FROM tactus.verdict v WHERE v.campaign=$1 ORDER BY "
     "v.property COLLATE \"C\",v.run",
     give_verdict},
    {"document", "read the documents",
     "SELECT row,kind,name,document FROM tactus.document WHERE campaign=$1 ORDER BY kind COLLATE "
     "\"C\",name COLLATE \"C\"",
     give_document},
    {"setting", "read the settings",
     "SELECT row,key,value FROM tactus.setting WHERE campaign=$1 ORDER BY key COLLATE \"C\"",
     give_setting},
    {"aside", "read what was set aside",
     "SELECT source,row,reason,content FROM tactus.aside WHERE campaign=$1 ORDER BY place",
     give_aside},
};

tac_status postgres_read_table(void *data, const char *table, const struct store_reader *reader,
                               tac_error *err)
{
    size_t t = 0;
    while (t < sizeof tables / sizeof *tables && strcmp(tables[t].name, table))
        t++;
    assert(t < sizeof tables / sizeof *tables);
    struct table_walk walk = {.reader = reader};
    return postgres_walk(data, tables[t].what, tables[t].sql, tables[t].give, &walk, err);
}
