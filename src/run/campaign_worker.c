/* What a worker process of a campaign does: opens a team of devices of its own, executes the runs
 * that it is given, writes their traces, and says one JSON document per run to the parent.
 *
 * {"id","steps","seconds","seed","outcome":{verdict,...},"properties":[...]} for a run with a
 * verdict,
 * {"id","status","file","error"} for one whose device (or disk) failed. */
#include "base/alloc.h"
#include "base/json.h"
#include "base/map.h"
#include "base/output.h"
#include "base/text.h"
#include "base/worker.h"
#include "run/campaign.h"
#include <string.h>

/* Who a party is, and its clock. */
static void describe_party(const run_context *context, size_t party, json_t *meta)
{
    tac_device *device = context->team->parties[party].device;
    tac_device_info info;
    tac_error ignored;
    json_object_set_new(meta, "uri", tac_json_string(tac_device_uri(device)));
    if (tac_device_describe(device, &info, &ignored) == TAC_OK) {
        json_object_set_new(meta, "device", tac_json_string(info.name));
        json_object_set_new(meta, "serial", tac_json_string(info.serial));
        json_object_set_new(meta, "app", tac_json_string(info.app_name));
        json_object_set_new(meta, "package", tac_json_string(info.package));
    }
    json_object_set_new(meta, "clock", run_clock_json(&context->probes.sources.at[party].clock));
}

static json_t *trace_meta(const run_campaign *campaign, const run_context *context, int64_t id)
{
    json_t *meta = json_object();
    json_t *devices = json_array();
    for (size_t i = 0; i < context->team->count; i++) {
        json_t *party = json_object();
        json_object_set_new(party, "name", tac_json_string(context->team->parties[i].name));
        describe_party(context, i, party);
        json_array_append_new(devices, party);
    }
    if (context->team->count == 1)
        describe_party(context, 0, meta);
    else
        json_object_set(meta, "devices", devices);
    json_decref(devices);
    json_object_set_new(meta, "run", json_integer(id));
    if (campaign->flows.flows.count) {
        size_t flow = campaign_flow_of(campaign, id);
        json_object_set_new(meta, "flow", json_integer((json_int_t)flow));
        json_object_set_new(meta, "model", tac_json_string(campaign->flows.flows.at[flow].model));
    }
    json_object_set_new(meta, "scenario", tac_json_string(campaign_scenario_of(campaign, id)));
    json_object_set_new(meta, "repeat", json_integer(campaign_repeat_of(campaign, id)));
    if (context->probes.instruments.count)
        json_object_set_new(meta, "instruments", probe_set_instruments_json(&context->probes));
    return meta;
}

static void describe_crash(tac_device *device, json_t *late)
{
    tac_crash crash;
    tac_error ignored;
    if (tac_device_crash(device, &crash, &ignored) != TAC_OK)
        return;
    json_t *stack = json_array();
    for (size_t i = 0; i < crash.stack_count; i++) {
        bool native = crash.stack[i][0] == '#'; /* "#00 pc ..." */
        char *line = tac_format("%s%s", native ? "" : "at ", crash.stack[i]);
        json_array_append_new(stack, tac_json_string(line));
        free(line);
    }
    json_object_set_new(late, "exception", tac_json_string(crash.exception));
    json_object_set_new(late, "stack", stack);
}

/* How the run ended, for the trace and the row. `on` is the device that failed or crashed. */
static json_t *run_outcome(const run_context *context)
{
    const run_party *culprit = &context->team->parties[context->culprit];
    json_t *late = json_object();
    json_object_set_new(late, "verdict", json_string(run_end_name(context->end)));
    if (context->end != RUN_PASS)
        json_object_set_new(late, "message", tac_json_string(context->message));
    if (context->team->count > 1 && (context->end == RUN_CRASH || context->end == RUN_FAIL))
        json_object_set_new(late, "on", tac_json_string(culprit->name));
    if (context->end == RUN_CRASH)
        describe_crash(culprit->device, late);
    return late;
}

/* "xml" for the only device, "alice.xml" for one of several; the caller's. */
static char *screen_name(const run_party *party, const char *extension)
{
    char *name = tac_format("%s%s%s", party->name, *party->name ? "." : "", extension);
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '_';
    return name;
}

