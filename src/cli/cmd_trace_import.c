/* tactus trace import SOURCE... -o TRACE */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include "cli/trace_options.h"
#include "trace/document.h"
#include "trace/text/clock.h"
#include "trace/tools.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct option import_options[] = {
    TRACE_OUTPUT,
    TRACE_TO,
    TEXT("offset", "SOURCE=SECONDS",
         "added to the times of a source, named by its path or file name; may be repeated"),
    FLAG("align", "count the time of each source from its own first state"),
    TRACE_OPTIONS,
    {.name = NULL}};

/* Is `name` the path, the file name, or the file name without its ending? */
static bool names_source(const char *path, const char *name, size_t length)
{
    const char *base = tac_base_name(path);
    size_t stem = strcspn(base, ".");
    return (strlen(path) == length && !memcmp(path, name, length)) ||
           (strlen(base) == length && !memcmp(base, name, length)) ||
           (stem == length && !memcmp(base, name, length));
}

/* 0, or the exit code of the complaint. */
static int read_offsets(const struct invocation *in, tac_trace_input *inputs)
{
    for (size_t i = 0; i < option_count(in, "offset"); i++) {
        const char *text = option_value(in, "offset", i), *equals = strrchr(text, '=');
        double seconds;
        if (!equals || !tac_parse_double(equals + 1, &seconds) || fabs(seconds) > 2e9)
            return fail_usage(in, "--offset wants SOURCE=SECONDS, not '%s'", text);
        bool found = false;
        for (size_t k = 0; k < in->arg_count; k++)
            if (names_source(in->args[k], text, (size_t)(equals - text))) {
                inputs[k].offset = (int64_t)llround(seconds * 1e9);
                found = true;
            }
        if (!found)
            return fail_usage(in, "--offset %s: none of the sources has this name", text);
    }
    return 0;
}

static void print_sources(const tac_trace_imported *imported)
{
    for (size_t i = 0; i < imported->source_count; i++) {
        const tac_trace_imported_source *source = &imported->sources[i];
        warn_skipped(source->path, source->skipped, source->first_skipped);
    }
    for (size_t i = 0; i < imported->warning_count; i++)
        complain("warning: %s", imported->warnings[i]);
}

static void print_summary(const tac_trace_imported *imported, const char *path)
{
    char states[32];
    printf("%s: %s state%s over %.3f s from %zu source%s, %zu variable%s\n", path,
           tac_thousands(imported->states, states, sizeof states), imported->states == 1 ? "" : "s",
           clock_seconds(imported->to) - clock_seconds(imported->from), imported->source_count,
           imported->source_count == 1 ? "" : "s", imported->variable_count,
           imported->variable_count == 1 ? "" : "s");
}

static int import_to(struct invocation *in, const tac_trace_input *inputs,
                     const tac_trace_import_options *options, const char *path)
{
    tac_output output;
    tac_error err;
    tac_trace_imported *imported = NULL;
    tac_status status = strcmp(options->format, "binary")
                            ? tac_output_open(&output, path, &err)
                            : tac_output_open_binary(&output, path, &err);
    if (!status) {
        status = tac_trace_import(inputs, in->arg_count, options, output.file, &imported, &err);
        status = tac_output_close(&output, status, &err);
    }
    if (status) {
        tac_trace_imported_free(imported);
        return fail(in, &err);
    }
    print_sources(imported);
    int code = 0;
    in->output = NULL; /* the trace is there; the document goes to standard output */
    if (in->json)
        code = finish_json(in, tac_trace_imported_json(imported), 0);
    else if (path && strcmp(path, "-"))
        print_summary(imported, path);
    tac_trace_imported_free(imported);
    return code;
}

static int trace_import_run(struct invocation *in)
{
    const char *path = option_text(in, "output");
    if (in->json && (!path || !strcmp(path, "-")))
        return fail_usage(in, "--json needs -o: the trace itself would share standard output");
    tac_trace_input *inputs = tac_calloc(in->arg_count, sizeof *inputs);
    for (size_t i = 0; i < in->arg_count; i++)
        inputs[i].path = in->args[i];
    int code = read_offsets(in, inputs);
    if (!code) {
        tac_trace_options trace = read_trace_options(in);
        tac_trace_import_options options = {.trace = &trace,
                                            .format = trace_format_to_write(in, path),
                                            .align = option_flag(in, "align"),
                                            .watch = in->watch};
        code = import_to(in, inputs, &options, path);
    }
    free(inputs);
    return code;
}

const struct command cmd_trace_import = {
    .noun = "trace",
    .verb = "import",
    .group = GROUP_ANALYSE,
    .args = "SOURCE...",
    .summary = "merge logs and measurements by time into one trace",
    .description =
        "Reads logs in any known format (Tactus JSON Lines and binary, CSV or TSV, Android logcat, "
        "the log of an SCPI power analyzer, the output folder of DroidBot; .gz, .xz, .zst and one "
        "file in a .zip are unpacked) and writes one trace in which the states of all sources "
        "stand in time order: events from one, counters from others.\n\n"
        "A clock that runs ahead or behind is corrected by --offset SOURCE=SECONDS; --align starts "
        "every source at 0. For a logcat, --pattern 'CONTROL -(\\w+)=event' makes a state of each "
        "matching line, with the first group as its event; 'rx=(\\d+) kB=rxData[kB]' reads a "
        "number with its unit. Patterns are matched against \"TAG: MESSAGE\".",
    .example =
        "tactus trace import examples/traces/download.logcat examples/traces/download.scpi --year "
        "2015 --pattern 'CONTROL -(\\w+)=event' --offset download.scpi=0.25 -o download.jsonl",
    .options = import_options,
    .documents = DOCUMENTS(&trace_imported_described),
    .common = HAS_JSON,
    .reads_traces = true,
    .run = trace_import_run,
};
