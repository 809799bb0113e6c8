/* verdicts.json: how the runs ended and what the properties said, per scenario.
 *
 * {"runs","missing","pass","fail","crash","aborted","scenarios":[names],
 *  "properties":[{"name","scenario","runs","violated","inconclusive","worst_margin"}],
 *  "crashes":[{"exception","runs","example"}], "failures":[{"run","message"}],
 *  "devices":[{"device","runs"}], "lost_devices":[{"device","after","message"}] of this call}
 * Everything comes from the store, so that a continued campaign counts the earlier runs too. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/campaign.h"
#include <math.h>
#include <string.h>

static const char *const end_names[] = {
    [RUN_PASS] = "pass", [RUN_FAIL] = "fail", [RUN_CRASH] = "crash", [RUN_ABORTED] = "aborted"};
enum { ENDS = 4 };

struct crash_tally {
    int64_t runs, example;
};

struct property_tally {
    uint32_t name, scenario; /* in texts */
    int64_t runs, violated, inconclusive;
    double worst_margin; /* NaN: none was given */
};

/* Counters stand beside the names that they are of, by index. */
struct summary_tally {
    const struct run_campaign *campaign;
    int64_t ends[ENDS];
    tac_names devices, exceptions, properties, texts;
    TAC_VEC(int64_t) device_runs;
    TAC_VEC(struct crash_tally) crashes;
    TAC_VEC(struct property_tally) property_tallies;
    json_t *failures, *verdicts; /* lists of the document, in the order of the store */
};

static void tally_device(struct summary_tally *tally, const tac_store_run *run)
{
    json_t *details = run->details ? json_loads(run->details, 0, NULL) : NULL;
    const char *device = json_string_value(json_object_get(details, "ran_on"));
    if (device) {
        uint32_t at = tac_names_intern(&tally->devices, device);
        if (at == tally->device_runs.count)
            tac_vec_push(&tally->device_runs, (int64_t)0);
        assert(at < tally->device_runs.count);
        tally->device_runs.at[at]++;
    }
    json_decref(details);
}

static void tally_crash(struct summary_tally *tally, const tac_store_run *run)
{
    uint32_t at = tac_names_intern(&tally->exceptions, run->exception);
    if (at == tally->crashes.count)
        tac_vec_push(&tally->crashes, (struct crash_tally){.example = run->id});
    assert(at < tally->crashes.count);
    tally->crashes.at[at].runs++;
}

static bool tally_run(void *context, const tac_store_run *run)
{
    struct summary_tally *tally = context;
    for (size_t end = 0; end < ENDS; end++)
        tally->ends[end] += !strcmp(run->verdict, end_names[end]);
    tally_device(tally, run);
    if (!strcmp(run->verdict, end_names[RUN_CRASH]))
        tally_crash(tally, run);
    else if (strcmp(run->verdict, end_names[RUN_PASS]))
        json_array_append_new(tally->failures,
                              json_pack("{s:I,s:s,s:s,s:o}", "run", (json_int_t)run->id, "verdict",
                                        run->verdict, "scenario", run->scenario, "message",
                                        tac_json_string(run->message)));
    return true;
}

/* The counters of a property in a scenario. */
static struct property_tally *property_of(struct summary_tally *tally, const char *property,
                                          const char *scenario)
{
    char *key = tac_format("%s\n%s", property, scenario);
    uint32_t at = tac_names_intern(&tally->properties, key);
    free(key);
    if (at == tally->property_tallies.count)
        tac_vec_push(&tally->property_tallies,
                     (struct property_tally){.name = tac_names_intern(&tally->texts, property),
                                             .scenario = tac_names_intern(&tally->texts, scenario),
                                             .worst_margin = NAN});
    assert(at < tally->property_tallies.count);
    return &tally->property_tallies.at[at];
}

static bool tally_verdict(void *context, int64_t run, const char *property, const char *answer,
                          const json_t *document)
{
    struct summary_tally *tally = context;
    const char *scenario = campaign_scenario_of(tally->campaign, run);
    struct property_tally *row = property_of(tally, property, scenario);
    json_t *margin = json_object_get(document, "margin");
    row->runs++;
    row->violated += !strcmp(answer, tac_answer_name(TAC_VIOLATED)) ||
                     !strcmp(answer, tac_answer_name(TAC_PRESUMABLY_VIOLATED));
    row->inconclusive += !strcmp(answer, tac_answer_name(TAC_INCONCLUSIVE));
    if (json_is_number(margin) &&
        (isnan(row->worst_margin) || json_number_value(margin) < row->worst_margin))
        row->worst_margin = json_number_value(margin);
    json_array_append_new(tally->verdicts,
                          json_pack("{s:I,s:s,s:s,s:s,s:O}", "run", (json_int_t)run, "scenario",
                                    scenario, "property", property, "verdict", answer, "margin",
                                    margin ? margin : json_null()));
    return true;
}

