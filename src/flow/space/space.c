/* Builds the graph of flows node by node.
 *
 * Several devices interleave under one total bound. Of the interleavings that differ only in the
 * order of independent steps, one is kept: the lexicographic normal form by device order. Appending
 * a step, walk back over the steps independent of it; if a step of a later device is met, the word
 * is not normal. The walk is folded into one bit per step type,
 *
 *   blocked(t) after s  =  false       if s and t depend on each other (the walk stops at s)
 *                          true        if they do not and s is of a later device than t
 *                          as before   otherwise,
 *
 * so the reduction needs no history and counts by dynamic programming like everything else.
 * Steps depend on each other when they are of one device, send on one channel, send and receive
 * on one channel, or a requirement tells their orders apart from where it stands (orders.h). That
 * dependence only shrinks along a flow, and a step that commutes with both of two others leaves
 * them dependent if they were: so every class has exactly one normal form, as with a dependence
 * that never changes. A receive is enabled while its channel has more sends than receives. */
#include "flow/space/space.h"
#include "base/check.h"
#include <string.h>

uint32_t space_device_of(const tac_model *model, uint32_t machine)
{
    return model->applications[model->activities[model->machines[machine].activity].application]
        .device;
}

uint32_t space_machine_of(const tac_model *model, uint32_t transition)
{
    return model->nodes[model->transitions[transition].from].machine;
}

uint32_t space_slot_of(const struct space *space, uint32_t transition)
{
    uint32_t device = space_device_of(space->model, space_machine_of(space->model, transition));
    for (uint32_t slot = 0; slot < space->devices.count; slot++)
        if (space->devices.at[slot] == device)
            return slot;
    return 0;
}

double space_time_of(const struct space *space, uint32_t transition)
{
    for (size_t i = 0; i < space->watcher_count; i++) {
        double time = watcher_time(space->watchers[i], transition);
        if (time >= 0)
            return time;
    }
    return space->model->transitions[transition].time;
}

void space_words(const struct space *space, uint32_t node, uint32_t *words)
{
    assert(node < space->graph.nodes.count);
    if (space->width == 1)
        words[0] = node;
    else
        memcpy(words, space->keys.text[node], space->width * sizeof *words);
}

static bool is_enabled(const struct space *space, const uint32_t *words, uint32_t transition)
{
    uint32_t channel = space->model->transitions[transition].receives;
    return (channel == TAC_MODEL_NONE ||
            words[space->at_balance + space->balance_of[channel]] > 0) &&
           configs_can_follow(space->model, transition) &&
           (!space->scripted ||
            scripted_allows(space->scripted, words[space->at_values], transition));
}

/* The transitions leaving the current node of a slot; none from finals. */
static const tac_model_node *node_of(const struct space *space, const uint32_t *words, size_t slot)
{
    return &space->model->nodes[space->configs.at.at[words[slot]].node];
}

static bool can_move(const struct space *space, const uint32_t *words)
{
    for (size_t slot = 0; slot < space->devices.count; slot++) {
        const tac_model_node *node = node_of(space, words, slot);
        for (uint32_t i = 0; i < node->out_count; i++)
            if (is_enabled(space, words, node->first_out + i))
                return true;
    }
    return false;
}

static bool all_exited(const struct space *space, const uint32_t *words)
{
    for (size_t slot = 0; slot < space->devices.count; slot++)
        if (configs_end(&space->configs, words[slot]) != CONFIG_EXITED)
            return false;
    return true;
}

/* How flows end here: sets both masks of the node. */
static struct graph_node classify(const struct space *space, const uint32_t *words)
{
    struct graph_node node = {.first_edge = NOT_EXPANDED};
    bool met = true, accepted = true;
    for (size_t i = 0; i < space->watcher_count; i++) {
        uint32_t state = words[space->at_watcher + i];
        if (space->watch_only)
            continue;
        met &= watcher_met(space->watchers[i], state);
        accepted &= watcher_accepts(space->watchers[i], state);
    }
    if (space->witness)
        node.ends = met ? TAC_FLOW_WITNESS : 0;
    else if (can_move(space, words))
        node.ends_at_bound = accepted ? TAC_FLOW_TRUNCATED : 0;
    else if (accepted)
        node.ends = all_exited(space, words) ? TAC_FLOW_EXIT : TAC_FLOW_STUCK;
    return node;
}

uint32_t space_node(struct space *space, const uint32_t *words)
{
    uint32_t id = words[0];
    assert(space->width >= 1);
    if (space->width > 1)
        id = tac_names_intern_bytes(&space->keys, words, space->width * sizeof *words);
    if (id == space->graph.nodes.count)
        tac_vec_push(&space->graph.nodes, classify(space, words));
    return id;
}

static bool is_blocked(const uint32_t *blocked, uint32_t type)
{
    return blocked[type / 32] >> (type % 32) & 1;
}

/* words: before the step. */
static void update_blocked(const struct space *space, uint32_t *words, uint32_t done)
{
    const struct orders *orders = &space->orders;
    uint32_t *blocked = words + space->at_blocked, slot = orders->types.at[done].slot;
    assert(done < orders->types.count);
    for (size_t i = 0; i < space->watcher_count; i++)
        space->progress[i] = watcher_progress(space->watchers[i], words[space->at_watcher + i]);
    for (uint32_t t = 0; t < orders->types.count; t++) {
        uint32_t bit = UINT32_C(1) << (t % 32);
        if (orders_depend(orders, done, t, space->progress))
            blocked[t / 32] &= ~bit;
        else if (slot > orders->types.at[t].slot)
            blocked[t / 32] |= bit;
    }
}

