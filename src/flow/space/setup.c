/* Makes a space: which devices take part, how events are printed, which channels count, which steps
 * commute, what a node consists of, and the roots. Cost: O(model). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "flow/space/space.h"
#include <string.h>

#define DEFAULT_MEMORY_LIMIT ((size_t)1 << 30)

static bool is_start(const tac_model *model, uint32_t machine)
{
    const tac_model_activity *activity = &model->activities[model->machines[machine].activity];
    return model->machines[machine].external && activity->external &&
           model->applications[activity->application].external;
}

static void find_devices(struct space *space)
{
    const tac_model *model = space->model;
    for (uint32_t device = 0; device < model->device_count; device++)
        for (uint32_t machine = 0; machine < model->machine_count; machine++)
            if (space_device_of(model, machine) == device && is_start(model, machine)) {
                tac_vec_push(&space->devices, device);
                break;
            }
}

static void find_labels(struct space *space)
{
    const tac_model *model = space->model;
    space->labels = tac_calloc(model->transition_count + 1, sizeof *space->labels);
    space->label_class = tac_calloc(model->transition_count + 1, sizeof *space->label_class);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const char *event = model->events[model->transitions[t].event];
        uint32_t class;
        if (model->device_count > 1) {
            uint32_t device = space_device_of(model, space_machine_of(model, t));
            char *text = tac_format("%s:%s", model->devices[device].name, event);
            class = tac_names_intern(&space->label_texts, text);
            free(text);
        } else {
            class = tac_names_intern(&space->label_texts, event);
        }
        space->label_class[t] = class;
        assert(class < space->label_texts.count);
        space->labels[t] = (struct graph_label){space->label_texts.text[class],
                                                (uint32_t)space->label_texts.length[class]};
    }
    space->graph.labels = space->labels;
}

/* Returns how many channels somebody receives from. */
static size_t find_channels(struct space *space)
{
    const tac_model *model = space->model;
    uint32_t received = 0;
    space->balance_of = tac_alloc((model->channel_count + 1) * sizeof *space->balance_of);
    for (uint32_t c = 0; c < model->channel_count; c++)
        space->balance_of[c] = TAC_NONE;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        uint32_t channel = model->transitions[t].receives;
        if (channel != TAC_MODEL_NONE && space->balance_of[channel] == TAC_NONE)
            space->balance_of[channel] = received++;
    }
    return received;
}

/* Decides whether orders are folded, which needs the requirements. */
static void find_orders(struct space *space, const tac_flow_options *options)
{
    uint32_t *slot_of = tac_calloc(space->model->device_count + 1, sizeof *slot_of);
    for (uint32_t slot = 0; slot < space->devices.count; slot++)
        slot_of[space->devices.at[slot]] = slot;
    /* variables are shared, so steps that use them do not commute: every order is kept */
    space->reduced = space->devices.count > 1 && !options->all_interleavings && !space->scripted &&
                     orders_new(&space->orders, space->model, slot_of, space->watchers,
                                space->watcher_count, space->witness);
    free(slot_of);
}

static void lay_out_words(struct space *space, size_t channels)
{
    space->at_balance = space->devices.count;
    space->at_blocked = space->at_balance + channels;
    space->at_values =
        space->at_blocked + (space->reduced ? (space->orders.types.count + 31) / 32 : 0);
    space->at_watcher = space->at_values + (space->scripted != NULL);
    space->width = space->at_watcher + space->watcher_count;
    assert(space->at_balance <= space->at_blocked && space->at_blocked <= space->at_watcher);
    assert(space->width >= space->devices.count);
    space->before = tac_calloc(space->width + 1, sizeof *space->before);
    space->after = tac_calloc(space->width + 1, sizeof *space->after);
    space->progress = tac_calloc(space->watcher_count + 1, sizeof *space->progress);
}

/* One root for a choice of started machines; none when a requirement rejects the start. */
static void add_root(struct space *space, const uint32_t *machines)
{
    size_t slots = space->devices.count;
    uint32_t *words = space->after, *nodes = tac_calloc(slots + 1, sizeof *nodes);
    memset(words, 0, space->width * sizeof *words);
    for (size_t slot = 0; slot < slots; slot++) {
        words[slot] = configs_start(&space->configs, machines[slot], NULL);
        nodes[slot] = space->configs.at.at[words[slot]].node;
        assert(space->model->nodes[nodes[slot]].kind != TAC_NODE_CONNECTION);
    }
    if (space->scripted)
        words[space->at_values] = scripted_start(space->scripted);
    bool kept = true;
    for (size_t i = 0; i < space->watcher_count && kept; i++) {
        uint32_t state = watcher_start(space->watchers[i], nodes, slots);
        kept = state != WATCHER_REJECTS || space->watch_only;
        words[space->at_watcher + i] = state;
    }
    if (kept) {
        tac_vec_push(&space->graph.roots, space_node(space, words));
        tac_vec_append(&space->root_machines, machines, slots);
        assert(space->root_machines.count == space->graph.roots.count * slots);
    }
    free(nodes);
}

