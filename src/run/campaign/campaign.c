/* A campaign: flows x scenarios x repeats, or random runs, on teams of devices.
 *
 * A worker writes a trace and reports (worker.c); only then does the parent add the rows.
 * A run whose device failed is given to another team; without one it gets no row, so that the next
 * call tries it again (dispatch.c). */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "run/actions/file.h"
#include "run/campaign/remote.h"
#include <string.h>

size_t campaign_flow_of(const struct run_campaign *campaign, int64_t id)
{
    return campaign->flows.flows.count ? (size_t)id % campaign->flows.flows.count : 0;
}

double campaign_deadline(const tac_run_options *options)
{
    return options->deadline > 0 ? options->deadline : 10;
}

static size_t repeats(const struct run_campaign *campaign)
{
    return campaign->options->repeat ? campaign->options->repeat : 1;
}

/* Random runs per scenario, or flows. */
static size_t per_repeat(const struct run_campaign *campaign)
{
    return campaign->options->monkey ? campaign->options->monkey : campaign->flows.flows.count;
}

uint32_t campaign_repeat_of(const struct run_campaign *campaign, int64_t id)
{
    return (uint32_t)((size_t)id / per_repeat(campaign) % repeats(campaign));
}

const char *campaign_scenario_of(const struct run_campaign *campaign, int64_t id)
{
    size_t scenario = (size_t)id / per_repeat(campaign) / repeats(campaign);
    return scenario < campaign->options->scenario_count ? campaign->options->scenarios[scenario]
                                                        : "";
}

const char *campaign_trace_name(int64_t id, char buffer[CAMPAIGN_TRACE])
{
    snprintf(buffer, CAMPAIGN_TRACE, "traces/%06lld.jsonl", (long long)id);
    return buffer;
}

tac_status campaign_store_run(struct run_campaign *campaign, json_t *message, tac_error *err)
{
    if (!campaign->remote)
        return campaign_add_rows(campaign, message, err);
    remote_keep(campaign, message);
    return TAC_OK;
}

tac_status campaign_commit(struct run_campaign *campaign, tac_error *err)
{
    return campaign->remote ? remote_hand_in(campaign, err)
                            : tac_store_commit(campaign->store, err);
}

tac_status campaign_add_rows(struct run_campaign *campaign, const json_t *message, tac_error *err)
{
    int64_t id = json_integer_value(json_object_get(message, "id"));
    const json_t *outcome = json_object_get(message, "outcome");
    const char *scenario = campaign_scenario_of(campaign, id);
    bool monkey = campaign->options->monkey > 0;
    char name[128], trace[CAMPAIGN_TRACE];
    snprintf(name, sizeof name, monkey ? "random run %zu%s%s" : "flow %zu%s%s",
             monkey ? (size_t)id : campaign_flow_of(campaign, id), scenario[0] ? ", " : "",
             scenario);
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
        .trace = campaign_trace_name(id, trace),
        .seconds = json_number_value(json_object_get(message, "seconds")),
        .steps = json_integer_value(json_object_get(message, "steps")),
        .details = details,
        .trace_size = json_integer_value(json_object_get(message, "trace_size")),
        .trace_digest = json_string_value(json_object_get(message, "trace_digest")),
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

/* What a pattern sets in a run is the event, so "=event" may stand behind it as in imports. */
static size_t pattern_length(const char *pattern)
{
    return strlen(pattern) - (tac_ends_with(pattern, "=event") ? strlen("=event") : 0);
}

static tac_status compile_patterns(struct run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    campaign->patterns = tac_calloc(options->pattern_count, sizeof *campaign->patterns);
    for (size_t i = 0; i < options->pattern_count && status == TAC_OK; i++)
        status = tac_pattern_new(options->patterns[i], pattern_length(options->patterns[i]),
                                 &campaign->patterns[i], err);
    return status;
}

/* The model of flows, with what it expects. */
static tac_status load_model(struct run_campaign *campaign, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_status status = tac_model_load(campaign->options->model, &findings, &campaign->model, err);
    if (status == TAC_OK)
        campaign->expectations = expectations_new(campaign->model, &findings);
    if (status == TAC_OK && findings.errors)
        status = tac_diagnostics_fail(&findings, err);
    tac_diagnostics_free(&findings);
    return status;
}

/* In a property, the name of an action is an event; one that is observed, too, would hide it. */
static tac_status refuse_hidden_actions(const struct run_campaign *campaign, tac_error *err)
{
    const struct action_file *file = campaign->actions;
    const tac_properties *properties = campaign->properties;
    size_t count = file && properties ? tac_property_observables(properties) : 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < file->actions.count; k++)
            if (!strcmp(file->actions.at[k].name, tac_property_observable(properties, i)->name))
                return tac_fail_at(err, TAC_E_INPUT, campaign->options->actions,
                                   file->actions.at[k].line, 0,
                                   "the action '%s' has the name of what %s observes in line %zu; "
                                   "rename one of them",
                                   file->actions.at[k].name, campaign->options->properties,
                                   tac_property_observable_line(properties, i));
    return TAC_OK;
}

