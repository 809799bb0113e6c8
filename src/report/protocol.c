/* Protocol findings in the report: each recording verified against the rules, with the witness step
 * by step, the dialogue drawn, and, where it was hunted, how each alarm ended on the running app.
 */
#include "protocol/protocol.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/memory.h"
#include "report/sections.h"
#include <string.h>
#include <unistd.h>

enum { EVENTS_DRAWN = 12, MOST_HUNT = 256 << 20 };

/* "CLICK: possible since the call (b:View).setOnClickListener(l), RemoverActivity.java:3" */
static json_t *steps_of(const tac_protocol_witness *witness)
{
    json_t *steps = json_array();
    for (size_t i = 0; witness && i < witness->count; i++) {
        const tac_protocol_reason *enabled = witness->steps[i].enabled_by;
        const char *words = enabled && enabled->words ? enabled->words : "";
        const char *line = enabled && enabled->line ? enabled->line : "";
        char *reason = words[0]
                           ? tac_format("possible since %s%s%s", words, line[0] ? ", " : "", line)
                           : tac_strdup("");
        json_array_append_new(steps, json_pack("{s:o,s:o}", "event",
                                               tac_json_string(witness->steps[i].event), "reason",
                                               tac_json_string(reason)));
        free(reason);
    }
    return steps;
}

static void add_drawing(json_t *section, const tac_protocol_rules *rules,
                        const tac_recording *recording)
{
    char *svg = NULL;
    size_t size = 0;
    tac_error ignored; /* the report goes without the picture */
    tac_recording_view view = {.max_events = EVENTS_DRAWN, .rules = rules};
    FILE *memory = tac_memory_open(&svg, &size);
    tac_status status = tac_recording_draw_svg(recording, &view, memory, &ignored);
    tac_memory_close(memory);
    if (status == TAC_OK) {
        char *text = report_base64((const unsigned char *)svg, size);
        json_object_set_new(section, "drawing", json_string(text));
        free(text);
    }
    free(svg);
}

/* What a replay saw, for the page: its steps as texts, the exception as one. */
static json_t *replay_of(const json_t *call)
{
    json_t *steps = json_array(), *stack = json_array();
    const json_t *replay = json_object_get(call, "replay"), *item;
    const json_t *exception = json_object_get(call, "exception");
    size_t i;
    json_array_foreach(json_object_get(replay, "steps"), i, item)
        json_array_append_new(steps, tac_json_string(tac_json_get_text(item, "event")));
    json_array_foreach(json_object_get(exception, "stack"), i, item) json_array_append_new(
        stack, tac_json_string(json_is_string(item) ? json_string_value(item) : ""));
    char *thrown = json_is_object(exception)
                       ? tac_format("%s: %s", tac_json_get_text(exception, "type"),
                                    tac_json_get_text(exception, "message"))
                       : tac_strdup("");
    json_t *json = json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "call",
                             tac_json_string(tac_json_get_text(call, "call")), "result",
                             tac_json_string(tac_json_get_text(call, "result")), "rule",
                             tac_json_string(tac_json_get_text(call, "rule")), "reason",
                             tac_json_string(tac_json_get_text(replay, "reason")), "exception",
                             tac_json_string(thrown), "stack", stack, "steps", steps);
    free(thrown);
    return json;
}

/* Where a hunt left its answer beside the recording: how the alarms ended on the running app.
 * Returns how many were confirmed. */
static size_t add_replays(json_t *section, const char *path, const char *name)
{
    char *beside = tac_format("%.*shunt.json", (int)(name - path), path);
    tac_json hunt;
    tac_error ignored; /* a recording that was not hunted has none */
    size_t i, confirmed = 0;
    const json_t *call;
    if (access(beside, R_OK) == 0 && tac_json_load(beside, MOST_HUNT, &hunt, &ignored) == TAC_OK) {
        json_t *replays = json_array();
        json_array_foreach(json_object_get(hunt.root, "calls"), i, call)
        {
            if (strcmp(tac_base_name(tac_json_get_text(call, "recording")), name) != 0)
                continue;
            confirmed += json_is_true(json_object_get(call, "confirmed"));
            json_array_append_new(replays, replay_of(call));
        }
        json_object_set_new(section, "replays", replays);
        tac_json_free(&hunt);
    }
    free(beside);
    return confirmed;
}

static tac_status add_recording(struct report_project *project, const tac_protocol_rules *rules,
                                const char *path, json_t *sections, tac_error *err)
{
    tac_recording *recording;
    tac_status status = tac_recording_read(path, &recording, err);
    if (status != TAC_OK)
        return status;
    tac_protocol_options options = {.watch = project->options->watch};
    tac_protocol_result result;
    status = tac_protocol_verify(rules, recording, &options, &result, err);
    if (status == TAC_OK) {
        const tac_verdict *verdict = &result.verdict;
        json_t *section = json_object();
        const char *name = tac_base_name(path);
        json_object_set_new(section, "name", tac_json_string(name));
        json_object_set_new(section, "verdict", json_string(tac_safety_name(result.safety)));
        json_object_set_new(section, "explanation", tac_json_string(verdict->explanation));
        json_object_set_new(section, "advice", tac_json_string(verdict->advice));
        json_object_set_new(section, "steps", steps_of(result.witness));
        add_drawing(section, rules, recording);
        size_t confirmed = add_replays(section, path, name);
        json_array_append_new(sections, section);
        char *link = tac_format("#protocol-%s", name);
        struct finding_parts parts = {.rank = verdict->answer == TAC_HOLDS      ? RANK_FINE
                                              : verdict->answer == TAC_VIOLATED ? RANK_FAULT
                                                                                : RANK_UNCLEAR,
                                      .link = link,
                                      .detail = verdict->advice,
                                      .subject = name,
                                      .file = path};
        finding_add(&project->findings, &parts, "%s: %s%s", name, verdict->explanation,
                    confirmed ? "; confirmed on the running app" : "");
        free(link);
        tac_protocol_result_free(&result);
    }
    tac_recording_free(recording);
    return status;
}

tac_status report_add_protocol(struct tac_report *report, tac_error *err)
{
    struct report_project *project = &report->project;
    const tac_report_options *options = project->options;
    json_t *sections = json_array();
    json_object_set_new(report->document, "protocol", sections);
    if (!options->recording_count)
        return TAC_OK;
    tac_protocol_rules *rules;
    tac_status status = tac_protocol_rules_read(options->protocol_rules,
                                                options->protocol_rule_count, &rules, NULL, err);
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < options->recording_count && status == TAC_OK; i++)
        status = add_recording(project, rules, options->recordings[i], sections, err);
    tac_protocol_rules_free(rules);
    return status;
}
