/* The summary's document, verdicts.json:
 *
 * {"folder","runs","missing","pass","fail","crash","aborted","scenarios":[names],
 *  "properties":[{"name","scenario","runs","violated","inconclusive","exercised",
 *                 "worst_margin"}],
 *  "crashes":[{"exception","runs","example"}], "failures":[{"run","verdict","scenario","message"}],
 *  "notes": likewise, of runs that passed, left out when there are none,
 *  "verdicts":[{"run","scenario","property","verdict","margin"}], "devices":[{"device","runs"}],
 *  "lost_devices":[{"device","after","message"}], "unmatched_options":[XPath],
 *  "coverage":[{"run","covered","total","events","starts","unmodelled","ended"}] (adaptive runs),
 *  "actions":[{"action","looks","enabled","chosen","abandoned","unrested","step",
 *              "abandoned_there","written","reason"}] (runs of actions)}
 */
#include "base/io/json.h"
#include "run/actions/tally.h"
#include "tactus/run.h"

static void set_number(json_t *object, const char *key, int64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, tac_json_string(text));
}

static json_t *properties_json(const tac_run_summary *summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < summary->property_count; i++) {
        const tac_run_property *at = &summary->properties[i];
        json_t *row = json_object();
        set_text(row, "name", at->name);
        set_text(row, "scenario", at->scenario);
        set_number(row, "runs", at->runs);
        set_number(row, "violated", at->violated);
        set_number(row, "inconclusive", at->inconclusive);
        set_number(row, "exercised", at->exercised);
        json_object_set_new(row, "worst_margin", tac_json_number(at->worst_margin));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *crashes_json(const tac_run_summary *summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < summary->crash_count; i++) {
        json_t *row = json_object();
        set_text(row, "exception", summary->crashes[i].exception);
        set_number(row, "runs", summary->crashes[i].runs);
        set_number(row, "example", summary->crashes[i].example);
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *failures_json(const tac_run_failure *failures, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        set_number(row, "run", failures[i].run);
        set_text(row, "verdict", failures[i].verdict);
        set_text(row, "scenario", failures[i].scenario);
        set_text(row, "message", failures[i].message);
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *verdicts_json(const tac_run_summary *summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < summary->verdict_count; i++) {
        const tac_run_verdict *at = &summary->verdicts[i];
        json_t *row = json_object();
        set_number(row, "run", at->run);
        set_text(row, "scenario", at->scenario);
        set_text(row, "property", at->property);
        set_text(row, "verdict", at->verdict);
        json_object_set_new(row, "exercised", json_boolean(at->exercised));
        json_object_set_new(row, "margin", tac_json_number(at->margin));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *devices_json(const tac_run_summary *summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < summary->device_count; i++) {
        json_t *row = json_object();
        set_text(row, "device", summary->devices[i].device);
        set_number(row, "runs", summary->devices[i].runs);
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *coverage_json(const tac_run_summary *summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < summary->coverage_count; i++) {
        const tac_run_coverage *at = &summary->coverage[i];
        json_t *row = json_object();
        set_number(row, "run", at->run);
        set_number(row, "covered", at->covered);
        set_number(row, "total", at->total);
        set_number(row, "events", at->events);
        set_number(row, "starts", at->starts);
        set_number(row, "unmodelled", at->unmodelled);
        set_text(row, "ended", at->ended);
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *lost_json(const tac_run_summary *summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < summary->lost_count; i++) {
        json_t *row = json_object();
        set_text(row, "device", summary->lost[i].device);
        set_number(row, "after", summary->lost[i].after);
        set_text(row, "message", summary->lost[i].message);
        json_array_append_new(list, row);
    }
    return list;
}

json_t *tac_run_summary_json(const tac_run_summary *summary)
{
    json_t *document = json_object(), *scenarios = json_array();
    set_text(document, "folder", summary->folder);
    set_number(document, "runs", summary->runs);
    set_number(document, "missing", summary->missing);
    set_number(document, "pass", summary->pass);
    set_number(document, "fail", summary->fail);
    set_number(document, "crash", summary->crash);
    set_number(document, "aborted", summary->aborted);
    for (size_t i = 0; i < summary->scenario_count; i++)
        json_array_append_new(scenarios, tac_json_string(summary->scenarios[i]));
    json_object_set_new(document, "scenarios", scenarios);
    json_object_set_new(document, "properties", properties_json(summary));
    json_object_set_new(document, "crashes", crashes_json(summary));
    json_object_set_new(document, "failures",
                        failures_json(summary->failures, summary->failure_count));
    if (summary->note_count) /* as an early end of a run that passed */
        json_object_set_new(document, "notes", failures_json(summary->notes, summary->note_count));
    json_object_set_new(document, "verdicts", verdicts_json(summary));
    json_object_set_new(document, "devices", devices_json(summary));
    json_object_set_new(document, "lost_devices", lost_json(summary));
    if (summary->coverage_count)
        json_object_set_new(document, "coverage", coverage_json(summary));
    if (summary->action_count)
        json_object_set_new(document, "actions",
                            action_rows_json(summary->actions, summary->action_count));
    json_t *unmatched = json_array();
    for (size_t i = 0; i < summary->unmatched_count; i++)
        json_array_append_new(unmatched, tac_json_string(summary->unmatched[i]));
    json_object_set_new(document, "unmatched_options", unmatched);
    return document;
}
