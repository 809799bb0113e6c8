/* Types of steps by interning what their transition and their settled node look like, and a table
 * of when two types commute. Cost: O(transitions + nodes) and the square of the number of types. */
#include "flow/space/orders.h"
#include "base/check.h"
#include "base/data/alloc.h"

#define MOST_TYPES 512 /* a table of a megabyte for each requirement */

struct classes {
    tac_names known;
    TAC_VEC(uint32_t) example; /* class: the first transition or node of it */
    TAC_VEC(uint32_t) slot;    /* class: of its device */
};

static uint32_t device_of(const tac_model *model, uint32_t node)
{
    uint32_t activity = model->machines[model->nodes[node].machine].activity;
    return model->applications[model->activities[activity].application].device;
}

static uint32_t class_of(struct classes *classes, const tac_str *key, uint32_t example,
                         uint32_t slot)
{
    uint32_t id = tac_names_intern_bytes(&classes->known, tac_str_text(key), key->length);
    if (id == classes->example.count) {
        tac_vec_push(&classes->example, example);
        tac_vec_push(&classes->slot, slot);
    }
    return id;
}

static void classes_free(struct classes *classes)
{
    tac_names_free(&classes->known);
    tac_vec_free(&classes->example);
    tac_vec_free(&classes->slot);
}

static void find_transition_classes(struct orders *orders, const tac_model *model,
                                    const uint32_t *slot_of_device, struct watcher *const *watchers,
                                    struct classes *out)
{
    orders->class_of_transition = tac_alloc((model->transition_count + 1) * sizeof(uint32_t));
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *of = &model->transitions[t];
        uint32_t slot = slot_of_device[device_of(model, of->from)];
        tac_str key = {0};
        tac_str_addf(&key, "%u %u %u ", slot, of->sends, of->receives);
        for (size_t w = 0; w < orders->watcher_count; w++)
            watcher_class_of_transition(watchers[w], t, &key);
        orders->class_of_transition[t] = class_of(out, &key, t, slot);
        tac_str_free(&key);
    }
}

static void find_node_classes(struct orders *orders, const tac_model *model,
                              const uint32_t *slot_of_device, struct watcher *const *watchers,
                              struct classes *out)
{
    orders->class_of_node = tac_calloc(model->node_count + 1, sizeof(uint32_t));
    for (uint32_t n = 0; n < model->node_count && orders->watcher_count; n++) {
        uint32_t slot = slot_of_device[device_of(model, n)];
        tac_str key = {0};
        tac_str_addf(&key, "%u ", slot);
        for (size_t w = 0; w < orders->watcher_count; w++)
            watcher_class_of_node(watchers[w], n, &key);
        orders->class_of_node[n] = class_of(out, &key, n, slot);
        tac_str_free(&key);
    }
    orders->node_classes = out->example.count ? out->example.count : 1;
}

/* The pairs of classes of one device. */
static void find_types(struct orders *orders, const tac_model *model,
                       const struct classes *transitions, const struct classes *nodes)
{
    size_t count = transitions->example.count * orders->node_classes;
    orders->type_at = tac_alloc((count + 1) * sizeof *orders->type_at);
    for (size_t i = 0; i < count; i++) {
        size_t t = i / orders->node_classes, n = i % orders->node_classes;
        bool fits = !nodes->slot.count || nodes->slot.at[n] == transitions->slot.at[t];
        orders->type_at[i] = fits ? (uint32_t)orders->types.count : TAC_NONE;
        if (!fits)
            continue;
        uint32_t example = transitions->example.at[t];
        struct step_type type = {
            .slot = transitions->slot.at[t],
            .sends = model->transitions[example].sends,
            .receives = model->transitions[example].receives,
            .example = {example, nodes->example.count ? nodes->example.at[n] : 0}};
        tac_vec_push(&orders->types, type);
    }
}

static void find_commuting(struct orders *orders, struct watcher *const *watchers, bool witness)
{
    size_t types = orders->types.count;
    orders->commute_from =
        tac_alloc((orders->watcher_count * types * types + 1) * sizeof *orders->commute_from);
    for (size_t w = 0; w < orders->watcher_count; w++)
        for (size_t a = 0; a < types; a++)
            for (size_t b = 0; b < types; b++)
                orders->commute_from[(w * types + a) * types + b] = watcher_commute_from(
                    watchers[w], orders->types.at[a].example, orders->types.at[b].example, witness);
}

bool orders_new(struct orders *orders, const tac_model *model, const uint32_t *slot_of_device,
                struct watcher *const *watchers, size_t watcher_count, bool witness)
{
    struct classes transitions = {0}, nodes = {0};
    *orders = (struct orders){.watcher_count = watcher_count};
    find_transition_classes(orders, model, slot_of_device, watchers, &transitions);
    find_node_classes(orders, model, slot_of_device, watchers, &nodes);
    bool worth_while = transitions.example.count * orders->node_classes <= (size_t)1 << 20;
    if (worth_while)
        find_types(orders, model, &transitions, &nodes);
    worth_while = worth_while && (!watcher_count || orders->types.count <= MOST_TYPES);
    if (worth_while)
        find_commuting(orders, watchers, witness);
    else
        orders_free(orders);
    classes_free(&transitions);
    classes_free(&nodes);
    return worth_while;
}

void orders_free(struct orders *orders)
{
    free(orders->class_of_transition);
    free(orders->class_of_node);
    free(orders->type_at);
    free(orders->commute_from);
    tac_vec_free(&orders->types);
    *orders = (struct orders){0};
}

uint32_t orders_type(const struct orders *orders, uint32_t transition, uint32_t node)
{
    uint32_t type = orders->type_at[orders->class_of_transition[transition] * orders->node_classes +
                                    orders->class_of_node[node]];
    assert(type < orders->types.count);
    return type;
}

static bool share_channel(const struct step_type *a, const struct step_type *b)
{
    return (a->sends != TAC_MODEL_NONE && (a->sends == b->sends || a->sends == b->receives)) ||
           (b->sends != TAC_MODEL_NONE && b->sends == a->receives);
}

bool orders_depend(const struct orders *orders, uint32_t a, uint32_t b, const uint32_t *progress)
{
    size_t types = orders->types.count;
    const struct step_type *x = &orders->types.at[a], *y = &orders->types.at[b];
    assert(a < types && b < types);
    bool depend = x->slot == y->slot || share_channel(x, y);
    for (size_t w = 0; w < orders->watcher_count && !depend; w++)
        depend = progress[w] < orders->commute_from[(w * types + a) * types + b];
    return depend;
}
