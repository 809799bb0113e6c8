/* Union of models by names: see union.h. Linear in the size of the added models: every
 * element is found again through one hash table of (place, name). */
#include "model/compare/union_parts.h"
#include <math.h>
#include <string.h>

enum key_kind { DEVICE, APPLICATION, ACTIVITY, MACHINE, NODE, CONNECTION, TWINS, TRANSITION };

/* The index stored under a key; `fresh` is stored when there is none. */
static uint32_t find_or_add(struct model_union *all, enum key_kind kind, uint32_t a, uint32_t b,
                            uint32_t c, uint32_t d, uint32_t fresh)
{
    uint32_t key[5] = {(uint32_t)kind, a, b, c, d};
    uint32_t id = tac_names_intern_bytes(&all->keys, key, sizeof key);
    if (id == all->key_index.count)
        tac_vec_push(&all->key_index, fresh);
    return all->key_index.at[id];
}

static bool has_key(const struct model_union *all, enum key_kind kind, uint32_t a, uint32_t b)
{
    uint32_t key[5] = {(uint32_t)kind, a, b, 0, 0};
    return tac_names_find_bytes(&all->keys, key, sizeof key) != TAC_NONE;
}

static const char *keep(struct model_union *all, const char *text)
{
    return text ? tac_arena_strdup(&all->arena, text) : NULL;
}

struct model_union *tac_model_union_new(const char *name, const char *file)
{
    struct model_union *all = tac_calloc(1, sizeof *all);
    all->name = keep(all, name);
    all->file = keep(all, file);
    return all;
}

/* A name that is not yet taken at a place: NAME, NAME_2, NAME_3, ... */
static uint32_t free_name(struct model_union *all, enum key_kind kind, uint32_t place,
                          const char *wanted)
{
    uint32_t name = tac_names_intern(&all->texts, wanted);
    for (unsigned n = 2; has_key(all, kind, place, name); n++) {
        char *text = tac_arena_format(&all->arena, "%s_%u", wanted, n);
        name = tac_names_intern(&all->texts, text);
    }
    return name;
}

static uint32_t add_device(struct model_union *all, const tac_model_device *device)
{
    uint32_t name = tac_names_intern(&all->texts, device->name);
    uint32_t index = find_or_add(all, DEVICE, 0, name, 0, 0, (uint32_t)all->devices.count);
    if (index == all->devices.count)
        tac_vec_push(&all->devices, (struct union_place){.parent = TAC_NONE,
                                                         .name = name,
                                                         .serial = keep(all, device->serial)});
    return index;
}

static uint32_t add_application(struct model_union *all, uint32_t device,
                                const tac_model_application *application)
{
    uint32_t name = tac_names_intern(&all->texts, application->name);
    uint32_t index =
        find_or_add(all, APPLICATION, device, name, 0, 0, (uint32_t)all->applications.count);
    if (index == all->applications.count)
        tac_vec_push(&all->applications,
                     (struct union_place){.parent = device,
                                          .name = name,
                                          .code_name = keep(all, application->code_name),
                                          .package = keep(all, application->package)});
    all->applications.at[index].external |= application->external;
    return index;
}

static uint32_t add_activity(struct model_union *all, uint32_t application,
                             const tac_model_activity *activity)
{
    uint32_t name = tac_names_intern(&all->texts, activity->name);
    uint32_t index =
        find_or_add(all, ACTIVITY, application, name, 0, 0, (uint32_t)all->activities.count);
    if (index == all->activities.count)
        tac_vec_push(&all->activities, (struct union_place){.parent = application, .name = name});
    all->activities.at[index].external |= activity->external;
    return index;
}

/* The activity of the union at the path of a model's activity. */
static uint32_t place_activity(struct model_union *all, const tac_model *model, uint32_t activity)
{
    const tac_model_activity *of = &model->activities[activity];
    const tac_model_application *application = &model->applications[of->application];
    uint32_t device = add_device(all, &model->devices[application->device]);
    return add_activity(all, add_application(all, device, application), of);
}

