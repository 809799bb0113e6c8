/* Checking trace files: one after the other in this process, or many in a pool of processes. */
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "base/io/json.h"
#include "base/process/pool.h"
#include "tactus/property.h"

#include <string.h>

struct run {
    const tac_properties *properties;
    const char *path;
    const tac_check_options *options;
    tac_monitor *monitor;
    tac_trace_source *source;
    bool *told, *alarmed; /* per property: its line was given out */
    bool ended, stopped;
};

static void tell(struct run *run, const tac_property_result *result, bool alarm)
{
    json_t *line = json_object(), *body = tac_property_result_json(result);
    json_object_set_new(line, "trace", tac_json_string(run->path));
    json_object_set_new(line, "event", json_string(alarm ? "early_alarm" : "verdict"));
    if (alarm) { /* not a verdict yet: the interval is still open */
        json_object_set(line, "name", json_object_get(body, "name"));
        json_object_set_new(line, "verdict", json_string("inconclusive"));
        json_object_set(line, "early_alarm", json_object_get(body, "early_alarm"));
    } else {
        json_object_update(line, body);
    }
    run->options->on_verdict(run->options->context, line);
    json_decref(body);
    json_decref(line);
}

/* Gives out what has fallen since the last call, in the order of the deciding states. */
static void tell_news(struct run *run, bool last)
{
    size_t count = tac_property_count(run->properties);
    tac_property_result result;
    if (!run->options->on_verdict)
        return;
    for (;;) {
        size_t best = SIZE_MAX;
        uint64_t when = UINT64_MAX;
        bool alarm = false;
        for (size_t i = 0; i < count; i++) {
            tac_monitor_result(run->monitor, i, last && run->ended, &result);
            if (result.early_alarm && !run->alarmed[i] && result.early_alarm->state < when) {
                best = i;
                when = result.early_alarm->state;
                alarm = true;
            }
            uint64_t at = result.decided ? result.decided_state : UINT64_MAX - 1;
            if (!run->told[i] && (result.decided || last) && at < when) {
                best = i;
                when = at;
                alarm = false;
            }
        }
        if (best == SIZE_MAX)
            return;
        tac_monitor_result(run->monitor, best, last && run->ended, &result);
        tell(run, &result, alarm);
        (alarm ? run->alarmed : run->told)[best] = true;
    }
}

/* State by state, so that each verdict is told with the counts of the moment it fell. */
static tac_status feed_singly(struct run *run, const tac_trace_block *block, tac_error *err)
{
    tac_status status = TAC_OK;
    size_t count;
    tac_trace_variables(run->source, &count);
    const double **numbers = tac_calloc(count + 1, sizeof *numbers);
    const uint32_t **symbols = tac_calloc(count + 1, sizeof *symbols);
    for (size_t i = 0; i < block->count && status == TAC_OK; i++) {
        for (size_t v = 0; v < count; v++) {
            numbers[v] = block->numbers[v] ? block->numbers[v] + i : NULL;
            symbols[v] = block->symbols[v] ? block->symbols[v] + i : NULL;
        }
        tac_trace_block one = {1, block->first + i, block->time + i, numbers, symbols};
        status = tac_monitor_feed_source(run->monitor, run->source, &one, err);
        if (status == TAC_OK)
            tell_news(run, false);
        if (run->options->stop_on_violation && tac_monitor_violated(run->monitor))
            break;
    }
    free(numbers);
    free(symbols);
    return status;
}

