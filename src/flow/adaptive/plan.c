/* Makes the graph of an adaptive run from the space of its model. Cost: O(edges), for pairs
 * O(edges * choices), and LEVELS passes over all ways. */
#include "flow/adaptive/plan.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "flow/space/engine.h"
#include <string.h>

#define MOST_NODES 200000

struct making {
    struct plan *plan;
    struct space *space;
    const struct graph *graph;
    uint32_t *words;
};

static tac_status expand_all(struct graph *graph, bool pairs, tac_error *err)
{
    tac_status status = TAC_OK;
    for (uint32_t n = 0; n < graph->nodes.count && status == TAC_OK; n++) {
        status = graph_expand(graph, n, err);
        if (status == TAC_OK && (pairs ? graph->edges.count : graph->nodes.count) > MOST_NODES)
            status = tac_fail(err, TAC_E_LIMIT,
                              "over %d configurations: the model is too large to be planned in, or "
                              "its calls nest without end",
                              MOST_NODES);
    }
    return status;
}

static uint32_t node_shown(struct making *in, uint32_t node)
{
    space_words(in->space, node, in->words);
    return in->space->configs.at.at[in->words[0]].node;
}

static bool meets(struct making *in, uint32_t node)
{
    space_words(in->space, node, in->words);
    uint32_t state = in->words[in->space->at_watcher];
    return state != WATCHER_REJECTS && watcher_accepts(in->space->watchers[0], state);
}

static void add_state(tac_str *out, const tac_model *model, uint32_t node)
{
    tac_str_addf(out, "%s/%s", model->machines[model->nodes[node].machine].name,
                 model->nodes[node].name);
}

static void add_transition(tac_str *out, const tac_model *model, uint32_t transition)
{
    add_state(out, model, model->transitions[transition].from);
    tac_str_addf(out, " %s", model->events[model->transitions[transition].event]);
}

/* The item of an answer: by its transition, the one before it, the node that it leads to. */
static uint32_t item_of(struct making *in, uint32_t before, uint32_t transition, uint32_t target)
{
    const tac_model *model = in->plan->model;
    uint32_t key[2] = {transition, TAC_NONE}, shown = node_shown(in, target);
    switch (in->plan->goal) {
    case TAC_ADAPTIVE_TRANSITIONS:
        break;
    case TAC_ADAPTIVE_STATES:
        key[0] = model->nodes[shown].kind == TAC_NODE_STATE ? shown : TAC_MODEL_NONE;
        break;
    case TAC_ADAPTIVE_PAIRS:
        key[0] = before == TAC_MODEL_NONE ? TAC_MODEL_NONE : transition;
        key[1] = before;
        break;
    case TAC_ADAPTIVE_REQUIREMENT:
        key[0] = meets(in, target) ? 0 : TAC_MODEL_NONE;
        break;
    }
    return key[0] == TAC_MODEL_NONE ? TAC_NONE
                                    : tac_names_intern_bytes(&in->plan->items, key, sizeof key);
}

/* A node for every configuration, or, of pairs, for every start and every edge. */
static uint32_t plan_node(const struct making *in, uint32_t target, uint32_t edge)
{
    return in->plan->goal == TAC_ADAPTIVE_PAIRS && edge != TAC_NONE
               ? (uint32_t)in->graph->roots.count + edge
               : target;
}

static void add_choices(struct making *in, uint32_t from, uint32_t before)
{
    struct plan *plan = in->plan;
    const tac_model *model = plan->model;
    struct graph_node at = in->graph->nodes.at[from];
    size_t first = plan->choices.count;
    for (uint32_t e = at.first_edge; e < at.first_edge + at.edge_count; e++) {
        uint32_t event = model->transitions[in->graph->edges.at[e].label].event;
        bool known = false;
        for (size_t c = first; c < plan->choices.count && !known; c++)
            known = plan->choices.at[c].event == event;
        if (known)
            continue;
        struct choice choice = {.first = (uint32_t)plan->ways.count, .event = event};
        for (uint32_t k = e; k < at.first_edge + at.edge_count; k++) {
            struct graph_edge to = in->graph->edges.at[k];
            if (model->transitions[to.label].event != event)
                continue;
            struct way way = {plan_node(in, to.target, k), to.label,
                              item_of(in, before, to.label, to.target), 0};
            tac_vec_push(&plan->ways, way);
        }
        choice.count = (uint32_t)plan->ways.count - choice.first;
        tac_vec_push(&plan->choices, choice);
    }
}

