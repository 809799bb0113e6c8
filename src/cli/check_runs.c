/* See check_runs.h. */
#include "cli/check_runs.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "cli/trace_options.h"
#include "mining/emit.h"
#include "mining/mining.h"
#include "property/property.h"
#include <string.h>

struct checking {
    const tac_properties *properties;
    const char *const *paths;
    const tac_check_options *options;
    TAC_VEC(tac_checked_trace) traces;
    TAC_VEC(size_t) path; /* one per trace */
};

static void rename_trace(tac_checked_trace *trace, char *name)
{
    trace->trace = tac_arena_strdup(trace->kept, name);
    free(name);
    for (size_t i = 0; i < trace->count; i++)
        trace->findings[i].has_place = false; /* there is no file to look at */
}

/* --- What a reader is told -------------------------------------------------------------------- */

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

/* The warnings that all these traces have. */
static void print_common_warnings(const tac_checked_trace *traces, size_t count)
{
    tac_diagnostics common = {0};
    for (size_t w = 0; w < traces[0].warnings.count; w++) {
        const tac_diagnostic *warning = &traces[0].warnings.at[w];
        bool everywhere = true;
        for (size_t i = 1; i < count && everywhere; i++)
            everywhere = has_warning(&traces[i], warning);
        if (everywhere)
            tac_diagnostics_add(&common, warning->severity, warning->file, warning->line,
                                warning->column, "%s", warning->message);
    }
    print_diagnostics(&common);
    tac_diagnostics_free(&common);
}

void print_check_warnings(const struct checked_files *files)
{
    const tac_check_report *report = &files->report;
    for (size_t first = 0, end; first < report->count; first = end) {
        for (end = first; end < report->count && files->path[end] == files->path[first]; end++)
            warn_skipped(report->traces[end].trace, report->traces[end].skipped, NULL);
        print_common_warnings(&report->traces[first], end - first);
    }
}

/* --- Checking --------------------------------------------------------------------------------- */

static void add(struct checking *checking, const tac_checked_trace *trace, size_t path)
{
    tac_vec_push(&checking->traces, *trace);
    tac_vec_push(&checking->path, path);
}

/* options: with the values of all runs of the file. */
static tac_status check_run(struct checking *checking, size_t path, const tac_runs *runs,
                            size_t run, const tac_check_options *options, tac_error *err)
{
    tac_trace_source *source = NULL;
    tac_checked_trace trace;
    tac_status status = tac_runs_open_trace(runs, run, &source, err);
    if (status == TAC_OK)
        status = tac_check_source(checking->properties, source, checking->paths[path], options,
                                  &trace, err);
    if (status != TAC_OK)
        return status;
    rename_trace(&trace, tac_runs_name(runs, run));
    add(checking, &trace, path);
    return TAC_OK;
}

static tac_status check_runs_of(struct checking *checking, size_t path, tac_error *err)
{
    tac_runs *runs;
    tac_status status = tac_runs_new(&(tac_runs_options){0}, &runs, err);
    if (status != TAC_OK)
        return status;
    status = tac_runs_read(runs, checking->paths[path], checking->options->watch, err);
    size_t value_count = tac_token_count(runs);
    const char **values = tac_calloc(value_count + 1, sizeof *values);
    for (size_t i = 0; i < value_count; i++)
        values[i] = tac_token_text(runs, (uint32_t)i);
    tac_check_options own = *checking->options;
    own.values = values;
    own.value_count = value_count;
    for (size_t i = 0; status == TAC_OK && i < tac_runs_count(runs); i++)
        status = check_run(checking, path, runs, i, &own, err);
    free(values);
    tac_runs_free(runs);
    return status;
}

tac_status check_traces_and_runs(const tac_properties *properties, const char *const *paths,
                                 size_t count, const tac_check_options *options,
                                 struct checked_files *out, tac_error *err)
{
    struct checking checking = {.properties = properties, .paths = paths, .options = options};
    tac_status status = TAC_OK;
    bool by_content = !options->trace || !options->trace->format;
    for (size_t i = 0; i < count && status == TAC_OK;) {
        tac_check_report report = {0};
        size_t end = i;
        while (end < count && !(by_content && tac_runs_is_file(paths[end])))
            end++;
        if (end > i) /* traces that stand next to each other are checked together, in parallel */
            status = tac_check_traces(properties, paths + i, end - i, options, &report, err);
        for (size_t k = 0; k < report.count && status == TAC_OK; k++)
            add(&checking, &report.traces[k], i + k);
        free(report.traces);
        if (status == TAC_OK && end < count)
            status = check_runs_of(&checking, end++, err);
        i = end;
    }
    *out = (struct checked_files){{checking.traces.at, checking.traces.count}, checking.path.at};
    if (status != TAC_OK)
        checked_files_free(out);
    return status;
}

void checked_files_free(struct checked_files *files)
{
    tac_check_report_free(&files->report);
    free(files->path);
    files->path = NULL;
}
