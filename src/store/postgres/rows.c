/* Reading the tables of a campaign. The database keeps the types, so a row can only be wrong in
 * what it says, which store.c looks at; a seed that is not one is told here. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "store/postgres/postgres.h"
#include <stdio.h>

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

const char *const postgres_row_number[] = {[STORE_RUN] = "id",
                                           [STORE_VERDICT] = "row",
                                           [STORE_DOCUMENT] = "row",
                                           [STORE_SETTING] = "row",
                                           [STORE_ASIDE] = "place"};
TABLE_COVERS(postgres_row_number, STORE_ASIDE);

struct table_walk {
    const struct store_reader *reader;
    enum store_table table;
};

static double real_at(const PGresult *result, int row, int column)
{
    double number = 0;
    if (!tac_parse_double(libpq.getvalue(result, row, column), &number))
        number = -1; /* NaN or Infinity: not a time, and refused as one */
    return number;
}

/* False when it is not of its type. */
static bool read_column(const PGresult *result, int row, int place,
                        const struct store_column *column, struct store_row *out)
{
    switch (column->type) {
    case STORE_INTEGER:
        *store_integer(out, column) = postgres_number(result, row, place);
        return true;
    case STORE_REAL:
        *store_real(out, column) = real_at(result, row, place);
        return true;
    case STORE_SEED:
        return tac_parse_u64(libpq.getvalue(result, row, place), store_seed(out, column));
    case STORE_TEXT:
    case STORE_MAYBE:
        *store_text(out, column) =
            column->type == STORE_MAYBE && libpq.getisnull(result, row, place)
                ? NULL
                : libpq.getvalue(result, row, place);
    }
    return true;
}

static bool give(void *context, const PGresult *result, int row)
{
    const struct table_walk *walk = context;
    const struct store_shape *shape = &store_shapes[walk->table];
    struct store_row out = {.table = walk->table, .number = postgres_number(result, row, 0)};
    const struct store_column *flaw = NULL;
    for (size_t i = 0; i < shape->count; i++)
        if (!read_column(result, row, (int)i + 1, &shape->columns[i], &out))
            flaw = &shape->columns[i];
    if (walk->table == STORE_VERDICT)
        out.verdict.has_run = libpq.getvalue(result, row, (int)shape->count + 1)[0] == 't';
    char what[80];
    if (flaw)
        snprintf(what, sizeof what, "its column '%s' is not a %s", flaw->name, flaw->name);
    return flaw ? walk->reader->broken(walk->reader->context, shape->name, out.number, what)
                : walk->reader->row(walk->reader->context, &out);
}

/* Texts are ordered by their bytes, as a folder's index orders them. */
tac_status postgres_read_table(void *data, enum store_table table,
                               const struct store_reader *reader, tac_error *err)
{
    static const struct {
        const char *what, *order;
    } tables[] = {
        [STORE_RUN] = {"read the runs", "id"},
        [STORE_VERDICT] = {"read the verdicts", "property COLLATE \"C\",run"},
        [STORE_DOCUMENT] = {"read the documents", "kind COLLATE \"C\",name COLLATE \"C\""},
        [STORE_SETTING] = {"read the settings", "key COLLATE \"C\""},
        [STORE_ASIDE] = {"read what was set aside", "place"}};
    TABLE_COVERS(tables, STORE_ASIDE);
    static const struct store_around plain[STORE_MAYBE + 1];
    const struct store_shape *shape = &store_shapes[table];
    struct table_walk walk = {reader, table};
    char *columns = store_columns(shape, plain, ",");
    char *sql = tac_format("SELECT %s,%s%s FROM tactus.%s v WHERE campaign=$1 ORDER BY %s",
                           postgres_row_number[table], columns,
                           table == STORE_VERDICT ? ",EXISTS(SELECT 1 FROM tactus.run r WHERE "
                                                    "r.campaign=v.campaign AND r.id=v.run)"
                                                  : "",
                           shape->name, tables[table].order);
    tac_status status = postgres_walk(data, tables[table].what, sql, give, &walk, err);
    free(columns);
    free(sql);
    return status;
}
