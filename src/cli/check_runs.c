/* See check_runs.h. A run is written to a file in memory, which the trace readers open by its
 * number: nothing is left behind, however the program ends. */
#include "cli/check_runs.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "tactus/mining_emit.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef TAC_VEC(tac_checked_trace) checked_list;

static void rename_trace(tac_checked_trace *trace, char *name)
{
    free(trace->trace);
    trace->trace = name;
    json_object_set_new(trace->document, "trace", json_string(name));
    for (size_t i = 0; i < trace->count; i++)
        trace->findings[i].has_place = false; /* there is no file to look at */
}

static bool has_warning(const tac_checked_trace *trace, const tac_diagnostic *warning)
{
    for (size_t i = 0; i < trace->warnings.count; i++) {
        const tac_diagnostic *at = &trace->warnings.at[i];
        if (at->line == warning->line && at->column == warning->column &&
            !strcmp(at->message, warning->message))
            return true;
    }
    return false;
}

/* A run need not show all that properties speak of: to a reader only what no run of the file shows
 * is worth a warning, once. The documents keep those of each run. */
static void keep_common_warnings(tac_checked_trace *traces, size_t count)
{
    tac_diagnostics common = {0};
    for (size_t w = 0; count && w < traces[0].warnings.count; w++) {
        const tac_diagnostic *warning = &traces[0].warnings.at[w];
        bool everywhere = true;
        for (size_t i = 1; i < count && everywhere; i++)
            everywhere = has_warning(&traces[i], warning);
        if (everywhere)
            tac_diagnostics_add(&common, warning->severity, warning->file, warning->line,
                                warning->column, "%s", warning->message);
    }
    for (size_t i = 0; i < count; i++) {
        tac_diagnostics_free(&traces[i].warnings);
        traces[i].warnings = (tac_diagnostics){0};
    }
    if (count)
        traces[0].warnings = common;
}

static tac_status check_run(const tac_properties *properties, const tac_runs *runs, size_t run,
                            const tac_check_options *options, checked_list *out, tac_error *err)
{
    char *name = tac_runs_name(runs, run);
    char path[64];
    int memory = memfd_create("run.jsonl", MFD_CLOEXEC);
    FILE *file = memory < 0 ? NULL : fdopen(memory, "w");
    tac_status status = file ? tac_runs_write_trace(runs, run, file, err)
                             : tac_fail_errno(err, errno, name, "cannot be kept in memory");
    if (status == TAC_OK && fflush(file))
        status = tac_fail_errno(err, errno, name, "cannot be kept in memory");
    if (status == TAC_OK) {
        tac_checked_trace trace;
        tac_trace_options reading = options->trace ? *options->trace : (tac_trace_options){0};
        tac_check_options own = *options;
        reading.format = "jsonl";
        own.trace = &reading;
        snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
        status = tac_check_trace(properties, path, &own, &trace, err);
        if (status == TAC_OK) {
            rename_trace(&trace, name);
            tac_vec_push(out, trace);
            name = NULL;
        }
    }
    if (file)
        fclose(file);
    else if (memory >= 0)
        close(memory);
    free(name);
    return status;
}

static tac_status check_runs_of(const tac_properties *properties, const char *path,
                                const tac_check_options *options, checked_list *out, tac_error *err)
{
    tac_runs *runs;
    tac_status status = tac_runs_new(&(tac_runs_options){0}, &runs, err);
    if (status != TAC_OK)
        return status;
    size_t first = out->count;
    status = tac_runs_read(runs, path, options->watch, err);
    size_t value_count = tac_token_count(runs);
    const char **values = tac_calloc(value_count + 1, sizeof *values);
    for (size_t i = 0; i < value_count; i++)
        values[i] = tac_token_text(runs, (uint32_t)i);
    tac_check_options own = *options;
    own.name = path;
    own.values = values;
    own.value_count = value_count;
    for (size_t i = 0; status == TAC_OK && i < tac_runs_count(runs); i++)
        status = check_run(properties, runs, i, &own, out, err);
    if (status == TAC_OK)
        keep_common_warnings(out->at + first, out->count - first);
    free(values);
    tac_runs_free(runs);
    return status;
}

/* Traces that stand next to each other are checked together, in parallel. */
static tac_status check_group(const tac_properties *properties, const char *const *paths,
                              size_t count, const tac_check_options *options, checked_list *out,
                              tac_error *err)
{
    tac_check_report report;
    tac_status status = tac_check_traces(properties, paths, count, options, &report, err);
    if (status != TAC_OK)
        return status;
    tac_vec_append(out, report.traces, report.count);
    free(report.traces);
    return TAC_OK;
}

tac_status check_traces_and_runs(const tac_properties *properties, const char *const *paths,
                                 size_t count, const tac_check_options *options,
                                 tac_check_report *out, tac_error *err)
{
    checked_list list = {0};
    tac_status status = TAC_OK;
    bool by_content = !options->trace || !options->trace->format;
    for (size_t i = 0; i < count && status == TAC_OK;) {
        size_t end = i;
        while (end < count && !(by_content && tac_runs_is_file(paths[end])))
            end++;
        if (end > i)
            status = check_group(properties, paths + i, end - i, options, &list, err);
        if (status == TAC_OK && end < count)
            status = check_runs_of(properties, paths[end++], options, &list, err);
        i = end;
    }
    *out = (tac_check_report){.traces = list.at, .count = list.count};
    if (status != TAC_OK)
        tac_check_report_free(out);
    return status;
}