tac_status campaign_load_inputs(struct run_campaign *campaign, tac_error *err)
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
    if (status == TAC_OK && options->actions)
        status = actions_load(options->actions, &campaign->actions, err);
    if (status == TAC_OK)
        status = refuse_hidden_actions(campaign, err);
    if (status == TAC_OK && (options->flows || options->adaptive) && options->model)
        status = load_model(campaign, err);
    size_t scenarios = options->scenario_count ? options->scenario_count : 1;
    campaign->run_count = per_repeat(campaign) * repeats(campaign) * scenarios;
    return status;
}

static tac_status try_scenarios(const struct run_campaign *campaign, const struct run_team *team,
                                tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < options->scenario_count * team->count && status == TAC_OK; i++) {
        const char *text = options->scenarios[i / team->count];
        char *scenario = campaign_scenario_for(campaign, text, i % team->count);
        const struct run_member *member = &team->members[i % team->count];
        if (scenario)
            status = tac_device_scenario(member->device, scenario, err);
        else
            status = tac_fail(err, TAC_E_USAGE,
                              "the scenario '%s' says nothing about the device '%s'; name every "
                              "device, or give one scenario for all",
                              text, member->name);
        free(scenario);
    }
    return status;
}

/* Instruments measure in real time, and one device each. */
static tac_status try_instruments(const struct run_campaign *campaign, const struct run_team *team,
                                  tac_error *err)
{
    const tac_run_options *options = campaign->options;
    struct instrument_set instruments = {0};
    size_t count = 0;
    for (size_t i = 0; i < options->probe_count; i++)
        count += instrument_is_uri(options->probes[i]);
    if (!count)
        return TAC_OK;
    for (size_t i = 0; i < team->count; i++)
        if (team->members[i].virtual_time)
            return tac_fail(err, TAC_E_USAGE,
                            "an instrument measures in real time, but the time of %s is virtual",
                            tac_device_uri(team->members[i].device));
    if (campaign_worker_count(campaign) > 1)
        return tac_fail(
            err, TAC_E_USAGE,
            "an instrument measures one device, but several workers or devices share the runs");
    tac_status status = instrument_set_open(&instruments, options->probes, options->probe_count,
                                            campaign_deadline(options), err);
    instrument_set_close(&instruments);
    return status;
}

/* What is for one device only. */
static tac_status try_together(const struct run_campaign *campaign, const struct run_team *team,
                               tac_error *err)
{
    bool observes = campaign->actions ||
                    (campaign->properties && tac_property_observables(campaign->properties));
    if (observes && team->count > 1)
        return tac_fail(
            err, TAC_E_USAGE,
            "observables and actions are for runs on one device; this campaign plays %zu together",
            team->count);
    if (!campaign->options->conform || team->count < 2)
        return TAC_OK;
    return tac_fail(err, TAC_E_USAGE,
                    "screens are compared with a model's states in flows of one device; this "
                    "campaign plays %zu together",
                    team->count);
}

