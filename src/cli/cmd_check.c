/* tactus check -p PROPS TRACE...: extra-functional properties on traces. */
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/data/quote.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/check_runs.h"
#include "cli/check_tables.h"
#include "cli/command.h"
#include "cli/pipeline.h"
#include "cli/trace_options.h"
#include "property/check/described.h"
#include "property/property.h"

struct check_job {
    struct invocation *in;
    tac_properties *properties;
    tac_trace_options trace;
    tac_check_options options;
};

static void print_news(void *context, const tac_check_news *news)
{
    FILE *out = context;
    tac_error ignored; /* a broken output is found when it is closed */
    json_t *line = tac_check_news_json(news);
    if (news->kind == TAC_NEWS_NOTE)
        complain("%s: %s", news->trace, news->note);
    tac_json_write(line, out, &ignored);
    fflush(out);
    json_decref(line);
}

static bool is_good(const tac_check_finding *finding)
{
    tac_answer answer = finding->result.answer;
    return answer == TAC_HOLDS || answer == TAC_PRESUMABLY_HOLDS;
}

static void write_finding(FILE *out, const tac_checked_trace *trace,
                          const tac_check_finding *finding)
{
    char *subject = tac_format("%s on %s", finding->result.name, trace->trace);
    tac_verdict sentence;
    tac_verdict_init(&sentence, "property", subject, finding->result.answer);
    tac_verdict_explain(&sentence, "%s", finding->explanation);
    tac_verdict_advise(&sentence, "%s", finding->advice);
    tac_verdict_text(&sentence, out);
    tac_verdict_free(&sentence);
    free(subject);
}

/* The library says where to look; this says with which command, in words of the shell and with the
 * options that say how the trace is read, so that it can be pasted. */
static char *command_for(const struct invocation *in, const char *trace,
                         const tac_check_finding *at)
{
    unsigned long long from = at->from, to = at->to;
    char *repeat = repeat_trace_options(in);
    tac_str text = {0};
    if (at->variable)
        tac_str_add(&text, "see it: tactus trace plot ");
    else if (from == to)
        tac_str_addf(&text, "look at state %llu: tactus trace show ", from);
    else
        tac_str_addf(&text, "look at states %llu to %llu: tactus trace show ", from, to);
    tac_quote_shell(&text, trace);
    if (at->variable) {
        tac_str_add(&text, " --variable ");
        tac_quote_shell(&text, at->variable);
        tac_str_add(&text, " -p ");
        tac_quote_shell(&text, option_text(in, "properties"));
        tac_str_add(&text, " --property ");
        tac_quote_shell(&text, at->result.name);
        tac_str_addf(&text, " -o %s.svg", at->result.name);
    } else {
        tac_str_addf(&text, from == to ? " --states %llu" : " --states %llu..%llu", from, to);
    }
    tac_str_addf(&text, "%s%s", *repeat ? " " : "", repeat);
    free(repeat);
    return tac_str_take(&text);
}

static void advise_commands(const struct invocation *in, tac_checked_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        tac_check_finding *at = &trace->findings[i];
        if (!at->has_place)
            continue;
        char *advice = command_for(in, trace->trace, at);
        at->advice = tac_arena_strdup(trace->kept, advice);
        free(advice);
    }
}

struct check_text {
    const tac_check_report *report;
    bool verbose;
};

/* What is wrong comes first; long lists of what is well only with --verbose. */
static void write_report(FILE *out, void *context)
{
    const struct check_text *text = context;
    size_t good = 0, all = 0;
    for (size_t t = 0; t < text->report->count; t++) {
        const tac_checked_trace *trace = &text->report->traces[t];
        for (size_t i = 0; i < trace->count; i++) {
            all++;
            good += is_good(&trace->findings[i]);
            if (!is_good(&trace->findings[i]))
                write_finding(out, trace, &trace->findings[i]);
        }
    }
    for (size_t t = 0; t < text->report->count; t++) {
        const tac_checked_trace *trace = &text->report->traces[t];
        for (size_t i = 0; i < trace->count; i++) {
            const tac_check_finding *finding = &trace->findings[i];
            if (is_good(finding) && (text->verbose || good <= 10 || *finding->advice))
                write_finding(out, trace, finding);
        }
    }
    tac_print(out, "held: %zu of %zu\n", good, all);
}

