/* The demo: each step is what one command does, on files that the next step reads.
 *
 * explore the player -> flows of the requirement -> two executions of each in three scenarios, with
 * the property checked while they run -> random runs of an app with planted bugs -> the shortest
 * sequence for each of the crashes -> the report, which mines those, analyses the rules and
 * verifies the recording. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "demo/described.h"
#include "demo/inputs.h"
#include "demo/steps.h"
#include "reproduce/reproduce.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { FLOW_LENGTH = 8, MONKEY_RUNS = 300, MONKEY_STEPS = 50, EXECUTIONS = 2 };

static tac_status explore_player(struct demo *demo, tac_error *err)
{
    const char *uri =
        tac_arena_format(&demo->names, "sim:%s", demo_path(demo, "inputs/player.json"));
    return demo_explore(demo, uri, "a music player on the built-in phone", "player.model.xml", err);
}

static tac_status generate_flows(struct demo *demo, tac_error *err)
{
    uint64_t listed = 0;
    tac_status status = demo_list_flows(demo, "player.model.xml", "inputs/playback.req.xml",
                                        FLOW_LENGTH, 0, "flows.jsonl", &listed, err);
    if (status == TAC_OK)
        demo_say(
            demo,
            "Generated the %llu ways of up to %d events to select a song, skip to the next and "
            "pause.",
            (unsigned long long)listed, FLOW_LENGTH);
    return status;
}

static const char *const scenarios[] = {"pedestrian", "festival", "cafe"};

static tac_status run_player(struct demo *demo, tac_error *err)
{
    const char *uri =
        tac_arena_format(&demo->names, "sim:%s", demo_path(demo, "inputs/player.json"));
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                               .device_count = 1,
                               .folder = demo_path(demo, "player"),
                               .model = demo_path(demo, "player.model.xml"),
                               .flows = demo_path(demo, "flows.jsonl"),
                               .properties = demo_path(demo, "inputs/playback.props"),
                               .scenarios = scenarios,
                               .scenario_count = 3,
                               .repeat = EXECUTIONS,
                               .parallel = 2,
                               .seed = 1,
                               .describe = demo->options->describe,
                               .watch = demo->watch};
    tac_status status = tac_run_campaign(&options, &demo->player, err);
    if (status != TAC_OK)
        return status;
    demo_say(demo, "Executed each twice in three networks: %lld runs.",
             (long long)demo->player->runs);
    for (size_t i = 0; i < demo->player->property_count; i++) {
        const tac_run_property *row = &demo->player->properties[i];
        demo_say(demo,
                 row->violated
                     ? "  %s: playback costs more than 8,000 kB in %lld of %lld runs."
                     : "  %s: playback stays under 8,000 kB (%lld of %lld runs violate it).",
                 row->scenario, (long long)row->violated, (long long)row->runs);
    }
    return TAC_OK;
}

static tac_status run_monkey(struct demo *demo, tac_error *err)
{
    const char *uri =
        tac_arena_format(&demo->names, "sim:%s", demo_path(demo, "inputs/tracker.json"));
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                               .device_count = 1,
                               .folder = demo_path(demo, "bugs"),
                               .monkey = MONKEY_RUNS,
                               .monkey_steps = MONKEY_STEPS,
                               .pictures = true,
                               .parallel = 2,
                               .seed = 1,
                               .describe = demo->options->describe,
                               .watch = demo->watch};
    tac_status status = tac_run_campaign(&options, &demo->bugs, err);
    if (status == TAC_OK)
        demo_say(demo, "Let a monkey use an app with planted bugs %d times: %lld runs crashed.",
                 MONKEY_RUNS, (long long)demo->bugs->crash);
    return status;
}

/* Three lines a cause: what, how, how sure. */
static void tell_cause(struct demo *demo, const tac_reproduction *cause)
{
    const char *prevented = NULL;
    for (size_t i = 0; i < cause->counterfactual_count && !prevented; i++)
        if (cause->counterfactuals[i].verdict == TAC_EXPERIMENT_CONFIRMED)
            prevented = cause->counterfactuals[i].inserted;
    demo_say(demo, "  - %s (%llu runs)\n    %s\n    %u of %u replays crash%s%s%s.", cause->name,
             (unsigned long long)cause->runs, cause->text, cause->replays_failed, cause->replays,
             cause->one_minimal ? ", no event can be left out" : "",
             prevented ? ", none after " : "", prevented ? prevented : "");
}

