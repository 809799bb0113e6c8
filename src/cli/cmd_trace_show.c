/* tactus trace show TRACE */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "cli/trace_options.h"
#include "tactus/trace_tools.h"
#include <string.h>
#include <time.h>

static const struct option show_options[] = {
    {.name = "since",
     .synonyms = "from",
     .kind = OPTION_REAL,
     .argument = "SECONDS",
     .help = "skip the states before this time (default: 0)"},
    {.name = "until",
     .synonyms = "to",
     .kind = OPTION_REAL,
     .argument = "SECONDS",
     .help = "skip the states after this time (default: the end of the trace)"},
    {.name = "states",
     .meaning = "which states, by number",
     .kind = OPTION_TEXT,
     .argument = "FROM[..TO]",
     .help = "only the states with these numbers (default: all)"},
    {.name = "event",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "only states with this event, * and ? as in file names (default: all)"},
    {.name = "limit",
     .meaning = "list at most N",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .help = "list at most N states, 0 = all (default: 50)",
     .least = 0,
     .most = INT64_MAX},
    TRACE_OPTIONS,
    {.name = NULL}};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void write_head(FILE *out, const json_t *document)
{
    const char *name;
    json_t *value;
    size_t index;
    fprintf(out, "%s (%s)\n", text_of(document, "trace"), text_of(document, "format"));
    json_object_foreach(json_object_get(document, "meta"), name, value)
    {
        char *text = tac_json_text(value, JSON_COMPACT);
        fprintf(out, "  %s: %s\n", name, json_is_string(value) ? json_string_value(value) : text);
        free(text);
    }
    fprintf(out, "  variables: ");
    json_array_foreach(json_object_get(document, "variables"), index, value)
    {
        const char *unit = text_of(value, "unit");
        fprintf(out, "%s%s%s%s%s", index ? ", " : "", text_of(value, "name"), *unit ? " [" : "",
                unit, *unit ? "]" : "");
    }
    fputc('\n', out);
    double from = json_number_value(json_object_get(document, "from"));
    char date[32];
    time_t seconds = (time_t)from;
    struct tm parts;
    if (from > 1e8 && gmtime_r(&seconds, &parts) &&
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts))
        fprintf(out, "  start: %.3f s (%s)\n", from, date);
    else
        fprintf(out, "  start: %.9g s\n", from);
}

/* Of a state only what it changes, so that the eye finds it. */
static void write_state(FILE *out, const json_t *state, const json_t *before, double start)
{
    const char *name;
    json_t *value;
    fprintf(out, "%8lld  %14.6f ", (long long)json_integer_value(json_object_get(state, "state")),
            json_number_value(json_object_get(state, "t")) - start);
    const char *event = text_of(json_object_get(state, "values"), "event");
    fprintf(out, " %-24s", *event ? event : ".");
    json_object_foreach(json_object_get(state, "values"), name, value)
    {
        if (!strcmp(name, "event") || json_equal(json_object_get(before, name), value))
            continue;
        if (json_is_string(value))
            fprintf(out, " %s=%s", name, json_string_value(value));
        else
            fprintf(out, " %s=%.10g", name, json_number_value(value));
    }
    fputc('\n', out);
}

static void write_show(FILE *out, void *context)
{
    const json_t *document = context, *before = NULL;
    size_t index;
    json_t *state;
    double start = json_number_value(json_object_get(document, "from"));
    write_head(out, document);
    fprintf(out, "%8s  %14s  %-24s %s\n", "state", "since start/s", "event", "changes");
    json_array_foreach(json_object_get(document, "states"), index, state)
    {
        write_state(out, state, before, start);
        before = json_object_get(state, "values");
    }
    if (json_is_true(json_object_get(document, "more")))
        fprintf(out, "... more states; --limit 0 shows all, --since, --until, --states and --event "
                     "a part\n");
}

/* "12" or "12..40". */
static bool read_range(const char *text, uint64_t *first, uint64_t *last)
{
    const char *dots = strstr(text, "..");
    char *from = dots ? tac_strndup(text, (size_t)(dots - text)) : tac_strdup(text);
    bool good = tac_parse_u64(from, first) &&
                (dots ? tac_parse_u64(dots + 2, last) && *last >= *first : (*last = *first, true));
    free(from);
    return good;
}

static int trace_show_run(struct invocation *in)
{
    uint64_t first = 0, last = 0;
    const char *states = option_text(in, "states");
    if (states && !read_range(states, &first, &last))
        return fail_usage(in, "--states takes FROM or FROM..TO, not '%s'", states);
    tac_trace_options trace = read_trace_options(in);
    tac_trace_show_options options = {
        .trace = &trace,
        .first_state = first,
        .last_state = last,
        .event = option_text(in, "event"),
        .from = option_real(in, "since", 0),
        .to = option_real(in, "until", -1),
        .limit = states && first == last ? 1 : (uint64_t)option_number(in, "limit", 50)};
    json_t *document;
    tac_error err;
    tac_status status = tac_trace_show(in->args[0], &options, &document, &err);
    free_trace_options(&trace);
    if (status)
        return fail(in, &err);
    if (in->json)
        return finish_json(in, document, 0);
    int code = finish_text(in, write_show, document, 0);
    json_decref(document);
    return code;
}

const struct command cmd_trace_show = {
    .noun = "trace",
    .verb = "show",
    .args = "TRACE",
    .least_args = 1,
    .most_args = 1,
    .summary = "show the states of a trace",
    .description = "Prints what is known about a trace and its states, one a line: number, time "
                   "since the trace's start, event, and the values that changed. With --json the "
                   "times are those of the trace, and every state has all its values.",
    .example = "tactus trace show examples/traces/pedestrian-1.csv --from 10 --to 20",
    .options = show_options,
    .common = HAS_JSON | HAS_OUTPUT,
    .reads_traces = true,
    .run = trace_show_run,
};