/* What the files read from screens and do there, the device must know. */
static tac_status try_files(const struct run_campaign *campaign, const tac_device *device,
                            tac_error *err)
{
    const tac_properties *properties = campaign->properties;
    size_t count = properties ? tac_property_observables(properties) : 0;
    for (size_t i = 0; i < count && !tac_device_has_css(device); i++) {
        const tac_observable *read = tac_property_observable(properties, i);
        if (read->css)
            return tac_fail_at(err, TAC_E_INPUT, campaign->options->properties,
                               tac_property_observable_line(properties, i), 0,
                               "'%s' is read by css:\"%.200s\", which only web pages know; on %s "
                               "write an XPath over the hierarchy",
                               read->name, read->css, tac_device_uri(device));
    }
    return campaign->actions ? actions_fit(campaign->actions, device, err) : TAC_OK;
}

/* Opening every device once up front finds a wrong URI, app or scenario before any run starts. */
tac_status campaign_try_devices(const struct run_campaign *campaign, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < campaign_team_count(campaign) && status == TAC_OK; i++) {
        struct run_team team;
        status = campaign_open_team(campaign, i, TEAM_TRIED, &team, err);
        if (status != TAC_OK)
            break;
        status = try_together(campaign, &team, err);
        for (size_t k = 0; k < team.count && status == TAC_OK; k++)
            status = try_files(campaign, team.members[k].device, err);
        if (status == TAC_OK)
            status = try_scenarios(campaign, &team, err);
        for (size_t k = 0; k < team.count && status == TAC_OK; k++)
            status = probe_set_check_choice(
                team.members[k].device,
                (struct probe_choice){options->probes, options->probe_count}, err);
        if (status == TAC_OK && i == 0)
            status = try_instruments(campaign, &team, err);
        run_team_close(&team);
    }
    return status;
}

void campaign_free_inputs(struct run_campaign *campaign)
{
    for (size_t i = 0; campaign->patterns && i < campaign->options->pattern_count; i++)
        tac_pattern_free(campaign->patterns[i]);
    free(campaign->patterns);
    flow_set_free(&campaign->flows);
    tac_property_free(campaign->properties);
    actions_free(campaign->actions);
    expectations_free(campaign->expectations);
    tac_model_free(campaign->model);
    tac_names_free(&campaign->device_names);
    tac_vec_free(&campaign->packages);
    tac_vec_free(&campaign->uris);
    tac_vec_free(&campaign->to_do);
    for (size_t i = 0; i < campaign->lost.count; i++) {
        free(campaign->lost.at[i].device);
        free(campaign->lost.at[i].message);
    }
    tac_vec_free(&campaign->lost);
}

static tac_status open_place(struct run_campaign *campaign, tac_error *err)
{
    return campaign->remote ? remote_open(campaign, err) : campaign_open_folder(campaign, err);
}

/* What there is of it, however the work ended. */
static tac_status sum_up(struct run_campaign *campaign, tac_status status,
                         tac_run_summary **summary, tac_error *err)
{
    tac_error other;
    if (campaign->options->live && !campaign->remote)
        live_clean(campaign->options->folder);
    tac_status written = campaign_summarise(campaign, summary, &other);
    if (status == TAC_OK && written != TAC_OK) {
        *err = other;
        status = written;
    }
    return status;
}

tac_status tac_run_campaign(const tac_run_options *options, tac_run_summary **summary,
                            tac_error *err)
{
    struct run_campaign campaign = {.options = options};
    *summary = NULL;
    tac_status status = TAC_OK;
    if (tac_store_is_address(options->folder))
        status = remote_new(&campaign, err);
    else if (options->plan_only)
        status = tac_fail_at(err, TAC_E_USAGE, options->folder, 0, 0,
                             "is a folder; runs are planned for others in a database");
    if (status == TAC_OK)
        status = campaign_load_inputs(&campaign, err);
    if (status == TAC_OK)
        status = campaign_assign_devices(&campaign, err);
    if (status == TAC_OK && !options->plan_only)
        status = campaign_try_devices(&campaign, err);
    if (status == TAC_OK)
        status = open_place(&campaign, err);
    if (status == TAC_OK && options->plan_only)
        *summary = campaign_planned(&campaign);
    else if (status == TAC_OK) {
        status = campaign_work(&campaign, err);
        status = sum_up(&campaign, status, summary, err);
    }
    tac_store_close(campaign.store, NULL);
    campaign_free_inputs(&campaign);
    remote_free(campaign.remote);
    return status;
}
