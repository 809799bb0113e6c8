/* What a worker process of a campaign does: opens a device of its own, executes a batch of
 * neighbouring runs, writes their traces, and says one JSON document per run to the parent.
 *
 * {"id","steps","seconds","seed","outcome":{verdict,...},"properties":[...]} for a run with a
 * verdict,
 * {"id","status","file","error"} for one whose device (or disk) failed. */
#include "base/alloc.h"
#include "base/json.h"
#include "base/map.h"
#include "base/output.h"
#include "run/campaign.h"
#include <string.h>

enum { FAILURES_IN_A_ROW = 3 };

static json_t *trace_meta(const run_campaign *campaign, const run_context *context, int64_t id)
{
    tac_device_info info;
    tac_error ignored;
    json_t *meta = json_object();
    if (tac_device_describe(context->device, &info, &ignored) == TAC_OK) {
        json_object_set_new(meta, "device", tac_json_string(info.name));
        json_object_set_new(meta, "serial", tac_json_string(info.serial));
        json_object_set_new(meta, "app", tac_json_string(info.app_name));
        json_object_set_new(meta, "package", tac_json_string(info.package));
    }
    json_object_set_new(meta, "run", json_integer(id));
    if (campaign->flows.flows.count) {
        size_t flow = campaign_flow_of(campaign, id);
        json_object_set_new(meta, "flow", json_integer((json_int_t)flow));
        json_object_set_new(meta, "model", tac_json_string(campaign->flows.flows.at[flow].model));
    }
    json_object_set_new(meta, "scenario", tac_json_string(campaign_scenario_of(campaign, id)));
    json_object_set_new(meta, "repeat", json_integer(campaign_repeat_of(campaign, id)));
    json_object_set_new(meta, "clock", run_clock_json(probe_set_clock(&context->probes)));
    return meta;
}

