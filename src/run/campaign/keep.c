/* What a run leaves behind: its trace with who took part, how it ended, the screens when a step
 * could not be done, and the document from which its row is made. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "mining/runs/finding.h"
#include "run/campaign/campaign.h"
#include <string.h>

/* Who a member is, and its clock. */
static void describe_member(const struct run_context *context, size_t member, json_t *meta)
{
    tac_device *device = context->team->members[member].device;
    tac_device_info info;
    tac_error ignored;
    json_object_set_new(meta, "uri", tac_json_string(tac_device_uri(device)));
    if (tac_device_describe(device, &info, &ignored) == TAC_OK) {
        json_object_set_new(meta, "device", tac_json_string(info.name));
        json_object_set_new(meta, "serial", tac_json_string(info.serial));
        json_object_set_new(meta, "app", tac_json_string(info.app_name));
        json_object_set_new(meta, "package", tac_json_string(info.package));
        if (info.app_version)
            json_object_set_new(meta, "app_version", tac_json_string(info.app_version));
    }
    json_object_set_new(meta, "clock", run_clock_json(&context->probes.sources.at[member].clock));
}

static json_t *trace_meta(const struct run_campaign *campaign, const struct run_context *context,
                          int64_t id)
{
    json_t *meta = json_object();
    json_t *devices = json_array();
    for (size_t i = 0; i < context->team->count; i++) {
        json_t *member = json_object();
        json_object_set_new(member, "name", tac_json_string(context->team->members[i].name));
        describe_member(context, i, member);
        json_array_append_new(devices, member);
    }
    if (context->team->count == 1)
        describe_member(context, 0, meta);
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
    if (context->probes.resets.count)
        json_object_set_new(meta, "resets", probe_set_resets_json(&context->probes));
    return meta;
}

char *run_stack_line(const char *frame)
{
    bool native = frame[0] == '#'; /* "#00 pc ..." */
    return tac_format("%s%s", native ? "" : "at ", frame);
}

/* Adds exception and stack of the device's app. */
static void describe_crash(tac_device *device, json_t *late)
{
    tac_crash crash;
    tac_error ignored;
    if (tac_device_crash(device, &crash, &ignored) != TAC_OK)
        return;
    json_t *stack = json_array();
    for (size_t i = 0; i < crash.stack_count; i++) {
        char *line = run_stack_line(crash.stack[i]);
        json_array_append_new(stack, tac_json_string(line));
        free(line);
    }
    json_object_set_new(late, "exception", tac_json_string(crash.exception));
    json_object_set_new(late, "stack", stack);
    if (crash.place && *crash.place)
        json_object_set_new(late, "place", tac_json_string(crash.place));
    char id[FINDING_ID];
    crash_finding(crash.exception, late, id);
    json_object_set_new(late, "finding", json_string(id));
    if (crash.chain_count > 1) {
        json_t *chain = json_array();
        for (size_t i = 0; i < crash.chain_count; i++)
            json_array_append_new(chain, tac_json_string(crash.chain[i]));
        json_object_set_new(late, "chain", chain);
    }
    if (crash.violations)
        json_object_set_new(late, "strict_mode", json_integer((json_int_t)crash.violations));
}

/* How the run ended, for the trace and the row. `on` is the device that failed or crashed. */
static json_t *run_outcome(const struct run_context *context)
{
    const struct run_member *failed_member = &context->team->members[context->failed_member];
    json_t *late = json_object();
    json_object_set_new(late, "verdict", json_string(run_end_name(context->end)));
    if (context->end != RUN_PASS || context->message[0])
        json_object_set_new(late, "message", tac_json_string(context->message));
    if (context->team->count > 1 && (context->end == RUN_CRASH || context->end == RUN_FAIL))
        json_object_set_new(late, "on", tac_json_string(failed_member->name));
    if (context->coverage)
        json_object_set(late, "coverage", context->coverage);
    if (context->acted)
        json_object_set(late, "actions", context->acted);
    if (context->end == RUN_CRASH)
        describe_crash(failed_member->device, late);
    if (context->returns)
        json_object_set_new(late, "brought_back", json_integer((json_int_t)context->returns));
    json_t *matched = json_array();
    for (size_t i = 0; i < context->options->ignore_count; i++)
        if (context->ignored >> i & 1)
            json_array_append_new(matched, json_integer((json_int_t)i));
    if (json_array_size(matched))
        json_object_set(late, "ignored", matched);
    json_decref(matched);
    return late;
}

