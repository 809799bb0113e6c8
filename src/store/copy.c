/* Copying a campaign from one place to another: every table, every file, nothing changed on the
 * way.
 *
 * Of a campaign that runs, what it is at one moment: rows are read as of then, and files after
 * them, because a file is there before the row that names it; a trace that no row names is of a run
 * that has not ended, or never did, and stays behind. All rows are committed together, so that a
 * copy that was cut has none and can be made again; the whole of it is refused where there is a
 * campaign. O(size of the campaign), one file in memory at no time. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/keep/scratch.h"
#include "store/backend.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct copying {
    tac_store *from, *to;
    tac_watch *watch;
    bool lenient; /* traces that cannot be read are left out */
    tac_store_copied *count;
    char *path;       /* a local file that pieces pass through */
    char *plan;       /* told last: rows were checked against it when they were read */
    tac_names traces; /* that rows name */
    tac_names files;  /* of the source: one connection does one thing at a time */
    tac_status status;
    tac_error *err;
};

static bool step(struct copying *copying, tac_status status)
{
    copying->status = status;
    int64_t done = copying->count->runs + copying->count->verdicts + copying->count->files;
    if (copying->status == TAC_OK &&
        !tac_watch_tick(copying->watch, "rows and files copied", (uint64_t)done, 0))
        copying->status = tac_fail(copying->err, TAC_E_INTERRUPTED,
                                   "stopped after %" PRId64 " rows and files", done);
    return copying->status == TAC_OK;
}

static bool copy_run(void *context, const tac_store_run *run)
{
    struct copying *copying = context;
    copying->count->runs++;
    tac_names_intern(&copying->traces, run->trace);
    return step(copying, tac_store_add_run(copying->to, run, copying->err));
}

static bool copy_row(void *context, const struct store_row *row)
{
    struct copying *copying = context;
    char why[STORE_WHY];
    const char *flaw = store_row_flaw(&copying->from->plan, row, why);
    if (row->table == STORE_SETTING && !strcmp(row->setting.key, "plan")) {
        free(copying->plan);
        copying->plan = tac_strdup(row->setting.value);
        return true;
    }
    copying->count->verdicts += row->table == STORE_VERDICT;
    copying->count->documents += row->table == STORE_DOCUMENT;
    return step(copying, flaw ? store_damaged(copying->from, store_shapes[row->table].name,
                                              row->number, flaw, copying->err)
                              : store_add(copying->to, row->table, &row->run, copying->err));
}

static bool refuse_row(void *context, const char *table, int64_t row, const char *what)
{
    struct copying *copying = context;
    copying->status = store_damaged(copying->from, table, row, what, copying->err);
    return false;
}

static tac_status copy_table(struct copying *copying, enum store_table table)
{
    const struct store_reader reader = {.context = copying, .row = copy_row, .broken = refuse_row};
    tac_status status =
        table == STORE_RUN
            ? tac_store_each_run(copying->from, copy_run, copying, copying->err)
            : copying->from->backend->read(copying->from->data, table, &reader, copying->err);
    return status == TAC_OK ? copying->status : status;
}

static bool note_file(void *context, const char *name)
{
    struct copying *copying = context;
    bool trace = !strncmp(name, "traces/", 7) && store_is_file_name(name);
    if (!trace || tac_names_find(&copying->traces, name) != TAC_NONE)
        tac_names_intern(&copying->files, name);
    return true;
}

static tac_status copy_files(struct copying *copying)
{
    tac_status status = tac_store_each_file(copying->from, note_file, copying, copying->err);
    for (size_t i = 0; i < copying->files.count && status == TAC_OK; i++) {
        const char *name = copying->files.text[i];
        assert(copying->path && copying->status == TAC_OK);
        bool strange = !store_is_file_name(name);
        status = strange ? store_strange_file(copying->from, name, copying->err)
                         : tac_store_get_file(copying->from, name, copying->path, copying->err);
        bool left_out =
            status == TAC_E_INPUT && copying->lenient && (strange || !strncmp(name, "traces/", 7));
        if (left_out)
            status = TAC_OK;
        else if (status == TAC_OK)
            status = tac_store_put_file(copying->to, name, copying->path, copying->err);
        copying->count->files += !left_out;
        step(copying, status);
        status = copying->status;
    }
    return status;
}

static tac_status refuse_target(const tac_store *to, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, to->where, 0, 0,
                       "holds a campaign already; choose another place or remove it");
}

static tac_status copy_all(struct copying *copying)
{
    static const enum store_table tables[] = {STORE_SETTING, STORE_RUN, STORE_VERDICT,
                                              STORE_DOCUMENT, STORE_ASIDE};
    tac_error *err = copying->err;
    tac_status status = copying->from->backend->hold(copying->from->data, err);
    bool held = status == TAC_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == TAC_OK; i++)
        status = copy_table(copying, tables[i]);
    if (held) /* before the files, which take long: nobody who wants to write waits for them */
        copying->from->backend->let_go(copying->from->data);
    if (status == TAC_OK)
        status = copy_files(copying);
    if (status == TAC_OK)
        status = copying->plan ? tac_store_set(copying->to, "plan", copying->plan, err)
                               : tac_store_commit(copying->to, err);
    if (status == TAC_OK && copying->to->backend->queue && copying->to->plan.known)
        status = tac_store_plan_runs(copying->to, copying->to->plan.runs, false, err);
    return status;
}

static tac_status open_both(struct copying *copying, const char *from, const char *to)
{
    char *plan = NULL;
    int64_t runs = 0;
    tac_status status = tac_store_open(from, false, &copying->from, copying->err);
    if (status == TAC_OK)
        status = tac_store_open(to, true, &copying->to, copying->err);
    if (status == TAC_OK)
        status = tac_store_get(copying->to, "plan", &plan, copying->err);
    if (status == TAC_OK)
        status = tac_store_count_runs(copying->to, NULL, &runs, copying->err);
    if (status == TAC_OK && (plan || runs))
        status = refuse_target(copying->to, copying->err);
    free(plan);
    return status;
}

static tac_status copy(const char *from, const char *to, bool lenient, tac_watch *watch,
                       tac_store_copied *out, tac_error *err)
{
    tac_error unused;
    *out = (tac_store_copied){0};
    struct copying copying = {
        .watch = watch, .lenient = lenient, .count = out, .err = err ? err : &unused};
    char *folder = NULL;
    tac_status status = open_both(&copying, from, to);
    if (status == TAC_OK)
        status = tac_scratch_make("copy", &folder, copying.err);
    if (status == TAC_OK) {
        copying.path = tac_format("%s/file", folder);
        status = copy_all(&copying);
    }
    if (status != TAC_OK && copying.to)
        tac_store_rollback(copying.to);
    tac_store_close(copying.from, NULL);
    tac_status closed = tac_store_close(copying.to, status == TAC_OK ? copying.err : NULL);
    tac_scratch_remove(folder);
    tac_names_free(&copying.traces);
    tac_names_free(&copying.files);
    free(copying.path);
    free(copying.plan);
    return status == TAC_OK ? closed : status;
}

tac_status tac_store_copy(const char *from, const char *to, tac_watch *watch, tac_store_copied *out,
                          tac_error *err)
{
    return copy(from, to, false, watch, out, err);
}

tac_status tac_store_fetch(const char *from, const char *to, tac_watch *watch, tac_error *err)
{
    tac_store_copied ignored;
    return copy(from, to, true, watch, &ignored, err);
}
