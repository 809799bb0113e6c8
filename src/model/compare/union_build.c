/* From a union to a model of what at least `common` of the added models have. */
#include "model/compare/union_parts.h"
#include "model/model.h"
#include <string.h>

struct emission {
    struct model_union *all;
    tac_model_builder *builder;
    uint32_t common;
    uint8_t *machine_kept, *node_kept, *activity_used;
    uint32_t *devices, *applications, *activities, *machines; /* builder's index, or TAC_NONE */
};

/* A connection in `common` models has its machine, its return state and its called machine in as
 * many; only the machines of a called activity may differ from model to model. */
static void choose_kept(struct emission *work)
{
    struct model_union *all = work->all;
    for (size_t n = 0; n < all->nodes.count; n++) {
        work->node_kept[n] = all->nodes.at[n].seen >= work->common;
        if (work->node_kept[n] && all->nodes.at[n].calls_activity)
            work->activity_used[all->nodes.at[n].target] = 1;
    }
    for (size_t m = 0; m < all->machines.count; m++) {
        const struct union_machine *machine = &all->machines.at[m];
        work->machine_kept[m] = machine->seen >= work->common ||
                                (machine->external && work->activity_used[machine->activity]);
        if (work->machine_kept[m])
            work->node_kept[machine->initial] = 1;
    }
}

static uint32_t emit_activity(struct emission *work, uint32_t activity)
{
    struct model_union *all = work->all;
    if (work->activities[activity] != TAC_NONE)
        return work->activities[activity];
    const struct union_place *of = &all->activities.at[activity];
    const struct union_place *application = &all->applications.at[of->parent];
    const struct union_place *device = &all->devices.at[application->parent];
    if (work->devices[application->parent] == TAC_NONE)
        work->devices[application->parent] =
            tac_build_device(work->builder, all->texts.text[device->name], device->serial, 0);
    if (work->applications[of->parent] == TAC_NONE)
        work->applications[of->parent] = tac_build_application(
            work->builder, work->devices[application->parent], all->texts.text[application->name],
            application->code_name, application->package, application->external, 0);
    work->activities[activity] = tac_build_activity(work->builder, work->applications[of->parent],
                                                    all->texts.text[of->name], of->external, 0);
    return work->activities[activity];
}

static const char *target_path(struct emission *work, const struct union_node *node)
{
    struct model_union *all = work->all;
    uint32_t activity =
        node->calls_activity ? node->target : all->machines.at[node->target].activity;
    const struct union_place *of = &all->activities.at[activity];
    const char *application = all->texts.text[all->applications.at[of->parent].name];
    const char *name = all->texts.text[of->name];
    if (node->calls_activity)
        return tac_arena_format(&all->arena, "%s/%s", application, name);
    return tac_arena_format(&all->arena, "%s/%s/%s", application, name,
                            all->texts.text[all->machines.at[node->target].name]);
}

static void emit_nodes(struct emission *work)
{
    struct model_union *all = work->all;
    for (size_t m = 0; m < all->machines.count; m++) {
        const struct union_machine *machine = &all->machines.at[m];
        work->machines[m] = TAC_NONE;
        if (!work->machine_kept[m])
            continue;
        work->machines[m] = tac_build_machine(work->builder, emit_activity(work, machine->activity),
                                              all->texts.text[machine->name], machine->external, 0);
        tac_build_initial(work->builder, work->machines[m],
                          all->texts.text[all->nodes.at[machine->initial].name], 0);
    }
    for (size_t n = 0; n < all->nodes.count; n++) {
        const struct union_node *node = &all->nodes.at[n];
        if (!work->node_kept[n] || !work->machine_kept[node->machine])
            continue;
        uint32_t built = tac_build_node(work->builder, work->machines[node->machine], node->kind,
                                        all->texts.text[node->name], 0);
        tac_build_node_labels(work->builder, built, node->labels);
        tac_build_image(work->builder, built, node->image);
        tac_build_node_expect(work->builder, built, node->expect);
        tac_build_untried(work->builder, built, node->untried);
        if (node->leaves)
            tac_build_leaves(work->builder, built);
        if (node->kind == TAC_NODE_CONNECTION && node->jumps)
            tac_build_jump(work->builder, built, target_path(work, node),
                           all->texts.text[all->nodes.at[node->returns].name]);
        else if (node->kind == TAC_NODE_CONNECTION)
            tac_build_call(work->builder, built, target_path(work, node),
                           all->texts.text[all->nodes.at[node->returns].name], node->reuse,
                           node->auto_return);
    }
}

static void emit_transitions(struct emission *work)
{
    struct model_union *all = work->all;
    for (size_t t = 0; t < all->transitions.count; t++) {
        const struct union_transition *transition = &all->transitions.at[t];
        uint32_t machine = all->nodes.at[transition->from].machine;
        if (transition->seen < work->common || !work->machine_kept[machine])
            continue;
        uint32_t built = tac_build_transition(
            work->builder, work->machines[machine],
            all->texts.text[all->nodes.at[transition->from].name],
            all->texts.text[transition->event], all->texts.text[all->nodes.at[transition->to].name],
            (int)transition->kind, transition->time, transition->weight, transition->sends,
            transition->receives, 0);
        if (transition->note)
            tac_build_note(work->builder, built, transition->note);
        if (transition->guard)
            tac_build_guard(work->builder, built, transition->guard);
        if (transition->update)
            tac_build_update(work->builder, built, transition->update);
        if (transition->labels)
            tac_build_transition_labels(work->builder, built, transition->labels);
        tac_build_transition_expect(work->builder, built, transition->expect);
        if (transition->dependency >= 0)
            tac_build_dependency(work->builder, built, transition->dependency);
        for (uint32_t a = 0; a < transition->action_count; a++) {
            const tac_model_action *action = &all->actions.at[transition->first_action + a];
            tac_build_action(work->builder, built, action->kind, action->xpath, action->resource_id,
                             action->text, action->value);
            tac_build_area(work->builder, action->area);
            if (action->fragile)
                tac_build_fragile(work->builder);
        }
    }
}

static uint32_t *nothing_built(size_t count)
{
    uint32_t *list = tac_alloc((count + 1) * sizeof *list);
    memset(list, 0xff, (count + 1) * sizeof *list);
    return list;
}

tac_status tac_model_union_finish(struct model_union *all, uint32_t common,
                                  tac_diagnostics *diagnostics, tac_model **out, tac_error *err)
{
    struct emission work = {.all = all,
                            .builder = tac_model_builder_new(all->name, all->file),
                            .common = common ? common : 1,
                            .machine_kept = tac_calloc(all->machines.count + 1, 1),
                            .node_kept = tac_calloc(all->nodes.count + 1, 1),
                            .activity_used = tac_calloc(all->activities.count + 1, 1),
                            .devices = nothing_built(all->devices.count),
                            .applications = nothing_built(all->applications.count),
                            .activities = nothing_built(all->activities.count),
                            .machines = nothing_built(all->machines.count)};
    tac_build_setup(work.builder, all->setup);
    choose_kept(&work);
    emit_nodes(&work);
    emit_transitions(&work);
    tac_status status = tac_model_builder_finish(work.builder, diagnostics, out, err);
    free(work.machine_kept);
    free(work.node_kept);
    free(work.activity_used);
    free(work.devices);
    free(work.applications);
    free(work.activities);
    free(work.machines);
    return status;
}