static uint32_t add_machine(struct model_union *all, const tac_model *model, uint32_t m,
                            const struct model_renaming *renaming)
{
    uint32_t partner = renaming && renaming->machines ? renaming->machines[m] : TAC_MODEL_NONE;
    bool has_partner = partner != TAC_MODEL_NONE;
    const tac_model *named_by = has_partner ? renaming->merged : model;
    const tac_model_machine *place = &named_by->machines[has_partner ? partner : m];
    uint32_t activity = place_activity(all, named_by, place->activity);
    uint32_t name = renaming && renaming->machines && !has_partner
                        ? free_name(all, MACHINE, activity, place->name)
                        : tac_names_intern(&all->texts, place->name);
    uint32_t index = find_or_add(all, MACHINE, activity, name, 0, 0, (uint32_t)all->machines.count);
    if (index == all->machines.count)
        tac_vec_push(&all->machines, (struct union_machine){
                                         .activity = activity, .name = name, .initial = TAC_NONE});
    struct union_machine *machine = &all->machines.at[index];
    machine->external |= model->machines[m].external;
    machine->seen += machine->last != all->models;
    machine->last = all->models;
    return index;
}

static void see_node(struct model_union *all, uint32_t node)
{
    all->nodes.at[node].seen += all->nodes.at[node].last != all->models;
    all->nodes.at[node].last = all->models;
}

static const char *note(struct model_union *all, const tac_model *model, uint32_t index)
{
    return index == TAC_MODEL_NONE ? NULL : keep(all, model->notes[index]);
}

static uint32_t add_state(struct model_union *all, const tac_model *model, uint32_t n,
                          uint32_t machine, const struct model_renaming *renaming,
                          tac_diagnostics *diagnostics)
{
    const tac_model_node *node = &model->nodes[n];
    uint32_t partner = renaming && renaming->nodes ? renaming->nodes[n] : TAC_MODEL_NONE;
    const char *text =
        partner != TAC_MODEL_NONE ? renaming->merged->nodes[partner].name : node->name;
    uint32_t name = tac_names_intern(&all->texts, text);
    bool own_name = renaming && renaming->nodes && partner == TAC_MODEL_NONE;
    uint32_t index = own_name
                         ? (uint32_t)all->nodes.count
                         : find_or_add(all, NODE, machine, name, 0, 0, (uint32_t)all->nodes.count);
    if (index < all->nodes.count &&
        (all->nodes.at[index].kind != node->kind || all->nodes.at[index].leaves != node->leaves)) {
        own_name = true;
        tac_diagnostics_add(diagnostics, TAC_WARNING, model->file, node->line, 0,
                            "'%s' is another kind of node in an earlier model and gets a name "
                            "of its own",
                            text);
    }
    if (own_name) {
        name = free_name(all, NODE, machine, text);
        index = find_or_add(all, NODE, machine, name, 0, 0, (uint32_t)all->nodes.count);
    }
    if (index == all->nodes.count)
        tac_vec_push(&all->nodes, (struct union_node){.machine = machine,
                                                      .name = name,
                                                      .labels = note(all, model, node->labels),
                                                      .image = note(all, model, node->image),
                                                      .expect = note(all, model, node->expect),
                                                      .untried = note(all, model, node->untried),
                                                      .kind = node->kind,
                                                      .leaves = node->leaves});
    see_node(all, index);
    return index;
}

/* Two equal connections of one model stay two: the first of them is that of the other models, and
 * so on. */
static uint32_t next_twin(struct model_union *all, uint32_t machine, uint32_t target,
                          uint32_t returns, uint32_t options)
{
    uint32_t index =
        find_or_add(all, TWINS, machine, target, returns, options, (uint32_t)all->twins.count);
    if (index == all->twins.count)
        tac_vec_push(&all->twins, (struct union_twins){0});
    struct union_twins *twins = &all->twins.at[index];
    if (twins->model != all->models)
        *twins = (struct union_twins){.model = all->models};
    return twins->next++;
}

