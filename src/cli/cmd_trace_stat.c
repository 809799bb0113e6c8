/* tactus trace stat TRACE... [--per event --variable energy] */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "cli/trace_options.h"
#include "tactus/trace_tools.h"
#include <string.h>

static const struct option stat_options[] = {
    {.name = "per",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "profile: charge each action of the user (action), each event (event), or each "
             "value of another discrete variable such as activity"},
    {.name = "user-events",
     .synonyms = "actions",
     .kind = OPTION_TEXT,
     .argument = "NAMES",
     .help = "profile per action: the events that are the user's, comma-separated, * and ? as in "
             "file names (default: those of the run's flow, else those in lower case)"},
    {.name = "variable",
     .meaning = "which variable",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "profile: the variable whose consumption is charged, such as energy or rxData"},
    {.name = "measure",
     .kind = OPTION_CHOICE,
     .argument = "WHAT",
     .choices = "diff|integral|max",
     .help = "profile: growth of a counter, integral of a rate, or maximum (default: diff)"},
    TRACE_OPTIONS,
    {.name = NULL}};

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Six digits are enough for people; --json has all of them. */
static const char *number_text(const json_t *object, const char *key, char *buffer, size_t size)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        snprintf(buffer, size, "-");
    else
        snprintf(buffer, size, "%.6g", json_number_value(value));
    return buffer;
}

static int name_width(const json_t *list, int least)
{
    size_t index;
    json_t *one;
    json_array_foreach(list, index, one)
    {
        int length = (int)strlen(text_of(one, "name"));
        least = length > least ? length : least;
    }
    return least > 40 ? 40 : least;
}

static void write_events(FILE *out, const json_t *events)
{
    const char *name;
    json_t *count;
    size_t shown = 0, all = json_object_size(events);
    if (!all)
        return;
    fprintf(out, "  events: ");
    json_object_foreach((json_t *)(uintptr_t)events, name, count)
    {
        if (shown == 20)
            break;
        fprintf(out, "%s%s %lld", shown++ ? ", " : "", name, (long long)json_integer_value(count));
    }
    fprintf(out, all > shown ? ", and %zu more\n" : "\n", all - shown);
}

static void write_trace(FILE *out, const json_t *trace)
{
    char states[32], least[32], most[32], mean[32], last[32];
    const json_t *variables = json_object_get(trace, "variables");
    const char *verdict = text_of(json_object_get(trace, "meta"), "verdict");
    size_t index;
    json_t *one;
    fprintf(out, "%s: %s state%s, %.6g s, %s%s%s\n", text_of(trace, "trace"),
            tac_thousands((uint64_t)number_of(trace, "states"), states, sizeof states),
            number_of(trace, "states") == 1 ? "" : "s", number_of(trace, "duration"),
            text_of(trace, "format"), *verdict ? ", run: " : "", verdict);
    int width = name_width(variables, 8);
    fprintf(out, "  %-*s  %-6s  %12s  %12s  %12s  %12s\n", width, "variable", "unit", "least",
            "mean", "greatest", "last");
    json_array_foreach(variables, index, one)
    {
        if (json_object_get(one, "distinct"))
            fprintf(out, "  %-*s  %.0f value%s\n", width, text_of(one, "name"),
                    number_of(one, "distinct"), number_of(one, "distinct") == 1 ? "" : "s");
        else
            fprintf(out, "  %-*s  %-6s  %12s  %12s  %12s  %12s\n", width, text_of(one, "name"),
                    text_of(one, "unit"), number_text(one, "min", least, sizeof least),
                    number_text(one, "mean", mean, sizeof mean),
                    number_text(one, "max", most, sizeof most),
                    number_text(one, "last", last, sizeof last));
    }
    write_events(out, json_object_get(trace, "events"));
    json_array_foreach(json_object_get(json_object_get(trace, "meta"), "notes"), index, one)
    {
        fprintf(out, "  note: %s\n", json_string_value(one));
    }
    if (*text_of(trace, "example"))
        fprintf(out, "  a property to start with:\n    %s\n", text_of(trace, "example"));
}

static void write_action(FILE *out, const json_t *one, int width, int indent)
{
    char mean[32], spread[32], worst[32];
    const json_t *at = json_object_get(one, "worst_at");
    size_t index;
    json_t *nested;
    fprintf(out, "  %*s%-*s  %8.0f  %12s  %12s  %12s  %s, state %.0f\n", indent, "", width - indent,
            text_of(one, "name"), number_of(one, "count"),
            number_text(one, "mean", mean, sizeof mean),
            number_text(one, "spread", spread, sizeof spread),
            number_text(one, "worst", worst, sizeof worst), tac_base_name(text_of(at, "trace")),
            number_of(at, "state"));
    json_array_foreach(json_object_get(one, "nested"), index, nested)
    {
        write_action(out, nested, width, indent + 2);
    }
}