static int check_followed(struct check_job *job)
{
    tac_error err;
    tac_checked_trace trace;
    tac_output output;
    job->in->stop_is_end = true;
    if (tac_output_open(&output, job->in->output, &err) != TAC_OK)
        return fail(job->in, &err);
    job->options.on_news = print_news;
    job->options.context = output.file;
    job->options.grace = (int64_t)(option_real(job->in, "grace", 0.5) * 1e9);
    job->options.reorder = option_number(job->in, "reorder", 50) * 1000000;
    job->trace.reorder = option_number(job->in, "reorder", 0) * 1000000;
    tac_status status = tac_check_follow(job->properties, job->in->args, job->in->arg_count,
                                         &job->options, &trace, &err);
    int code = status == TAC_OK ? tac_checked_trace_exit_code(&trace) : 0;
    if (status == TAC_OK)
        tac_checked_trace_free(&trace);
    status = tac_output_close(&output, status, &err);
    return status == TAC_OK ? code : fail(job->in, &err);
}

static void write_calibration(FILE *out, void *context)
{
    const tac_calibration *calibration = context;
    for (size_t i = 0; i < calibration->count; i++) {
        const tac_bound_proposal *at = &calibration->proposals[i];
        tac_print(out, "%s: %s\n", at->name, at->expression);
        if (!at->intervals) {
            tac_print(out, "  no interval in the reference runs\n");
            continue;
        }
        tac_print(out, "  %llu interval%s: least %.6g, mean %.6g, most %.6g, deviation %.3g %s\n",
                  (unsigned long long)at->intervals, at->intervals == 1 ? "" : "s", at->least,
                  at->mean, at->most, at->deviation, at->unit);
        tac_print(out, "  -> %s\n",
                  at->suggestion ? at->suggestion
                                 : "no bound: a value is infinite, because it was divided by 0");
    }
}

static int calibrate(struct check_job *job)
{
    tac_error err;
    tac_calibration calibration;
    int code;
    if (tac_check_calibrate(job->properties, job->in->args, job->in->arg_count, &job->options,
                            &calibration, &err) != TAC_OK)
        return fail(job->in, &err);
    if (job->in->json)
        code = finish_json(job->in, tac_calibration_json(&calibration), 0);
    else
        code = finish_text(job->in, write_calibration, &calibration, 0);
    tac_calibration_free(&calibration);
    return code;
}

/* What --emit writes. */
enum emitted { EMIT_PROMELA, EMIT_C, EMIT_DOT };

static tac_status emit_as(enum emitted form, const struct check_job *job, size_t index, FILE *out,
                          tac_error *err)
{
    switch (form) {
    case EMIT_PROMELA:
        return tac_property_emit_promela(job->properties, index, job->options.semantics, out, err);
    case EMIT_C:
        return tac_property_emit_c(job->properties, job->options.semantics, out, err);
    case EMIT_DOT:
        return tac_property_emit_dot(job->properties, index, out, err);
    }
    abort();
}

static int emit(struct check_job *job)
{
    const enum emitted form = (enum emitted)option_choice(job->in, "emit", EMIT_PROMELA);
    tac_output output;
    tac_error err;
    const char *name = option_text(job->in, "property");
    size_t index = name ? tac_property_find(job->properties, name) : 0;
    if (index == SIZE_MAX)
        return fail_usage(job->in, "--property %s: the file has no such property", name);
    if (tac_output_open(&output, job->in->output, &err) != TAC_OK)
        return fail(job->in, &err);
    tac_status status = emit_as(form, job, index, output.file, &err);
    status = tac_output_close(&output, status, &err);
    return status == TAC_OK ? 0 : fail(job->in, &err);
}

static enum finding_level level_of(const tac_check_finding *finding)
{
    if (finding->result.answer == TAC_VIOLATED)
        return FINDING_ERROR;
    /* what was never tested is not known to be fine */
    return is_good(finding) && !finding->result.vacuous ? FINDING_PASS : FINDING_UNCLEAR;
}