/* Connections are told apart by what they do; their names are nobody's concern. */
static uint32_t add_connection(struct model_union *all, const tac_model *model, uint32_t n,
                               const uint32_t *machines, const uint32_t *nodes)
{
    const tac_model_node *node = &model->nodes[n];
    const tac_model_call *call = &model->calls[node->call];
    bool calls_activity = call->machine == TAC_MODEL_NONE;
    uint32_t entered = call->machine; /* an activity is where its first external machine went */
    for (uint32_t m = 0; calls_activity && entered == TAC_MODEL_NONE; m++)
        if (model->machines[model->activities[call->activity].first_machine + m].external)
            entered = model->activities[call->activity].first_machine + m;
    uint32_t target =
        calls_activity ? all->machines.at[machines[entered]].activity : machines[entered];
    uint32_t options =
        (uint32_t)call->reuse | (uint32_t)call->auto_return << 1 | (uint32_t)calls_activity << 2;
    bool jumps = call->enters != TAC_MODEL_NONE;
    uint32_t machine = machines[node->machine];
    uint32_t returns = nodes[jumps ? call->enters : call->returns];
    options |= (uint32_t)jumps << 3;
    uint32_t twin = next_twin(all, machine, target, returns, options);
    uint32_t index = find_or_add(all, CONNECTION, machine, target, returns, options | twin << 4,
                                 (uint32_t)all->nodes.count);
    if (index == all->nodes.count) {
        uint32_t name = free_name(all, NODE, machine, node->name);
        find_or_add(all, NODE, machine, name, 0, 0, index);
        tac_vec_push(&all->nodes, (struct union_node){.machine = machine,
                                                      .name = name,
                                                      .target = target,
                                                      .returns = returns,
                                                      .kind = TAC_NODE_CONNECTION,
                                                      .calls_activity = calls_activity,
                                                      .reuse = call->reuse,
                                                      .jumps = jumps,
                                                      .auto_return = call->auto_return});
    }
    see_node(all, index);
    return index;
}

static void keep_actions(struct model_union *all, const tac_model *model,
                         const tac_model_transition *from, struct union_transition *to)
{
    to->first_action = (uint32_t)all->actions.count;
    to->action_count = from->action_count;
    for (uint32_t i = 0; i < from->action_count; i++) {
        const tac_model_action *action = &model->actions[from->first_action + i];
        tac_vec_push(&all->actions,
                     (tac_model_action){.xpath = keep(all, action->xpath),
                                        .resource_id = keep(all, action->resource_id),
                                        .text = keep(all, action->text),
                                        .value = keep(all, action->value),
                                        .area = keep(all, action->area),
                                        .kind = action->kind,
                                        .fragile = action->fragile});
    }
}

static const char *channel(struct model_union *all, const tac_model *model, uint32_t index)
{
    return index == TAC_MODEL_NONE ? NULL : keep(all, model->channels[index]);
}

/* A number for when a transition may be taken and what that does: kind, guard, update, channels. */
static uint32_t meaning(struct model_union *all, const tac_model *model,
                        const tac_model_transition *transition)
{
    const char *parts[] = {
        transition->guard == TAC_MODEL_NONE ? "" : model->notes[transition->guard],
        transition->update == TAC_MODEL_NONE ? "" : model->notes[transition->update],
        transition->sends == TAC_MODEL_NONE ? "" : model->channels[transition->sends],
        transition->receives == TAC_MODEL_NONE ? "" : model->channels[transition->receives]};
    uint32_t key[5] = {(uint32_t)transition->kind};
    for (size_t i = 0; i < 4; i++)
        key[i + 1] = tac_names_intern(&all->texts, parts[i]);
    return tac_names_intern_bytes(&all->meanings, key, sizeof key);
}

static void add_transition(struct model_union *all, const tac_model *model,
                           const tac_model_transition *transition, const uint32_t *nodes,
                           const char *event_text)
{
    uint32_t event = tac_names_intern(&all->texts, event_text);
    uint32_t index =
        find_or_add(all, TRANSITION, nodes[transition->from], event, nodes[transition->to],
                    meaning(all, model, transition), (uint32_t)all->transitions.count);
    if (index == all->transitions.count) {
        struct union_transition fresh = {.from = nodes[transition->from],
                                         .event = event,
                                         .to = nodes[transition->to],
                                         .sends = channel(all, model, transition->sends),
                                         .receives = channel(all, model, transition->receives),
                                         .note = note(all, model, transition->note),
                                         .guard = note(all, model, transition->guard),
                                         .update = note(all, model, transition->update),
                                         .labels = note(all, model, transition->labels),
                                         .expect = note(all, model, transition->expect),
                                         .dependency = transition->dependency,
                                         .time = transition->time,
                                         .kind = transition->kind};
        keep_actions(all, model, transition, &fresh);
        tac_vec_push(&all->transitions, fresh);
    }
    struct union_transition *to = &all->transitions.at[index];
    if (transition->time >= 0 && to->time < 0)
        to->time = transition->time;
    else if (transition->time >= 0 &&
             fabs(to->time - transition->time) > 0) /* the mean of what was seen */
        to->time = (to->time * to->timed + transition->time * transition->weight) /
                   (to->timed + transition->weight);
    to->timed += transition->time >= 0 ? transition->weight : 0;
    to->weight += transition->weight;
    to->seen += to->last != all->models;
    to->last = all->models;
}