static void add_node(struct making *in, uint32_t from, uint32_t before)
{
    tac_vec_push(&in->plan->shown, node_shown(in, from));
    tac_vec_push(&in->plan->first_choice, (uint32_t)in->plan->choices.count);
    add_choices(in, from, before);
}

static void add_start(struct making *in)
{
    struct plan *plan = in->plan;
    const struct graph *graph = in->graph;
    bool pairs = plan->goal == TAC_ADAPTIVE_PAIRS,
         transitions = plan->goal == TAC_ADAPTIVE_TRANSITIONS;
    for (uint32_t r = 0; r < graph->roots.count; r++) {
        uint32_t root = graph->roots.at[r];
        struct way way = {
            pairs ? r : root, TAC_MODEL_NONE,
            pairs || transitions ? TAC_NONE : item_of(in, TAC_MODEL_NONE, TAC_MODEL_NONE, root), 0};
        tac_vec_push(&plan->ways, way);
    }
    tac_vec_push(&plan->choices,
                 (struct choice){.count = (uint32_t)plan->ways.count, .event = TAC_NONE});
}

static void add_all(struct making *in)
{
    const struct graph *graph = in->graph;
    add_start(in);
    if (in->plan->goal == TAC_ADAPTIVE_PAIRS) {
        for (uint32_t r = 0; r < graph->roots.count; r++)
            add_node(in, graph->roots.at[r], TAC_MODEL_NONE);
        for (uint32_t e = 0; e < graph->edges.count; e++)
            add_node(in, graph->edges.at[e].target, graph->edges.at[e].label);
    } else {
        for (uint32_t n = 0; n < graph->nodes.count; n++)
            add_node(in, n, TAC_MODEL_NONE);
    }
    tac_vec_push(&in->plan->first_choice, (uint32_t)in->plan->choices.count);
}

static char *name_of(const struct plan *plan, const uint32_t *key, const char *requirement)
{
    tac_str text = {0};
    switch (plan->goal) {
    case TAC_ADAPTIVE_PAIRS:
        add_transition(&text, plan->model, key[1]);
        tac_str_add(&text, ", then ");
        add_transition(&text, plan->model, key[0]);
        break;
    case TAC_ADAPTIVE_TRANSITIONS:
        add_transition(&text, plan->model, key[0]);
        break;
    case TAC_ADAPTIVE_STATES:
        add_state(&text, plan->model, key[0]);
        break;
    case TAC_ADAPTIVE_REQUIREMENT:
        tac_str_add(&text, requirement);
        break;
    }
    return tac_str_take(&text);
}

/* Is this state or transition of the model, or the requirement, an item of the goal at all? */
static bool is_item(const struct plan *plan, uint32_t i)
{
    return plan->goal != TAC_ADAPTIVE_STATES || plan->model->nodes[i].kind == TAC_NODE_STATE;
}

static void name_items(struct plan *plan, const char *requirement)
{
    size_t all = plan->goal == TAC_ADAPTIVE_STATES        ? plan->model->node_count
                 : plan->goal == TAC_ADAPTIVE_TRANSITIONS ? plan->model->transition_count
                                                          : plan->goal == TAC_ADAPTIVE_REQUIREMENT;
    for (size_t i = 0; i < plan->items.count; i++) {
        uint32_t key[2];
        memcpy(key, plan->items.text[i], sizeof key);
        tac_vec_push(&plan->names, name_of(plan, key, requirement));
    }
    for (uint32_t i = 0; i < all; i++) {
        uint32_t key[2] = {i, TAC_NONE};
        if (tac_names_find_bytes(&plan->items, key, sizeof key) == TAC_NONE && is_item(plan, i))
            tac_vec_push(&plan->infeasible, name_of(plan, key, requirement));
    }
}

/* What the model tells of how a node of it looks. */
static void add_look(tac_str *key, const tac_model *model, uint32_t node)
{
    const tac_model_node *at = &model->nodes[node];
    tac_str_addf(key, "%u %d %u", model->machines[at->machine].activity, at->kind, at->expect);
    for (uint32_t i = 0; i < at->out_count; i++) {
        const tac_model_transition *t = &model->transitions[at->first_out + i];
        const tac_model_action *action = &model->actions[t->first_action];
        if (!t->action_count)
            continue;
        tac_str_addf(key, "|%s|%s|%s", action->xpath ? action->xpath : "",
                     action->resource_id ? action->resource_id : "",
                     action->text ? action->text : "");
    }
}