/* --- the document --- */

static json_t *properties_json(const struct summary_tally *tally)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tally->property_tallies.count; i++) {
        const struct property_tally *row = &tally->property_tallies.at[i];
        json_array_append_new(
            list, json_pack("{s:o,s:o,s:I,s:I,s:I,s:o}", "name",
                            tac_json_string(tally->texts.text[row->name]), "scenario",
                            tac_json_string(tally->texts.text[row->scenario]), "runs",
                            (json_int_t)row->runs, "violated", (json_int_t)row->violated,
                            "inconclusive", (json_int_t)row->inconclusive, "worst_margin",
                            tac_json_number(row->worst_margin)));
    }
    return list;
}

static json_t *crashes_json(const struct summary_tally *tally)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tally->crashes.count; i++)
        json_array_append_new(list, json_pack("{s:o,s:I,s:I}", "exception",
                                              tac_json_string(tally->exceptions.text[i]), "runs",
                                              (json_int_t)tally->crashes.at[i].runs, "example",
                                              (json_int_t)tally->crashes.at[i].example));
    return list;
}

static json_t *devices_json(const struct summary_tally *tally)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tally->device_runs.count; i++)
        json_array_append_new(list, json_pack("{s:o,s:I}", "device",
                                              tac_json_string(tally->devices.text[i]), "runs",
                                              (json_int_t)tally->device_runs.at[i]));
    return list;
}

static json_t *summary_json(const struct summary_tally *tally)
{
    const struct run_campaign *campaign = tally->campaign;
    json_t *summary = json_object(), *scenarios = json_array();
    int64_t done = 0;
    for (size_t end = 0; end < ENDS; end++)
        done += tally->ends[end];
    assert(done <= (int64_t)campaign->run_count);
    json_object_set_new(summary, "folder", tac_json_string(campaign->options->folder));
    json_object_set_new(summary, "runs", json_integer(done));
    json_object_set_new(summary, "missing", json_integer((json_int_t)campaign->run_count - done));
    for (size_t end = 0; end < ENDS; end++)
        json_object_set_new(summary, end_names[end], json_integer(tally->ends[end]));
    for (size_t i = 0; i < campaign->options->scenario_count; i++)
        json_array_append_new(scenarios, tac_json_string(campaign->options->scenarios[i]));
    json_object_set_new(summary, "scenarios", scenarios);
    json_object_set_new(summary, "properties", properties_json(tally));
    json_object_set_new(summary, "crashes", crashes_json(tally));
    json_object_set(summary, "failures", tally->failures);
    json_object_set(summary, "verdicts", tally->verdicts);
    json_object_set_new(summary, "devices", devices_json(tally));
    json_object_set(summary, "lost_devices", campaign->lost);
    return summary;
}

static void free_tally(struct summary_tally *tally)
{
    tac_names_free(&tally->devices);
    tac_names_free(&tally->exceptions);
    tac_names_free(&tally->properties);
    tac_names_free(&tally->texts);
    tac_vec_free(&tally->device_runs);
    tac_vec_free(&tally->crashes);
    tac_vec_free(&tally->property_tallies);
    json_decref(tally->failures);
    json_decref(tally->verdicts);
}

tac_status campaign_summarise(const struct run_campaign *campaign, json_t **summary, tac_error *err)
{
    struct summary_tally tally = {
        .campaign = campaign, .failures = json_array(), .verdicts = json_array()};
    tac_status status = tac_store_each_run(campaign->store, tally_run, &tally, err);
    if (status == TAC_OK)
        status = tac_store_each_verdict(campaign->store, tally_verdict, &tally, err);
    if (status == TAC_OK) {
        json_t *document = summary_json(&tally);
        char *text = tac_json_text(document, JSON_INDENT(1));
        char *path = tac_format("%s/verdicts.json", campaign->options->folder);
        status = tac_output_write_file(path, text, strlen(text), err);
        free(path);
        free(text);
        *summary = document;
    }
    free_tally(&tally);
    return status;
}

int tac_run_exit_code(const json_t *summary)
{
    static const char *const bad[] = {"fail", "crash", "aborted"};
    for (size_t i = 0; i < 3; i++)
        if (json_integer_value(json_object_get(summary, bad[i])) > 0)
            return 1;
    size_t i;
    const json_t *row;
    int code = 0;
    json_array_foreach(json_object_get(summary, "properties"), i, row)
    {
        if (json_integer_value(json_object_get(row, "violated")) > 0)
            return 1;
        if (json_integer_value(json_object_get(row, "inconclusive")) > 0)
            code = 3;
    }
    return code;
}
