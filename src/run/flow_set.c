/* Deep copies of flows; texts are interned, because flows of one model repeat the same few. What
 * the model says of the screens is left out: it holds of whole flows, and who runs them has the
 * model. */
#include "run/flow_set.h"

static const char *keep(struct flow_set *set, const char *text)
{
    if (!text)
        return NULL;
    uint32_t id = tac_names_intern(&set->texts, text);
    return set->texts.text[id];
}

static const char *const *keep_all(struct flow_set *set, const char *const *texts, size_t count)
{
    const char **copy = tac_arena_calloc(&set->arena, count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = keep(set, texts[i]);
    return copy;
}

tac_flow_step flow_set_keep_step(struct flow_set *set, const tac_flow_step *step)
{
    tac_flow_step copy = *step;
    copy.screen = (tac_flow_screen){0};
    tac_model_action *actions = tac_arena_calloc(&set->arena, step->action_count, sizeof *actions);
    for (size_t i = 0; i < step->action_count; i++)
        actions[i] = (tac_model_action){.kind = step->actions[i].kind,
                                        .xpath = keep(set, step->actions[i].xpath),
                                        .resource_id = keep(set, step->actions[i].resource_id),
                                        .text = keep(set, step->actions[i].text),
                                        .value = keep(set, step->actions[i].value),
                                        .area = keep(set, step->actions[i].area)};
    copy.actions = actions;
    copy.event = keep(set, step->event);
    copy.device = keep(set, step->device);
    copy.states = keep_all(set, step->states, step->state_count);
    copy.sends = keep(set, step->sends);
    copy.receives = keep(set, step->receives);
    return copy;
}

tac_flow flow_set_keep(struct flow_set *set, const tac_flow *flow)
{
    tac_flow copy = *flow;
    tac_flow_start *starts = tac_arena_calloc(&set->arena, flow->start_count, sizeof *starts);
    tac_flow_step *steps = tac_arena_calloc(&set->arena, flow->step_count, sizeof *steps);
    for (size_t i = 0; i < flow->start_count; i++)
        starts[i] = (tac_flow_start){
            .device = keep(set, flow->starts[i].device),
            .application = keep(set, flow->starts[i].application),
            .package = keep(set, flow->starts[i].package),
            .states = keep_all(set, flow->starts[i].states, flow->starts[i].state_count),
            .state_count = flow->starts[i].state_count};
    for (size_t i = 0; i < flow->step_count; i++)
        steps[i] = flow_set_keep_step(set, &flow->steps[i]);
    copy.model = keep(set, flow->model);
    copy.starts = starts;
    copy.steps = steps;
    return copy;
}

tac_status flow_set_load(const char *path, struct flow_set *out, tac_error *err)
{
    *out = (struct flow_set){0};
    tac_flow_file *file;
    tac_status status = tac_flow_file_open(path, &file, err);
    if (status != TAC_OK)
        return status;
    const tac_flow *flow;
    while ((status = tac_flow_file_next(file, &flow, err)) == TAC_OK && flow)
        tac_vec_push(&out->flows, flow_set_keep(out, flow));
    tac_flow_file_close(file);
    if (status == TAC_OK && !out->flows.count)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "holds no flow; see 'tactus flow list'");
    if (status != TAC_OK)
        flow_set_free(out);
    return status;
}

void flow_set_free(struct flow_set *set)
{
    tac_vec_free(&set->flows);
    tac_names_free(&set->texts);
    tac_arena_free(&set->arena);
}
