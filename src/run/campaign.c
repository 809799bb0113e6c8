/* A campaign: flows x scenarios x repeats, or random runs, spread over worker processes.
 *
 * A worker writes the traces of a batch and reports (campaign_worker.c); only then does the parent
 * add the rows. A run whose device failed gets no row, so that the next call tries it again; three
 * such runs one after another end the campaign. */
#include "run/campaign.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/pool.h"
#include <string.h>

enum { LARGEST_BATCH = 256 };

size_t campaign_flow_of(const run_campaign *campaign, int64_t id)
{
    return campaign->flows.flows.count ? (size_t)id % campaign->flows.flows.count : 0;
}

static size_t repeats(const run_campaign *campaign)
{
    return campaign->options->repeat ? campaign->options->repeat : 1;
}

/* Random runs per scenario, or flows. */
static size_t per_repeat(const run_campaign *campaign)
{
    return campaign->options->monkey ? campaign->options->monkey : campaign->flows.flows.count;
}

uint32_t campaign_repeat_of(const run_campaign *campaign, int64_t id)
{
    return (uint32_t)((size_t)id / per_repeat(campaign) % repeats(campaign));
}

const char *campaign_scenario_of(const run_campaign *campaign, int64_t id)
{
    size_t scenario = (size_t)id / per_repeat(campaign) / repeats(campaign);
    return scenario < campaign->options->scenario_count ? campaign->options->scenarios[scenario]
                                                        : "";
}

static tac_status store_run(run_campaign *campaign, const json_t *message, tac_error *err)
{
    int64_t id = json_integer_value(json_object_get(message, "id"));
    const json_t *outcome = json_object_get(message, "outcome");
    const char *scenario = campaign_scenario_of(campaign, id);
    bool monkey = campaign->options->monkey > 0;
    char name[128], trace[64];
    snprintf(name, sizeof name, monkey ? "random run %zu%s%s" : "flow %zu%s%s",
             monkey ? (size_t)id : campaign_flow_of(campaign, id), scenario[0] ? ", " : "",
             scenario);
    snprintf(trace, sizeof trace, "traces/%06lld.jsonl", (long long)id);
    char *details = json_dumps(outcome, JSON_COMPACT);
    tac_store_run run = {
        .id = id,
        .kind = monkey ? "monkey" : "flow",
        .name = name,
        .flow = monkey ? -1 : (int64_t)campaign_flow_of(campaign, id),
        .scenario = scenario,
        .repeat = campaign_repeat_of(campaign, id),
        .seed = (uint64_t)json_integer_value(json_object_get(message, "seed")),
        .verdict = json_string_value(json_object_get(outcome, "verdict")),
        .message = json_string_value(json_object_get(outcome, "message")),
        .exception = json_string_value(json_object_get(outcome, "exception")),
        .trace = trace,
        .seconds = json_number_value(json_object_get(message, "seconds")),
        .steps = json_integer_value(json_object_get(message, "steps")),
        .details = details,
    };
    tac_status status = tac_store_add_run(campaign->store, &run, err);
    free(details);
    size_t i;
    const json_t *property;
    json_array_foreach(json_object_get(message, "properties"), i, property)
    {
        if (status == TAC_OK)
            status = tac_store_add_verdict(
                campaign->store, id, json_string_value(json_object_get(property, "name")),
                json_string_value(json_object_get(property, "verdict")), property, err);
    }
    return status;
}

static void note_failure(run_campaign *campaign, const json_t *message)
{
    tac_fail_at(&campaign->failure,
                (tac_status)json_integer_value(json_object_get(message, "status")),
                json_string_value(json_object_get(message, "file")), 0, 0, "run %lld: %s",
                (long long)json_integer_value(json_object_get(message, "id")),
                json_string_value(json_object_get(message, "error")));
}

/* Takes the lines of one batch. A failure of the device that a later run of the batch got over is
 * not the end: those runs are simply left for the next call. */
