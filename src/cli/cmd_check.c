/* tactus check -p PROPS TRACE...: extra-functional properties on traces. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/command.h"
#include "cli/trace_options.h"
#include "tactus/property.h"
#include <string.h>
#include <sys/stat.h>

struct check_job {
    struct invocation *in;
    tac_properties *properties;
    tac_trace_options trace;
    tac_check_options options;
};

static tac_semantics semantics_of(const char *name)
{
    return !name                           ? TAC_SEMANTICS_DEF
           : strcmp(name, "eq3") == 0      ? TAC_SEMANTICS_EQ3
           : strcmp(name, "rising") == 0   ? TAC_SEMANTICS_RISING
           : strcmp(name, "spin2015") == 0 ? TAC_SEMANTICS_SPIN2015
                                           : TAC_SEMANTICS_DEF;
}

static void print_line(void *context, const json_t *line)
{
    (void)context;
    tac_error ignored; /* a broken standard output is found when the program ends */
    tac_json_write(line, stdout, &ignored);
    fflush(stdout);
}

static bool is_good(const json_t *property)
{
    const char *verdict = json_string_value(json_object_get(property, "verdict"));
    return strstr(verdict, "true") != NULL;
}

static void write_property(FILE *out, const json_t *trace, const json_t *property)
{
    static const tac_answer answers[] = {TAC_HOLDS, TAC_VIOLATED, TAC_INCONCLUSIVE,
                                         TAC_PRESUMABLY_HOLDS, TAC_PRESUMABLY_VIOLATED};
    const char *verdict = json_string_value(json_object_get(property, "verdict"));
    tac_answer answer = TAC_INCONCLUSIVE;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(verdict, tac_answer_name(answers[i])) == 0)
            answer = answers[i];
    char *subject = tac_format("%s on %s", json_string_value(json_object_get(property, "name")),
                               json_string_value(json_object_get(trace, "trace")));
    tac_verdict sentence;
    tac_verdict_init(&sentence, "property", subject, answer);
    tac_verdict_explain(&sentence, "%s",
                        json_string_value(json_object_get(property, "explanation")));
    tac_verdict_advise(&sentence, "%s", json_string_value(json_object_get(property, "advice")));
    tac_verdict_text(&sentence, out);
    tac_verdict_free(&sentence);
    free(subject);
}

struct check_text {
    const json_t *document;
    bool verbose;
};

/* What is wrong comes first; long lists of what is well only with --verbose. */
static void write_document(FILE *out, void *context)
{
    const struct check_text *text = context;
    size_t good = 0, all = 0, t, i;
    json_t *trace, *property;
    json_t *traces = json_object_get(text->document, "traces");
    json_array_foreach(traces, t, trace)
    {
        json_array_foreach(json_object_get(trace, "properties"), i, property)
        {
            all++;
            good += is_good(property);
            if (!is_good(property))
                write_property(out, trace, property);
        }
    }
    json_array_foreach(traces, t, trace)
    {
        json_array_foreach(json_object_get(trace, "properties"), i, property)
        {
            bool hint = *json_string_value(json_object_get(property, "advice")) != 0;
            if (is_good(property) && (text->verbose || good <= 10 || hint))
                write_property(out, trace, property);
        }
    }
    fprintf(out, "held: %zu of %zu\n", good, all);
}

static void print_warnings(const json_t *document)
{
    size_t t, i;
    json_t *trace, *warning;
    json_array_foreach(json_object_get(document, "traces"), t, trace)
    {
        warn_skipped(json_string_value(json_object_get(trace, "trace")),
                     (uint64_t)json_integer_value(json_object_get(trace, "skipped")), NULL);
        json_array_foreach(json_object_get(trace, "warnings"), i, warning)
        {
            fprintf(stderr, "%s:%d:%d: warning: %s\n",
                    json_string_value(json_object_get(warning, "file")),
                    (int)json_integer_value(json_object_get(warning, "line")),
                    (int)json_integer_value(json_object_get(warning, "column")),
                    json_string_value(json_object_get(warning, "message")));
        }
    }
}

static int check_followed(struct check_job *job)
{
    tac_error err;
    json_t *document;
    int code;
    struct stat input;
    bool whole =
        strcmp(job->in->args[0], "-") == 0 && fstat(0, &input) == 0 && S_ISREG(input.st_mode);
    job->in->stop_is_end = true;
    job->trace.follow = !whole; /* a file given as standard input ends where it ends */
    job->options.on_verdict = print_line;
    if (tac_check_traces(job->properties, job->in->args, job->in->arg_count, &job->options,
                         &document, &code, &err) != TAC_OK)
        return fail(job->in, &err);
    json_decref(document);
    return code;
}

static void write_calibration(FILE *out, void *context)
{
    const json_t *document = context;
    size_t i;
    json_t *at;
    json_array_foreach(json_object_get(document, "properties"), i, at)
    {
        long long count = json_integer_value(json_object_get(at, "intervals"));
        fprintf(out, "%s: %s\n", json_string_value(json_object_get(at, "name")),
                json_string_value(json_object_get(at, "expression")));
        if (!count) {
            fprintf(out, "  no interval in the reference runs\n");
            continue;
        }
        fprintf(out, "  %lld interval%s: least %.6g, mean %.6g, most %.6g, deviation %.3g %s\n",
                count, count == 1 ? "" : "s", json_number_value(json_object_get(at, "min")),
                json_number_value(json_object_get(at, "mean")),
                json_number_value(json_object_get(at, "max")),
                json_number_value(json_object_get(at, "deviation")),
                json_string_value(json_object_get(at, "unit")));
        fprintf(out, "  -> %s\n", json_string_value(json_object_get(at, "suggestion")));
    }
}