static uint32_t next_start(const struct space *space, size_t slot, uint32_t from)
{
    const tac_model *model = space->model;
    for (uint32_t m = from; m < model->machine_count; m++)
        if (space_device_of(model, m) == space->devices.at[slot] && is_start(model, m))
            return m;
    return TAC_NONE;
}

/* The product of the devices' starts; the last device varies fastest. */
static tac_status add_roots(struct space *space, tac_error *err)
{
    size_t slots = space->devices.count, roots = 0;
    uint32_t *chosen = tac_calloc(slots + 1, sizeof *chosen);
    for (size_t slot = 0; slot < slots; slot++)
        chosen[slot] = next_start(space, slot, 0);
    for (size_t moved = 0; slots && moved != SIZE_MAX;) {
        if (++roots > 1000000) {
            free(chosen);
            return tac_fail(err, TAC_E_LIMIT,
                            "the devices can be started in over 1,000,000 combinations; mark fewer "
                            "machines as external");
        }
        add_root(space, chosen);
        for (moved = slots - 1; moved != SIZE_MAX; moved--) {
            chosen[moved] = next_start(space, moved, chosen[moved] + 1);
            if (chosen[moved] != TAC_NONE)
                break;
            chosen[moved] = next_start(space, moved, 0);
        }
    }
    free(chosen);
    return TAC_OK;
}

static tac_status bind_requirements(struct space *space, const tac_flow_options *options,
                                    tac_diagnostics *diagnostics, tac_error *err)
{
    tac_status status = TAC_OK;
    space->watchers = tac_calloc(options->requirement_count + 1, sizeof *space->watchers);
    for (size_t i = 0; i < options->requirement_count && status == TAC_OK; i++) {
        status = watcher_bind(options->requirements[i], space->model, diagnostics,
                              &space->watchers[i], err);
        space->watcher_count += status == TAC_OK;
    }
    return status;
}

tac_status space_new(const tac_model *model, const tac_flow_options *options,
                     tac_diagnostics *diagnostics, struct space **out, tac_error *err)
{
    struct space *space = tac_calloc(1, sizeof *space);
    space->model = model;
    space->graph.expand = space_expand;
    space->graph.watch = options->watch;
    space->witness = options->witness;
    space->watch_only = options->requirements_watch_only;
    space->memory_limit = options->memory_limit ? options->memory_limit : DEFAULT_MEMORY_LIMIT;
    configs_init(&space->configs, model);
    space->scripted = scripted_new(model);
    find_devices(space);
    find_labels(space);
    size_t channels = find_channels(space);
    tac_status status = bind_requirements(space, options, diagnostics, err);
    if (status == TAC_OK) {
        find_orders(space, options);
        lay_out_words(space, channels);
        status = add_roots(space, err);
    }
    space->graph.every_prefix_completes =
        !space->reduced && !space->witness && (!space->watcher_count || space->watch_only);
    if (status != TAC_OK) {
        space_free(space);
        return status;
    }
    *out = space;
    return TAC_OK;
}

void space_free(struct space *space)
{
    if (!space)
        return;
    for (size_t i = 0; i < space->watcher_count; i++)
        watcher_free(space->watchers[i]);
    free(space->watchers);
    configs_free(&space->configs);
    scripted_free(space->scripted);
    tac_vec_free(&space->graph.nodes);
    tac_vec_free(&space->graph.edges);
    tac_vec_free(&space->graph.roots);
    tac_vec_free(&space->devices);
    tac_vec_free(&space->root_machines);
    tac_vec_free(&space->targets);
    tac_names_free(&space->keys);
    tac_names_free(&space->label_texts);
    free(space->balance_of);
    free(space->label_class);
    free(space->labels);
    free(space->before);
    free(space->after);
    free(space->progress);
    orders_free(&space->orders);
    free(space);
}