static void set_initials(struct model_union *all, const tac_model *model, const uint32_t *machines,
                         const uint32_t *nodes, tac_diagnostics *diagnostics)
{
    for (uint32_t m = 0; m < model->machine_count; m++) {
        struct union_machine *machine = &all->machines.at[machines[m]];
        uint32_t initial = nodes[model->machines[m].initial];
        if (machine->initial == TAC_NONE)
            machine->initial = initial;
        else if (machine->initial != initial)
            tac_diagnostics_add(diagnostics, TAC_WARNING, model->file, model->machines[m].line, 0,
                                "the state machine '%s' starts in '%s' here and in '%s' in an "
                                "earlier model, which is kept",
                                all->texts.text[machine->name],
                                all->texts.text[all->nodes.at[initial].name],
                                all->texts.text[all->nodes.at[machine->initial].name]);
    }
}

static void set_setup(struct model_union *all, const tac_model *model, tac_diagnostics *diagnostics)
{
    if (!all->setup || !*all->setup)
        all->setup = keep(all, model->setup);
    else if (*model->setup && strcmp(model->setup, all->setup) != 0)
        tac_diagnostics_add(diagnostics, TAC_WARNING, model->file, 0, 0,
                            "the variables begin with '%.80s' here and with '%.80s' in an earlier "
                            "model, which is kept",
                            model->setup, all->setup);
}

void tac_model_union_add(struct model_union *all, const tac_model *model,
                         const struct model_renaming *renaming, tac_diagnostics *diagnostics)
{
    uint32_t *machines = tac_calloc((size_t)model->machine_count + 1, sizeof *machines);
    uint32_t *nodes = tac_calloc((size_t)model->node_count + 1, sizeof *nodes);
    all->models++;
    set_setup(all, model, diagnostics);
    for (uint32_t m = 0; m < model->machine_count; m++)
        machines[m] = add_machine(all, model, m, renaming);
    for (uint32_t n = 0; n < model->node_count; n++)
        if (model->nodes[n].kind != TAC_NODE_CONNECTION)
            nodes[n] =
                add_state(all, model, n, machines[model->nodes[n].machine], renaming, diagnostics);
    for (uint32_t n = 0; n < model->node_count; n++)
        if (model->nodes[n].kind == TAC_NODE_CONNECTION)
            nodes[n] = add_connection(all, model, n, machines, nodes);
    set_initials(all, model, machines, nodes, diagnostics);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        uint32_t event = model->transitions[t].event;
        add_transition(all, model, &model->transitions[t], nodes,
                       renaming && renaming->events ? renaming->events[event]
                                                    : model->events[event]);
    }
    free(machines);
    free(nodes);
}

void tac_model_union_count(const struct model_union *all, uint32_t common, size_t *in_all,
                           size_t *kept)
{
    *in_all = *kept = 0;
    for (size_t t = 0; t < all->transitions.count; t++) {
        *in_all += all->transitions.at[t].seen == all->models;
        *kept += all->transitions.at[t].seen >= common;
    }
}

void tac_model_union_free(struct model_union *all)
{
    if (!all)
        return;
    tac_arena_free(&all->arena);
    tac_names_free(&all->texts);
    tac_names_free(&all->keys);
    tac_names_free(&all->meanings);
    tac_vec_free(&all->key_index);
    tac_vec_free(&all->devices);
    tac_vec_free(&all->applications);
    tac_vec_free(&all->activities);
    tac_vec_free(&all->machines);
    tac_vec_free(&all->nodes);
    tac_vec_free(&all->twins);
    tac_vec_free(&all->transitions);
    tac_vec_free(&all->actions);
    free(all);
}
