/* Looking at everything in a store, and setting aside what cannot be believed.
 *
 * First pass: rows that are damaged, traces, verdicts without a run. Repair then moves the rows to
 * the table `aside`, and the traces that no row names any more to the folder DIR/aside, under names
 * that are free: a row may lie about its trace, so that what another row names, what is not among
 * the traces, or what lies aside from before is left where it is. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "store/backend.h"
#include <inttypes.h>
#include <string.h>

struct victim {
    const char *table; /* "trace": all of the run goes */
    int64_t row;
    char *why;
};

struct check {
    tac_store *store;
    const tac_store_check_options *options;
    tac_store_check *count;
    bool stopped;
    int64_t last; /* id of the run before */
    bool repair;
    tac_names traces; /* repair: all that rows name */
    bool *kept;       /* of those: rows that stay name them */
    TAC_VEC(struct victim) victims;
};

static void found(struct check *check, const char *table, int64_t row, const char *file,
                  const char *what)
{
    assert(table && what && *what);
    check->count->damaged++;
    tac_vec_push(&check->victims, (struct victim){table, row, tac_strdup(what)});
    tac_store_damage damage = {table, row, file, what};
    if (check->options->found)
        check->options->found(check->options->context, &damage);
}

static bool broken_row(void *context, const char *table, int64_t row, const char *what)
{
    struct check *check = context;
    found(check, table, row, check->store->backend->file(check->store->data), what);
    return true;
}

static bool go_on(struct check *check, const char *what, int64_t done)
{
    check->stopped = !tac_watch_tick(check->options->watch, what, (uint64_t)done, 0);
    return !check->stopped;
}

static bool is_among_traces(const char *path)
{
    return !strncmp(path, "traces/", 7) && path[7] && path[7] != '.' && !strchr(path + 7, '/');
}

static bool check_run(struct check *check, int64_t row, const tac_store_run *run, const char *flaw)
{
    tac_error err;
    check->count->runs++;
    if (check->repair && is_among_traces(run->trace))
        tac_names_intern(&check->traces, run->trace);
    if (!flaw && run->id <= check->last)
        flaw = "its id stands twice, or out of order";
    if (!flaw)
        check->last = run->id;
    if (flaw) {
        broken_row(check, "run", row, flaw);
    } else if (*run->trace) {
        check->count->traces++;
        if (tac_store_check_trace(check->store, run, &err) != TAC_OK)
            found(check, "trace", run->id, err.file, err.message);
    }
    return go_on(check, "runs checked", check->count->runs);
}

static bool check_verdict(struct check *check, int64_t row, const struct store_verdict *verdict,
                          const char *flaw)
{
    check->count->verdicts++;
    if (flaw)
        broken_row(check, "verdict", row, flaw);
    if (flaw && verdict->has_run) /* the run has lost a part: it is done again as a whole */
        tac_vec_push(&check->victims,
                     (struct victim){"parts", verdict->run, tac_strdup("a verdict was lost")});
    return go_on(check, "verdicts checked", check->count->verdicts);
}

static bool check_setting(struct check *check, int64_t row, const struct store_setting *setting)
{
    struct store_plan plan = {0};
    tac_error err;
    if (!strcmp(setting->key, "plan") &&
        store_plan_read(&plan, setting->value, check->store->backend->file(check->store->data),
                        &err) != TAC_OK)
        broken_row(check, "setting", row,
                   "its numbers of runs, flows, repeats and scenarios do "
                   "not fit together");
    store_plan_free(&plan);
    return true;
}

static bool check_row(void *context, const struct store_row *row)
{
    struct check *check = context;
    char why[STORE_WHY];
    const char *flaw = store_row_flaw(&check->store->plan, row, why);
    switch (row->table) {
    case STORE_RUN:
        return check_run(check, row->number, &row->run, flaw);
    case STORE_VERDICT:
        return check_verdict(check, row->number, &row->verdict, flaw);
    case STORE_SETTING:
        return check_setting(check, row->number, &row->setting);
    case STORE_DOCUMENT:
        check->count->documents++;
        if (flaw)
            broken_row(check, "document", row->number, flaw);
        return true;
    case STORE_ASIDE:
        break;
    }
    return true;
}

static tac_status look(struct check *check, tac_error *err)
{
    static const enum store_table tables[] = {STORE_SETTING, STORE_RUN, STORE_VERDICT,
                                              STORE_DOCUMENT};
    const struct store_reader reader = {.context = check, .row = check_row, .broken = broken_row};
    tac_status status = check->store->backend->check(check->store->data, err);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == TAC_OK; i++) {
        status = check->store->backend->read(check->store->data, tables[i], &reader, err);
        if (status == TAC_OK && check->stopped)
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped after %" PRId64 " runs",
                              check->count->runs);
    }
    return status;
}

/* --- repair --- */

static bool forget_trace(void *context, const struct store_row *row)
{
    struct check *check = context;
    uint32_t name = tac_names_find(&check->traces, row->run.trace);
    if (name != TAC_NONE)
        check->kept[name] = true;
    return true;
}

