/* tactus trace stat TRACE... [--per event --variable energy] */
#include "base/check.h"
#include "base/data/text.h"
#include "base/print/print.h"
#include "cli/trace_options.h"
#include "trace/document.h"
#include "trace/text/clock.h"
#include "trace/tools.h"
#include <math.h>
#include <string.h>

static const struct option stat_options[] = {
    TEXT("per", "NAME",
         "profile: charge each action of the user (action), each event (event), or each value of "
         "another discrete variable such as activity"),
    TEXT("user-events", "NAMES",
         "profile per action: the events that are the user's, comma-separated, * and ? as in file "
         "names (default: those of the run's flow, else those in lower case)",
         .synonyms = "actions"),
    TEXT("variable", "NAME",
         "profile: the variable whose consumption is charged, such as energy or rxData",
         .meaning = "which variable"),
    CHOICE("measure", "WHAT",
           CHOICES({"diff", TAC_MEASURE_DIFF}, {"integral", TAC_MEASURE_INTEGRAL},
                   {"max", TAC_MEASURE_MAX}),
           "profile: growth of a counter, integral of a rate, or maximum (default: diff)"),
    TRACE_OPTIONS,
    {.name = NULL}};

/* Six digits are enough for people; --json has all of them. */
static const char *number_text(double value, char *buffer, size_t size)
{
    if (isfinite(value))
        snprintf(buffer, size, "%.6g", value);
    else
        snprintf(buffer, size, "-");
    return buffer;
}

static int wider(int width, const char *name)
{
    enum { WIDEST = 40 };
    int length = (int)strlen(name);
    width = length > width ? length : width;
    return width > WIDEST ? WIDEST : width;
}

static void write_events(FILE *out, const tac_trace_summary *trace)
{
    enum { LISTED = 20 };
    size_t listed = trace->event_count < LISTED ? trace->event_count : LISTED;
    if (!listed)
        return;
    tac_print(out, "  events: ");
    for (size_t i = 0; i < listed; i++)
        tac_print(out, "%s%s %llu", i ? ", " : "", trace->events[i].name,
                  (unsigned long long)trace->events[i].count);
    if (trace->event_count > listed)
        tac_print(out, ", and %zu more", trace->event_count - listed);
    fputc('\n', out);
}

static void write_unknown(FILE *out, const tac_trace_figures *one, int width, uint64_t states)
{
    if (one->unknown)
        tac_print(out, "  %-*s  not known in %llu of %llu states: %s\n", width, "",
                  (unsigned long long)one->unknown, (unsigned long long)states, one->reason);
}

static void write_variables(FILE *out, const tac_trace_summary *trace)
{
    char least[32], most[32], mean[32], last[32];
    int width = 8;
    for (size_t i = 0; i < trace->variable_count; i++)
        width = wider(width, trace->variables[i].name);
    tac_print(out, "  %-*s  %-6s  %12s  %12s  %12s  %12s\n", width, "variable", "unit", "least",
              "mean", "greatest", "last");
    for (size_t i = 0; i < trace->variable_count; i++) {
        const tac_trace_figures *one = &trace->variables[i];
        if (one->kind == TAC_DISCRETE)
            tac_print(out, "  %-*s  %zu value%s\n", width, one->name, one->distinct,
                      one->distinct == 1 ? "" : "s");
        else
            tac_print(out, "  %-*s  %-6s  %12s  %12s  %12s  %12s\n", width, one->name, one->unit,
                      number_text(one->least, least, sizeof least),
                      number_text(one->mean, mean, sizeof mean),
                      number_text(one->most, most, sizeof most),
                      number_text(one->last, last, sizeof last));
        write_unknown(out, one, width, trace->states);
    }
}

static void write_trace(FILE *out, const tac_trace_summary *trace)
{
    char states[32];
    const char *verdict = json_string_value(json_object_get(trace->meta, "verdict"));
    bool judged = verdict && *verdict;
    size_t index;
    json_t *note;
    tac_print(out, "%s: %s state%s, %.6g s, %s%s%s\n", trace->path,
              tac_thousands(trace->states, states, sizeof states), trace->states == 1 ? "" : "s",
              clock_seconds(trace->to - trace->from), trace->format, judged ? ", run: " : "",
              judged ? verdict : "");
    write_variables(out, trace);
    write_events(out, trace);
    json_array_foreach(json_object_get(trace->meta, "notes"), index, note)
    {
        tac_print(out, "  note: %s\n", json_string_value(note));
    }
    if (trace->example)
        tac_print(out, "  a property to start with:\n    %s\n", trace->example);
}