static bool take_batch(void *data, const tac_pool_result *result)
{
    run_campaign *campaign = data;
    bool last_failed = false;
    const char *at = result->data, *end = at + result->size;
    while (at < end) {
        size_t length = strcspn(at, "\n");
        json_t *message = json_loadb(at, length, 0, NULL);
        at += length + 1;
        if (!message)
            continue;
        last_failed = json_object_get(message, "error") != NULL;
        if (last_failed) {
            note_failure(campaign, message);
        } else {
            tac_error err;
            if (store_run(campaign, message, &err) != TAC_OK) {
                campaign->failure = err;
                last_failed = true;
                json_decref(message);
                return false;
            }
            campaign->done++;
        }
        json_decref(message);
    }
    if (result->end != TAC_POOL_DONE)
        tac_fail(&campaign->failure, TAC_E_DEVICE, "a worker process died (%d) after %zu runs",
                 result->detail, campaign->done);
    return !last_failed && result->end == TAC_POOL_DONE;
}

static tac_status run_batches(run_campaign *campaign, tac_error *err)
{
    size_t parallel = campaign->options->parallel ? campaign->options->parallel : 1;
    size_t share = campaign->to_do.count / (parallel * 8) + 1;
    campaign->batch_size = share < LARGEST_BATCH ? share : LARGEST_BATCH;
    tac_pool_job job = {.items = (campaign->to_do.count + campaign->batch_size - 1) /
                                 campaign->batch_size,
                        .jobs = (unsigned)parallel,
                        .work = campaign_work,
                        .result = take_batch,
                        .context = campaign,
                        .watch = campaign->options->watch,
                        .what = "batches of runs"};
    tac_status status = tac_pool_run(&job, err);
    tac_error ignored;
    tac_status commit = tac_store_commit(campaign->store, status == TAC_OK ? err : &ignored);
    if (status == TAC_OK)
        status = commit;
    if (status == TAC_OK && campaign->failure.status != TAC_OK) {
        *err = campaign->failure;
        status = err->status;
    }
    return status;
}

static tac_status compile_patterns(run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    campaign->patterns = tac_calloc(options->pattern_count, sizeof *campaign->patterns);
    for (size_t i = 0; i < options->pattern_count; i++) {
        int code = regcomp(&campaign->patterns[i], options->patterns[i], REG_EXTENDED);
        if (code) {
            char text[128];
            regerror(code, &campaign->patterns[i], text, sizeof text);
            return tac_fail(err, TAC_E_USAGE, "the pattern '%s' is wrong: %s", options->patterns[i],
                            text);
        }
    }
    return TAC_OK;
}

static tac_status load_inputs(run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = compile_patterns(campaign, err);
    if (status == TAC_OK && options->flows)
        status = flow_set_load(options->flows, &campaign->flows, err);
    if (status == TAC_OK && options->properties) {
        tac_diagnostics findings = {0};
        status = tac_property_load(options->properties, &findings, &campaign->properties, err);
        tac_diagnostics_free(&findings);
    }
    size_t scenarios = options->scenario_count ? options->scenario_count : 1;
    campaign->run_count = per_repeat(campaign) * repeats(campaign) * scenarios;
    return status;
}

/* Opening the device once up front finds a wrong URI, app or scenario before any run starts. */
static tac_status try_device(const run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_device *device;
    tac_status status = tac_device_open(options->device, &options->device_options, &device, err);
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < options->scenario_count && status == TAC_OK; i++)
        status = tac_device_scenario(device, options->scenarios[i], err);
    if (status == TAC_OK)
        status = probe_set_check_choice(device,
                                        (probe_choice){options->probes, options->probe_count}, err);
    tac_device_free(device);
    return status;
}

tac_status tac_run_campaign(const tac_run_options *options, json_t **summary, tac_error *err)
{
    run_campaign campaign = {.options = options};
    *summary = NULL;
    tac_status status = load_inputs(&campaign, err);
    if (status == TAC_OK)
        status = try_device(&campaign, err);
    if (status == TAC_OK)
        status = campaign_open_folder(&campaign, err);
    if (status == TAC_OK) {
        status = run_batches(&campaign, err);
        tac_error other;
        tac_status written = campaign_summarise(&campaign, summary, &other);
        if (status == TAC_OK && written != TAC_OK) {
            *err = other;
            status = written;
        }
    }
    tac_store_close(campaign.store, NULL);
    for (size_t i = 0; campaign.patterns && i < options->pattern_count; i++)
        regfree(&campaign.patterns[i]);
    free(campaign.patterns);
    flow_set_free(&campaign.flows);
    tac_property_free(campaign.properties);
    tac_vec_free(&campaign.to_do);
    return status;
}
