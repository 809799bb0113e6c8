/* What a worker process of a campaign does: opens a team of devices of its own, executes the runs
 * that it is given, and says one JSON document per run to the parent.
 *
 * {"id","steps","seconds","seed","outcome":{verdict,...},"properties":[...]} for a run with a
 * verdict,
 * {"id","status","file","error"} for one whose device (or disk) failed. */
#include "base/process/worker.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "run/campaign/campaign.h"
#include <string.h>

/* Switched on anew, the scenario, fresh data, clocks read, apps launched: every device stands at
 * its start. */
tac_status campaign_prepare(const struct run_campaign *campaign, struct run_context *context,
                            const char *text, tac_error *err)
{
    struct run_team *team = context->team;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        tac_device *device = team->members[i].device;
        char *scenario = campaign_scenario_for(campaign, text, i);
        team->members[i].start = 0;
        status = tac_device_power_cycle(device, err);
        if (status == TAC_OK && scenario && *scenario)
            status = tac_device_scenario(device, scenario, err);
        free(scenario);
        if (status == TAC_OK)
            status = tac_device_reset(device, i ? tac_hash_u64(context->seed + i) : context->seed,
                                      0, err);
    }
    if (status == TAC_OK)
        status = run_team_align(team, err);
    if (status == TAC_OK)
        status = probe_set_start(&context->probes, err);
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        struct run_clock *clock = &context->probes.sources.at[i].clock;
        if (team->members[i].virtual_time == team->members[0].virtual_time)
            clock->start = context->probes.sources.at[0].clock.start;
        team->members[i].start = clock->start;
    }
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        status = tac_device_launch(team->members[i].device, 0, err);
        if (status == TAC_OK)
            status = run_team_align(team, err);
    }
    return status;
}

static tac_status execute(const struct run_campaign *campaign, struct run_context *context,
                          int64_t id, tac_error *err)
{
    const tac_flow *flow = campaign->options->monkey
                               ? NULL
                               : &campaign->flows.flows.at[campaign_flow_of(campaign, id)];
    tac_status status =
        campaign_prepare(campaign, context, campaign_scenario_of(campaign, id), err);
    if (status == TAC_OK)
        status = flow                          ? run_flow(context, flow, err)
                 : campaign->options->adaptive ? run_adaptive(context, err)
                                               : run_monkey(context, err);
    if (status == TAC_OK)
        status = probe_set_finish(&context->probes, err);
    if (status == TAC_OK)
        status = recorder_finish(&context->recorder, err);
    return status;
}

/* The probes of every device, and what they are recorded into. */
tac_status campaign_start_recording(const struct run_campaign *campaign,
                                    struct run_context *context, const char *name, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->team->count && status == TAC_OK; i++) {
        char *prefix = recorder_prefix(context->team, i);
        status =
            probe_set_add_device(&context->probes, context->team->members[i].device, prefix,
                                 (struct probe_choice){options->probes, options->probe_count}, err);
        free(prefix);
    }
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < context->instruments->count; i++)
        probe_set_add_instrument(&context->probes, context->instruments->at[i]);
    struct recorder_options recording = {
        .place_name = options->monkey && !options->adaptive ? "screen" : "state",
        .properties = campaign->properties,
        .watch_alarms = options->stop_on_violation,
        .name = name};
    return recorder_start(&context->recorder, context->team, &context->probes, &recording, err);
}

/* One run from reset to its written trace. */
static tac_status run_one(const struct run_campaign *campaign, struct run_team *team,
                          const struct instrument_set *instruments, int64_t id, json_t **out,
                          tac_error *err)
{
    const tac_run_options *options = campaign->options;
    struct run_context context = {
        .options = options,
        .team = team,
        .instruments = instruments,
        .patterns = campaign->patterns,
        .id = id,
        .seed = tac_hash_u64(options->seed * 0x9e3779b97f4a7c15u + (uint64_t)id),
        .sample = options->sample > 0 ? options->sample : 1,
        .think = options->think > 0 ? options->think : 1,
        .deadline = campaign_deadline(options)};
    char name[32];
    snprintf(name, sizeof name, "run %lld", (long long)id);
    tac_status status = campaign_start_recording(campaign, &context, name, err);
    if (status == TAC_OK)
        status = execute(campaign, &context, id, err);
    if (status == TAC_OK)
        status = campaign_keep(campaign, &context, id, out, err);
    run_context_free(&context);
    return status;
}

static json_t *failure_message(int64_t id, const tac_error *err)
{
    return json_pack("{s:I,s:i,s:o,s:o}", "id", (json_int_t)id, "status", (int)err->status, "file",
                     tac_json_string(err->file), "error", tac_json_string(err->message));
}

/* Answers of short runs wait for each other, so that they do not wake the parent one by one. A run
 * in real time may be followed by a long one, so its answer goes at once. */
struct answers {
    tac_str lines;
    bool at_once;
    double sent; /* when the last ones were */
};
static const double longest_wait = 0.02;

static void answer(struct answers *answers, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    tac_str_addf(&answers->lines, "%s\n", text ? text : "{}");
    free(text);
    json_decref(message);
}

/* Sends them when the last were sent long ago or no other run is there. */
static bool send_answers(struct answers *answers, int fd)
{
    double now = tac_now();
    if (!answers->at_once && tac_worker_has_more(fd) && now - answers->sent < longest_wait)
        return true;
    answers->sent = now;
    bool sent = tac_worker_send(fd, answers->lines.text, answers->lines.length);
    tac_str_clear(&answers->lines);
    return sent;
}

void campaign_serve(void *data, size_t worker, int fd)
{
    const struct run_campaign *campaign = data;
    struct team_devices devices = campaign_team_of(campaign, worker);
    const tac_run_options *options = campaign->options;
    struct run_team team = {0};
    struct instrument_set instruments = {0};
    int64_t id;
    struct answers answers = {0};
    bool heard = true;
    while (heard && tac_worker_receive(fd, &id, sizeof id)) {
        tac_error err = {0};
        json_t *message = NULL;
        tac_status status = TAC_OK;
        if (!team.count)
            status = run_team_open(&team, &devices, &options->device_options, &err);
        if (status == TAC_OK)
            status = instrument_set_open(&instruments, options->probes, options->probe_count,
                                         campaign_deadline(options), &err);
        if (status == TAC_OK)
            status = run_one(campaign, &team, &instruments, id, &message, &err);
        if (status != TAC_OK) {
            instrument_set_close(&instruments);
            run_team_close(&team);
            message = failure_message(id, &err);
        }
        answer(&answers, message);
        answers.at_once = !team.count || !team.members[0].virtual_time;
        heard = send_answers(&answers, fd);
    }
    tac_str_free(&answers.lines);
    instrument_set_close(&instruments);
    run_team_close(&team);
}
