/* Checking trace files: one after the other in this process, or many in a pool of processes.
 *
 * A child sends its result as described.h has it. */
#include "property/check/reading.h"

#include "base/check.h"
#include "base/data/vec.h"
#include "base/process/pool.h"
#include "property/check/described.h"
#include <string.h>
#include <sys/stat.h>

/* What the reader left out or assumed stands beside the verdicts. */
static void take_notes(struct check_run *run)
{
    const tac_trace_source *source = run->judge.source;
    size_t index;
    const json_t *note;
    json_array_foreach(json_object_get(tac_trace_meta(source), "notes"), index, note)
        tac_diagnostics_add(&run->notes, TAC_WARNING, run->name, 0, 0, "%s",
                            json_string_value(note));
    if (!run->judge.states)
        tac_diagnostics_add(&run->notes, TAC_WARNING, run->name, 0, 0,
                            "the trace has no state: nothing was tested");
    if (tac_trace_is_cut(source))
        tac_diagnostics_add(&run->notes, TAC_WARNING, run->name, 0, 0,
                            "the trace is cut: what its rest could change is inconclusive");
}

/* again: not NULL where the trace can be read again: all is expected to be known, and *again tells
 * that it was not, with no result. */
static tac_status check_source(const tac_properties *properties, tac_trace_source *source,
                               const char *name, const tac_check_options *options, bool *again,
                               tac_checked_trace *out, tac_error *err)
{
    static const tac_check_options defaults;
    const tac_trace_block *block;
    struct check_run run;
    tac_status status;
    memset(out, 0, sizeof *out);
    check_run_start(&run, properties, name, options ? options : &defaults, again != NULL, source);
    while ((status = judge_next(&run.judge, &block, err)) == TAC_OK && block)
        ;
    if (status == TAC_OK && run.judge.over)
        take_notes(&run);
    if (again)
        *again = status == TAC_OK && judge_lost(&run.judge);
    if (status == TAC_OK && !(again && *again))
        check_run_result(&run, tac_trace_skipped(source), out);
    check_run_free(&run);
    return status;
}

tac_status tac_check_source(const tac_properties *properties, tac_trace_source *source,
                            const char *name, const tac_check_options *options,
                            tac_checked_trace *out, tac_error *err)
{
    return check_source(properties, source, name, options, NULL, out, err);
}

tac_status tac_check_trace(const tac_properties *properties, const char *path,
                           const tac_check_options *options, tac_checked_trace *out, tac_error *err)
{
    tac_trace_source *source = NULL;
    memset(out, 0, sizeof *out);
    tac_status status = tac_trace_open(path, options ? options->trace : NULL, &source, err);
    const char *name = options && options->name ? options->name : path;
    struct stat file;
    bool reread = stat(path, &file) == 0 && S_ISREG(file.st_mode), again = false;
    if (options && options->on_interval)
        reread = false; /* its listener is told once */
    if (status == TAC_OK)
        status = check_source(properties, source, name, options, reread ? &again : NULL, out, err);
    if (status != TAC_OK || !again)
        return status;
    status = tac_trace_open(path, options ? options->trace : NULL, &source, err);
    return status == TAC_OK ? check_source(properties, source, name, options, NULL, out, err)
                            : status;
}

struct check_batch {
    const tac_properties *properties;
    const char *const *paths;
    const tac_check_options *options;
    TAC_VEC(tac_checked_trace) traces;
    tac_error failure;
    tac_status status;
};

static void check_in_child(void *context, size_t item, tac_str *out)
{
    struct check_batch *batch = context;
    tac_checked_trace trace;
    tac_error err = {0};
    tac_check_options options = *batch->options;
    options.watch = NULL;
    tac_status status =
        tac_check_trace(batch->properties, batch->paths[item], &options, &trace, &err);
    checked_pack(out, status == TAC_OK ? &trace : NULL, &err);
    tac_checked_trace_free(&trace);
}

/* False: no more is wanted. */
static bool keep(struct check_batch *batch, tac_checked_trace *trace)
{
    tac_vec_push(&batch->traces, *trace);
    return !(batch->options->stop_on_violation && tac_checked_trace_exit_code(trace) == 1);
}

static bool take_result(void *context, const tac_pool_result *result)
{
    struct check_batch *batch = context;
    const char *path = batch->paths[result->item];
    tac_checked_trace trace = {0};
    if (result->end != TAC_POOL_DONE) {
        batch->status = tac_fail_at(
            &batch->failure, TAC_E_LIMIT, path, 0, 0, "the process that checked it ended (%s %d)",
            result->end == TAC_POOL_MEMORY ? "memory" : "signal or code", result->detail);
        return false;
    }
    batch->status = checked_unpack(result->data, result->size, &trace, &batch->failure);
    return batch->status == TAC_OK && keep(batch, &trace);
}

static tac_status check_in_pool(struct check_batch *batch, size_t count, tac_error *err)
{
    tac_pool_job job = {.items = count,
                        .jobs = batch->options->jobs,
                        .work = check_in_child,
                        .result = take_result,
                        .context = batch,
                        .watch = batch->options->watch,
                        .what = "traces"};
    tac_status status = tac_pool_run(&job, err);
    if (batch->status == TAC_OK)
        return status;
    if (err)
        *err = batch->failure;
    return batch->status;
}

tac_status tac_check_traces(const tac_properties *properties, const char *const *paths,
                            size_t count, const tac_check_options *options, tac_check_report *out,
                            tac_error *err)
{
    static const tac_check_options defaults;
    struct check_batch batch = {
        .properties = properties, .paths = paths, .options = options ? options : &defaults};
    bool here = count == 1 || batch.options->jobs == 1 || batch.options->on_interval;
    bool more = here;
    tac_status status = here ? TAC_OK : check_in_pool(&batch, count, err);
    for (size_t i = 0; status == TAC_OK && more && i < count; i++) {
        tac_checked_trace trace;
        status = tac_check_trace(properties, paths[i], batch.options, &trace, err);
        if (status == TAC_OK)
            more = keep(&batch, &trace);
    }
    *out = (tac_check_report){batch.traces.at, batch.traces.count};
    assert(out->count <= count);
    if (status != TAC_OK)
        tac_check_report_free(out);
    return status;
}