static json_t *run_outcome(const run_context *context)
{
    json_t *late = json_object();
    tac_crash crash;
    tac_error ignored;
    json_object_set_new(late, "verdict", json_string(run_end_name(context->end)));
    if (context->end != RUN_PASS)
        json_object_set_new(late, "message", tac_json_string(context->message));
    if (context->end == RUN_CRASH &&
        tac_device_crash(context->device, &crash, &ignored) == TAC_OK) {
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
    return late;
}

/* Saves what the screen showed when a step could not be done. Best effort: the run has its verdict
 * already. */
static void save_screen(const run_campaign *campaign, const run_context *context, int64_t id)
{
    const tac_ui *ui;
    unsigned char *image;
    size_t size;
    tac_error ignored;
    if (tac_device_snapshot(context->device, 0, &ui, &ignored) == TAC_OK) {
        char *path = campaign_path(campaign, "failures", id, "xml"), *xml = tac_ui_to_xml(ui);
        tac_output_write_file(path, xml, strlen(xml), &ignored);
        free(xml);
        free(path);
    }
    if (tac_device_screenshot(context->device, 0, &image, &size, &ignored) == TAC_OK) {
        char *path = campaign_path(campaign, "failures", id, "png");
        tac_output_write_file(path, (const char *)image, size, &ignored);
        free(image);
        free(path);
    }
}

static json_t *property_documents(const run_campaign *campaign, run_context *context)
{
    json_t *array = json_array();
    for (size_t i = 0; i < context->recorder.property_count; i++) {
        tac_property_result result;
        bool ended = context->end != RUN_ABORTED;
        tac_monitor_result(context->recorder.monitor, i, ended, &result);
        json_array_append_new(array, tac_property_result_json(&result));
    }
    (void)campaign;
    return array;
}

static tac_status execute(const run_campaign *campaign, run_context *context, int64_t id,
                          tac_error *err)
{
    const char *scenario = campaign_scenario_of(campaign, id);
    tac_status status = TAC_OK;
    if (scenario[0])
        status = tac_device_scenario(context->device, scenario, err);
    if (status == TAC_OK)
        status = tac_device_reset(context->device, context->seed, 0, err);
    if (status == TAC_OK)
        status = probe_set_read_clocks(&context->probes, 0, err);
    if (status == TAC_OK)
        status = tac_device_launch(context->device, 0, err);
    if (status == TAC_OK)
        status =
            campaign->options->monkey
                ? run_monkey(context, err)
                : run_flow(context, &campaign->flows.flows.at[campaign_flow_of(campaign, id)], err);
    if (status == TAC_OK)
        status = probe_set_read_clocks(&context->probes, 1, err);
    return status;
}

/* One run from reset to its written trace. *out is the message to the parent. */
static tac_status run_one(const run_campaign *campaign, tac_device *device, int64_t id,
                          json_t **out, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    run_context context = {.options = options,
                           .device = device,
                           .patterns = campaign->patterns,
                           .seed = tac_hash_u64(options->seed * 0x9e3779b97f4a7c15u + (uint64_t)id),
                           .sample = options->sample > 0 ? options->sample : 1,
                           .think = options->think > 0 ? options->think : 1,
                           .deadline = options->deadline > 0 ? options->deadline : 10};
    char name[32];
    snprintf(name, sizeof name, "run %lld", (long long)id);
    probe_choice choice = {options->probes, options->probe_count};
    tac_status status = probe_set_add_device(&context.probes, device, "", choice, err);
    if (status == TAC_OK)
        status =
            recorder_start(&context.recorder, &context.probes, options->monkey ? "screen" : "state",
                           campaign->properties, options->stop_on_violation, name, err);
    if (status == TAC_OK)
        status = execute(campaign, &context, id, err);
    if (status == TAC_OK) {
        char *path = campaign_path(campaign, "traces", id, "jsonl");
        json_t *meta = trace_meta(campaign, &context, id), *late = run_outcome(&context);
        status = recorder_write(&context.recorder, path, meta, late, err);
        if (status == TAC_OK && context.end == RUN_FAIL)
            save_screen(campaign, &context, id);
        if (status == TAC_OK)
            *out = json_pack("{s:I,s:I,s:f,s:I,s:o,s:o}", "id", (json_int_t)id, "steps",
                             (json_int_t)context.steps, "seconds",
                             run_clock_seconds(probe_set_clock(&context.probes)), "seed",
                             (json_int_t)context.seed, "outcome", late, "properties",
                             property_documents(campaign, &context));
        else
            json_decref(late);
        json_decref(meta);
        free(path);
    }
    recorder_free(&context.recorder);
    probe_set_free(&context.probes);
    return status;
}

static json_t *failure_message(int64_t id, const tac_error *err)
{
    return json_pack("{s:I,s:i,s:o,s:o}", "id", (json_int_t)id, "status", (int)err->status, "file",
                     tac_json_string(err->file), "error", tac_json_string(err->message));
}

static void say(json_t *message, tac_str *out)
{
    char *text = json_dumps(message, JSON_COMPACT);
    tac_str_add(out, text ? text : "");
    tac_str_add_char(out, '\n');
    free(text);
    json_decref(message);
}

void campaign_work(void *data, size_t batch, tac_str *out)
{
    const run_campaign *campaign = data;
    tac_device *device = NULL;
    tac_error err = {0};
    size_t first = batch * campaign->batch_size, end = first + campaign->batch_size;
    unsigned in_a_row = 0;
    for (size_t i = first; i < end && i < campaign->to_do.count; i++) {
        int64_t id = campaign->to_do.at[i];
        tac_status status = TAC_OK;
        json_t *message = NULL;
        if (!device)
            status = tac_device_open(campaign->options->device, &campaign->options->device_options,
                                     &device, &err);
        if (status == TAC_OK)
            status = run_one(campaign, device, id, &message, &err);
        if (status == TAC_OK) {
            say(message, out);
            in_a_row = 0;
            continue;
        }
        say(failure_message(id, &err), out);
        tac_device_free(device);
        device = NULL;
        if (status != TAC_E_DEVICE || ++in_a_row >= FAILURES_IN_A_ROW)
            break;
    }
    tac_device_free(device);
}
