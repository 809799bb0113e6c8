/* "timelines" of the document: the runs one wants to look into, event by event, with some probes
 * beside. All that the report cites, those that did not pass, and the first of the others. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "report/sections.h"
#include "trace/column.h"
#include <math.h>
#include <string.h>

enum { TIMELINES = 120, PASSING_TIMELINES = 20, TIMELINE_ROWS = 300, TIMELINE_PROBES = 4 };

/* A variable of the device on which an event happened: its own when there is only one device, else
 * "DEVICE.NAME" for the event "DEVICE:EVENT". */
static size_t variable_of(const tac_trace_source *source, const char *event, const char *name)
{
    size_t variable = trace_column(source, name);
    if (variable != SIZE_MAX)
        return variable;
    char *own = tac_format("%.*s.%s", (int)strcspn(event, ":"), event, name);
    variable = trace_column(source, own);
    free(own);
    return variable;
}

/* The probes shown beside the events: what the properties are about first, then the usual ones. */
struct shown_probes {
    size_t variable[TIMELINE_PROBES], count;
};

static void show_probe(struct shown_probes *shown, const tac_trace_source *source, const char *name)
{
    size_t count, variable = trace_column(source, name);
    if (variable == SIZE_MAX || shown->count == TIMELINE_PROBES ||
        tac_trace_variables(source, &count)[variable].kind != TAC_CONTINUOUS)
        return;
    for (size_t i = 0; i < shown->count; i++)
        if (shown->variable[i] == variable)
            return;
    shown->variable[shown->count++] = variable;
}

static struct shown_probes choose_probes(const tac_trace_source *source, const tac_names *bounded)
{
    static const char *const usual[] = {"energy", "rxData", "heap", "cpuTime", "responseTime"};
    struct shown_probes shown = {0};
    for (size_t i = 0; i < bounded->count; i++)
        show_probe(&shown, source, bounded->text[i]);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        show_probe(&shown, source, usual[i]);
    return shown;
}

static json_t *probes_json(const struct shown_probes *shown, const tac_trace_source *source)
{
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    json_t *list = json_array();
    for (size_t i = 0; i < shown->count; i++)
        json_array_append_new(list,
                              json_pack("{s:o,s:o}", "name",
                                        tac_json_string(variables[shown->variable[i]].name), "unit",
                                        tac_json_string(variables[shown->variable[i]].unit)));
    return list;
}

/* Six digits are plenty for a table. */
static json_t *short_number(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return tac_json_number(isfinite(value) ? strtod(text, NULL) : NAN);
}

static void add_events(const tac_trace_source *source, const tac_trace_block *block,
                       const struct shown_probes *shown, json_t *rows)
{
    size_t event = trace_column(source, "event");
    for (size_t i = 0; i < block->count && json_array_size(rows) < TIMELINE_ROWS; i++) {
        const char *name = trace_text_at(source, block, event, i);
        if (!name[0])
            continue;
        size_t activity = variable_of(source, name, "activity");
        size_t place = variable_of(source, name, "state");
        if (place == SIZE_MAX)
            place = variable_of(source, name, "screen");
        json_t *row = json_array();
        json_array_append_new(row, tac_json_number((double)block->time[i] * 1e-9));
        json_array_append_new(row, tac_json_string(name));
        json_array_append_new(row, tac_json_string(trace_text_at(source, block, activity, i)));
        json_array_append_new(row, tac_json_string(trace_text_at(source, block, place, i)));
        for (size_t k = 0; k < shown->count; k++)
            json_array_append_new(row, short_number(block->numbers[shown->variable[k]][i]));
        json_array_append_new(rows, row);
    }
}

static tac_status add_timeline(const struct report_campaign *campaign, const struct report_run *run,
                               const tac_names *bounded, json_t *timelines, tac_error *err)
{
    char *path = report_path(campaign, run->row.trace);
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_status status = tac_trace_open(path, NULL, &source, err);
    free(path);
    if (status != TAC_OK)
        return status;
    json_t *rows = json_array();
    struct shown_probes shown = choose_probes(source, bounded);
    while ((status = tac_trace_next(source, &block, err)) == TAC_OK && block)
        add_events(source, block, &shown, rows);
    json_t *timeline = json_object(), *probes = probes_json(&shown, source);
    tac_trace_close(source);
    json_object_set_new(timeline, "run",
                        json_integer((json_int_t)campaign->first_run + run->row.id));
    json_object_set_new(timeline, "probes", probes);
    json_object_set_new(timeline, "rows", rows);
    json_array_append_new(timelines, timeline);
    return status;
}

/* Those that are cited come in any case; the others up to the caps. */
static tac_status add_campaign(const struct report_campaign *campaign, const tac_names *bounded,
                               json_t *timelines, tac_error *err)
{
    size_t passing = 0, added = 0;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < campaign->runs.count && status == TAC_OK; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        bool pass = tac_stored_end_of(run->row.verdict) == TAC_STORED_PASS;
        bool room = added < TIMELINES && (!pass || passing < PASSING_TIMELINES);
        if (!run->row.trace[0] || (!run->cited && !room))
            continue;
        passing += pass && !run->cited;
        added += !run->cited;
        status = add_timeline(campaign, run, bounded, timelines, err);
    }
    return status;
}

tac_status report_add_timelines(const struct tac_report *report, json_t *document, tac_error *err)
{
    json_t *timelines = json_array();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < report->project.campaigns.count && status == TAC_OK; i++)
        status = add_campaign(&report->project.campaigns.at[i], &report->variables, timelines, err);
    json_object_set_new(document, "timelines", timelines);
    return status;
}