/* The words after a step, except the configuration and the watchers. */
static void update_shared(const struct space *space, uint32_t *words, uint32_t transition,
                          uint32_t type)
{
    const tac_model_transition *t = &space->model->transitions[transition];
    assert(t->receives == TAC_MODEL_NONE ||
           words[space->at_balance + space->balance_of[t->receives]] > 0);
    if (t->receives != TAC_MODEL_NONE)
        words[space->at_balance + space->balance_of[t->receives]]--;
    if (t->sends != TAC_MODEL_NONE && space->balance_of[t->sends] != TAC_NONE)
        words[space->at_balance + space->balance_of[t->sends]]++;
    if (space->reduced)
        update_blocked(space, words, type);
    if (space->scripted)
        words[space->at_values] =
            scripted_after(space->scripted, words[space->at_values], transition);
}

static bool update_watchers(struct space *space, uint32_t *words, uint32_t transition,
                            uint32_t node)
{
    for (size_t i = 0; i < space->watcher_count; i++) {
        uint32_t *state = &words[space->at_watcher + i];
        if (*state != WATCHER_REJECTS)
            *state =
                watcher_after(space->watchers[i], *state, (struct watcher_step){transition, node});
        if (*state == WATCHER_REJECTS && !space->watch_only)
            return false;
    }
    return true;
}

static void add_edges(struct space *space, size_t slot, uint32_t transition)
{
    const uint32_t *blocked = space->before + space->at_blocked;
    space->targets.count = 0;
    assert(slot < space->devices.count && slot == space_slot_of(space, transition));
    if (space->reduced && !orders_ask_nodes(&space->orders) &&
        is_blocked(blocked, orders_type(&space->orders, transition, 0)))
        return;
    configs_follow(&space->configs, space->before[slot], transition, &space->targets);
    for (size_t i = 0; i < space->targets.count; i++) {
        uint32_t node = space->configs.at.at[space->targets.at[i]].node;
        uint32_t type = space->reduced ? orders_type(&space->orders, transition, node) : 0;
        if (space->reduced && is_blocked(blocked, type))
            continue;
        memcpy(space->after, space->before, space->width * sizeof *space->after);
        space->after[slot] = space->targets.at[i];
        update_shared(space, space->after, transition, type);
        if (update_watchers(space, space->after, transition, node))
            tac_vec_push(&space->graph.edges,
                         (struct graph_edge){space_node(space, space->after), transition});
    }
}

size_t space_memory(const struct space *space)
{
    size_t bytes = configs_memory(&space->configs) + space->keys.arena.used +
                   scripted_memory(space->scripted) + space->keys.capacity * 24 +
                   space->keys.slot_capacity * 4 +
                   space->graph.nodes.capacity * sizeof *space->graph.nodes.at +
                   space->graph.edges.capacity * sizeof *space->graph.edges.at;
    for (size_t i = 0; i < space->watcher_count; i++)
        bytes += watcher_memory(space->watchers[i]);
    return bytes;
}

static tac_status fail_memory(const struct space *space, tac_error *err)
{
    size_t megabytes = space->memory_limit >> 20;
    for (size_t i = 0; i < space->watcher_count; i++) {
        const tac_requirement *requirement = space->watchers[i]->requirement;
        if (requirement->loop_count)
            return tac_fail_at(err, TAC_E_LIMIT, requirement->file, requirement->loops[0].line, 0,
                               "requirement '%s': its loop bound has to remember what each flow "
                               "used, which takes over %zu MB here; shorten the flows, bound the "
                               "events instead, or use kind=\"consecutive\"",
                               requirement->name, megabytes);
    }
    return tac_fail(
        err, TAC_E_LIMIT, "over %zu configurations do not fit in %zu MB%s%s%s; shorten the flows",
        space->configs.at.count, megabytes, space->watcher_count ? " with requirement '" : "",
        space->watcher_count ? space->watchers[0]->requirement->name : "",
        space->watcher_count ? "'" : "");
}

tac_status space_expand(struct graph *graph, uint32_t node, tac_error *err)
{
    struct space *space = (struct space *)graph;
    assert(graph->nodes.at[node].first_edge == NOT_EXPANDED);
    size_t first = graph->edges.count;
    space_words(space, node, space->before);
    for (size_t slot = 0; slot < space->devices.count; slot++) {
        if (graph->nodes.at[node].ends)
            break;
        const tac_model_node *from = node_of(space, space->before, slot);
        for (uint32_t i = 0; i < from->out_count; i++) {
            uint32_t transition = from->first_out + i;
            if (is_enabled(space, space->before, transition))
                add_edges(space, slot, transition);
        }
    }
    if (graph->edges.count >= UINT32_MAX ||
        (space_memory(space) > space->memory_limit && graph->nodes.count > 4096))
        return fail_memory(space, err);
    graph->nodes.at[node].first_edge = (uint32_t)first;
    graph->nodes.at[node].edge_count = (uint32_t)(graph->edges.count - first);
    return TAC_OK;
}
