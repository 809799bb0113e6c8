/* Traces of any format: how long, how many states and events, the range of each variable, and the
 * crash that a log holds. All of it is what the trace's own reader found (tac_trace_stat). */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "facts/page.h"
#include "trace/text/clock.h"
#include "trace/tools.h"
#include <math.h>
#include <string.h>
#include <time.h>

enum { MOST_EVENTS = 8, MOST_VARIABLES = 16, MOST_FRAMES = 3 };

static void add_date(tac_facts *page, const char *name, int64_t time)
{
    enum { YEARS = 80, FIRST = 63072000 }; /* logs without years are read as of 1972 */
    time_t seconds = (time_t)(time / 1000000000);
    struct tm tm;
    char date[40];
    if (seconds >= FIRST && gmtime_r(&seconds, &tm) &&
        strftime(date, sizeof date, tm.tm_year < YEARS ? "%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M:%S",
                 &tm))
        page_text(page, name, date);
}

static void add_span(const tac_trace_summary *trace, tac_facts *page)
{
    const char *clock = json_string_value(json_object_get(trace->meta, "clock"));
    bool dated = !clock || !strcmp(clock, "realtime") || !strcmp(clock, "local");
    page_number(page, "states", (int64_t)trace->states);
    if (!trace->states)
        return;
    page_textf(page, "duration", "%.6g s", clock_seconds(trace->to - trace->from));
    if (dated)
        add_date(page, "from", trace->from), add_date(page, "to", trace->to);
}

static int compare_counts(const void *left, const void *right)
{
    const tac_trace_event_count *x = left, *y = right;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->name, y->name);
}

/* The most frequent first; a slice counts where it begins. */
static void add_events(const tac_trace_summary *trace, tac_facts *page)
{
    tac_trace_event_count *events = tac_calloc(trace->event_count + 1, sizeof *events);
    tac_str text = {0};
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++)
        if (strncmp(trace->events[i].name, "end:", 4) != 0) {
            events[count] = trace->events[i];
            events[count++].name += strncmp(trace->events[i].name, "begin:", 6) ? 0 : 6;
        }
    qsort(events, count, sizeof *events, compare_counts);
    for (size_t i = 0; i < count && i < MOST_EVENTS; i++)
        tac_str_addf(&text, "%s%.80s %llu", i ? ", " : "", events[i].name,
                     (unsigned long long)events[i].count);
    if (count > MOST_EVENTS)
        tac_str_addf(&text, " and %zu other names", count - MOST_EVENTS);
    if (count)
        page_text(page, "events", tac_str_text(&text));
    tac_str_free(&text);
    free(events);
}

static void add_variable(const tac_trace_figures *variable, tac_facts *page)
{
    const char *blank = *variable->unit ? " " : "";
    if (variable->kind == TAC_DISCRETE)
        page_textf(page, variable->name, "%zu value%s", variable->distinct,
                   variable->distinct == 1 ? "" : "s");
    else if (isnan(variable->least))
        page_text(page, variable->name, "no value");
    else if (variable->least == variable->most)
        page_textf(page, variable->name, "%.6g%s%s", variable->least, blank, variable->unit);
    else
        page_textf(page, variable->name, "%.6g to %.6g%s%s, on average %.6g", variable->least,
                   variable->most, blank, variable->unit, variable->mean);
}

static void add_variables(const tac_trace_summary *trace, tac_facts *page)
{
    size_t shown = 0;
    for (size_t i = 0; i < trace->variable_count; i++)
        if (strcmp(trace->variables[i].name, "event") && shown++ < MOST_VARIABLES)
            add_variable(&trace->variables[i], page);
    if (shown > MOST_VARIABLES)
        page_number(page, "more variables", (int64_t)(shown - MOST_VARIABLES));
}

/* The meta data that logs and runs have. */
static void add_verdict(const json_t *meta, tac_facts *page)
{
    static const char *const keys[] = {"verdict", "app", "exception", "message"};
    const json_t *one;
    size_t index;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = json_string_value(json_object_get(meta, keys[i]));
        if (text && *text)
            page_textf(page, keys[i], "%.300s", text);
    }
    json_array_foreach(json_object_get(meta, "stack"), index, one)
    {
        if (index < MOST_FRAMES && json_is_string(one))
            page_text(page, "at", json_string_value(one));
    }
    json_array_foreach(json_object_get(meta, "notes"), index, one)
    {
        page_text(page, "note", json_string_value(one));
    }
}

/* A trace that is damaged behind its beginning: what comes before the damage. */
static tac_status add_readable(const struct facts_input *input, const tac_trace_options *options,
                               tac_facts *page, tac_error *err)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_trace_summary read = {.path = input->path};
    tac_status status = tac_trace_open(input->path, options, &source, err);
    if (status)
        return status;
    while (!(status = tac_trace_next(source, &block, err)) && block) {
        read.from = read.states ? read.from : block->time[0];
        read.to = block->time[block->count - 1];
        read.states += block->count;
    }
    read.meta = tac_trace_meta(source);
    add_span(&read, page);
    if (status)
        page_warn(page, "the rest could not be read: %s", err->message);
    tac_trace_close(source);
    return status == TAC_E_INTERRUPTED || !read.states ? status : TAC_OK;
}

tac_status page_of_trace(const struct facts_input *input, const char *format, tac_facts *page,
                         tac_error *err)
{
    tac_trace_options trace = {.format = format, .lenient = true, .watch = input->watch};
    tac_trace_stat_options options = {.trace = &trace, .watch = input->watch};
    tac_trace_statistics *statistics;
    tac_status status = tac_trace_stat(&input->path, 1, &options, &statistics, err);
    if (status == TAC_E_INPUT || status == TAC_E_LIMIT)
        return add_readable(input, &trace, page, err);
    if (status)
        return status;
    const tac_trace_summary *summary = &statistics->traces[0];
    add_verdict(summary->meta, page);
    add_span(summary, page);
    add_events(summary, page);
    add_variables(summary, page);
    if (summary->skipped)
        page_warn(page, "%llu part%s could not be read", (unsigned long long)summary->skipped,
                  summary->skipped == 1 ? "" : "s");
    tac_trace_statistics_free(statistics);
    return TAC_OK;
}
