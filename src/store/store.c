/* The store: every row passes here on its way in and out, whatever keeps it (backend.h). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "store/backend.h"
#include <inttypes.h>
#include <string.h>

tac_status store_damaged(const tac_store *store, const char *table, int64_t row, const char *what,
                         tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, store->backend->file(store->data), 0, 0,
                       "row %" PRId64 " of the table '%s' is damaged: %s", row, table, what);
}

/* --- opening --- */

bool tac_store_is_address(const char *where)
{
    return !strncmp(where, "postgresql://", 13) || !strncmp(where, "postgres://", 11);
}

tac_status tac_store_open_mode(const char *folder, tac_store_mode mode, tac_store **out,
                               tac_error *err)
{
    void *data = NULL;
    const struct store_backend *backend =
        tac_store_is_address(folder) ? &store_postgres : &store_sqlite;
    tac_status status = backend->open(folder, mode, &data, err);
    if (status != TAC_OK)
        return status;
    assert(data);
    tac_store *store = tac_calloc(1, sizeof *store);
    *store =
        (tac_store){.backend = backend, .data = data, .where = tac_strdup(folder), .mode = mode};
    char *plan = NULL;
    status = tac_store_get(store, "plan", &plan, err);
    if (status == TAC_OK)
        status = store_plan_read(&store->plan, plan, store->backend->file(data), err);
    if (status == TAC_E_INPUT && mode == TAC_STORE_WRITE)
        status = TAC_OK; /* repair sets the plan aside */
    free(plan);
    if (status == TAC_OK)
        *out = store;
    else
        tac_store_close(store, NULL);
    return status;
}

tac_status tac_store_open(const char *folder, bool create, tac_store **out, tac_error *err)
{
    return tac_store_open_mode(folder, create ? TAC_STORE_CREATE : TAC_STORE_READ, out, err);
}

tac_status tac_store_close(tac_store *store, tac_error *err)
{
    if (!store)
        return TAC_OK;
    tac_status status = tac_store_commit(store, err);
    assert(!store->writing);
    store->backend->close(store->data);
    store_plan_free(&store->plan);
    free(store->where);
    free(store);
    return status;
}

const char *tac_store_folder(const tac_store *store)
{
    return store->where;
}

/* --- writing --- */

tac_status store_begin(tac_store *store, tac_error *err)
{
    if (store->mode == TAC_STORE_READ)
        return tac_fail_at(err, TAC_E_USAGE, store->where, 0, 0, "was opened for reading only");
    if (store->writing)
        return TAC_OK;
    tac_status status = store->backend->begin(store->data, err);
    store->writing = status == TAC_OK;
    return status;
}

/* What could not be committed is gone as a whole: the rows' runs are done again. */
tac_status tac_store_commit(tac_store *store, tac_error *err)
{
    if (!store->writing)
        return TAC_OK;
    assert(store->mode != TAC_STORE_READ);
    tac_status status = store->backend->commit(store->data, err);
    if (status != TAC_OK)
        store->backend->rollback(store->data);
    store->writing = false;
    return status;
}

void tac_store_rollback(tac_store *store)
{
    if (store->writing)
        store->backend->rollback(store->data);
    store->writing = false;
}

tac_status store_add(tac_store *store, enum store_table table, const void *fields, tac_error *err)
{
    struct store_row row = store_row_of(table, fields);
    tac_status status = store_begin(store, err);
    return status == TAC_OK ? store->backend->add(store->data, &row, err) : status;
}

tac_status tac_store_set(tac_store *store, const char *key, const char *value, tac_error *err)
{
    assert(key && value);
    tac_status status = TAC_OK;
    if (!strcmp(key, "plan"))
        status = store_plan_read(&store->plan, value, store->backend->file(store->data), err);
    if (status == TAC_OK)
        status = store_add(store, STORE_SETTING,
                           &(struct store_setting){.key = key, .value = value}, err);
    return status == TAC_OK ? tac_store_commit(store, err) : status;
}

tac_status tac_store_add_run(tac_store *store, const tac_store_run *given, tac_error *err)
{
    tac_store_run run = store_row_of(STORE_RUN, given).run;
    char why[STORE_WHY];
    const char *flaw = store_run_flaw(&store->plan, &run, why);
    if (flaw)
        return tac_fail_at(err, TAC_E_INTERNAL, store->where, 0, 0,
                           "run %" PRId64 " cannot be kept: %s", run.id, flaw);
    if (!*run.trace_digest)
        run.trace_size = -1;
    return store_add(store, STORE_RUN, &run, err);
}

tac_status tac_store_add_verdict(tac_store *store, int64_t run, const char *property,
                                 const char *answer, const json_t *document, tac_error *err)
{
    assert(property && answer && document);
    char *text = tac_json_text(document, JSON_COMPACT), why[STORE_WHY];
    struct store_verdict verdict = {
        .run = run, .property = property, .answer = answer, .document = text, .has_run = true};
    const char *flaw = store_verdict_flaw(&store->plan, &verdict, why);
    tac_status status =
        flaw ? tac_fail_at(err, TAC_E_INTERNAL, store->where, 0, 0,
                           "a verdict on run %" PRId64 " cannot be kept: %s", run, flaw)
             : store_add(store, STORE_VERDICT, &verdict, err);
    free(text);
    return status;
}