/* One case per property and trace, at the line of the property. */
static tac_status write_cases(const struct check_job *job, const tac_check_report *report,
                              int *code, tac_error *err)
{
    struct pipeline cases = {0};
    const char *file = option_text(job->in, "properties");
    bool needed, unclear = false;
    tac_status status = pipeline_open(job->in, &cases, &needed, err);
    for (size_t t = 0; t < report->count && status == TAC_OK && needed; t++) {
        const tac_checked_trace *trace = &report->traces[t];
        for (size_t i = 0; i < trace->count; i++) {
            const tac_check_finding *finding = &trace->findings[i];
            const char *name = finding->result.name;
            unclear |= !is_good(finding) && finding->result.answer != TAC_VIOLATED;
            const char *rule = pipeline_text(&cases, "property.%s", name);
            pipeline_rule(&cases, rule, pipeline_text(&cases, "property %s of %s", name, file));
            pipeline_add(
                &cases, level_of(finding), rule, trace->trace,
                pipeline_text(&cases, "%s on %s: %s", name, trace->trace, finding->explanation),
                finding->advice,
                pipeline_text(&cases, "%s on %s", name, tac_base_name(trace->trace)));
            pipeline_identify_property(&cases, name);
            pipeline_place(&cases, file, tac_property_line(job->properties, i));
            pipeline_place(&cases, trace->trace, 0);
        }
    }
    if (status == TAC_OK)
        status = pipeline_finish(job->in, &cases, "tactus check", err);
    *code = pipeline_exit_code(&cases, *code, unclear);
    return status;
}

static int check_all(struct check_job *job)
{
    struct invocation *in = job->in;
    struct check_tables tables = {.properties = job->properties};
    struct checked_files files;
    tac_error err;
    int code;
    tac_status status = check_tables_open(&tables, option_text(in, "intervals"),
                                          option_text(in, "margins"), &job->options, &err);
    if (status == TAC_OK)
        status = check_traces_and_runs(job->properties, in->args, in->arg_count, &job->options,
                                       &files, &err);
    tac_status written = check_tables_close(&tables, status, &err);
    if (status != TAC_OK || written != TAC_OK) {
        if (status == TAC_OK)
            checked_files_free(&files);
        return fail(in, &err);
    }
    tac_check_report *report = &files.report;
    code = tac_check_report_exit_code(report);
    for (size_t i = 0; i < report->count; i++)
        advise_commands(in, &report->traces[i]);
    if (write_cases(job, report, &code, &err) != TAC_OK) {
        code = fail(in, &err);
    } else if (in->json) {
        code = finish_json(in, tac_check_report_json(report), code);
    } else {
        struct check_text text = {report, in->verbose};
        print_check_warnings(&files);
        code = finish_text(in, write_report, &text, code);
    }
    checked_files_free(&files);
    return code;
}

