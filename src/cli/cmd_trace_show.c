/* tactus trace show TRACE */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/print/print.h"
#include "cli/trace_options.h"
#include "trace/document.h"
#include "trace/text/clock.h"
#include "trace/tools.h"
#include "trace/trace.h"
#include <math.h>
#include <string.h>
#include <time.h>

static const struct option show_options[] = {
    REAL("since", "SECONDS", "skip the states before this time (default: 0)", .synonyms = "from"),
    REAL("until", "SECONDS", "skip the states after this time (default: the end of the trace)",
         .synonyms = "to"),
    TEXT("states", "FROM[..TO]", "only the states with these numbers (default: all)",
         .meaning = "which states, by number"),
    TEXT("event", "NAME", "only states with this event, * and ? as in file names (default: all)"),
    NUMBER("limit", "N", 0, INT64_MAX, "list at most N states, 0 = all (default: 50)",
           .meaning = "list at most N"),
    TRACE_OPTIONS,
    {.name = NULL}};

static void write_start(FILE *out, double start)
{
    char date[32];
    time_t since_1970 = (time_t)start;
    struct tm parts;
    if (start > 1e8 && gmtime_r(&since_1970, &parts) &&
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts))
        tac_print(out, "  start: %.3f s (%s)\n", start, date);
    else
        tac_print(out, "  start: %.9g s\n", start);
}

static void write_head(FILE *out, const tac_trace_states *states)
{
    const char *name;
    json_t *value;
    tac_print(out, "%s (%s)\n", states->path, states->format);
    json_object_foreach((json_t *)(uintptr_t)states->meta, name, value)
    {
        char *text = tac_json_text(value, JSON_COMPACT);
        tac_print(out, "  %s: %s\n", name, json_is_string(value) ? json_string_value(value) : text);
        free(text);
    }
    tac_print(out, "  variables: ");
    for (size_t i = 0; i < states->variable_count; i++) {
        const tac_trace_variable *one = &states->variables[i];
        const char *unit = one->kind == TAC_CONTINUOUS ? one->unit : "";
        tac_print(out, "%s%s%s%s%s", i ? ", " : "", one->name, *unit ? " [" : "", unit,
                  *unit ? "]" : "");
    }
    fputc('\n', out);
    write_start(out, clock_seconds(states->start));
}

static bool is_event(const tac_trace_states *states, const tac_trace_change *change)
{
    return !strcmp(states->variables[change->variable].name, "event");
}

static const char *event_of(const tac_trace_states *states, const tac_trace_shown_state *state)
{
    for (size_t i = 0; i < state->change_count; i++) {
        const tac_trace_change *change = &state->changes[i];
        if (change->symbol != TAC_TRACE_NO_SYMBOL && is_event(states, change))
            return *states->symbols[change->symbol] == TAC_TRACE_UNKNOWN
                       ? "?"
                       : states->symbols[change->symbol];
    }
    return "";
}

/* Of a state only what it changes, so that the eye finds it; 0 and -0 are the same to it. held[i]:
 * the number of variable i in the state before, NaN where it had no value. */
static void write_state(FILE *out, const tac_trace_states *states,
                        const tac_trace_shown_state *state, double *held)
{
    const char *event = event_of(states, state);
    tac_print(out, "%8llu  %14.6f  %-24s", (unsigned long long)state->index,
              clock_seconds(state->time) - clock_seconds(states->start), *event ? event : ".");
    for (size_t i = 0; i < state->change_count; i++) {
        const tac_trace_change *change = &state->changes[i];
        const char *name = states->variables[change->variable].name;
        double before = held[change->variable];
        held[change->variable] =
            change->symbol != TAC_TRACE_NO_SYMBOL ? (double)change->symbol : change->number;
        if (change->symbol != TAC_TRACE_NO_SYMBOL && !is_event(states, change))
            tac_print(out, " %s=%s", name,
                      *states->symbols[change->symbol] == TAC_TRACE_UNKNOWN
                          ? "?"
                          : states->symbols[change->symbol]);
        else if (!isnan(change->number) && change->number != before)
            tac_print(out, " %s=%.10g", name, change->number);
        else if (isnan(held[change->variable]) && !isnan(before) && !is_event(states, change))
            tac_print(out, " %s is gone", name);
    }
    fputc('\n', out);
}

static void write_show(FILE *out, void *context)
{
    const tac_trace_states *states = context;
    double *held = tac_calloc(states->variable_count + 1, sizeof *held);
    for (size_t i = 0; i < states->variable_count; i++)
        held[i] = NAN;
    write_head(out, states);
    tac_print(out, "%8s  %14s  %-24s %s\n", "state", "since start/s", "event", "changes");
    for (size_t i = 0; i < states->state_count; i++)
        write_state(out, states, &states->states[i], held);
    if (states->more)
        tac_print(out,
                  "... more states; --limit 0 shows all, --since, --until, --states and --event "
                  "a part\n");
    free(held);
}

static tac_status write_document(FILE *out, void *context, tac_error *err)
{
    return tac_trace_states_write(context, out, err);
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
    tac_trace_states *shown;
    tac_error err;
    tac_status status = tac_trace_show(in->args[0], &options, &shown, &err);
    if (status)
        return fail(in, &err);
    int code = in->json ? finish_stream(in, write_document, shown, 0)
                        : finish_text(in, write_show, shown, 0);
    tac_trace_states_free(shown);
    return code;
}

const struct command cmd_trace_show = {
    .noun = "trace",
    .verb = "show",
    .group = GROUP_ANALYSE,
    .args = "TRACE",
    .summary = "show the states of a trace",
    .description = "Prints what is known about a trace and its states, one a line: number, time "
                   "since the trace's start, event, and the values that changed. With --json the "
                   "times are those of the trace, and every state has all its values.",
    .example = "tactus trace show examples/traces/pedestrian-1.csv --from 10 --to 20",
    .options = show_options,
    .documents = DOCUMENTS(&trace_states_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .reads_traces = true,
    .run = trace_show_run,
};