static tac_status read_blocks(struct run *run, tac_error *err)
{
    const tac_trace_block *block;
    for (;;) {
        tac_status status = tac_trace_next(run->source, &block, err);
        if (status == TAC_E_INTERRUPTED && run->options->trace && run->options->trace->follow)
            return TAC_OK;
        if (status != TAC_OK)
            return status;
        if (!block)
            break;
        status = run->options->on_verdict
                     ? feed_singly(run, block, err)
                     : tac_monitor_feed_source(run->monitor, run->source, block, err);
        if (status != TAC_OK)
            return status;
        if (run->options->stop_on_violation && tac_monitor_violated(run->monitor)) {
            run->stopped = true;
            return TAC_OK;
        }
        if (!tac_watch_tick(run->options->watch, "checking", tac_monitor_states(run->monitor), 0))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    if (run->options->cut)
        return TAC_OK;
    run->ended = true;
    tac_monitor_schema schema;
    schema.variables = tac_trace_variables(run->source, &schema.variable_count);
    schema.symbols = tac_trace_symbols(run->source, &schema.symbol_count);
    return tac_monitor_finish(run->monitor, &schema, err);
}

static json_t *warnings_json(const tac_diagnostics *list)
{
    json_t *out = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(
            out, json_pack("{s:o,s:I,s:I,s:o}", "file", tac_json_string(list->at[i].file), "line",
                           (json_int_t)list->at[i].line, "column", (json_int_t)list->at[i].column,
                           "message", tac_json_string(list->at[i].message)));
    return out;
}

/* The result's document with its sentences. */
static json_t *property_document(const struct run *run, const tac_property_result *result,
                                 tac_verdict *kept)
{
    tac_verdict verdict;
    json_t *out = tac_property_result_json(result);
    tac_property_result_verdict(run->properties, result, run->path, &verdict);
    json_object_set_new(out, "explanation", tac_json_string(verdict.explanation));
    json_object_set_new(out, "advice", tac_json_string(verdict.advice));
    if (kept)
        *kept = verdict;
    else
        tac_verdict_free(&verdict);
    return out;
}

static json_t *trace_document(struct run *run, tac_verdict *verdicts)
{
    json_t *document = json_object(), *properties = json_array();
    tac_property_result result;
    for (size_t i = 0; i < tac_property_count(run->properties); i++) {
        tac_monitor_result(run->monitor, i, run->ended, &result);
        json_array_append_new(properties,
                              property_document(run, &result, verdicts ? &verdicts[i] : NULL));
    }
    json_object_set_new(document, "trace", tac_json_string(run->path));
    json_object_set_new(document, "properties", properties);
    json_object_set_new(document, "states",
                        json_integer((json_int_t)tac_monitor_states(run->monitor)));
    json_object_set_new(document, "skipped",
                        json_integer((json_int_t)tac_trace_skipped(run->source)));
    json_object_set_new(document, "warnings", warnings_json(tac_monitor_warnings(run->monitor)));
    return document;
}

tac_status tac_check_trace(const tac_properties *properties, const char *path,
                           const tac_check_options *options, json_t **document,
                           tac_verdict **verdicts, tac_error *err)
{
    static const tac_check_options defaults;
    size_t count = tac_property_count(properties);
    struct run run = {
        .properties = properties, .path = path, .options = options ? options : &defaults};
    tac_monitor_options monitor = {.semantics = run.options->semantics, .trace_name = path};
    run.told = tac_calloc(count + 1, sizeof *run.told);
    run.alarmed = tac_calloc(count + 1, sizeof *run.alarmed);
    tac_status status = tac_trace_open(path, run.options->trace, &run.source, err);
    if (status == TAC_OK)
        status = tac_monitor_new(properties, &monitor, &run.monitor, err);
    if (status == TAC_OK)
        status = read_blocks(&run, err);
    if (status == TAC_OK) {
        if (!run.stopped)
            tell_news(&run, true);
        tac_verdict *all = verdicts ? tac_calloc(count + 1, sizeof *all) : NULL;
        *document = trace_document(&run, all);
        if (verdicts)
            *verdicts = all;
    }
    tac_monitor_free(run.monitor);
    if (run.source)
        tac_trace_close(run.source);
    free(run.told);
    free(run.alarmed);
    return status;
}

int tac_check_exit_code(const json_t *trace)
{
    size_t i;
    json_t *property;
    int code = 0;
    json_array_foreach(json_object_get(trace, "properties"), i, property)
    {
        const char *verdict = json_string_value(json_object_get(property, "verdict"));
        if (strstr(verdict, "false"))
            return 1;
        if (strcmp(verdict, "inconclusive") == 0)
            code = 3;
    }
    return code;
}

struct batch {
    const tac_properties *properties;
    const char *const *paths;
    const tac_check_options *options;
    json_t *traces;
    int code;
    tac_error failure;
    tac_status status;
};

static void check_in_child(void *context, size_t item, tac_str *out)
{
    struct batch *batch = context;
    tac_error err = {0};
    json_t *document = NULL;
    tac_check_options options = *batch->options;
    options.watch = NULL;
    tac_status status =
        tac_check_trace(batch->properties, batch->paths[item], &options, &document, NULL, &err);
    if (status != TAC_OK)
        document = json_pack("{s:i,s:o,s:I,s:I,s:o}", "status", (int)status, "file",
                             tac_json_string(err.file), "line", (json_int_t)err.line, "column",
                             (json_int_t)err.column, "message", tac_json_string(err.message));
    char *text = tac_json_text(document, JSON_COMPACT);
    tac_str_add(out, text);
    free(text);
    json_decref(document);
}

static bool keep(struct batch *batch, json_t *document)
{
    int code = tac_check_exit_code(document);
    if (code == 1 || (code == 3 && batch->code == 0))
        batch->code = code;
    json_array_append_new(batch->traces, document);
    return !(batch->options->stop_on_violation && code == 1);
}

static bool take_result(void *context, const tac_pool_result *result)
{
    struct batch *batch = context;
    const char *path = batch->paths[result->item];
    if (result->end != TAC_POOL_DONE) {
        batch->status = tac_fail_at(
            &batch->failure, TAC_E_LIMIT, path, 0, 0, "the process that checked it ended (%s %d)",
            result->end == TAC_POOL_MEMORY ? "memory" : "signal or code", result->detail);
        return false;
    }
    json_t *document = json_loadb(result->data, result->size, 0, NULL);
    const json_t *status = document ? json_object_get(document, "status") : NULL;
    if (document && !status)
        return keep(batch, document);
    batch->status = status ? (tac_status)json_integer_value(status) : TAC_E_INTERNAL;
    tac_fail_at(&batch->failure, batch->status,
                status ? json_string_value(json_object_get(document, "file")) : path,
                status ? (size_t)json_integer_value(json_object_get(document, "line")) : 0,
                status ? (size_t)json_integer_value(json_object_get(document, "column")) : 0, "%s",
                status ? json_string_value(json_object_get(document, "message"))
                       : "no result came back");
    json_decref(document);
    return false;
}

static tac_status check_here(struct batch *batch, size_t count, tac_error *err)
{
    for (size_t i = 0; i < count; i++) {
        json_t *document;
        tac_status status = tac_check_trace(batch->properties, batch->paths[i], batch->options,
                                            &document, NULL, err);
        if (status != TAC_OK)
            return status;
        if (!keep(batch, document))
            break;
    }
    return TAC_OK;
}

tac_status tac_check_traces(const tac_properties *properties, const char *const *paths,
                            size_t count, const tac_check_options *options, json_t **document,
                            int *exit_code, tac_error *err)
{
    static const tac_check_options defaults;
    struct batch batch = {.properties = properties,
                          .paths = paths,
                          .options = options ? options : &defaults,
                          .traces = json_array()};
    tac_status status;
    if (count == 1 || batch.options->jobs == 1 || batch.options->on_verdict) {
        status = check_here(&batch, count, err);
    } else {
        tac_pool_job job = {.items = count,
                            .jobs = batch.options->jobs,
                            .work = check_in_child,
                            .result = take_result,
                            .context = &batch,
                            .watch = batch.options->watch,
                            .what = "traces"};
        status = tac_pool_run(&job, err);
        if (batch.status != TAC_OK) {
            status = batch.status;
            if (err)
                *err = batch.failure;
        }
    }
    if (status != TAC_OK) {
        json_decref(batch.traces);
        return status;
    }
    *document = json_object();
    json_object_set_new(*document, "traces", batch.traces);
    *exit_code = batch.code;
    return TAC_OK;
}