/* Options that would have no effect beside another; 0, or the code of a usage error. */
static int refuse_without_effect(const struct invocation *in)
{
    static const struct {
        const char *beside, *options[6];
    } pairs[] = {{"emit", {"calibrate", "follow", "intervals", "margins", "json"}},
                 {"calibrate", {"follow", "intervals", "margins", "stop-on-violation"}},
                 {"follow", {"intervals", "margins"}}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (size_t k = 0; option_flag(in, pairs[i].beside) && pairs[i].options[k]; k++)
            if (option_flag(in, pairs[i].options[k]))
                return fail_usage(in, "--%s and --%s do not go together", pairs[i].beside,
                                  pairs[i].options[k]);
    if (option_flag(in, "emit") && in->arg_count)
        return fail_usage(in, "--emit writes a monitor and checks no trace: leave out '%s'",
                          in->args[0]);
    if (option_flag(in, "property") && !option_flag(in, "emit"))
        return fail_usage(in, "--property is for --emit; every property of the file is checked");
    return 0;
}

/* What is missing, or asked for in vain, once the properties are known; 0, or the code. */
static int refuse_traces(const struct invocation *in)
{
    if (pipeline_wanted(in) &&
        (option_flag(in, "emit") || option_flag(in, "calibrate") || option_flag(in, "follow")))
        return fail_usage(in, "--junit, --sarif, --summary and --annotations are about verdicts on "
                              "whole traces: leave out --emit, --calibrate and --follow");
    if (!in->arg_count && !option_flag(in, "emit"))
        return fail_usage(in, "which trace? give one or more files, or - with --follow");
    return 0;
}

static int check_run(struct invocation *in)
{
    tac_diagnostics found = {0};
    tac_error err;
    struct check_job job = {.in = in};
    int code = refuse_without_effect(in);
    if (code)
        return code;
    job.trace = read_trace_options(in);
    job.options.trace = &job.trace;
    job.options.semantics = (tac_semantics)option_choice(in, "semantics", TAC_SEMANTICS_DEF);
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
    if (status != TAC_OK)
        code = fail(in, &err);
    else if ((code = refuse_traces(in)))
        ;
    else if (option_flag(in, "emit"))
        code = emit(&job);
    else if (option_flag(in, "calibrate"))
        code = calibrate(&job);
    else if (option_flag(in, "follow"))
        code = check_followed(&job);
    else
        code = check_all(&job);
    tac_diagnostics_free(&found);
    tac_property_free(job.properties);
    return code;
}

static const struct option check_options[] = {
    PATH("properties", "FILE", "the property file", .letter = 'p', .meaning = "the property file",
         .required = true),
    FLAG("follow",
         "follow growing files, or -; print each verdict as one JSON line as soon as it is decided",
         .meaning = "go on while the input grows"),
    REAL("grace", "SECONDS",
         "with --follow: how long after a deadline a late state is waited for (default: 0.5)"),
    NUMBER("reorder", "MS", 0, 3600000,
           "with --follow: states of several files and records of logs that come late by this much "
           "are put in order (default: 50 between files, 0 inside a log)"),
    PATH("intervals", "FILE", "write every interval of every property with its figures, as CSV"),
    PATH("margins", "FILE", "write the margin of every property over time, as CSV"),
    FLAG("stop-on-violation", "end with exit code 1 at the first violation",
         .meaning = "stop at the first violation"),
    FLAG("cut", "the traces were cut off: what a continuation could change is inconclusive"),
    CHOICE("semantics", "READING",
           CHOICES({"def", TAC_SEMANTICS_DEF}, {"eq3", TAC_SEMANTICS_EQ3},
                   {"rising", TAC_SEMANTICS_RISING}, {"spin2015", TAC_SEMANTICS_SPIN2015}),
           "how interval ends are read; default def, the definitions"),
    FLAG("calibrate", "propose bounds that these reference traces keep"),
    CHOICE("emit", "FORMAT", CHOICES({"promela", EMIT_PROMELA}, {"c", EMIT_C}, {"dot", EMIT_DOT}),
           "write a monitor instead: promela with its never claim, stand-alone C99, or the "
           "automaton as a drawing (dot)"),
    TEXT("property", "NAME", "with --emit promela or dot: which property; default the first",
         .meaning = "which property"),
    PIPELINE_OPTIONS,
    KNOWN_OPTIONS,
    TRACE_OPTIONS,
    {0}};

const struct command cmd_check = {
    .noun = "check",
    .group = GROUP_ANALYSE,
    .first = true,
    .args = "[TRACE...]",
    .summary = "check extra-functional properties (energy, traffic, memory, time) on traces",
    .description = "Reads the properties (docs/properties.md is the language) and tells for every "
                   "trace and property whether it holds, on which interval it is decided, and by "
                   "what margin. CSV needs no import: the first row names the columns.\n\n"
                   "Exit code 1 when a property is violated, 3 when none is and some verdict is "
                   "inconclusive, 4 when the properties or a trace cannot be used.",
    .example =
        "tactus check -p examples/player-traces/player.props examples/player-traces/pedestrian.csv",
    .options = check_options,
    .documents = DOCUMENTS(&check_report_described, &calibration_described, &check_news_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE | HAS_PARALLEL,
    .reads_traces = true,
    .run = check_run,
};
