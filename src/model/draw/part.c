/* Chooses the part of a model that fits on a page: the states nearest to a state of interest (both
 * ways along transitions), or nearest to the start (along transitions), up to a number; with an
 * activity, only its states. Breadth first over transitions, calls, jumps and returns, so that what
 * is drawn hangs together. Cost: O(nodes + transitions). */
#include "model/draw/part.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include <string.h>

/* Neighbours in both directions: at[first[n] .. first[n + 1]). */
struct neighbours {
    uint32_t *first, *at;
};

struct link {
    uint32_t from, to;
};

typedef TAC_VEC(struct link) link_list;
typedef TAC_VEC(uint32_t) u32_list;

static uint32_t entered_by(const tac_model *model, const tac_model_call *call)
{
    if (call->enters != TAC_MODEL_NONE)
        return call->enters;
    uint32_t machine = call->machine;
    if (machine == TAC_MODEL_NONE) {
        machine = model->activities[call->activity].first_machine;
        while (!model->machines[machine].external)
            machine++;
    }
    return model->machines[machine].initial;
}

uint32_t model_part_end(const tac_model *model, const tac_model_transition *transition)
{
    const tac_model_node *to = &model->nodes[transition->to];
    bool jumps = to->kind == TAC_NODE_CONNECTION && model->calls[to->call].enters != TAC_MODEL_NONE;
    return jumps ? model->calls[to->call].enters : transition->to;
}

static void collect_links(const tac_model *model, link_list *out)
{
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        uint32_t end = model_part_end(model, transition);
        tac_vec_push(out, (struct link){transition->from, end});
        if (model->nodes[end].kind != TAC_NODE_CONNECTION)
            continue;
        const tac_model_call *call = &model->calls[model->nodes[end].call];
        tac_vec_push(out, (struct link){transition->from, entered_by(model, call)});
        tac_vec_push(out, (struct link){transition->from, call->returns});
    }
}

static struct neighbours group_links(const tac_model *model, const link_list *links, bool both)
{
    struct neighbours out = {.first = tac_calloc((size_t)model->node_count + 2, sizeof *out.first),
                             .at = tac_calloc(2 * links->count + 1, sizeof *out.at)};
    for (size_t i = 0; i < links->count; i++) {
        out.first[links->at[i].from + 1]++;
        if (both)
            out.first[links->at[i].to + 1]++;
    }
    for (uint32_t n = 0; n < model->node_count; n++)
        out.first[n + 1] += out.first[n];
    uint32_t *next = tac_calloc((size_t)model->node_count + 1, sizeof *next);
    memcpy(next, out.first, model->node_count * sizeof *next);
    for (size_t i = 0; i < links->count; i++) {
        out.at[next[links->at[i].from]++] = links->at[i].to;
        if (both)
            out.at[next[links->at[i].to]++] = links->at[i].from;
    }
    free(next);
    return out;
}

static bool is_wanted(const tac_model *model, uint32_t activity, uint32_t node)
{
    return activity == TAC_MODEL_NONE ||
           model->machines[model->nodes[node].machine].activity == activity;
}

/* Breadth first; shows states until there are enough. */
static void spread(const tac_model *model, const struct neighbours *ways, uint32_t activity,
                   uint32_t most, u32_list *queue, struct model_part *part)
{
    for (size_t i = 0; i < queue->count; i++) {
        uint32_t node = queue->at[i];
        if (model->nodes[node].kind == TAC_NODE_STATE && is_wanted(model, activity, node) &&
            part->states < most) {
            part->shown[node] = true;
            part->states++;
        }
        for (uint32_t k = ways->first[node]; k < ways->first[node + 1]; k++) {
            uint32_t other = ways->at[k];
            if (part->distance[other] != UINT32_MAX)
                continue;
            part->distance[other] = part->distance[node] + 1;
            tac_vec_push(queue, other);
        }
    }
}

/* Finals and calls are drawn where a drawn state leads to them. */
static void show_ends(const tac_model *model, struct model_part *part)
{
    for (uint32_t t = 0; t < model->transition_count; t++) {
        uint32_t end = model_part_end(model, &model->transitions[t]);
        if (part->shown[model->transitions[t].from] && model->nodes[end].kind != TAC_NODE_STATE)
            part->shown[end] = true;
    }
}