static bool not_here(void *context, const char *table, int64_t row, const char *what)
{
    (void)context;
    (void)table;
    (void)row;
    (void)what;
    return true;
}

/* "aside/000007.jsonl", or with a number behind it when that lies there from before. */
static tac_status move_trace(const tac_store *store, const char *trace, tac_error *err)
{
    assert(is_among_traces(trace));
    const char *name = strrchr(trace, '/') + 1;
    tac_status status = TAC_OK;
    bool taken = true;
    for (unsigned number = 1; status == TAC_OK && taken; number++) {
        char *to =
            number == 1 ? tac_format("aside/%s", name) : tac_format("aside/%s.%u", name, number);
        status = store->backend->move_file(store->data, trace, to, &taken, err);
        free(to);
    }
    return status;
}

/* Traces that no row names any more. */
static tac_status set_traces_aside(struct check *check, tac_error *err)
{
    const tac_store *store = check->store;
    const struct store_reader reader = {.context = check, .row = forget_trace, .broken = not_here};
    if (!check->victims.count || !check->traces.count)
        return TAC_OK;
    check->kept = tac_calloc(check->traces.count, sizeof *check->kept);
    tac_status status = store->backend->read(store->data, STORE_RUN, &reader, err);
    for (size_t i = 0; i < check->traces.count && status == TAC_OK; i++)
        if (!check->kept[i])
            status = move_trace(store, check->traces.text[i], err);
    free(check->kept);
    return status;
}

static enum store_table table_named(const char *name)
{
    enum store_table table = STORE_RUN;
    while (strcmp(store_shapes[table].name, name) != 0)
        table++;
    return table;
}

static tac_status set_victim_aside(struct check *check, const struct victim *victim, tac_error *err)
{
    tac_store *store = check->store;
    assert(store->mode != TAC_STORE_READ);
    bool whole = !strcmp(victim->table, "trace") || !strcmp(victim->table, "parts");
    tac_status status = store_begin(store, err);
    if (status == TAC_OK)
        status = whole ? store->backend->set_run_aside(store->data, victim->row, victim->why, err)
                       : store->backend->set_aside(store->data, table_named(victim->table),
                                                   victim->row, victim->why, err);
    return status;
}

/* Verdicts whose run went aside as damaged go with it. */
static tac_status set_orphans_aside(tac_store *store, tac_error *err);

tac_status tac_store_verify(tac_store *store, const tac_store_check_options *options,
                            tac_store_check *out, tac_error *err)
{
    static const tac_store_check_options none = {0};
    *out = (tac_store_check){0};
    struct check check = {
        .store = store, .options = options ? options : &none, .count = out, .last = -1};
    tac_status status = look(&check, err);
    assert(status != TAC_OK || out->damaged <= (int64_t)check.victims.count);
    assert(!out->set_aside);
    for (size_t i = 0; i < check.victims.count; i++)
        free(check.victims.at[i].why);
    tac_vec_free(&check.victims);
    return status;
}

tac_status tac_store_repair(tac_store *store, const tac_store_check_options *options,
                            tac_store_check *out, tac_error *err)
{
    static const tac_store_check_options none = {0};
    *out = (tac_store_check){0};
    struct check check = {.store = store,
                          .options = options ? options : &none,
                          .count = out,
                          .last = -1,
                          .repair = true};
    tac_status status = store->mode == TAC_STORE_READ ? store_begin(store, err) : look(&check, err);
    for (size_t i = 0; i < check.victims.count; i++) {
        if (status == TAC_OK)
            status = set_victim_aside(&check, &check.victims.at[i], err);
        if (status == TAC_OK)
            out->set_aside++;
        free(check.victims.at[i].why);
    }
    assert(status != TAC_OK || out->set_aside == (int64_t)check.victims.count);
    if (status == TAC_OK)
        status = set_traces_aside(&check, err);
    tac_names_free(&check.traces);
    tac_vec_free(&check.victims);
    if (status == TAC_OK)
        status = set_orphans_aside(store, err);
    if (status == TAC_OK)
        status = tac_store_commit(store, err);
    else if (store->writing)
        store->backend->rollback(store->data);
    store->writing = false;
    return status;
}

/* --- orphans --- */

struct orphans {
    TAC_VEC(int64_t) rows;
};

static bool is_orphan(void *context, const struct store_row *row)
{
    struct orphans *orphans = context;
    if (!row->verdict.has_run)
        tac_vec_push(&orphans->rows, row->number);
    return true;
}

static tac_status set_orphans_aside(tac_store *store, tac_error *err)
{
    struct orphans orphans = {0};
    const struct store_reader reader = {.context = &orphans, .row = is_orphan, .broken = not_here};
    tac_status status = store->backend->read(store->data, STORE_VERDICT, &reader, err);
    if (status == TAC_OK && orphans.rows.count)
        status = store_begin(store, err);
    for (size_t i = 0; i < orphans.rows.count && status == TAC_OK; i++)
        status = store->backend->set_aside(store->data, STORE_VERDICT, orphans.rows.at[i],
                                           "its run was set aside", err);
    tac_vec_free(&orphans.rows);
    return status;
}