/* Saves what a screen showed when a step could not be done. Best effort: the run has its verdict
 * already. */
static void save_screen(const run_campaign *campaign, const run_party *party, int64_t id)
{
    const tac_ui *ui;
    unsigned char *image;
    size_t size;
    tac_error ignored;
    if (tac_device_snapshot(party->device, 0, &ui, &ignored) == TAC_OK) {
        char *name = screen_name(party, "xml"), *xml = tac_ui_to_xml(ui);
        char *path = campaign_path(campaign, "failures", id, name);
        tac_output_write_file(path, xml, strlen(xml), &ignored);
        free(path);
        free(xml);
        free(name);
    }
    if (tac_device_screenshot(party->device, 0, &image, &size, &ignored) == TAC_OK) {
        char *name = screen_name(party, "png");
        char *path = campaign_path(campaign, "failures", id, name);
        tac_output_write_file(path, (const char *)image, size, &ignored);
        free(path);
        free(image);
        free(name);
    }
}

static json_t *property_documents(run_context *context)
{
    json_t *array = json_array();
    for (size_t i = 0; i < context->recorder.property_count; i++) {
        tac_property_result result;
        bool ended = context->end != RUN_ABORTED;
        tac_monitor_result(context->recorder.monitor, i, ended, &result);
        json_array_append_new(array, tac_property_result_json(&result));
    }
    return array;
}

/* Fresh data, the scenario, clocks read, apps launched: every device stands at its start. */
static tac_status prepare(const run_campaign *campaign, run_context *context, int64_t id,
                          tac_error *err)
{
    run_team *team = context->team;
    const char *text = campaign_scenario_of(campaign, id);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        tac_device *device = team->parties[i].device;
        char *scenario = campaign_scenario_for(campaign, text, i);
        team->parties[i].start = 0;
        if (scenario && *scenario)
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
        run_clock *clock = &context->probes.sources.at[i].clock;
        if (team->parties[i].virtual_time == team->parties[0].virtual_time)
            clock->start = context->probes.sources.at[0].clock.start;
        team->parties[i].start = clock->start;
    }
    for (size_t i = 0; i < team->count && status == TAC_OK; i++) {
        status = tac_device_launch(team->parties[i].device, 0, err);
        if (status == TAC_OK)
            status = run_team_align(team, err);
    }
    return status;
}

static tac_status execute(const run_campaign *campaign, run_context *context, int64_t id,
                          tac_error *err)
{
    const tac_flow *flow = campaign->options->monkey
                               ? NULL
                               : &campaign->flows.flows.at[campaign_flow_of(campaign, id)];
    tac_status status = prepare(campaign, context, id, err);
    if (status == TAC_OK)
        status = flow ? run_flow(context, flow, err) : run_monkey(context, err);
    if (status == TAC_OK)
        status = probe_set_finish(&context->probes, err);
    if (status == TAC_OK)
        status = recorder_finish(&context->recorder, err);
    return status;
}

/* The probes of every device, and what they are recorded into. */
static tac_status start_recording(const run_campaign *campaign, run_context *context, int64_t id,
                                  tac_error *err)
{
    const tac_run_options *options = campaign->options;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < context->team->count && status == TAC_OK; i++) {
        char *prefix = recorder_prefix(context->team, i);
        status = probe_set_add_device(&context->probes, context->team->parties[i].device, prefix,
                                      (probe_choice){options->probes, options->probe_count}, err);
        free(prefix);
    }
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < context->rack->count; i++)
        probe_set_add_instrument(&context->probes, context->rack->at[i]);
    char name[32];
    snprintf(name, sizeof name, "run %lld", (long long)id);
    recorder_options recording = {.place_name = options->monkey ? "screen" : "state",
                                  .properties = campaign->properties,
                                  .watch_alarms = options->stop_on_violation,
                                  .name = name};
    return recorder_start(&context->recorder, context->team, &context->probes, &recording, err);
}

