/* What a model must mean beyond its names: somewhere to start, and warnings about parts that no
 * flow can use. Every check is linear in the size of the model (repeats: n log n per state). */
#include "base/data/bits.h"
#include "model/builder.h"

bool tac_model_machine_is_start(const tac_model *model, uint32_t machine)
{
    const tac_model_machine *of = &model->machines[machine];
    const tac_model_activity *activity = &model->activities[of->activity];
    return of->external && activity->external &&
           model->applications[activity->application].external;
}

/* Says how far the chain application, activity, state machine of external elements goes. */
static void report_no_start(struct finishing *work, uint32_t d)
{
    const tac_model *model = work->model;
    const tac_model_device *device = &model->devices[d];
    const char *application = NULL, *activity = NULL;
    for (uint32_t i = 0; i < device->application_count; i++) {
        const tac_model_application *of = &model->applications[device->first_application + i];
        if (!of->external)
            continue;
        application = application ? application : of->name;
        for (uint32_t k = 0; k < of->activity_count; k++)
            if (model->activities[of->first_activity + k].external && !activity)
                activity = model->activities[of->first_activity + k].name;
    }
    const char *lacks = "none of its applications is external";
    if (activity)
        lacks = "no state machine of its external activities is external";
    else if (application)
        lacks = "no activity of its external applications is external";
    uint32_t place = device->application_count ? device->first_application : TAC_NONE;
    tac_model_report(work, TAC_ERROR, place, device->line,
                     "the device '%s' has no externally accessible start: %s; mark an "
                     "application, an activity in it and a state machine in that with "
                     "external=\"true\"",
                     device->name, lacks);
}

void tac_model_check_starts(struct finishing *work)
{
    const tac_model *model = work->model;
    if (!model->device_count) {
        if (!work->diagnostics->errors)
            tac_model_report(work, TAC_ERROR, TAC_NONE, 0, "the model has no device");
        return;
    }
    uint64_t *has_start = tac_bits_new(model->device_count);
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (tac_model_machine_is_start(model, m))
            tac_bits_set(has_start, model->applications[tac_model_application_of(work, m)].device);
    for (uint32_t d = 0; d < model->device_count; d++)
        if (!tac_bits_get(has_start, d))
            report_no_start(work, d);
    free(has_start);
}

/* The file format has no place for an empty device, application or activity. */
void tac_model_check_filled(struct finishing *work)
{
    const tac_model *model = work->model;
    for (uint32_t d = 0; d < model->device_count; d++)
        if (!model->devices[d].application_count)
            tac_model_report(work, TAC_ERROR, TAC_NONE, model->devices[d].line,
                             "the device '%s' has no application", model->devices[d].name);
    for (uint32_t a = 0; a < model->application_count; a++)
        if (!model->applications[a].activity_count)
            tac_model_report(work, TAC_ERROR, a, model->applications[a].line,
                             "the application '%s' has no activity", model->applications[a].name);
    for (uint32_t v = 0; v < model->activity_count; v++)
        if (!model->activities[v].machine_count)
            tac_model_report(work, TAC_ERROR, model->activities[v].application,
                             model->activities[v].line, "the activity '%s' has no state machine",
                             model->activities[v].name);
}

struct reach {
    const tac_model *model;
    uint64_t *nodes, *activities;
    TAC_VEC(uint32_t) open;
};

static void reach_node(struct reach *reach, uint32_t node)
{
    if (node == TAC_MODEL_NONE || tac_bits_get(reach->nodes, node))
        return;
    tac_bits_set(reach->nodes, node);
    tac_vec_push(&reach->open, node);
}

/* A connection reaches what it calls, and its return state: whether the call ever comes back is not
 * decided here, so what is reported unreachable is so for certain. */
static void reach_from_connection(struct reach *reach, const tac_model_call *call)
{
    const tac_model *model = reach->model;
    if (call->enters != TAC_MODEL_NONE) {
        reach_node(reach, call->enters);
        return;
    }
    reach_node(reach, call->returns);
    if (call->machine != TAC_MODEL_NONE) {
        reach_node(reach, model->machines[call->machine].initial);
    } else if (!tac_bits_get(reach->activities, call->activity)) {
        tac_bits_set(reach->activities, call->activity);
        const tac_model_activity *activity = &model->activities[call->activity];
        for (uint32_t i = 0; i < activity->machine_count; i++)
            if (model->machines[activity->first_machine + i].external)
                reach_node(reach, model->machines[activity->first_machine + i].initial);
    }
}

