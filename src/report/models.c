/* The model of each campaign, drawn with what its runs covered, and the flows.
 *
 * A run covers the first `steps` steps of its flow: the states it settled in and the transitions
 * (state before, event, first node after). With several devices each has its own state before. */
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "base/data/map.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "report/parts.h"
#include "tactus/flow_file.h"
#include "tactus/model_tools.h"
#include <string.h>
#include <unistd.h>

enum { FLOWS_LISTED = 2000 };

/* A store without a plan does not bound them. */
static const int64_t most_flows = (int64_t)1 << 24;

struct coverage {
    const tac_model *model;
    tac_names nodes;     /* "DEVICE APP/ACTIVITY/MACHINE/NODE", and the same without a device */
    uint32_t *node_of;   /* by name id */
    uint32_t *here;      /* by device: the node where it stands */
    bool *nodes_covered; /* by node */
    bool *taken;         /* by transition */
    int64_t *most_steps; /* by flow: the longest executed prefix; -1 = never run */
    size_t flow_count;
};

/* with_device false: as a flow file says it that names no devices. */
static char *node_path(const tac_model *model, uint32_t node, bool with_device)
{
    const tac_model_machine *machine = &model->machines[model->nodes[node].machine];
    const tac_model_activity *activity = &model->activities[machine->activity];
    const tac_model_application *app = &model->applications[activity->application];
    return tac_format("%s %s/%s/%s/%s", with_device ? model->devices[app->device].name : "",
                      app->name, activity->name, machine->name, model->nodes[node].name);
}

static void name_node(struct coverage *coverage, uint32_t node, bool with_device)
{
    char *path = node_path(coverage->model, node, with_device);
    size_t known = coverage->nodes.count;
    uint32_t id = tac_names_intern(&coverage->nodes, path);
    if (id == known)
        coverage->node_of[id] = node;
    free(path);
}

static void coverage_start(struct coverage *coverage, const tac_model *model)
{
    *coverage = (struct coverage){.model = model};
    coverage->node_of = tac_calloc((size_t)model->node_count * 2, sizeof *coverage->node_of);
    coverage->here = tac_calloc(model->device_count, sizeof *coverage->here);
    coverage->nodes_covered = tac_calloc(model->node_count, sizeof *coverage->nodes_covered);
    coverage->taken = tac_calloc(model->transition_count, sizeof *coverage->taken);
    for (uint32_t node = 0; node < model->node_count; node++) {
        name_node(coverage, node, true);
        name_node(coverage, node, false);
    }
}

static void coverage_free(struct coverage *coverage)
{
    tac_names_free(&coverage->nodes);
    free(coverage->node_of);
    free(coverage->here);
    free(coverage->nodes_covered);
    free(coverage->taken);
    free(coverage->most_steps);
}

static uint32_t find_node(const struct coverage *coverage, const char *device, const char *path)
{
    char *name = tac_format("%s %s", device, path);
    uint32_t id = tac_names_find(&coverage->nodes, name);
    free(name);
    return id == TAC_NONE ? TAC_MODEL_NONE : coverage->node_of[id];
}

static size_t find_device(const struct coverage *coverage, const char *name)
{
    for (uint32_t i = 0; i < coverage->model->device_count; i++)
        if (!strcmp(coverage->model->devices[i].name, name))
            return i;
    return 0;
}

/* The device now stands on the last of these nodes. */
static void settle_on(struct coverage *coverage, const char *device, const char *const *states,
                      size_t count)
{
    uint32_t node = count ? find_node(coverage, device, states[count - 1]) : TAC_MODEL_NONE;
    coverage->here[find_device(coverage, device)] = node;
    if (node != TAC_MODEL_NONE)
        coverage->nodes_covered[node] = true;
}

static void cover_transition(struct coverage *coverage, uint32_t from, const char *event,
                             uint32_t to)
{
    const tac_model *model = coverage->model;
    if (from == TAC_MODEL_NONE)
        return;
    const tac_model_node *node = &model->nodes[from];
    for (uint32_t t = node->first_out; t < node->first_out + node->out_count; t++)
        if (!strcmp(model->events[model->transitions[t].event], event) &&
            (to == TAC_MODEL_NONE || model->transitions[t].to == to))
            coverage->taken[t] = true;
}

static void cover_flow(struct coverage *coverage, const tac_flow *flow, int64_t steps)
{
    for (uint32_t i = 0; i < coverage->model->device_count; i++)
        coverage->here[i] = TAC_MODEL_NONE;
    for (size_t i = 0; i < flow->start_count; i++)
        settle_on(coverage, flow->starts[i].device, flow->starts[i].states,
                  flow->starts[i].state_count);
    for (size_t i = 0; i < flow->step_count && (int64_t)i < steps; i++) {
        const tac_flow_step *step = &flow->steps[i];
        uint32_t first =
            step->state_count ? find_node(coverage, step->device, step->states[0]) : TAC_MODEL_NONE;
        cover_transition(coverage, coverage->here[find_device(coverage, step->device)], step->event,
                         first);
        settle_on(coverage, step->device, step->states, step->state_count);
    }
}