/* Writes what the run left; *out is the message to the parent. */
static tac_status keep(const run_campaign *campaign, run_context *context, int64_t id, json_t **out,
                       tac_error *err)
{
    char *path = campaign_path(campaign, "traces", id, "jsonl");
    json_t *meta = trace_meta(campaign, context, id), *late = run_outcome(context);
    tac_status status = recorder_write(&context->recorder, path, meta, late, err);
    for (size_t i = 0; i < context->team->count && status == TAC_OK && context->end == RUN_FAIL;
         i++)
        save_screen(campaign, &context->team->parties[i], id);
    if (status == TAC_OK)
        *out = json_pack(
            "{s:I,s:I,s:f,s:I,s:o,s:o}", "id", (json_int_t)id, "steps", (json_int_t)context->steps,
            "seconds", run_clock_seconds(probe_set_clock(&context->probes)), "seed",
            (json_int_t)context->seed, "outcome", late, "properties", property_documents(context));
    else
        json_decref(late);
    json_decref(meta);
    free(path);
    return status;
}

/* One run from reset to its written trace. */
static tac_status run_one(const run_campaign *campaign, run_team *team, const instrument_rack *rack,
                          int64_t id, json_t **out, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    run_context context = {.options = options,
                           .team = team,
                           .rack = rack,
                           .patterns = campaign->patterns,
                           .seed = tac_hash_u64(options->seed * 0x9e3779b97f4a7c15u + (uint64_t)id),
                           .sample = options->sample > 0 ? options->sample : 1,
                           .think = options->think > 0 ? options->think : 1,
                           .deadline = campaign_deadline(options)};
    tac_status status = start_recording(campaign, &context, id, err);
    if (status == TAC_OK)
        status = execute(campaign, &context, id, err);
    if (status == TAC_OK)
        status = keep(campaign, &context, id, out, err);
    run_context_free(&context);
    return status;
}

static json_t *failure_message(int64_t id, const tac_error *err)
{
    return json_pack("{s:I,s:i,s:o,s:o}", "id", (json_int_t)id, "status", (int)err->status, "file",
                     tac_json_string(err->file), "error", tac_json_string(err->message));
}

/* Answers wait for each other, so that short runs do not wake the parent one by one. */
struct answers {
    tac_str lines;
    double since; /* when the first of them was given */
};
static const double longest_wait = 0.02;

static void answer(struct answers *answers, json_t *message)
{
    if (!answers->lines.length)
        answers->since = tac_now();
    char *text = json_dumps(message, JSON_COMPACT);
    tac_str_addf(&answers->lines, "%s\n", text ? text : "{}");
    free(text);
    json_decref(message);
}

/* Sends them when they waited long enough or when no other run is there. */
static bool send_answers(struct answers *answers, int fd)
{
    if (tac_worker_has_more(fd) && tac_now() - answers->since < longest_wait)
        return true;
    bool sent = tac_worker_send(fd, answers->lines.text, answers->lines.length);
    tac_str_clear(&answers->lines);
    return sent;
}

void campaign_serve(void *data, size_t worker, int fd)
{
    const run_campaign *campaign = data;
    run_cast cast = campaign_cast_of(campaign, worker);
    const tac_run_options *options = campaign->options;
    run_team team = {0};
    instrument_rack rack = {0};
    int64_t id;
    struct answers answers = {0};
    bool heard = true;
    while (heard && tac_worker_receive(fd, &id, sizeof id)) {
        tac_error err = {0};
        json_t *message = NULL;
        tac_status status = TAC_OK;
        if (!team.count)
            status = run_team_open(&team, &cast, &options->device_options, &err);
        if (status == TAC_OK)
            status = instrument_rack_open(&rack, options->probes, options->probe_count,
                                          campaign_deadline(options), &err);
        if (status == TAC_OK)
            status = run_one(campaign, &team, &rack, id, &message, &err);
        if (status != TAC_OK) {
            instrument_rack_close(&rack);
            run_team_close(&team);
            message = failure_message(id, &err);
        }
        answer(&answers, message);
        heard = send_answers(&answers, fd);
    }
    tac_str_free(&answers.lines);
    instrument_rack_close(&rack);
    run_team_close(&team);
}