static void warn_unreached(struct finishing *work, const uint64_t *reached, uint32_t m)
{
    const tac_model_machine *machine = &work->model->machines[m];
    uint32_t application = tac_model_application_of(work, m);
    bool entered = false;
    for (uint32_t n = 0; n < machine->node_count && !entered; n++)
        entered = tac_bits_get(reached, machine->first_node + n);
    if (!entered) {
        tac_model_report(work, TAC_WARNING, application, machine->line,
                         "the state machine '%s' is never entered: it is not externally "
                         "accessible and no reachable connection calls it",
                         machine->name);
        return;
    }
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
        if (!tac_bits_get(reached, n))
            tac_model_report(work, TAC_WARNING, application, work->model->nodes[n].line,
                             "the %s '%s' of the state machine '%s' is unreachable",
                             tac_model_node_word(work->model->nodes[n].kind),
                             work->model->nodes[n].name, machine->name);
}

/* Only for a model without errors: every reference is set. */
void tac_model_check_reachable(struct finishing *work)
{
    const tac_model *model = work->model;
    struct reach reach = {.model = model,
                          .nodes = tac_bits_new(model->node_count),
                          .activities = tac_bits_new(model->activity_count)};
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (tac_model_machine_is_start(model, m))
            reach_node(&reach, model->machines[m].initial);
    while (reach.open.count) {
        const tac_model_node *node = &model->nodes[tac_vec_pop(&reach.open)];
        if (node->kind == TAC_NODE_CONNECTION)
            reach_from_connection(&reach, &model->calls[node->call]);
        for (uint32_t i = 0; i < node->out_count; i++)
            reach_node(&reach, model->transitions[node->first_out + i].to);
    }
    for (uint32_t m = 0; m < model->machine_count; m++)
        warn_unreached(work, reach.nodes, m);
    free(reach.nodes);
    free(reach.activities);
    tac_vec_free(&reach.open);
}

void tac_model_check_channels(struct finishing *work)
{
    const tac_model *model = work->model;
    if (!model->channel_count)
        return;
    uint64_t *sent = tac_bits_new(model->channel_count);
    uint64_t *reported = tac_bits_new(model->channel_count);
    for (uint32_t t = 0; t < model->transition_count; t++)
        if (model->transitions[t].sends != TAC_MODEL_NONE)
            tac_bits_set(sent, model->transitions[t].sends);
    const char **senders = tac_calloc((size_t)model->channel_count + 1, sizeof *senders);
    size_t sender_count = 0;
    for (uint32_t c = 0; c < model->channel_count; c++)
        if (tac_bits_get(sent, c))
            senders[sender_count++] = model->channels[c];
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        uint32_t channel = transition->receives;
        if (channel == TAC_MODEL_NONE || tac_bits_get(sent, channel) ||
            tac_bits_get(reported, channel))
            continue;
        tac_bits_set(reported, channel);
        tac_model_report(
            work, TAC_WARNING,
            tac_model_application_of(work, model->nodes[transition->from].machine),
            transition->line,
            "the transition '%s' waits for the channel '%s', on which nothing is sent: it can "
            "never be taken%s",
            model->events[transition->event], model->channels[channel],
            tac_model_meant(work, model->channels[channel], senders, sender_count).text);
    }
    free(senders);
    free(sent);
    free(reported);
}

struct edge {
    uint32_t event, to, guard, line; /* guard: a number per text */
};

static int compare_edges(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->guard != b->guard)
        return a->guard < b->guard ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* The same event to the same target twice from one state: two paths, so every flow through it
 * would be listed twice. Guards that differ mostly exclude each other. */
void tac_model_check_repeats(struct finishing *work)
{
    const tac_model *model = work->model;
    TAC_VEC(struct edge) edges = {0};
    for (uint32_t n = 0; n < model->node_count; n++) {
        const tac_model_node *node = &model->nodes[n];
        if (node->out_count < 2)
            continue;
        edges.count = 0;
        for (uint32_t i = 0; i < node->out_count; i++) {
            const tac_model_transition *transition = &model->transitions[node->first_out + i];
            tac_vec_push(&edges, (struct edge){transition->event, transition->to, transition->guard,
                                               transition->line});
        }
        qsort(edges.at, edges.count, sizeof *edges.at, compare_edges);
        for (size_t i = 1; i < edges.count; i++)
            if (edges.at[i].event == edges.at[i - 1].event &&
                edges.at[i].to == edges.at[i - 1].to && edges.at[i].guard == edges.at[i - 1].guard)
                tac_model_report(work, TAC_WARNING, tac_model_application_of(work, node->machine),
                                 edges.at[i].line,
                                 "the transition '%s' from '%s' to '%s' is repeated: every "
                                 "flow through it counts twice",
                                 model->events[edges.at[i].event], node->name,
                                 model->nodes[edges.at[i].to].name);
    }
    tac_vec_free(&edges);
}