static int calibrate(struct check_job *job)
{
    tac_error err;
    json_t *document;
    if (tac_check_calibrate(job->properties, job->in->args, job->in->arg_count, &job->options,
                            &document, &err) != TAC_OK)
        return fail(job->in, &err);
    if (job->in->json)
        return finish_json(job->in, document, 0);
    int code = finish_text(job->in, write_calibration, document, 0);
    json_decref(document);
    return code;
}

static int emit(struct check_job *job, const char *format)
{
    tac_output output;
    tac_error err;
    const char *name = option_text(job->in, "property");
    size_t index = name ? tac_property_find(job->properties, name) : 0;
    if (index == SIZE_MAX)
        return fail_usage(job->in, "--property %s: the file has no such property", name);
    if (tac_output_open(&output, job->in->output, &err) != TAC_OK)
        return fail(job->in, &err);
    tac_status status = strcmp(format, "c") == 0
                            ? tac_property_emit_c(job->properties, output.file, &err)
                            : tac_property_emit_promela(job->properties, index, output.file, &err);
    status = tac_output_close(&output, status, &err);
    return status == TAC_OK ? 0 : fail(job->in, &err);
}

static int check_traces(struct check_job *job)
{
    struct invocation *in = job->in;
    tac_error err;
    json_t *document;
    int code;
    const char *format = option_text(in, "emit");
    if (format)
        return emit(job, format);
    if (!in->arg_count)
        return fail_usage(in, "which trace? give one or more files, or - with --follow");
    if (option_flag(in, "calibrate"))
        return calibrate(job);
    if (option_flag(in, "follow"))
        return check_followed(job);
    if (tac_check_traces(job->properties, in->args, in->arg_count, &job->options, &document, &code,
                         &err) != TAC_OK)
        return fail(in, &err);
    if (in->json)
        return finish_json(in, document, code);
    print_warnings(document);
    struct check_text text = {document, in->verbose};
    code = finish_text(in, write_document, &text, code);
    json_decref(document);
    return code;
}

static int check_run(struct invocation *in)
{
    tac_diagnostics found = {0};
    tac_error err;
    struct check_job job = {.in = in};
    int code;
    job.trace = read_trace_options(in);
    job.options.trace = &job.trace;
    job.options.semantics = semantics_of(option_text(in, "semantics"));
    job.options.stop_on_violation = option_flag(in, "stop-on-violation");
    job.options.cut = option_flag(in, "cut");
    job.options.jobs = in->jobs;
    job.options.watch = in->watch;
    tac_status status =
        tac_property_load(option_text(in, "properties"), &found, &job.properties, &err);
    print_diagnostics(&found);
    if (status != TAC_OK && found.errors)
        tac_fail(&err, TAC_E_INPUT, "%zu error%s: the properties cannot be used", found.errors,
                 found.errors == 1 ? "" : "s");
    code = status == TAC_OK ? check_traces(&job) : fail(in, &err);
    tac_diagnostics_free(&found);
    tac_property_free(job.properties);
    free_trace_options(&job.trace);
    return code;
}

static const struct option check_options[] = {
    {.name = "properties",
     .meaning = "the property file",
     .letter = 'p',
     .kind = OPTION_FILE,
     .argument = "FILE",
     .help = "the property file",
     .required = true},
    {.name = "follow",
     .kind = OPTION_FLAG,
     .help = "follow a growing file, or -; print each verdict as one JSON line as soon as it is "
             "decided"},
    {.name = "stop-on-violation",
     .meaning = "stop at the first violation",
     .kind = OPTION_FLAG,
     .help = "end with exit code 1 at the first violation"},
    {.name = "cut",
     .kind = OPTION_FLAG,
     .help = "the traces were cut off: what a continuation could change is inconclusive"},
    {.name = "semantics",
     .kind = OPTION_CHOICE,
     .argument = "READING",
     .help = "how interval ends are read; default def, the definitions",
     .choices = "def|eq3|rising|spin2015"},
    {.name = "calibrate",
     .kind = OPTION_FLAG,
     .help = "propose bounds that these reference traces keep"},
    {.name = "emit",
     .kind = OPTION_CHOICE,
     .argument = "FORMAT",
     .help = "write a monitor instead: promela with its never claim, or stand-alone C99",
     .choices = "promela|c"},
    {.name = "property",
     .meaning = "which property",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "with --emit promela: which property; default the first"},
    TRACE_OPTIONS,
    {0}};

const struct command cmd_check = {
    .noun = "check",
    .args = "[TRACE...]",
    .least_args = 0,
    .most_args = SIZE_MAX,
    .summary = "check extra-functional properties (energy, traffic, memory, time) on traces",
    .description =
        "Reads the properties (docs/properties.md is the language) and tells for every trace and "
        "property whether it holds, on which interval it is decided, and by what margin. CSV needs "
        "no import: the first row names the columns.\n\n"
        "Exit code 1 when a property is violated, 3 when none is and some verdict is inconclusive, "
        "4 when the properties or a trace cannot be used.",
    .example = "tactus check -p examples/player-traces/player.props "
               "examples/player-traces/pedestrian.csv",
    .options = check_options,
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE | HAS_PARALLEL,
    .run = check_run,
};
