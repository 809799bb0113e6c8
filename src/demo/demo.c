/* The demo: each step is what one command does, on files that the next step reads.
 *
 * explore the player -> flows of the requirement -> two executions of each in three scenarios, with
 * the property checked while they run -> random runs of an app with planted bugs -> the report,
 * which mines those, analyses the rules and verifies the recording. */
#include "tactus/demo.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/output.h"
#include "demo/demo_inputs.h"
#include "tactus/explore.h"
#include "tactus/flow.h"
#include "tactus/report.h"
#include "tactus/run.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

enum { FLOW_LENGTH = 8, MONKEY_RUNS = 300, MONKEY_STEPS = 50, EXECUTIONS = 2 };

struct demo {
    const char *folder;
    tac_watch *watch;
    void (*tell)(void *context, const char *sentence);
    void *context;
    json_t *story;
    tac_arena names;
    json_t *player, *bugs; /* summaries of the campaigns */
};

__attribute__((format(printf, 2, 3))) static void say(struct demo *demo, const char *format, ...)
{
    char *sentence = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&sentence, format, args) < 0)
        tac_out_of_memory(0);
    va_end(args);
    json_array_append_new(demo->story, tac_json_string(sentence));
    if (demo->tell)
        demo->tell(demo->context, sentence);
    free(sentence);
}

/* folder/NAME, alive as long as the demo. */
static const char *in(struct demo *demo, const char *name)
{
    return tac_arena_format(&demo->names, "%s/%s", demo->folder, name);
}

static tac_status make_folder(const char *path, tac_error *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, path, "cannot create the folder");
    return TAC_OK;
}

static tac_status write_model(const tac_model *model, const char *path, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_model_write(model, output.file, err);
    if (status == TAC_OK)
        return tac_output_commit(&output, err);
    tac_output_abort(&output);
    return status;
}

static tac_status explore_player(struct demo *demo, tac_error *err)
{
    const char *uri = tac_arena_format(&demo->names, "sim:%s", in(demo, "inputs/player.json"));
    tac_device *device;
    tac_exploration *exploration;
    tac_status status = tac_device_open(uri, NULL, &device, err);
    if (status != TAC_OK)
        return status;
    status = tac_explore(device, NULL, demo->watch, &exploration, err);
    if (status == TAC_OK) {
        json_t *figures = tac_exploration_json(exploration);
        status = write_model(tac_exploration_model(exploration), in(demo, "player.model.xml"), err);
        say(demo,
            "Explored a music player on the built-in phone: %lld screens, %lld transitions, found "
            "with %lld events.",
            (long long)json_integer_value(json_object_get(figures, "states")),
            (long long)json_integer_value(json_object_get(figures, "transitions")),
            (long long)json_integer_value(json_object_get(figures, "events_performed")));
        json_decref(figures);
        tac_exploration_free(exploration);
    }
    tac_device_free(device);
    return status;
}

/* The witnesses of the requirement as a flow file. */
static tac_status list_flows(struct demo *demo, const tac_model *model,
                             const tac_requirement *wanted, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_flow_options options = {.length = FLOW_LENGTH,
                                .requirements = &wanted,
                                .requirement_count = 1,
                                .witness = true,
                                .watch = demo->watch};
    tac_flow_engine *engine = NULL;
    tac_output output;
    uint64_t listed = 0;
    tac_status status = tac_flow_engine_new(model, &options, &findings, &engine, err);
    if (status == TAC_OK)
        status = tac_output_open(&output, in(demo, "flows.jsonl"), err);
    if (status == TAC_OK) {
        status = tac_flow_list_jsonl(engine, 0, output.file, &listed, err);
        if (status == TAC_OK)
            status = tac_output_commit(&output, err);
        else
            tac_output_abort(&output);
    }
    if (status == TAC_OK)
        say(demo,
            "Generated the %llu ways of up to %d events to select a song, skip to the next and "
            "pause.",
            (unsigned long long)listed, FLOW_LENGTH);
    tac_flow_engine_free(engine);
    tac_diagnostics_free(&findings);
    return status;
}

static tac_status generate_flows(struct demo *demo, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_requirement *requirement = NULL;
    tac_status status = tac_model_load(in(demo, "player.model.xml"), &findings, &model, err);
    if (status == TAC_OK)
        status =
            tac_requirement_load(in(demo, "inputs/playback.req.xml"), &findings, &requirement, err);
    if (status == TAC_OK)
        status = list_flows(demo, model, requirement, err);
    tac_requirement_free(requirement);
    tac_model_free(model);
    tac_diagnostics_free(&findings);
    return status;
}

static const char *const scenarios[] = {"pedestrian", "festival", "cafe"};

