/* Checking trace files: one after the other in this process, or many in a pool of processes.
 *
 * A child sends its result as described.h has it. */
#include "property/check/reading.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "base/process/pool.h"
#include "property/check/described.h"
#include <string.h>

/* What the reader left out or assumed stands beside the verdicts. */
static void take_notes(struct check_run *run, const tac_trace_source *source)
{
    size_t index;
    const json_t *note;
    json_array_foreach(json_object_get(tac_trace_meta(source), "notes"), index, note)
        tac_diagnostics_add(&run->notes, TAC_WARNING, run->name, 0, 0, "%s",
                            json_string_value(note));
    if (!tac_monitor_states(run->monitor))
        tac_diagnostics_add(&run->notes, TAC_WARNING, run->name, 0, 0,
                            "the trace has no state: nothing was tested");
    if (tac_trace_is_cut(source))
        tac_diagnostics_add(&run->notes, TAC_WARNING, run->name, 0, 0,
                            "the trace is cut: what its rest could change is inconclusive");
}

static tac_status read_blocks(struct check_run *run, tac_trace_source *source, tac_error *err)
{
    const tac_trace_block *block;
    const tac_check_options *options = run->options;
    tac_status status;
    for (;;) {
        status = tac_trace_next(source, &block, err);
        if (status == TAC_OK && !block)
            break;
        if (status == TAC_OK)
            status = tac_monitor_feed_source(run->monitor, source, block, err);
        if (status == TAC_OK &&
            !tac_watch_tick(options->watch, "checking", tac_monitor_states(run->monitor), 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        if (status != TAC_OK || (options->stop_on_violation && tac_monitor_violated(run->monitor)))
            return status;
    }
    take_notes(run, source);
    if (options->cut || tac_trace_is_cut(source))
        return TAC_OK;
    run->ended = true;
    tac_monitor_schema schema;
    schema.variables = tac_trace_variables(source, &schema.variable_count);
    schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
    return tac_monitor_finish(run->monitor, &schema, err);
}

tac_status tac_check_trace(const tac_properties *properties, const char *path,
                           const tac_check_options *options, tac_checked_trace *out, tac_error *err)
{
    static const tac_check_options defaults;
    struct check_run run = {0};
    tac_trace_source *source = NULL;
    if (!options)
        options = &defaults;
    memset(out, 0, sizeof *out);
    tac_status status = tac_trace_open(path, options->trace, &source, err);
    if (status == TAC_OK)
        status =
            check_run_start(&run, properties, options->name ? options->name : path, options, err);
    if (status == TAC_OK)
        status = read_blocks(&run, source, err);
    if (status == TAC_OK)
        check_run_result(&run, tac_trace_skipped(source), out);
    check_run_free(&run);
    if (source)
        tac_trace_close(source);
    return status;
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

static tac_status check_here(struct check_batch *batch, size_t count, tac_error *err)
{
    tac_status status = TAC_OK;
    bool more = true;
    for (size_t i = 0; status == TAC_OK && more && i < count; i++) {
        tac_checked_trace trace;
        status = tac_check_trace(batch->properties, batch->paths[i], batch->options, &trace, err);
        if (status == TAC_OK)
            more = keep(batch, &trace);
    }
    return status;
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
    tac_status status = here ? check_here(&batch, count, err) : check_in_pool(&batch, count, err);
    *out = (tac_check_report){batch.traces.at, batch.traces.count};
    assert(out->count <= count);
    if (status != TAC_OK)
        tac_check_report_free(out);
    return status;
}
