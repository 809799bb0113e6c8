/* The elements of a screen that accept something, in document order: what
 * `tactus screen` prints, and what an exploration is told to ignore or to type into. Each
 * XPath selects its element alone. O(nodes log nodes). */
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "device/hierarchy.h"
#include "explore/described.h"
#include "explore/screen_class.h"
#include "model/model.h"

/* What a person reads on a node: its text or description, else the first of those inside. The
 * nodes stand in document order, so that is the first text from the node on, if it is inside. */
static const char **find_labels(const tac_ui *ui)
{
    const char **labels = tac_calloc((size_t)ui->count + 1, sizeof *labels);
    for (uint32_t i = ui->count; i-- > 0;) {
        const tac_ui_node *n = &ui->nodes[i];
        if (*n->text || *n->description)
            labels[i] = *n->text ? n->text : n->description;
        for (uint32_t c = n->first_child; c != TAC_UI_NONE && !labels[i];)
            c = (labels[i] = labels[c]) ? c : ui->nodes[c].next_sibling;
    }
    return labels;
}

struct owned_elements {
    tac_screen_elements shown; /* first: the caller has its address */
    tac_arena arena;
    TAC_VEC(tac_screen_element) list;
};

static const char *event_of(const tac_ui *ui, uint32_t ordinal, uint32_t node, unsigned gestures,
                            tac_arena *arena)
{
    unsigned kind = TAC_ACTION_CLICK;
    while (kind <= TAC_ACTION_DRAG && !(gestures & 1u << kind))
        kind++;
    if (kind > TAC_ACTION_DRAG)
        return "";
    char *name = control_name(ui, ordinal, node, (tac_action_kind)kind);
    const char *event = tac_arena_strdup(arena, name);
    free(name);
    return event;
}

tac_screen_elements *tac_screen_find_elements(const tac_ui *ui)
{
    struct owned_elements *owned = tac_calloc(1, sizeof *owned);
    struct ui_locators *locators = ui_locators_new(ui, true);
    bool *skipped = tac_calloc((size_t)ui->count + 1, sizeof *skipped); /* none */
    uint32_t *ordinals = control_ordinals(ui, skipped);
    const char **labels = find_labels(ui);
    for (uint32_t i = 0; i < ui->count; i++) {
        unsigned gestures = tac_ui_gestures(&ui->nodes[i]);
        if (!gestures)
            continue;
        char *xpath = ui_locators_find(locators, i);
        tac_vec_push(
            &owned->list,
            (tac_screen_element){.node = i,
                                 .gestures = gestures,
                                 .xpath = tac_arena_strdup(&owned->arena, xpath),
                                 .label = labels[i] ? labels[i] : "",
                                 .event = event_of(ui, ordinals[i], i, gestures, &owned->arena)});
        free(xpath);
    }
    free(labels);
    free(ordinals);
    free(skipped);
    ui_locators_free(locators);
    owned->shown = (tac_screen_elements){ui, owned->list.at, owned->list.count};
    return &owned->shown;
}

void tac_screen_elements_free(tac_screen_elements *elements)
{
    struct owned_elements *owned = (struct owned_elements *)elements;
    if (!owned)
        return;
    tac_vec_free(&owned->list);
    tac_arena_free(&owned->arena);
    free(owned);
}

static void gestures_of(const void *value, struct field_value *out)
{
    const tac_screen_element *one = value;
    const char **list = tac_arena_calloc(out->arena, TAC_ACTION_DRAG + 1, sizeof *list);
    for (unsigned kind = TAC_ACTION_CLICK; kind <= TAC_ACTION_DRAG; kind++)
        if (one->gestures & 1u << kind)
            list[out->count++] = tac_action_kind_name((tac_action_kind)kind);
    out->at = list;
}
FIELD_GETTER(node_of, tac_screen_element,
             out->at = &((const tac_screen_elements *)out->context)->ui->nodes[it->node])

static const struct field bounds_fields[] = {FIELDS(tac_ui_node, left, top, right, bottom)};
static DESCRIBE(bounds, tac_ui_node, .form = DESCRIBE_TUPLE);
FIELD_GETTER(leads, tac_ui_node, out->yes = it->flags & TAC_UI_LEADS; out->absent = !out->yes)
FIELD_GETTER(is_chosen, tac_ui_node, out->yes = it->flags & TAC_UI_CHOSEN; out->absent = !out->yes)
FIELD_GETTER(leaves, tac_ui_node, out->yes = it->flags & TAC_UI_LEAVES; out->absent = !out->yes)
static const struct field node_fields[] = {FIELD(tac_ui_node, class_name, .key = "class"),
                                           FIELD(tac_ui_node, resource_id, .key = "resourceId"),
                                           FIELDS(tac_ui_node, text, description),
                                           FIELD_GROUP(tac_ui_node, "bounds", bounds_described),
                                           FIELD_GET_BOOL("leads", leads, .omit = true),
                                           FIELD_GET_BOOL("chosen", is_chosen, .omit = true),
                                           FIELD_GET_BOOL("leaves", leaves, .omit = true)};
static DESCRIBE(node, tac_ui_node);
static const struct field element_fields[] = {
    FIELDS(tac_screen_element, xpath, label, event), FIELD_GET_TEXTS("gestures", gestures_of),
    FIELD_GET_POINTER("", node_of, node_described, .splice = true)};
static DESCRIBE(element, tac_screen_element);
static const struct field ui_fields[] = {FIELD(tac_ui, count, .key = "nodes"),
                                         FIELD(tac_ui, rotation)};
static DESCRIBE(ui, tac_ui);
static const struct field explore_screen_fields[] = {
    FIELD_POINTER(tac_screen_elements, ui, ui_described, .splice = true),
    FIELD_LIST(tac_screen_elements, at, count, element_described, .key = "elements")};
DESCRIBE(explore_screen, tac_screen_elements);

json_t *tac_screen_json(const tac_screen_elements *elements)
{
    return describe_json_with(&explore_screen_described, elements, elements);
}