static tac_status run_player(struct demo *demo, tac_error *err)
{
    const char *uri = tac_arena_format(&demo->names, "sim:%s", in(demo, "inputs/player.json"));
    tac_run_options options = {.device = uri,
                               .folder = in(demo, "player"),
                               .model = in(demo, "player.model.xml"),
                               .flows = in(demo, "flows.jsonl"),
                               .properties = in(demo, "inputs/playback.props"),
                               .scenarios = scenarios,
                               .scenario_count = 3,
                               .repeat = EXECUTIONS,
                               .parallel = 2,
                               .seed = 1,
                               .watch = demo->watch};
    tac_status status = tac_run_campaign(&options, &demo->player, err);
    if (status != TAC_OK)
        return status;
    say(demo, "Executed each twice in three networks: %lld runs.",
        (long long)json_integer_value(json_object_get(demo->player, "runs")));
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(demo->player, "properties"), i, row)
    {
        long long violated = json_integer_value(json_object_get(row, "violated"));
        long long runs = json_integer_value(json_object_get(row, "runs"));
        say(demo,
            violated ? "  %s: playback costs more than 8,000 kB in %lld of %lld runs."
                     : "  %s: playback stays under 8,000 kB (%lld of %lld runs violate it).",
            json_string_value(json_object_get(row, "scenario")), violated, runs);
    }
    return TAC_OK;
}

static tac_status run_monkey(struct demo *demo, tac_error *err)
{
    const char *uri = tac_arena_format(&demo->names, "sim:%s", in(demo, "inputs/tracker.json"));
    tac_run_options options = {.device = uri,
                               .folder = in(demo, "bugs"),
                               .monkey = MONKEY_RUNS,
                               .monkey_steps = MONKEY_STEPS,
                               .parallel = 2,
                               .seed = 1,
                               .watch = demo->watch};
    tac_status status = tac_run_campaign(&options, &demo->bugs, err);
    if (status == TAC_OK)
        say(demo, "Let a monkey use an app with planted bugs %d times: %lld runs crashed.",
            MONKEY_RUNS, (long long)json_integer_value(json_object_get(demo->bugs, "crash")));
    return status;
}

static tac_status write_verdicts(struct demo *demo, tac_error *err)
{
    json_t *document = json_pack("{s:O,s:O}", "player", demo->player, "bugs", demo->bugs);
    json_object_set(document, "properties", json_object_get(demo->player, "properties"));
    json_object_set(document, "verdicts", json_object_get(demo->player, "verdicts"));
    char *text = json_dumps(document, JSON_INDENT(1));
    tac_status status = tac_output_write_file(in(demo, "verdicts.json"), text, strlen(text), err);
    free(text);
    json_decref(document);
    return status;
}

static tac_status write_report(struct demo *demo, tac_error *err)
{
    const char *rules[] = {in(demo, "inputs/phoneadapter.rules")};
    const char *recordings[] = {in(demo, "inputs/buggy.jsonl")};
    const char *protocol[] = {in(demo, "inputs/remover.spec")};
    tac_report_options options = {.folder = demo->folder,
                                  .title = "What Tactus found in its demo",
                                  .rule_files = rules,
                                  .rule_file_count = 1,
                                  .recordings = recordings,
                                  .recording_count = 1,
                                  .protocol_rules = protocol,
                                  .protocol_rule_count = 1,
                                  .watch = demo->watch};
    json_t *document;
    tac_output output;
    tac_status status = tac_report_build(&options, &document, err);
    if (status != TAC_OK)
        return status;
    status = tac_output_open(&output, in(demo, "report.html"), err);
    if (status == TAC_OK) {
        status = tac_report_write(document, output.file, err);
        if (status == TAC_OK)
            status = tac_output_commit(&output, err);
        else
            tac_output_abort(&output);
    }
    size_t i;
    const json_t *finding;
    json_array_foreach(json_object_get(document, "findings"), i, finding)
        say(demo, "%s%s", i ? "  - " : "The report says:\n  - ",
            json_string_value(json_object_get(finding, "text")));
    json_decref(document);
    return status;
}

tac_status tac_demo(const char *folder, void (*tell)(void *context, const char *sentence),
                    void *context, tac_watch *watch, json_t **story, tac_error *err)
{
    struct demo demo = {
        .folder = folder, .watch = watch, .tell = tell, .context = context, .story = json_array()};
    static tac_status (*const steps[])(struct demo *, tac_error *) = {
        explore_player, generate_flows, run_player, run_monkey, write_verdicts, write_report};
    tac_status status = make_folder(folder, err);
    if (status == TAC_OK)
        status = make_folder(in(&demo, "inputs"), err);
    if (status == TAC_OK)
        status = demo_write_inputs(folder, err);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == TAC_OK; i++)
        status = steps[i](&demo, err);
    json_decref(demo.player);
    json_decref(demo.bugs);
    tac_arena_free(&demo.names);
    if (status == TAC_OK)
        *story = demo.story;
    else
        json_decref(demo.story);
    return status;
}
