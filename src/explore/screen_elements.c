/* The elements of a screen that accept something, in document order, as a JSON document: what
 * `tactus screen` prints, and what the options --ignore and --text of an exploration name. Each
 * XPath selects its element alone. O(nodes x elements). */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "explore/screen_class.h"
#include "tactus/explore.h"

/* What a person reads on it: its text or description, else the first of those inside. */
static const char *label_of(const tac_ui *ui, uint32_t node)
{
    for (uint32_t i = node; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        if (i > node && (n->parent == TAC_UI_NONE || n->parent < node))
            break; /* nodes stand in document order: behind the last descendant */
        if (*n->text || *n->description)
            return *n->text ? n->text : n->description;
    }
    return "";
}

static json_t *element_json(const tac_ui *ui, uint32_t node)
{
    const tac_ui_node *n = &ui->nodes[node];
    unsigned accepted = tac_ui_gestures(n);
    json_t *gestures = json_array();
    char *event = NULL;
    for (unsigned kind = TAC_ACTION_CLICK; kind <= TAC_ACTION_DRAG; kind++)
        if (accepted & 1u << kind) {
            json_array_append_new(gestures,
                                  json_string(tac_action_kind_name((tac_action_kind)kind)));
            if (!event)
                event = control_name(ui, node, (tac_action_kind)kind);
        }
    char *xpath = tac_ui_xpath(ui, node);
    json_t *element = json_object();
    json_object_set_new(element, "xpath", tac_json_string(xpath));
    json_object_set_new(element, "label", tac_json_string(label_of(ui, node)));
    json_object_set_new(element, "event", tac_json_string(event ? event : ""));
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
    free(xpath);
    free(event);
    return element;
}

json_t *tac_screen_json(const tac_ui *ui)
{
    json_t *elements = json_array();
    for (uint32_t i = 0; i < ui->count; i++)
        if (tac_ui_gestures(&ui->nodes[i]))
            json_array_append_new(elements, element_json(ui, i));
    json_t *screen = json_object();
    json_object_set_new(screen, "nodes", json_integer(ui->count));
    json_object_set_new(screen, "rotation", json_integer(ui->rotation));
    json_object_set_new(screen, "elements", elements);
    return screen;
}
