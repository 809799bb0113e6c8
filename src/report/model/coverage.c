/* Coverage by flows. See coverage.h. */
#include "report/model/coverage.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "flow/file.h"
#include <string.h>
#include <unistd.h>

enum { FLOWS_LISTED = 2000 };

/* A store without a plan does not bound them. */
static const int64_t most_flows = (int64_t)1 << 24;

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

static void start_coverage(struct coverage *coverage)
{
    const tac_model *model = coverage->model;
    coverage->node_of = tac_calloc((size_t)model->node_count * 2, sizeof *coverage->node_of);
    coverage->here = tac_calloc(model->device_count, sizeof *coverage->here);
    coverage->nodes_covered = tac_calloc(model->node_count, sizeof *coverage->nodes_covered);
    coverage->taken = tac_calloc(model->transition_count, sizeof *coverage->taken);
    for (uint32_t event = 0; event < model->event_count; event++)
        tac_names_intern(&coverage->events, model->events[event]);
    for (uint32_t node = 0; node < model->node_count; node++) {
        name_node(coverage, node, true);
        name_node(coverage, node, false);
    }
}

struct coverage *coverage_load(const struct report_campaign *campaign)
{
    char *path = report_path(campaign, "model.xml");
    struct coverage *coverage = NULL;
    if (access(path, R_OK) == 0) {
        tac_diagnostics findings = {0};
        tac_error err;
        coverage = tac_calloc(1, sizeof *coverage);
        if (tac_model_load(path, &findings, &coverage->model, &err) == TAC_OK) {
            coverage->problem = tac_strdup("");
            start_coverage(coverage);
        } else {
            char text[sizeof err.file + sizeof err.message];
            coverage->model = NULL;
            coverage->problem = tac_strdup(tac_error_text(&err, text, sizeof text));
        }
        tac_diagnostics_free(&findings);
    }
    free(path);
    return coverage;
}

void coverage_free(struct coverage *coverage)
{
    if (!coverage)
        return;
    tac_names_free(&coverage->nodes);
    tac_names_free(&coverage->events);
    tac_names_free(&coverage->screens);
    tac_vec_free(&coverage->screen_node);
    tac_model_free(coverage->model);
    free(coverage->problem);
    free(coverage->node_of);
    free(coverage->here);
    free(coverage->nodes_covered);
    free(coverage->taken);
    free(coverage->most_steps);
    free(coverage);
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

static void find_executed(struct coverage *coverage, const struct report_campaign *campaign)
{
    for (size_t i = 0; i < campaign->runs.count; i++)
        if (campaign->runs.at[i].row.flow >= (int64_t)coverage->flow_count &&
            campaign->runs.at[i].row.flow < most_flows)
            coverage->flow_count = (size_t)campaign->runs.at[i].row.flow + 1;
    coverage->most_steps = tac_calloc(coverage->flow_count, sizeof *coverage->most_steps);
    for (size_t i = 0; i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        if (run->row.flow >= 0 && run->row.flow < (int64_t)coverage->flow_count &&
            run->row.steps > coverage->most_steps[run->row.flow])
            coverage->most_steps[run->row.flow] = run->row.steps;
    }
}

tac_status coverage_read_flows(struct coverage *coverage, const struct report_campaign *campaign,
                               json_t *flows, tac_error *err)
{
    find_executed(coverage, campaign);
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
