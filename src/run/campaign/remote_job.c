/* A campaign that others planned, made ready for the devices here: what a run is comes from the
 * plan in the database, the inputs are fetched by their content, and the plan that the devices here
 * would make has to be the one that is there. */
#include "run/campaign/remote_job.h"
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "base/data/text.h"
#include <string.h>
#include <sys/stat.h>

/* --- from the plan --- */

static bool read_texts(const json_t *plan, const char *key, struct plan_texts *out)
{
    size_t i;
    const json_t *text;
    const json_t *list = json_object_get(plan, key);
    if (json_array_size(list) > MOST_LISTED)
        return false;
    json_array_foreach(list, i, text)
    {
        if (!json_is_string(text))
            return false;
        out->at[out->count++] = json_string_value(text);
    }
    return true;
}

static uint32_t number_in(const json_t *plan, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(plan, key));
    return number < 0 || number > UINT32_MAX ? 0 : (uint32_t)number;
}

static tac_run_choice choice_in(const json_t *plan)
{
    const char *name = json_string_value(json_object_get(plan, "choose"));
    tac_run_choice way = TAC_CHOOSE_WEIGHTED;
    for (tac_run_choice i = TAC_CHOOSE_WEIGHTED; name && i <= TAC_CHOOSE_NOVELTY; i++)
        if (!strcmp(name, campaign_choice_name(i)))
            way = i;
    return way;
}

static tac_status read_plan(struct worker_job *job, tac_error *err)
{
    const json_t *plan = job->plan;
    tac_run_options *options = &job->options;
    uint64_t seed = 0;
    const char *seed_text = json_string_value(json_object_get(plan, "seed"));
    bool good = seed_text && tac_parse_u64(seed_text, &seed) &&
                read_texts(plan, "scenarios", &job->scenarios) &&
                read_texts(plan, "patterns", &job->patterns) &&
                read_texts(plan, "probes", &job->probes);
    if (!good)
        return tac_fail_at(err, TAC_E_INPUT, tac_store_folder(job->campaign.store), 0, 0,
                           "its plan cannot be read; 'tactus store verify' may say more");
    options->seed = options->device_options.seed = seed;
    options->monkey = number_in(plan, "monkey");
    options->monkey_steps = number_in(plan, "steps");
    options->repeat = number_in(plan, "repeat");
    const char *goal = json_string_value(json_object_get(plan, "goal"));
    options->adaptive = goal && tac_adaptive_goal_parse(goal, &options->goal);
    options->sample = json_number_value(json_object_get(plan, "sample"));
    options->think = json_number_value(json_object_get(plan, "think"));
    options->deadline = json_number_value(json_object_get(plan, "deadline"));
    options->scenarios = job->scenarios.at;
    options->scenario_count = job->scenarios.count;
    options->patterns = job->patterns.at;
    options->pattern_count = job->patterns.count;
    options->probes = job->probes.at;
    options->probe_count = job->probes.count;
    options->conform = json_is_true(json_object_get(plan, "conform"));
    options->monkey_share = json_number_value(json_object_get(plan, "monkey_share"));
    options->choose = choice_in(plan);
    options->stop_on_violation = json_is_true(json_object_get(plan, "stop_on_violation"));
    options->device_options.realtime = json_is_true(json_object_get(plan, "realtime"));
    options->device_options.fast = json_is_true(json_object_get(plan, "fast"));
    options->device_options.app = json_string_value(json_object_get(plan, "app"));
    return TAC_OK;
}

/* --- inputs --- */

static tac_status fetch(struct worker_job *job, const char *key, const char *name, char **path,
                        tac_error *err)
{
    if (!json_object_get(job->plan, key))
        return TAC_OK;
    *path = tac_format("%s/%s", job->campaign.remote->scratch, name);
    return tac_store_get_file(job->campaign.store, name, *path, err);
}

/* A file that the store does not have is looked for under its own name. */
static tac_status fetch_scenarios(struct worker_job *job, tac_error *err)
{
    const char *scenario;
    json_t *digest;
    tac_status status = TAC_OK;
    json_object_foreach(json_object_get(job->plan, "scenario_files"), scenario, digest)
    {
        const char *text = json_string_value(digest);
        if (status != TAC_OK || !text || strlen(text) >= TAC_DIGEST_TEXT ||
            strspn(text, "0123456789abcdef") != strlen(text))
            continue;
        char *name = tac_format("inputs/%s", text);
        char *path = tac_format("%s/%s", job->campaign.remote->scratch, name);
        tac_status got = tac_store_get_file(job->campaign.store, name, path, err);
        if (got == TAC_OK)
            scenario_files_add(&job->campaign.remote->fetched, scenario, path, text);
        else if (got != TAC_E_INPUT)
            status = got;
        free(name);
        free(path);
    }
    return status;
}

