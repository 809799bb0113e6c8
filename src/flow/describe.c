/* From a path of the graph to a flow that a person or a device can read: states passed, actions,
 * times. Nothing of this is kept during listing; it is recomputed from the configurations. */
#include "flow/describe.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/locator/locator.h"
#include <string.h>

static const char *path_of_node(tac_arena *arena, const tac_model *model, uint32_t node)
{
    const tac_model_machine *machine = &model->machines[model->nodes[node].machine];
    const tac_model_activity *activity = &model->activities[machine->activity];
    return tac_arena_format(arena, "%s/%s/%s/%s", model->applications[activity->application].name,
                            activity->name, machine->name, model->nodes[node].name);
}

static const char *const *paths_of_nodes(tac_arena *arena, const tac_model *model,
                                         const u32_vec *nodes)
{
    const char **paths = tac_arena_alloc(arena, (nodes->count + 1) * sizeof *paths);
    for (size_t i = 0; i < nodes->count; i++)
        paths[i] = path_of_node(arena, model, nodes->at[i]);
    return paths;
}

/* --- What the screen shows --- */

enum { MOST_SHOWN = 3 };
typedef TAC_VEC(const char *) text_vec;

static void add_lines(tac_arena *arena, const tac_model *model, uint32_t note, text_vec *out)
{
    for (const char *at = note == TAC_MODEL_NONE ? "" : model->notes[note]; *at;) {
        size_t length = strcspn(at, "\n");
        tac_vec_push(out, tac_arena_strndup(arena, at, length));
        at += length + (at[length] == '\n');
    }
}

/* Among the best few, by the ranking of locators. */
static void add_shown(const char *xpath, text_vec *out, size_t ranks[MOST_SHOWN + 1])
{
    tac_locator locator;
    size_t rank = tac_locator_read(xpath, &locator) ? tac_locator_rank(&locator) : SIZE_MAX;
    size_t at = out->count;
    tac_locator_free(&locator);
    for (size_t i = 0; i < out->count; i++)
        if (!strcmp(out->at[i], xpath))
            return;
    if (rank >= TAC_LOCATOR_WAYS)
        return;
    tac_vec_push(out, xpath);
    for (; at && ranks[at - 1] > rank; at--) {
        out->at[at] = out->at[at - 1];
        ranks[at] = ranks[at - 1];
    }
    out->at[at] = xpath;
    ranks[at] = rank;
    out->count -= out->count > MOST_SHOWN;
}

static const char *const *kept_texts(tac_arena *arena, text_vec *texts, size_t *count)
{
    const char **kept = tac_arena_alloc(arena, (texts->count + 1) * sizeof *kept);
    *count = texts->count;
    for (size_t i = 0; i < texts->count; i++)
        kept[i] = texts->at[i];
    tac_vec_free(texts);
    return kept;
}

/* transition: what led there, or TAC_MODEL_NONE. */
static tac_flow_screen screen_of(tac_arena *arena, const tac_model *model, uint32_t transition,
                                 uint32_t node)
{
    tac_flow_screen screen;
    text_vec expects = {0}, shows = {0};
    size_t ranks[MOST_SHOWN + 1];
    if (transition != TAC_MODEL_NONE)
        add_lines(arena, model, model->transitions[transition].expect, &expects);
    add_lines(arena, model, model->nodes[node].expect, &expects);
    for (uint32_t i = 0; i < model->nodes[node].out_count; i++) {
        const tac_model_transition *t = &model->transitions[model->nodes[node].first_out + i];
        const tac_model_action *action = t->action_count ? &model->actions[t->first_action] : NULL;
        if (t->kind == TAC_EVENT_USER && action && action->xpath && !action->fragile)
            add_shown(action->xpath, &shows, ranks);
    }
    screen.expects = kept_texts(arena, &expects, &screen.expect_count);
    screen.shows = kept_texts(arena, &shows, &screen.show_count);
    return screen;
}

void describe_starts(struct tac_flow_engine *engine, tac_arena *arena, uint32_t root,
                     tac_flow *flow)
{
    struct space *space = engine->space;
    const tac_model *model = engine->model;
    size_t slots = space->devices.count;
    tac_flow_start *starts = tac_arena_calloc(arena, slots + 1, sizeof *starts);
    u32_vec trail = {0};
    for (size_t slot = 0; slot < slots; slot++) {
        uint32_t machine = space->root_machines.at[root * slots + slot];
        const tac_model_application *application =
            &model->applications[model->activities[model->machines[machine].activity].application];
        trail.count = 0;
        configs_start(&space->configs, machine, &trail);
        starts[slot] = (tac_flow_start){
            .device = model->devices[space->devices.at[slot]].name,
            .application = *application->code_name ? application->code_name : application->name,
            .package = application->package,
            .states = paths_of_nodes(arena, model, &trail),
            .state_count = trail.count,
            .screen = screen_of(arena, model, TAC_MODEL_NONE, tac_vec_last(&trail)),
        };
    }
    tac_vec_free(&trail);
    flow->starts = starts;
    flow->start_count = slots;
}

