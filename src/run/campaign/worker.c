/* What a worker process of a campaign does: opens a team of devices of its own, executes the runs
 * that it is given, and says one JSON document per run to the parent.
 *
 * {"id","steps","seconds","seed","outcome":{verdict,...},"properties":[...]} for a run with a
 * verdict,
 * {"id","status","file","line","column","error"} for one whose device (or disk) failed. */
#include "base/process/worker.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "run/campaign/station.h"

/* Once, when it stands on its page. */
static tac_status try_selectors(struct worker_station *station, tac_error *err)
{
    tac_device *device = station->team.members[0].device;
    if (station->selectors_tried || station->team.count > 1 || !tac_device_has_css(device))
        return TAC_OK;
    tac_status status = campaign_try_selectors(station->campaign, device, err);
    station->selectors_tried = status == TAC_OK;
    return status;
}

static tac_status execute(struct worker_station *station, struct run_context *context, int64_t id,
                          tac_error *err)
{
    const struct run_campaign *campaign = station->campaign;
    const tac_flow *flow = campaign->options->monkey
                               ? NULL
                               : &campaign->flows.flows.at[campaign_flow_of(campaign, id)];
    tac_status status = station_prepare(campaign, context, campaign_scenario_of(campaign, id), err);
    if (status == TAC_OK)
        status = try_selectors(station, err);
    if (status == TAC_OK)
        status = flow                          ? run_flow(context, flow, err)
                 : campaign->options->adaptive ? run_adaptive(context, err)
                 : campaign->actions           ? run_actions(context, err)
                                               : run_monkey(context, err);
    if (status == TAC_OK)
        status = probe_set_finish(&context->probes, err);
    if (status == TAC_OK)
        status = recorder_finish(&context->recorder, err);
    return status;
}

/* One run from reset to its written trace. */
static tac_status run_one(struct worker_station *station, int64_t id, json_t **out, tac_error *err)
{
    const struct run_campaign *campaign = station->campaign;
    uint64_t seed = campaign->options->seed * 0x9e3779b97f4a7c15u + (uint64_t)id;
    struct run_context context = station_context(station, tac_hash_u64(seed));
    context.id = id;
    context.scenario = campaign_scenario_of(campaign, id);
    if (campaign->options->live && !campaign->remote) {
        live_open(&station->live, campaign->options->folder, station->worker);
        live_forget(&station->live);
        context.live = &station->live;
    }
    char name[32];
    snprintf(name, sizeof name, "run %lld", (long long)id);
    tac_status status =
        campaign_set_scenario(campaign, context.team, campaign_scenario_of(campaign, id), err);
    if (status == TAC_OK)
        status = station_start_recording(campaign, &context, name, err);
    if (status == TAC_OK)
        status = execute(station, &context, id, err);
    if (status == TAC_OK)
        status = campaign_keep(campaign, &context, id, out, err);
    run_context_free(&context);
    return status;
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
    struct worker_station station = {.campaign = data, .worker = worker};
    const struct run_team *team = &station.team;
    int64_t id;
    struct answers answers = {0};
    bool heard = true;
    while (heard && tac_worker_receive(fd, &id, sizeof id)) {
        tac_error err = {0};
        json_t *message = NULL;
        tac_status status = station_open(&station, &err);
        if (status == TAC_OK)
            status = run_one(&station, id, &message, &err);
        if (status != TAC_OK) {
            station_close(&station);
            message = station_failure(&err);
            json_object_set_new(message, "id", json_integer(id));
        }
        answer(&answers, message);
        answers.at_once = !team->count || !team->members[0].virtual_time;
        heard = send_answers(&answers, fd);
    }
    tac_str_free(&answers.lines);
    live_close(&station.live);
    station_close(&station);
}