static tac_status reproduce_crashes(struct demo *demo, tac_error *err)
{
    const char *uri =
        tac_arena_format(&demo->names, "sim:%s", demo_path(demo, "inputs/tracker.json"));
    tac_reproduce_options options = {.campaign = demo_path(demo, "bugs"),
                                     .folder = demo_path(demo, "bugs/reproduce"),
                                     .run = -1,
                                     .devices = &(tac_run_device){.uri = uri},
                                     .device_count = 1,
                                     .describe = demo->options->describe,
                                     .watch = demo->watch};
    tac_reproduce_result *result = NULL;
    tac_status status = tac_reproduce(&options, &result, err);
    if (status == TAC_OK)
        demo_say(
            demo,
            "Reduced every cause to the shortest sequence that still crashes, by executing it:");
    for (size_t i = 0; status == TAC_OK && i < result->cause_count; i++)
        if (result->causes[i].reproduced)
            tell_cause(demo, &result->causes[i]);
    tac_reproduce_free(result);
    return status;
}

static tac_status write_verdicts(struct demo *demo, tac_error *err)
{
    json_t *player = tac_run_summary_json(demo->player);
    json_t *document = json_pack("{s:o}", "bugs", tac_run_summary_json(demo->bugs));
    json_object_set(document, "properties", json_object_get(player, "properties"));
    json_object_set(document, "verdicts", json_object_get(player, "verdicts"));
    json_object_set_new(document, "player", player);
    char *text = tac_json_text(document, JSON_INDENT(1));
    tac_status status =
        tac_output_write_file(demo_path(demo, "verdicts.json"), text, strlen(text), err);
    free(text);
    json_decref(document);
    return status;
}

static tac_status write_report(struct demo *demo, tac_error *err)
{
    const char *rules[] = {demo_path(demo, "inputs/phoneadapter.rules")};
    const char *recordings[] = {demo_path(demo, "inputs/buggy.jsonl")};
    const char *protocol[] = {demo_path(demo, "inputs/remover.spec")};
    tac_report_options options = {.folder = demo->folder,
                                  .title = "What Tactus found in its demo",
                                  .rule_files = rules,
                                  .rule_file_count = 1,
                                  .recordings = recordings,
                                  .recording_count = 1,
                                  .protocol_rules = protocol,
                                  .protocol_rule_count = 1,
                                  .reproduce = demo->options->reproduce,
                                  .watch = demo->watch};
    return demo_write_report(demo, &options, err);
}

static tac_status make_folder(const char *path, tac_error *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, path, "cannot create the folder");
    return TAC_OK;
}

tac_status tac_demo(const char *folder, const tac_demo_options *options, tac_demo_story **story,
                    tac_error *err)
{
    struct owned_story *owned = tac_calloc(1, sizeof *owned);
    struct demo demo = {
        .folder = folder, .options = options, .watch = options->watch, .story = owned};
    static tac_status (*const steps[])(struct demo *, tac_error *) = {
        explore_player,    generate_flows, run_player,  run_monkey,
        reproduce_crashes, write_verdicts, write_report};
    tac_status status = make_folder(folder, err);
    if (status == TAC_OK)
        status = make_folder(demo_path(&demo, "inputs"), err);
    if (status == TAC_OK)
        status = demo_write_inputs(folder, err);
    if (status == TAC_OK && options->browser)
        status = demo_in_browser(&demo, err);
    for (size_t i = 0; !options->browser && i < sizeof steps / sizeof *steps && status == TAC_OK;
         i++)
        status = steps[i](&demo, err);
    tac_run_summary_free(demo.player);
    tac_run_summary_free(demo.bugs);
    tac_arena_free(&demo.names);
    owned->shown = (tac_demo_story){owned->sentences.at, owned->sentences.count,
                                    tac_arena_format(&owned->arena, "%s/report.html", folder)};
    if (status == TAC_OK)
        *story = &owned->shown;
    else
        tac_demo_story_free(&owned->shown);
    return status;
}

void tac_demo_story_free(tac_demo_story *story)
{
    struct owned_story *owned = (struct owned_story *)story;
    if (!owned)
        return;
    tac_vec_free(&owned->sentences);
    tac_arena_free(&owned->arena);
    free(owned);
}

static const struct field demo_story_fields[] = {
    FIELD_TEXTS(tac_demo_story, sentences, count, .key = "story"), FIELD(tac_demo_story, report)};
DESCRIBE(demo_story, tac_demo_story);

json_t *tac_demo_story_json(const tac_demo_story *story)
{
    return describe_json(&demo_story_described, story);
}
