/* What a flow covers, as dense numbers.
 *
 * The key of an item is a few words: a node (states), a transition (transitions), K transitions
 * (tuples), or a configuration and a transition (edges). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "base/data/text.h"
#include "flow/cover/cover.h"
#include <string.h>

#define MAX_KEY 64

void items_init(struct items *items, struct tac_flow_engine *engine,
                const tac_cover_options *options)
{
    *items = (struct items){.engine = engine,
                            .goal = options->goal,
                            .tuple = options->goal == TAC_COVER_TUPLES ? options->tuple : 1,
                            .only = TAC_NONE};
}

void items_free(struct items *items)
{
    tac_names_free(&items->keys);
}

void items_forget(struct items *items)
{
    tac_names_free(&items->keys);
    items->keys = (tac_names){0};
}

static uint32_t number_of(struct items *items, const uint32_t *key, size_t words, bool add)
{
    return add ? tac_names_intern_bytes(&items->keys, key, words * sizeof *key)
               : tac_names_find_bytes(&items->keys, key, words * sizeof *key);
}

static uint32_t state_item(struct items *items, uint32_t config, bool add)
{
    const struct space *space = items->engine->space;
    uint32_t node = space->configs.at.at[config].node;
    if (space->model->nodes[node].kind != TAC_NODE_STATE ||
        (items->only != TAC_NONE && items->only != node))
        return TAC_NONE;
    return number_of(items, &node, 1, add);
}

static uint32_t config_of(const struct space *space, uint32_t node, uint32_t slot)
{
    uint32_t small[16], *words = space->width <= 16 ? small : tac_calloc(space->width, 4);
    space_words(space, node, words);
    uint32_t config = words[slot];
    if (words != small)
        free(words);
    return config;
}

uint32_t items_of_step(struct items *items, const uint32_t *edges, uint32_t length, uint32_t before,
                       bool add)
{
    const struct space *space = items->engine->space;
    struct graph_edge edge = space->graph.edges.at[edges[length - 1]];
    assert(length >= 1 && before < space->graph.nodes.count);
    uint32_t key[MAX_KEY];
    switch (items->goal) {
    case TAC_COVER_STATES:
        return state_item(items, config_of(space, edge.target, space_slot_of(space, edge.label)),
                          add);
    case TAC_COVER_EDGES:
        key[0] = config_of(space, before, space_slot_of(space, edge.label));
        key[1] = edge.label;
        return number_of(items, key, 2, add);
    case TAC_COVER_TRANSITIONS:
    case TAC_COVER_TUPLES:
        if (length < items->tuple ||
            (items->only != TAC_NONE && items->only != space->model->transitions[edge.label].event))
            return TAC_NONE;
        for (uint32_t i = 0; i < items->tuple; i++)
            key[i] = space->graph.edges.at[edges[length - items->tuple + i]].label;
        return number_of(items, key, items->tuple, add);
    case TAC_COVER_REQUIREMENTS:
        break;
    }
    return TAC_NONE;
}

void items_of_root(struct items *items, uint32_t root, bool add, u32_vec *out)
{
    const struct space *space = items->engine->space;
    if (items->goal != TAC_COVER_STATES)
        return;
    for (uint32_t slot = 0; slot < space->devices.count; slot++) {
        uint32_t item = state_item(items, config_of(space, space->graph.roots.at[root], slot), add);
        if (item != TAC_NONE)
            tac_vec_push(out, item);
    }
}

void items_of_path(struct items *items, const tac_flow_path *path, bool add, u32_vec *out)
{
    const struct space *space = items->engine->space;
    uint32_t node = space->graph.roots.at[path->root];
    out->count = 0;
    assert(path->root < space->graph.roots.count);
    items_of_root(items, path->root, add, out);
    for (uint32_t i = 0; i < path->length; i++) {
        uint32_t item = items_of_step(items, path->edges, i + 1, node, add);
        if (item != TAC_NONE)
            tac_vec_push(out, item);
        node = space->graph.edges.at[path->edges[i]].target;
    }
    if (!out->count)
        return;
    qsort(out->at, out->count, sizeof *out->at, tac_order_u32);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (!kept || out->at[kept - 1] != out->at[i])
            out->at[kept++] = out->at[i];
    out->count = kept;
    assert(kept > 0);
}

static char *items_name_state(const tac_model *model, uint32_t node)
{
    return tac_format("%s/%s", model->machines[model->nodes[node].machine].name,
                      model->nodes[node].name);
}

/* How an item of the model (feasible or not) reads; the caller's. */
static char *items_name_transition(const tac_model *model, uint32_t transition)
{
    const tac_model_transition *t = &model->transitions[transition];
    return tac_format("%s/%s -%s-> %s", model->machines[model->nodes[t->from].machine].name,
                      model->nodes[t->from].name, model->events[t->event],
                      model->nodes[t->to].name);
}