static void write_action(FILE *out, const tac_trace_cost *cost, int width, int indent)
{
    char mean[32], spread[32], worst[32];
    tac_print(out, "  %*s%-*s  %8llu  %12s  %12s  %12s  %s, state %llu\n", indent, "",
              width - indent, cost->name, (unsigned long long)cost->count,
              number_text(cost->mean, mean, sizeof mean),
              number_text(cost->spread, spread, sizeof spread),
              number_text(cost->worst, worst, sizeof worst), tac_base_name(cost->worst_trace),
              (unsigned long long)cost->worst_state);
    for (size_t i = 0; i < cost->nested_count; i++)
        write_action(out, &cost->nested[i], width, indent + 2);
}

static void write_profile(FILE *out, const tac_trace_profile *profile)
{
    static const char *const words[] = {
        [TAC_MEASURE_DIFF] = "growth",
        [TAC_MEASURE_INTEGRAL] = "integral",
        [TAC_MEASURE_MAX] = "maximum",
    };
    TABLE_COVERS(words, TAC_MEASURE_MAX);
    const char *unit = profile->unit;
    int width = profile->nests ? 16 : 8;
    for (size_t i = 0; i < profile->action_count; i++)
        width = wider(width, profile->actions[i].name);
    tac_print(out, "\n%s of %s%s%s%s per %s, dearest first\n", words[profile->measure],
              profile->variable, *unit ? " [" : "", unit, *unit ? "]" : "", profile->per);
    tac_print(out, "  %-*s  %8s  %12s  %12s  %12s  %s\n", width, profile->per, "count", "mean",
              "spread", "worst", "worst at");
    for (size_t i = 0; i < profile->action_count; i++)
        write_action(out, &profile->actions[i], width, 0);
    if (!profile->action_count)
        tac_print(out, "  (no %s has a value of %s)\n", profile->per, profile->variable);
}

static void write_stat(FILE *out, void *context)
{
    const tac_trace_statistics *statistics = context;
    for (size_t i = 0; i < statistics->trace_count; i++)
        write_trace(out, &statistics->traces[i]);
    if (statistics->profile)
        write_profile(out, statistics->profile);
}

static int finish_stat(struct invocation *in, tac_trace_statistics *statistics)
{
    for (size_t i = 0; i < statistics->trace_count; i++)
        warn_skipped(statistics->traces[i].path, statistics->traces[i].skipped, NULL);
    return in->json ? finish_json(in, tac_trace_statistics_json(statistics), 0)
                    : finish_text(in, write_stat, statistics, 0);
}

static int trace_stat_run(struct invocation *in)
{
    if (!option_text(in, "per") != !option_text(in, "variable"))
        return fail_usage(in, "--per and --variable are given together");
    tac_trace_options trace = read_trace_options(in);
    tac_trace_stat_options options = {.trace = &trace,
                                      .per = option_text(in, "per"),
                                      .actions = option_text(in, "user-events"),
                                      .variable = option_text(in, "variable"),
                                      .watch = in->watch};
    options.measure = (tac_trace_measure)option_choice(in, "measure", (int)options.measure);
    tac_trace_statistics *statistics;
    tac_error err;
    tac_status status = tac_trace_stat(in->args, in->arg_count, &options, &statistics, &err);
    if (status)
        return fail(in, &err);
    int code = finish_stat(in, statistics);
    tac_trace_statistics_free(statistics);
    return code;
}

const struct command cmd_trace_stat = {
    .noun = "trace",
    .verb = "stat",
    .group = GROUP_ANALYSE,
    .args = "TRACE...",
    .summary = "sum up traces, and what each action consumes",
    .description =
        "Prints for each trace its states, duration, events, for each variable its range, its mean "
        "over time and its last value, and a property that it can answer.\n\n"
        "With --per event --variable energy it adds the consumption profile over all traces "
        "together: how often each action happened, what it consumed on average, the spread "
        "(standard deviation) and the worst case with its place. An action is charged from its "
        "state up to that of the next event, the last one up to the end of the trace. --per action "
        "charges what is consumed up to the next action of the user to that action, with the app's "
        "own events below it; the totals add up to the growth of the trace. Another discrete "
        "variable (--per activity) is charged for each stretch of one value. --measure integral "
        "suits rates such as power, --measure max levels such as memory.",
    .example = "tactus trace stat examples/traces/cafe-1.csv examples/traces/pedestrian-1.csv "
               "--per event --variable rxData",
    .options = stat_options,
    .documents = DOCUMENTS(&trace_statistics_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .reads_traces = true,
    .run = trace_stat_run,
};