tac_status tac_store_put_document(tac_store *store, const char *kind, const char *name,
                                  const json_t *document, tac_error *err)
{
    assert(kind && name && document);
    char *text = tac_json_text(document, JSON_COMPACT);
    tac_status status =
        store_add(store, STORE_DOCUMENT,
                  &(struct store_document){.kind = kind, .name = name, .document = text}, err);
    free(text);
    return status == TAC_OK ? tac_store_commit(store, err) : status;
}

/* --- reading --- */

/* A caller's visitor behind the checks; the first damaged row ends the reading. */
struct reading {
    tac_store *store;
    void *context;
    bool (*run)(void *context, const tac_store_run *run);
    bool (*verdict)(void *context, int64_t run, const char *property, const char *answer,
                    const json_t *document);
    bool (*document)(void *context, const char *kind, const char *name, const json_t *document);
    const char *key; /* of the setting that is looked for */
    char *value;
    tac_status status;
    tac_error *err;
    int64_t last; /* id of the run before */
};

static bool refuse_row(void *context, const char *table, int64_t row, const char *what)
{
    struct reading *reading = context;
    reading->status = store_damaged(reading->store, table, row, what, reading->err);
    return false;
}

static bool pass_document(struct reading *reading, const struct store_row *row)
{
    bool verdict = row->table == STORE_VERDICT;
    json_t *document =
        json_loads(verdict ? row->verdict.document : row->document.document, JSON_DECODE_ANY, NULL);
    assert(document && (!verdict || json_is_object(document)));
    bool go_on = verdict ? reading->verdict(reading->context, row->verdict.run,
                                            row->verdict.property, row->verdict.answer, document)
                         : reading->document(reading->context, row->document.kind,
                                             row->document.name, document);
    json_decref(document);
    return go_on;
}

static bool pass_row(void *context, const struct store_row *row)
{
    struct reading *reading = context;
    char why[STORE_WHY];
    const char *flaw = store_row_flaw(&reading->store->plan, row, why);
    if (!flaw && row->table == STORE_RUN && row->run.id <= reading->last)
        flaw = "its id stands twice, or out of order";
    if (flaw)
        return refuse_row(reading, store_shapes[row->table].name, row->number, flaw);
    switch (row->table) {
    case STORE_RUN:
        reading->last = row->run.id;
        return reading->run(reading->context, &row->run);
    case STORE_VERDICT:
    case STORE_DOCUMENT:
        return pass_document(reading, row);
    case STORE_SETTING:
        if (strcmp(row->setting.key, reading->key))
            return true;
        reading->value = tac_strdup(row->setting.value);
        return false;
    case STORE_ASIDE:
        break;
    }
    return true;
}

static tac_status read_table(struct reading *reading, enum store_table table, tac_error *err)
{
    const struct store_reader reader = {.context = reading, .row = pass_row, .broken = refuse_row};
    tac_store *store = reading->store;
    tac_error unused; /* err may be NULL */
    reading->err = err ? err : &unused;
    reading->last = -1;
    tac_status status = store->backend->read(store->data, table, &reader, reading->err);
    return status == TAC_OK ? reading->status : status;
}

tac_status tac_store_each_run(tac_store *store,
                              bool (*visit)(void *context, const tac_store_run *run), void *context,
                              tac_error *err)
{
    return read_table(&(struct reading){.store = store, .context = context, .run = visit},
                      STORE_RUN, err);
}

tac_status tac_store_each_verdict(tac_store *store,
                                  bool (*visit)(void *context, int64_t run, const char *property,
                                                const char *answer, const json_t *document),
                                  void *context, tac_error *err)
{
    return read_table(&(struct reading){.store = store, .context = context, .verdict = visit},
                      STORE_VERDICT, err);
}

tac_status tac_store_each_document(tac_store *store,
                                   bool (*visit)(void *context, const char *kind, const char *name,
                                                 const json_t *document),
                                   void *context, tac_error *err)
{
    return read_table(&(struct reading){.store = store, .context = context, .document = visit},
                      STORE_DOCUMENT, err);
}

tac_status tac_store_get(tac_store *store, const char *key, char **value, tac_error *err)
{
    struct reading reading = {.store = store, .key = key};
    tac_status status = read_table(&reading, STORE_SETTING, err);
    if (status == TAC_OK)
        *value = reading.value;
    else
        free(reading.value);
    return status;
}

struct counting {
    const char *verdict;
    int64_t count;
};

static bool count_one(void *context, const tac_store_run *run)
{
    struct counting *counting = context;
    counting->count += !counting->verdict || !strcmp(counting->verdict, run->verdict);
    return true;
}

tac_status tac_store_count_runs(tac_store *store, const char *verdict, int64_t *count,
                                tac_error *err)
{
    struct counting counting = {.verdict = verdict};
    tac_status status = tac_store_each_run(store, count_one, &counting, err);
    if (status == TAC_OK)
        *count = counting.count;
    return status;
}