struct stat_text {
    const tac_trace_stat_options *options;
    const json_t *document;
};

static void write_profile(FILE *out, const tac_trace_stat_options *options, const json_t *profile)
{
    static const char *const words[] = {
        [TAC_MEASURE_DIFF] = "growth",
        [TAC_MEASURE_INTEGRAL] = "integral",
        [TAC_MEASURE_MAX] = "maximum",
    };
    const json_t *actions = json_object_get(profile, "actions");
    const char *unit = text_of(profile, "unit");
    size_t index;
    json_t *one;
    fprintf(out, "\n%s of %s%s%s%s per %s, dearest first\n", words[options->measure],
            options->variable, *unit ? " [" : "", unit, *unit ? "]" : "", options->per);
    int width = name_width(actions, !strcmp(options->per, "action") ? 16 : 8);
    fprintf(out, "  %-*s  %8s  %12s  %12s  %12s  %s\n", width, options->per, "count", "mean",
            "spread", "worst", "worst at");
    json_array_foreach(actions, index, one)
    {
        write_action(out, one, width, 0);
    }
    if (!json_array_size(actions))
        fprintf(out, "  (no %s has a value of %s)\n", options->per, options->variable);
}

static void write_stat(FILE *out, void *context)
{
    const struct stat_text *text = context;
    size_t index;
    json_t *trace;
    json_array_foreach(json_object_get(text->document, "traces"), index, trace)
    {
        write_trace(out, trace);
    }
    if (text->options->per)
        write_profile(out, text->options, json_object_get(text->document, "profile"));
}

static int trace_stat_run(struct invocation *in)
{
    const char *measure = option_text(in, "measure");
    if (!option_text(in, "per") != !option_text(in, "variable"))
        return fail_usage(in, "--per and --variable are given together");
    tac_trace_options trace = read_trace_options(in);
    tac_trace_stat_options options = {.trace = &trace,
                                      .per = option_text(in, "per"),
                                      .actions = option_text(in, "user-events"),
                                      .variable = option_text(in, "variable"),
                                      .watch = in->watch};
    if (measure)
        options.measure = !strcmp(measure, "max")        ? TAC_MEASURE_MAX
                          : !strcmp(measure, "integral") ? TAC_MEASURE_INTEGRAL
                                                         : TAC_MEASURE_DIFF;
    json_t *document = NULL;
    tac_error err;
    tac_status status = tac_trace_stat(in->args, in->arg_count, &options, &document, &err);
    free_trace_options(&trace);
    if (status)
        return fail(in, &err);
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(document, "traces"), index, one)
    {
        warn_skipped(text_of(one, "trace"), (uint64_t)number_of(one, "skipped"), NULL);
    }
    if (in->json)
        return finish_json(in, document, 0);
    struct stat_text text = {&options, document};
    int code = finish_text(in, write_stat, &text, 0);
    json_decref(document);
    return code;
}

const struct command cmd_trace_stat = {
    .noun = "trace",
    .verb = "stat",
    .args = "TRACE...",
    .least_args = 1,
    .most_args = SIZE_MAX,
    .summary = "sum up traces, and what each action consumes",
    .description =
        "Prints for each trace its states, duration, events, for each variable its range, its "
        "mean over time and its last value, and a property that it can answer.\n\n"
        "With --per event --variable energy it adds the consumption profile over all traces "
        "together: how often each action happened, what it consumed on average, the spread "
        "(standard deviation) and the worst case with its place. An action is charged from its "
        "state up to that of the next event, the last one up to the end of the trace. --per action "
        "charges what is consumed up to the next action of the user to that action, with the "
        "app's own events below it; the totals add up to the growth of the trace. Another "
        "discrete variable (--per activity) is charged for each stretch of one value. --measure "
        "integral suits rates such as power, --measure max levels such as memory.",
    .example = "tactus trace stat examples/traces/cafe-1.csv examples/traces/pedestrian-1.csv "
               "--per event --variable rxData",
    .options = stat_options,
    .common = HAS_JSON | HAS_OUTPUT,
    .reads_traces = true,
    .run = trace_stat_run,
};
