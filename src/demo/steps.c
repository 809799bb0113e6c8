/* Steps that the demos share: each is what one command does, on files that the next step reads. */
#include "demo/steps.h"
#include "base/data/alloc.h"
#include "base/io/output.h"
#include "explore/explore.h"
#include "report/report.h"
#include "tactus/flow.h"
#include <stdarg.h>
#include <string.h>

void demo_say(struct demo *demo, const char *format, ...)
{
    char *sentence = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&sentence, format, args) < 0)
        tac_out_of_memory(0);
    va_end(args);
    tac_vec_push(&demo->story->sentences, tac_arena_strdup(&demo->story->arena, sentence));
    if (demo->options->tell)
        demo->options->tell(demo->options->context, sentence);
    free(sentence);
}

const char *demo_path(struct demo *demo, const char *name)
{
    return tac_arena_format(&demo->names, "%s/%s", demo->folder, name);
}

static tac_status write_model(const tac_model *model, const char *path, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_model_write(model, output.file, err);
    return tac_output_close(&output, status, err);
}

tac_status demo_explore(struct demo *demo, const char *uri, const char *what, const char *model,
                        tac_error *err)
{
    tac_device *device;
    tac_exploration *exploration;
    tac_status status = tac_device_open(uri, NULL, &device, err);
    if (status != TAC_OK)
        return status;
    size_t stem = strcspn(model, ".");
    const char *prefix = tac_arena_format(&demo->names, "%.*s.pictures/", (int)stem, model);
    const char *folder = tac_arena_format(&demo->names, "%.*s.pictures", (int)stem, model);
    tac_explore_options options = {.pictures = demo_path(demo, folder), .picture_prefix = prefix};
    status = tac_explore(device, &options, demo->watch, &exploration, err);
    if (status == TAC_OK && tac_exploration_failure(exploration)) {
        if (err)
            *err = *tac_exploration_failure(exploration);
        status = TAC_E_DEVICE;
        tac_exploration_free(exploration);
    }
    if (status == TAC_OK) {
        tac_model_statistics n;
        tac_model_count(tac_exploration_model(exploration), &n);
        status = write_model(tac_exploration_model(exploration), demo_path(demo, model), err);
        demo_say(demo, "Explored %s: %u screens, %u transitions, found with %llu events.", what,
                 n.states, n.transitions,
                 (unsigned long long)tac_exploration_look(exploration).events_performed);
        tac_exploration_free(exploration);
    }
    tac_device_free(device);
    return status;
}

static tac_status write_witnesses(struct demo *demo, const tac_model *model,
                                  const tac_requirement *wanted, uint32_t length, uint64_t limit,
                                  const char *flows, uint64_t *listed, tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_flow_options options = {.length = length,
                                .requirements = &wanted,
                                .requirement_count = 1,
                                .witness = true,
                                .watch = demo->watch};
    tac_flow_engine *engine = NULL;
    tac_output output;
    tac_status status = tac_flow_engine_new(model, &options, &findings, &engine, err);
    if (status == TAC_OK)
        status = tac_output_open(&output, demo_path(demo, flows), err);
    if (status == TAC_OK) {
        status = tac_flow_list_jsonl(engine, limit, output.file, listed, err);
        status = tac_output_close(&output, status, err);
    }
    tac_flow_engine_free(engine);
    tac_diagnostics_free(&findings);
    return status;
}

tac_status demo_list_flows(struct demo *demo, const char *model, const char *requirement,
                           uint32_t length, uint64_t limit, const char *flows, uint64_t *listed,
                           tac_error *err)
{
    tac_diagnostics findings = {0};
    tac_model *loaded = NULL;
    tac_requirement *wanted = NULL;
    tac_status status = tac_model_load(demo_path(demo, model), &findings, &loaded, err);
    if (status == TAC_OK)
        status = tac_requirement_load(demo_path(demo, requirement), &findings, &wanted, err);
    if (status == TAC_OK)
        status = write_witnesses(demo, loaded, wanted, length, limit, flows, listed, err);
    tac_requirement_free(wanted);
    tac_model_free(loaded);
    tac_diagnostics_free(&findings);
    return status;
}

tac_status demo_write_report(struct demo *demo, const tac_report_options *options, tac_error *err)
{
    tac_report *report;
    tac_output output;
    tac_status status = tac_report_make(options, &report, err);
    if (status != TAC_OK)
        return status;
    status = tac_output_open(&output, demo_path(demo, "report.html"), err);
    if (status == TAC_OK) {
        status = tac_report_write(report, TAC_REPORT_HTML, output.file, err);
        status = tac_output_close(&output, status, err);
    }
    for (size_t i = 0; i < tac_report_finding_count(report); i++)
        demo_say(demo, "%s%s", i ? "  - " : "The report says:\n  - ",
                 tac_report_finding_text(report, i));
    tac_report_free(report);
    return status;
}