/* "xml" for the only device, "alice.xml" for one of several; the caller's. */
static char *screen_name(const struct run_member *member, const char *extension)
{
    char *name = tac_format("%s%s%s", member->name, *member->name ? "." : "", extension);
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '_';
    return name;
}

/* Saves what a screen showed when a step could not be done. Best effort: the run has its verdict
 * already. */
static void save_screen(const struct run_campaign *campaign, const struct run_member *member,
                        int64_t id)
{
    const tac_ui *ui;
    unsigned char *image;
    size_t size;
    tac_error ignored;
    if (tac_device_snapshot(member->device, 0, &ui, &ignored) == TAC_OK) {
        char *name = screen_name(member, "xml"), *xml = tac_ui_to_xml(ui);
        char *path = campaign_path(campaign, "failures", id, name);
        tac_output_write_file(path, xml, strlen(xml), &ignored);
        free(path);
        free(xml);
        free(name);
    }
    if (tac_device_screenshot(member->device, 0, &image, &size, &ignored) == TAC_OK) {
        char *name = screen_name(member, "png");
        char *path = campaign_path(campaign, "failures", id, name);
        tac_output_write_file(path, (const char *)image, size, &ignored);
        free(path);
        free(image);
        free(name);
    }
}

static json_t *property_documents(struct run_context *context)
{
    json_t *array = json_array();
    recorder_judge(&context->recorder, context->end == RUN_ABORTED);
    for (size_t i = 0; i < context->recorder.property_count; i++) {
        tac_property_result result;
        judge_result(&context->recorder.judge, 0, i, &result);
        json_t *document = tac_property_result_json(&result);
        bool violated = result.answer == TAC_VIOLATED || result.answer == TAC_PRESUMABLY_VIOLATED;
        if (violated && (result.decided || result.witness))
            json_object_set_new(
                document, "step",
                json_integer(recorder_events(&context->recorder,
                                             result.decided ? result.decided_state
                                                            : result.witness->interval.to)));
        json_array_append_new(array, document);
    }
    return array;
}

/* The message to the parent; takes `late`. */
static json_t *answer_of(struct run_context *context, int64_t id, json_t *late,
                         const tac_store_seal *seal)
{
    return json_pack(
        "{s:I,s:I,s:f,s:I,s:I,s:s,s:o,s:o}", "id", (json_int_t)id, "steps",
        (json_int_t)context->steps, "seconds", run_clock_seconds(probe_set_clock(&context->probes)),
        "seed", (json_int_t)context->seed, "trace_size", (json_int_t)seal->size, "trace_digest",
        seal->digest, "outcome", late, "properties", property_documents(context));
}

tac_status campaign_keep(const struct run_campaign *campaign, struct run_context *context,
                         int64_t id, json_t **out, tac_error *err)
{
    const tac_run_options *options = campaign->options;
    char *path = campaign_path(campaign, "traces", id, "jsonl");
    char trace[CAMPAIGN_TRACE];
    tac_store_seal seal;
    json_t *meta = trace_meta(campaign, context, id), *late = run_outcome(context);
    json_t *performed = deeds_json(&context->deeds, recorder_place(&context->recorder, 0));
    json_t *ending = json_copy(late);
    if (performed)
        json_object_set_new(ending, "performed", performed);
    tac_status status =
        recorder_write(&context->recorder, path, options->durable, meta, ending, err);
    json_decref(ending);
    for (size_t i = 0; i < context->team->count && status == TAC_OK && context->end == RUN_FAIL;
         i++)
        save_screen(campaign, &context->team->members[i], id);
    if (status == TAC_OK && context->end != RUN_PASS) {
        char *log = campaign_path(campaign, "failures", id, "log");
        log_tail_write(&context->log, log);
        free(log);
    }
    if (status == TAC_OK)
        status = tac_store_seal_trace(options->folder, campaign_trace_name(id, trace), &seal, err);
    if (status == TAC_OK)
        *out = answer_of(context, id, late, &seal);
    else
        json_decref(late);
    json_decref(meta);
    free(path);
    return status;
}