static tac_status fetch_inputs(struct worker_job *job, tac_error *err)
{
    char *folder = tac_format("%s/inputs", job->campaign.remote->scratch);
    mkdir(folder, 0700);
    free(folder);
    tac_status status = fetch(job, "model_file", "model.xml", &job->model, err);
    if (status == TAC_OK)
        status = fetch(job, "flow_file", "flows.jsonl", &job->flows, err);
    if (status == TAC_OK)
        status = fetch(job, "property_file", "properties.txt", &job->properties, err);
    if (status == TAC_OK)
        status = fetch(job, "action_file", CAMPAIGN_ACTIONS, &job->actions, err);
    if (status == TAC_OK)
        status =
            fetch(job, "capabilities_file", "inputs/capabilities.json", &job->capabilities, err);
    if (status == TAC_OK)
        status = fetch_scenarios(job, err);
    job->options.model = job->model;
    job->options.flows = job->flows;
    job->options.properties = job->properties;
    job->options.actions = job->actions;
    job->options.device_options.capabilities = job->capabilities;
    return status;
}

/* --- does it fit? --- */

/* Devices of a pool are some of those that the plan allows. */
static void allow_some_devices(const json_t *plan, json_t *own)
{
    const json_t *planned = json_object_get(plan, "devices"),
                 *mine = json_object_get(own, "devices");
    size_t i, k, fitting = 0;
    const json_t *device, *other;
    json_array_foreach(mine, i, device)
    {
        bool found = false;
        json_array_foreach(planned, k, other) found |= json_equal(device, other) == 1;
        fitting += found && !json_object_get(device, "name");
    }
    if (fitting && fitting == json_array_size(mine))
        json_object_set(own, "devices", json_object_get(plan, "devices"));
}

static tac_status compare_plans(struct worker_job *job, tac_error *err)
{
    json_t *own = NULL;
    tac_status status = campaign_plan(&job->campaign, &own, err);
    if (status != TAC_OK)
        return status;
    allow_some_devices(job->plan, own);
    char *difference = campaign_plan_difference(job->plan, own);
    if (*difference)
        status = tac_fail_at(err, TAC_E_INPUT, tac_store_folder(job->campaign.store), 0, 0,
                             "was planned for something else: %.700s", difference);
    free(difference);
    json_decref(own);
    return status;
}

static tac_status load_plan(struct worker_job *job, tac_error *err)
{
    char *text = NULL;
    tac_status status = tac_store_get(job->campaign.store, "plan", &text, err);
    if (status == TAC_OK)
        job->plan = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (status == TAC_OK && !json_is_object(job->plan))
        status = tac_fail_at(err, TAC_E_INPUT, tac_store_folder(job->campaign.store), 0, 0,
                             "has no plan yet; plan it with 'tactus run'");
    free(text);
    return status;
}

/* A campaign that is not there is not made. */
static tac_status open_store(struct worker_job *job, tac_error *err)
{
    const char *address = job->campaign.remote->address;
    tac_store **store = &job->campaign.store;
    tac_status status = tac_store_open_mode(address, TAC_STORE_WRITE, store, err);
    if (status == TAC_OK && job->options.durable) {
        tac_store_close(*store, NULL);
        *store = NULL;
        status = tac_store_open_mode(address, TAC_STORE_DURABLE, store, err);
    }
    return status;
}

tac_status worker_job_prepare(struct worker_job *job, const tac_run_options *given,
                              const char *address, tac_error *err)
{
    *job = (struct worker_job){.options = *given};
    job->options.folder = address;
    job->campaign.options = &job->options;
    tac_status status = remote_new(&job->campaign, err);
    if (status == TAC_OK)
        status = open_store(job, err);
    if (status == TAC_OK)
        status = campaign_make_subfolders(&job->campaign, err);
    if (status == TAC_OK)
        status = load_plan(job, err);
    if (status == TAC_OK)
        status = read_plan(job, err);
    if (status == TAC_OK)
        status = fetch_inputs(job, err);
    job->options.folder = job->campaign.remote->scratch;
    job->campaign.remote->options = job->options;
    job->campaign.options = &job->campaign.remote->options;
    if (status == TAC_OK)
        status = campaign_load_inputs(&job->campaign, err);
    if (status == TAC_OK)
        status = campaign_assign_devices(&job->campaign, err);
    if (status == TAC_OK)
        status = compare_plans(job, err);
    return status;
}

void worker_job_free(struct worker_job *job)
{
    tac_store_close(job->campaign.store, NULL);
    campaign_free_inputs(&job->campaign);
    remote_free(job->campaign.remote);
    json_decref(job->plan);
    free(job->model);
    free(job->flows);
    free(job->properties);
    free(job->actions);
    free(job->capabilities);
}