/* Which branch of its call an edge takes. Branches are told apart by the configuration they lead
 * to; where two lead to the same one, by their order, which edges and branches share. */
static uint32_t branch_of(struct space *space, uint32_t node, uint32_t edge, uint32_t config,
                          uint32_t next_config)
{
    uint32_t transition = space->graph.edges.at[edge].label, ordinal = 0;
    assert(space->graph.nodes.at[node].first_edge <= edge);
    u32_vec targets = {0};
    for (uint32_t e = space->graph.nodes.at[node].first_edge; e < edge; e++)
        ordinal += space->graph.edges.at[e].label == transition &&
                   space->graph.edges.at[e].target == space->graph.edges.at[edge].target;
    configs_follow(&space->configs, config, transition, &targets);
    uint32_t branch = 0;
    for (; branch < targets.count; branch++)
        if (targets.at[branch] == next_config && ordinal-- == 0)
            break;
    tac_vec_free(&targets);
    return branch;
}

tac_flow_step describe_step(struct tac_flow_engine *engine, tac_arena *arena, uint32_t node,
                            uint32_t edge)
{
    struct space *space = engine->space;
    const tac_model *model = engine->model;
    uint32_t transition = space->graph.edges.at[edge].label;
    uint32_t slot = space_slot_of(space, transition);
    space_words(space, node, space->before);
    assert(node < space->graph.nodes.count && edge < space->graph.edges.count);
    assert(slot < space->devices.count);
    space_words(space, space->graph.edges.at[edge].target, space->after);
    uint32_t config = space->before[slot];
    uint32_t branch = branch_of(space, node, edge, config, space->after[slot]);
    u32_vec trail = {0};
    configs_trail(&space->configs, config, transition, branch, &trail);
    const tac_model_transition *t = &model->transitions[transition];
    assert(t->first_action + (size_t)t->action_count <= model->action_count);
    assert(trail.count > 0);
    tac_flow_step step = {
        .event = model->events[t->event],
        .device = model->devices[space->devices.at[slot]].name,
        .kind = t->kind,
        .actions = model->actions + t->first_action,
        .action_count = t->action_count,
        .states = paths_of_nodes(arena, model, &trail),
        .state_count = trail.count,
        .sends = t->sends == TAC_MODEL_NONE ? NULL : model->channels[t->sends],
        .receives = t->receives == TAC_MODEL_NONE ? NULL : model->channels[t->receives],
        .time = space_time_of(space, transition),
        .screen = screen_of(arena, model, transition, tac_vec_last(&trail)),
    };
    tac_vec_free(&trail);
    return step;
}

const uint32_t *describe_lift(struct tac_flow_engine *engine, const tac_flow_path *path,
                              uint32_t *root, u32_vec *scratch)
{
    *root = path->root;
    if (!engine->distinct)
        return path->edges;
    tac_vec_reserve(scratch, (size_t)path->length + 1);
    assert(path->length <= engine->options.length);
    distinct_lift(engine->distinct, path->edges, path->length, path->kind,
                  path->length == engine->options.length, root, scratch->at);
    return scratch->at;
}

const tac_flow *tac_flow_describe(tac_flow_engine *engine, const tac_flow_path *path)
{
    if (!engine->description)
        engine->description = tac_calloc(1, sizeof *engine->description);
    struct description *description = engine->description;
    tac_arena_free(&description->arena);
    uint32_t root;
    const uint32_t *edges = describe_lift(engine, path, &root, &description->lifted);
    tac_flow *flow = &description->flow;
    *flow = (tac_flow){.kind = path->kind, .model = engine->model->name};
    describe_starts(engine, &description->arena, root, flow);
    tac_flow_step *steps =
        tac_arena_calloc(&description->arena, (size_t)path->length + 1, sizeof *steps);
    uint32_t node = engine->space->graph.roots.at[root];
    for (uint32_t i = 0; i < path->length; i++) {
        steps[i] = describe_step(engine, &description->arena, node, edges[i]);
        node = engine->space->graph.edges.at[edges[i]].target;
    }
    flow->steps = steps;
    flow->step_count = path->length;
    assert(node < engine->space->graph.nodes.count);
    return flow;
}

const char *tac_flow_path_event(const tac_flow_engine *engine, const tac_flow_path *path,
                                uint32_t i)
{
    return engine->graph->labels[engine->graph->edges.at[path->edges[i]].label].text;
}