static void find_levels(struct plan *plan)
{
    size_t nodes = plan_nodes(plan);
    for (int level = 0; level < LEVELS; level++) {
        tac_names classes = {0};
        plan->level[level] = tac_calloc(nodes + 1, sizeof(uint32_t));
        for (uint32_t n = 0; n < nodes; n++) {
            tac_str key = {0};
            if (!level)
                add_look(&key, plan->model, plan->shown.at[n]);
            else
                tac_str_addf(&key, "%u", plan->level[level - 1][n]);
            for (uint32_t c = plan->first_choice.at[n]; level && c < plan->first_choice.at[n + 1];
                 c++) {
                tac_str_addf(&key, " %u:", plan->choices.at[c].event);
                for (uint32_t i = 0; i < plan->choices.at[c].count; i++)
                    tac_str_addf(&key, "%u,",
                                 plan->level[level - 1]
                                            [plan->ways.at[plan->choices.at[c].first + i].target]);
            }
            plan->level[level][n] =
                tac_names_intern_bytes(&classes, tac_str_text(&key), key.length);
            tac_str_free(&key);
        }
        tac_names_free(&classes);
    }
}

static void find_blurs(struct plan *plan)
{
    for (size_t c = 0; c < plan->choices.count; c++) {
        struct choice *choice = &plan->choices.at[c];
        for (uint32_t i = 0; i < choice->count && !choice->blurs; i++)
            for (uint32_t k = 0; k < i && !choice->blurs; k++)
                choice->blurs = plan_distance(plan, plan->ways.at[choice->first + i].target,
                                              plan->ways.at[choice->first + k].target) > 0;
    }
}

tac_status adaptive_plan_new(const tac_model *model, const tac_adaptive_options *options,
                             struct plan *plan, tac_error *err)
{
    bool required = options->goal == TAC_ADAPTIVE_REQUIREMENT;
    const tac_requirement *const list[] = {options->requirement};
    tac_flow_options flow = {.length = TAC_FLOW_UNBOUNDED,
                             .requirements = list,
                             .requirement_count = required,
                             .requirements_watch_only = true};
    tac_flow_engine *engine = NULL;
    tac_diagnostics findings = {0};
    *plan = (struct plan){.model = model, .goal = options->goal};
    tac_status status = tac_flow_engine_new(model, &flow, &findings, &engine, err);
    tac_diagnostics_free(&findings);
    if (status == TAC_OK && engine->space->devices.count != 1)
        status = tac_fail(err, TAC_E_INPUT, "an adaptive run drives one device; the model has %zu",
                          engine->space->devices.count);
    if (status == TAC_OK)
        status = expand_all(&engine->space->graph, options->goal == TAC_ADAPTIVE_PAIRS, err);
    if (status == TAC_OK) {
        struct making in = {plan, engine->space, &engine->space->graph,
                            tac_calloc(engine->space->width + 1, sizeof(uint32_t))};
        add_all(&in);
        name_items(plan, required ? options->requirement->name : NULL);
        find_levels(plan);
        find_blurs(plan);
        free(in.words);
        assert(plan->first_choice.count == plan_nodes(plan) + 1);
    }
    tac_flow_engine_free(engine);
    return status;
}

void adaptive_plan_free(struct plan *plan)
{
    tac_vec_free(&plan->ways);
    tac_vec_free(&plan->choices);
    tac_vec_free(&plan->first_choice);
    tac_vec_free(&plan->shown);
    tac_names_free(&plan->items);
    for (size_t i = 0; i < plan->names.count; i++)
        free(plan->names.at[i]);
    for (size_t i = 0; i < plan->infeasible.count; i++)
        free(plan->infeasible.at[i]);
    tac_vec_free(&plan->names);
    tac_vec_free(&plan->infeasible);
    for (int level = 0; level < LEVELS; level++)
        free(plan->level[level]);
}

uint32_t plan_choice(const struct plan *plan, uint32_t node, uint32_t event)
{
    for (uint32_t c = plan->first_choice.at[node]; c < plan->first_choice.at[node + 1]; c++)
        if (plan->choices.at[c].event == event)
            return c;
    return TAC_NONE;
}

uint32_t plan_distance(const struct plan *plan, uint32_t a, uint32_t b)
{
    for (uint32_t level = 0; level < LEVELS; level++)
        if (plan->level[level][a] != plan->level[level][b])
            return level;
    return LOOKS_SAME;
}