static json_t *flow_json(const tac_flow *flow, size_t index)
{
    json_t *events = json_array();
    for (size_t i = 0; i < flow->step_count; i++) {
        bool several = flow->start_count > 1;
        char *event = tac_format("%s%s%s", several ? flow->steps[i].device : "", several ? ":" : "",
                                 flow->steps[i].event);
        json_array_append_new(events, tac_json_string(event));
        free(event);
    }
    return json_pack("{s:I,s:s,s:o}", "index", (json_int_t)index, "kind",
                     tac_flow_kind_name(flow->kind), "events", events);
}

static tac_status read_flows(struct coverage *coverage, const struct report_campaign *campaign,
                             json_t *flows, tac_error *err)
{
    char *path = report_path(campaign, "flows.jsonl");
    tac_flow_file *file;
    tac_status status = TAC_OK;
    if (access(path, R_OK) == 0)
        status = tac_flow_file_open(path, &file, err);
    else
        file = NULL;
    free(path);
    const tac_flow *flow;
    for (size_t i = 0; file && status == TAC_OK; i++) {
        status = tac_flow_file_next(file, &flow, err);
        if (status != TAC_OK || !flow)
            break;
        if (json_array_size(flows) < FLOWS_LISTED)
            json_array_append_new(flows, flow_json(flow, i));
        if (i < coverage->flow_count)
            cover_flow(coverage, flow, coverage->most_steps[i]);
    }
    tac_flow_file_close(file);
    return status;
}

static void find_executed(struct coverage *coverage, const struct report_campaign *campaign)
{
    for (size_t i = 0; i < campaign->runs.count; i++)
        if (campaign->runs.at[i].flow >= (int64_t)coverage->flow_count &&
            campaign->runs.at[i].flow < most_flows)
            coverage->flow_count = (size_t)campaign->runs.at[i].flow + 1;
    coverage->most_steps = tac_calloc(coverage->flow_count, sizeof *coverage->most_steps);
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (run->flow >= 0 && run->flow < (int64_t)coverage->flow_count &&
            run->steps > coverage->most_steps[run->flow])
            coverage->most_steps[run->flow] = run->steps;
    }
}

static tac_status drawing_json(const struct coverage *coverage, json_t **out, tac_error *err)
{
    const tac_model *model = coverage->model;
    char *svg = NULL;
    size_t size = 0, states = 0, covered = 0, taken = 0;
    FILE *memory = open_memstream(&svg, &size);
    if (!memory)
        tac_out_of_memory(0);
    tac_model_marks marks = {coverage->nodes_covered, coverage->taken};
    tac_status status = tac_model_draw_coverage(model, &marks, memory, err);
    fclose(memory);
    for (uint32_t i = 0; i < model->node_count; i++) {
        states += model->nodes[i].kind == TAC_NODE_STATE;
        covered += model->nodes[i].kind == TAC_NODE_STATE && coverage->nodes_covered[i];
    }
    for (uint32_t i = 0; i < model->transition_count; i++)
        taken += coverage->taken[i];
    if (status == TAC_OK || status == TAC_E_MISSING) {
        char *text = report_base64((const unsigned char *)svg, status == TAC_OK ? size : 0);
        *out = json_pack("{s:o,s:s,s:I,s:I,s:I,s:I}", "name", tac_json_string(model->name), "svg",
                         text, "states", (json_int_t)states, "states_covered", (json_int_t)covered,
                         "transitions", (json_int_t)model->transition_count, "transitions_covered",
                         (json_int_t)taken);
        free(text);
        status = TAC_OK; /* without dot the report has the figures and no picture */
    }
    free(svg);
    return status;
}

static void add_finding(struct report_project *project, const json_t *drawing)
{
    long long all = json_integer_value(json_object_get(drawing, "transitions"));
    long long taken = json_integer_value(json_object_get(drawing, "transitions_covered"));
    const char *name = json_string_value(json_object_get(drawing, "name"));
    if (taken == all)
        report_finding(project, "good", "#model", NULL, "The runs took all %lld transitions of %s.",
                       all, name);
    else
        report_finding(project, "unclear", "#model",
                       "What was not executed was not checked; 'tactus flow cover' lists flows "
                       "that reach the rest.",
                       "The runs took %lld of the %lld transitions of %s.", taken, all, name);
}

static tac_status add_campaign(struct report_project *project,
                               const struct report_campaign *campaign, json_t *models,
                               json_t *flows, tac_error *err)
{
    char *path = report_path(campaign, "model.xml");
    tac_status status = TAC_OK;
    if (access(path, R_OK) == 0) {
        tac_diagnostics findings = {0};
        tac_model *model;
        status = tac_model_load(path, &findings, &model, err);
        tac_diagnostics_free(&findings);
        if (status == TAC_OK) {
            struct coverage coverage;
            json_t *drawing;
            coverage_start(&coverage, model);
            find_executed(&coverage, campaign);
            status = read_flows(&coverage, campaign, flows, err);
            if (status == TAC_OK)
                status = drawing_json(&coverage, &drawing, err);
            if (status == TAC_OK) {
                add_finding(project, drawing);
                json_array_append_new(models, drawing);
            }
            coverage_free(&coverage);
            tac_model_free(model);
        }
    }
    free(path);
    return status;
}

tac_status report_add_models(struct report_project *project, json_t *document, tac_error *err)
{
    json_t *models = json_array(), *flows = json_array();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++)
        status = add_campaign(project, &project->campaigns.at[i], models, flows, err);
    json_object_set_new(document, "models", models);
    json_object_set_new(document, "flows", flows);
    return status;
}