static tac_status find_activity(const tac_model *model, const char *name, uint32_t *out,
                                tac_error *err)
{
    const char **names = tac_calloc((size_t)model->activity_count + 1, sizeof *names);
    uint32_t found = 0;
    for (uint32_t v = 0; v < model->activity_count; v++) {
        names[v] = model->activities[v].name;
        if (strcmp(names[v], name) == 0) {
            *out = v;
            found++;
        }
    }
    tac_meaning meant = tac_meant(name, names, found ? 0 : model->activity_count);
    free(names);
    if (found == 1)
        return TAC_OK;
    return found ? tac_fail(err, TAC_E_INPUT, "several activities are called '%s'", name)
                 : tac_fail(err, TAC_E_INPUT, "the model has no activity '%s'%s", name, meant.text);
}

/* NAME or MACHINE/NAME. */
static tac_status find_state(const tac_model *model, const char *name, uint32_t *out,
                             tac_error *err)
{
    const char *slash = strrchr(name, '/'), *state = slash ? slash + 1 : name;
    const char **names = tac_calloc((size_t)model->node_count + 1, sizeof *names);
    uint32_t found = 0, known = 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const char *machine = model->machines[model->nodes[n].machine].name;
        if (model->nodes[n].kind != TAC_NODE_STATE)
            continue;
        names[known++] = model->nodes[n].name;
        if (strcmp(model->nodes[n].name, state) != 0 ||
            (slash && (strlen(machine) != (size_t)(slash - name) ||
                       memcmp(machine, name, (size_t)(slash - name)) != 0)))
            continue;
        *out = n;
        found++;
    }
    tac_meaning meant = tac_meant(state, names, found || known > 20000 ? 0 : known);
    free(names);
    if (found == 1)
        return TAC_OK;
    return found
               ? tac_fail(err, TAC_E_INPUT,
                          "several state machines have a state '%s'; write MACHINE/%s", name, name)
               : tac_fail(err, TAC_E_INPUT, "the model has no state '%s'%s", name, meant.text);
}

static void begin_at(uint32_t node, u32_list *queue, struct model_part *part)
{
    if (part->distance[node] == UINT32_MAX)
        tac_vec_push(queue, node);
    part->distance[node] = 0;
}

tac_status model_part_choose(const tac_model *model, const tac_model_view *view,
                             struct model_part *out, tac_error *err)
{
    uint32_t activity = TAC_MODEL_NONE, most = view->most_states ? view->most_states : UINT32_MAX;
    u32_list queue = {0};
    link_list links = {0};
    *out = (struct model_part){.focus = TAC_MODEL_NONE};
    tac_status status =
        view->activity ? find_activity(model, view->activity, &activity, err) : TAC_OK;
    if (status == TAC_OK && view->focus)
        status = find_state(model, view->focus, &out->focus, err);
    if (status != TAC_OK)
        return status;
    out->shown = tac_calloc((size_t)model->node_count + 1, sizeof *out->shown);
    out->distance = tac_alloc(((size_t)model->node_count + 1) * sizeof *out->distance);
    memset(out->distance, 0xff, ((size_t)model->node_count + 1) * sizeof *out->distance);
    if (out->focus != TAC_MODEL_NONE)
        begin_at(out->focus, &queue, out);
    for (uint32_t m = 0; m < model->machine_count && out->focus == TAC_MODEL_NONE; m++)
        if (activity == TAC_MODEL_NONE ? model->machines[m].external
                                       : model->machines[m].activity == activity)
            begin_at(model->machines[m].initial, &queue, out);
    collect_links(model, &links);
    struct neighbours ways = group_links(model, &links, out->focus != TAC_MODEL_NONE);
    if (!view->collapsed)
        spread(model, &ways, activity, most, &queue, out);
    show_ends(model, out);
    free(ways.first);
    free(ways.at);
    tac_vec_free(&links);
    tac_vec_free(&queue);
    return TAC_OK;
}

void model_part_free(struct model_part *part)
{
    free(part->shown);
    free(part->distance);
}