static bool is_known(const struct items *items, const uint32_t *key, size_t words)
{
    return tac_names_find_bytes(&items->keys, key, words * sizeof *key) != TAC_NONE;
}

/* Pairs that follow each other directly in the model and never in a flow of this length. */
static void missing_pairs(const struct items *items, name_vec *out)
{
    const tac_model *model = items->engine->model;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_node *between = &model->nodes[model->transitions[t].to];
        for (uint32_t i = 0; i < between->out_count; i++) {
            uint32_t key[2] = {t, between->first_out + i};
            if (is_known(items, key, 2))
                continue;
            char *first = items_name_transition(model, key[0]);
            char *second = items_name_transition(model, key[1]);
            tac_vec_push(out, tac_format("%s, then %s", first, second));
            free(first);
            free(second);
        }
    }
}

void items_missing(const struct items *items, name_vec *out)
{
    const tac_model *model = items->engine->model;
    if (items->only != TAC_NONE)
        return;
    if (items->goal == TAC_COVER_STATES) {
        for (uint32_t n = 0; n < model->node_count; n++)
            if (model->nodes[n].kind == TAC_NODE_STATE && !is_known(items, &n, 1))
                tac_vec_push(out, items_name_state(model, n));
    } else if (items->goal == TAC_COVER_TRANSITIONS) {
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (!is_known(items, &t, 1))
                tac_vec_push(out, items_name_transition(model, t));
    } else if (items->goal == TAC_COVER_REQUIREMENTS) {
        const tac_flow_options *options = &items->engine->options;
        for (uint32_t r = 0; r < options->requirement_count; r++)
            if (!is_known(items, &r, 1))
                tac_vec_push(out, tac_strdup(options->requirements[r]->name));
    } else if (items->goal == TAC_COVER_TUPLES && items->tuple == 2) {
        missing_pairs(items, out);
    }
}

tac_status items_find_only(struct items *items, const char *name, tac_error *err)
{
    const tac_model *model = items->engine->model;
    TAC_VEC(const char *) candidates = {0};
    if (items->goal == TAC_COVER_STATES) {
        for (uint32_t n = 0; n < model->node_count; n++) {
            if (model->nodes[n].kind != TAC_NODE_STATE)
                continue;
            char *full = items_name_state(model, n);
            if (!strcmp(model->nodes[n].name, name) || !strcmp(full, name))
                items->only = n;
            free(full);
            tac_vec_push(&candidates, model->nodes[n].name);
        }
    } else {
        for (uint32_t e = 0; e < model->event_count; e++) {
            if (!strcmp(model->events[e], name))
                items->only = e;
            tac_vec_push(&candidates, model->events[e]);
        }
    }
    tac_status status = TAC_OK;
    if (items->only == TAC_NONE)
        status = tac_fail(err, TAC_E_USAGE, "the model has no %s '%s'%s",
                          items->goal == TAC_COVER_STATES ? "state" : "event", name,
                          tac_meant(name, candidates.at, candidates.count).text);
    tac_vec_free(&candidates);
    return status;
}
