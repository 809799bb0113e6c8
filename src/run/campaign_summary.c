/* verdicts.json: how the runs ended and what the properties said, per scenario.
 *
 * {"runs","missing","pass","fail","crash","aborted","scenarios":[names],
 *  "properties":[{"name","scenario","runs","violated","inconclusive","worst_margin"}],
 *  "crashes":[{"exception","runs","example"}], "failures":[{"run","message"}],
 *  "devices":[{"device","runs"}], "lost_devices":[{"device","after","message"}] of this call}
 * Everything comes from the store, so that a continued campaign counts the earlier runs too. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/campaign.h"
#include <string.h>

struct tally {
    const struct run_campaign *campaign;
    json_t *ends, *crashes, *failures, *properties, *verdicts, *devices;
};

static void count_up(json_t *object, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(object, key));
    json_object_set_new(object, key, json_integer(count + 1));
}

/* The entry of an array whose members equal those given; made when absent. */
static json_t *entry(json_t *array, const char *key1, const char *value1, const char *key2,
                     const char *value2)
{
    size_t i;
    json_t *one;
    json_array_foreach(array, i, one)
    {
        if (!strcmp(json_string_value(json_object_get(one, key1)), value1) &&
            (!key2 || !strcmp(json_string_value(json_object_get(one, key2)), value2)))
            return one;
    }
    one = json_object();
    json_object_set_new(one, key1, tac_json_string(value1));
    if (key2)
        json_object_set_new(one, key2, tac_json_string(value2));
    json_object_set_new(one, "runs", json_integer(0));
    json_array_append_new(array, one);
    return one;
}

static bool tally_run(void *context, const tac_store_run *run)
{
    struct tally *tally = context;
    count_up(tally->ends, run->verdict);
    json_t *details = run->details ? json_loads(run->details, 0, NULL) : NULL;
    const char *device = json_string_value(json_object_get(details, "ran_on"));
    if (device)
        count_up(entry(tally->devices, "device", device, NULL, NULL), "runs");
    json_decref(details);
    if (!strcmp(run->verdict, "crash")) {
        json_t *crash = entry(tally->crashes, "exception", run->exception, NULL, NULL);
        count_up(crash, "runs");
        if (!json_object_get(crash, "example"))
            json_object_set_new(crash, "example", json_integer(run->id));
    } else if (strcmp(run->verdict, "pass")) {
        json_array_append_new(tally->failures,
                              json_pack("{s:I,s:s,s:s,s:o}", "run", (json_int_t)run->id, "verdict",
                                        run->verdict, "scenario", run->scenario, "message",
                                        tac_json_string(run->message)));
    }
    return true;
}

static bool tally_verdict(void *context, int64_t run, const char *property, const char *answer,
                          const json_t *document)
{
    struct tally *tally = context;
    const char *scenario = campaign_scenario_of(tally->campaign, run);
    json_t *row = entry(tally->properties, "name", property, "scenario", scenario);
    if (!json_object_get(row, "violated")) {
        json_object_set_new(row, "violated", json_integer(0));
        json_object_set_new(row, "inconclusive", json_integer(0));
        json_object_set_new(row, "worst_margin", json_null());
    }
    count_up(row, "runs");
    if (!strcmp(answer, "false") || !strcmp(answer, "presumably false"))
        count_up(row, "violated");
    else if (!strcmp(answer, "inconclusive"))
        count_up(row, "inconclusive");
    json_t *margin = json_object_get(document, "margin"),
           *worst = json_object_get(row, "worst_margin");
    if (json_is_number(margin) &&
        (!json_is_number(worst) || json_number_value(margin) < json_number_value(worst)))
        json_object_set(row, "worst_margin", margin);
    json_array_append_new(tally->verdicts,
                          json_pack("{s:I,s:s,s:s,s:s,s:O}", "run", (json_int_t)run, "scenario",
                                    scenario, "property", property, "verdict", answer, "margin",
                                    margin ? margin : json_null()));
    return true;
}

static json_t *build(struct tally *tally)
{
    const struct run_campaign *campaign = tally->campaign;
    json_t *summary = json_object(), *scenarios = json_array();
    json_int_t done = 0;
    static const char *const ends[] = {"pass", "fail", "crash", "aborted"};
    for (size_t i = 0; i < 4; i++)
        done += json_integer_value(json_object_get(tally->ends, ends[i]));
    json_object_set_new(summary, "folder", tac_json_string(campaign->options->folder));
    json_object_set_new(summary, "runs", json_integer(done));
    json_object_set_new(summary, "missing", json_integer((json_int_t)campaign->run_count - done));
    for (size_t i = 0; i < 4; i++)
        json_object_set_new(
            summary, ends[i],
            json_integer(json_integer_value(json_object_get(tally->ends, ends[i]))));
    for (size_t i = 0; i < campaign->options->scenario_count; i++)
        json_array_append_new(scenarios, tac_json_string(campaign->options->scenarios[i]));
    json_object_set_new(summary, "scenarios", scenarios);
    json_object_set(summary, "properties", tally->properties);
    json_object_set(summary, "crashes", tally->crashes);
    json_object_set(summary, "failures", tally->failures);
    json_object_set(summary, "verdicts", tally->verdicts);
    json_object_set(summary, "devices", tally->devices);
    json_object_set(summary, "lost_devices", campaign->lost);
    return summary;
}

tac_status campaign_summarise(const struct run_campaign *campaign, json_t **summary, tac_error *err)
{
    struct tally tally = {campaign,     json_object(), json_array(), json_array(),
                          json_array(), json_array(),  json_array()};
    tac_status status = tac_store_each_run(campaign->store, tally_run, &tally, err);
    if (status == TAC_OK)
        status = tac_store_each_verdict(campaign->store, tally_verdict, &tally, err);
    if (status == TAC_OK) {
        json_t *document = build(&tally);
        char *text = tac_json_text(document, JSON_INDENT(1));
        char *path = tac_format("%s/verdicts.json", campaign->options->folder);
        status = tac_output_write_file(path, text, strlen(text), err);
        free(path);
        free(text);
        *summary = document;
    }
    json_decref(tally.ends);
    json_decref(tally.crashes);
    json_decref(tally.failures);
    json_decref(tally.properties);
    json_decref(tally.verdicts);
    json_decref(tally.devices);
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
