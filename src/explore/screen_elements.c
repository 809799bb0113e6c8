/* The elements of a screen that accept something, in document order: what
 * `tactus screen` prints, and what an exploration is told to ignore or to type into. Each
 * XPath selects its element alone. O(nodes log nodes). */
#include "base/data/arena.h"
#include "base/data/vec.h"
#include "base/io/json.h"
#include "device/hierarchy.h"
#include "explore/screen_class.h"
#include "tactus/explore.h"

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

static json_t *element_json(const tac_ui *ui, const tac_screen_element *one)
{
    const tac_ui_node *n = &ui->nodes[one->node];
    json_t *element = json_object(), *gestures = json_array();
    for (unsigned kind = TAC_ACTION_CLICK; kind <= TAC_ACTION_DRAG; kind++)
        if (one->gestures & 1u << kind)
            json_array_append_new(gestures,
                                  json_string(tac_action_kind_name((tac_action_kind)kind)));
    json_object_set_new(element, "xpath", tac_json_string(one->xpath));
    json_object_set_new(element, "label", tac_json_string(one->label));
    json_object_set_new(element, "event", tac_json_string(one->event));
    json_object_set_new(element, "gestures", gestures);
    json_object_set_new(element, "class", tac_json_string(n->class_name));
    json_object_set_new(element, "resourceId", tac_json_string(n->resource_id));
    json_object_set_new(element, "text", tac_json_string(n->text));
    json_object_set_new(element, "description", tac_json_string(n->description));
    json_object_set_new(element, "bounds",
                        json_pack("[i,i,i,i]", n->left, n->top, n->right, n->bottom));
    if (n->flags & TAC_UI_LEADS)
        json_object_set_new(element, "leads", json_true());
    if (n->flags & TAC_UI_CHOSEN)
        json_object_set_new(element, "chosen", json_true());
    if (n->flags & TAC_UI_LEAVES)
        json_object_set_new(element, "leaves", json_true());
    return element;
}

json_t *tac_screen_json(const tac_screen_elements *elements)
{
    json_t *list = json_array(), *screen = json_object();
    for (size_t i = 0; i < elements->count; i++)
        json_array_append_new(list, element_json(elements->ui, &elements->at[i]));
    json_object_set_new(screen, "nodes", json_integer(elements->ui->count));
    json_object_set_new(screen, "rotation", json_integer(elements->ui->rotation));
    json_object_set_new(screen, "elements", list);
    return screen;
}
