/* Which elements a locator means, without libxml2: one pass over the nodes per element of the path,
 * O(nodes x elements x conditions). Nodes stand in document order; behind them, with the number
 * ui->count, is the hierarchy around them, which has none of their attributes. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "device/hierarchy.h"
#include <string.h>

const uint32_t ui_part_flags[TAC_PARTS] = {
    [TAC_PART_CHECKABLE] = TAC_UI_CHECKABLE,   [TAC_PART_CHECKED] = TAC_UI_CHECKED,
    [TAC_PART_CLICKABLE] = TAC_UI_CLICKABLE,   [TAC_PART_ENABLED] = TAC_UI_ENABLED,
    [TAC_PART_FOCUSABLE] = TAC_UI_FOCUSABLE,   [TAC_PART_FOCUSED] = TAC_UI_FOCUSED,
    [TAC_PART_SCROLLABLE] = TAC_UI_SCROLLABLE, [TAC_PART_LONG_CLICKABLE] = TAC_UI_LONG_CLICKABLE,
    [TAC_PART_PASSWORD] = TAC_UI_PASSWORD,     [TAC_PART_SELECTED] = TAC_UI_SELECTED};

const char *ui_part(const tac_ui_node *node, tac_part part)
{
    if (ui_part_flags[part])
        return node->flags & ui_part_flags[part] ? "true" : "false";
    const char *called = part == TAC_PART_TEST_ID ? node->test_id
                         : part == TAC_PART_ROLE  ? node->role
                         : part == TAC_PART_NAME  ? node->name
                                                  : NULL;
    if (called)
        return *called ? called : NULL;
    return part == TAC_PART_ID        ? node->resource_id
           : part == TAC_PART_LABEL   ? node->description
           : part == TAC_PART_TEXT    ? node->text
           : part == TAC_PART_CLASS   ? node->class_name
           : part == TAC_PART_PACKAGE ? node->package
                                      : NULL;
}

const char *ui_text(const tac_ui_node *node, tac_part part)
{
    const char *value = ui_part(node, part);
    return value ? value : "";
}

static uint32_t first_child(const tac_ui *ui, uint32_t node)
{
    return node < ui->count ? ui->nodes[node].first_child : ui->count ? 0 : TAC_UI_NONE;
}

/* Whether the value of the node, or of any so many levels below, is equal, or differs. */
static bool compare(const tac_ui *ui, uint32_t node, const tac_condition *c, uint32_t levels)
{
    const char *value = node < ui->count ? ui_part(&ui->nodes[node], c->part) : NULL;
    if (!levels)
        return value && !strcmp(value, c->value) == (c->kind == TAC_CONDITION_EQUALS);
    for (node = first_child(ui, node); node != TAC_UI_NONE; node = ui->nodes[node].next_sibling)
        if (compare(ui, node, c, levels - 1))
            return true;
    return false;
}

static bool holds(const tac_ui *ui, uint32_t node, const tac_locator *locator, uint32_t condition)
{
    const tac_condition *c = &locator->conditions.at[condition];
    const char *value = node < ui->count ? ui_part(&ui->nodes[node], c->part) : NULL;
    switch (c->kind) {
    case TAC_CONDITION_OR:
        return holds(ui, node, locator, c->left) || holds(ui, node, locator, c->right);
    case TAC_CONDITION_AND:
        return holds(ui, node, locator, c->left) && holds(ui, node, locator, c->right);
    case TAC_CONDITION_NOT:
        return !holds(ui, node, locator, c->left);
    case TAC_CONDITION_CONTAINS:
        return strstr(value ? value : "", c->value) != NULL;
    case TAC_CONDITION_STARTS:
        return !strncmp(value ? value : "", c->value, strlen(c->value));
    case TAC_CONDITION_PRESENT:
        return value != NULL;
    case TAC_CONDITION_EQUALS:
    case TAC_CONDITION_DIFFERS:
        return compare(ui, node, c, c->levels);
    }
    assert(false);
}

static bool fits(const tac_ui *ui, uint32_t node, const tac_locator *locator, const tac_step *step)
{
    bool element = node < ui->count;
    if (step->kind == TAC_ELEMENT_CLASS || (element && step->kind == TAC_ELEMENT_HIERARCHY) ||
        (!element && step->kind == TAC_ELEMENT_NODE))
        return false;
    for (uint32_t c = step->first; c != TAC_NONE; c = locator->conditions.at[c].next)
        if (!holds(ui, node, locator, c))
            return false;
    return true;
}

static uint32_t parent_of(const tac_ui *ui, uint32_t node)
{
    return ui->nodes[node].parent == TAC_UI_NONE ? ui->count : ui->nodes[node].parent;
}

/* marks: the elements before the step, none before the first. Afterwards those behind it. */
static void walk(const tac_ui *ui, const tac_locator *locator, size_t number, bool *marks,
                 bool *inside, uint32_t *places)
{
    const tac_step *step = &locator->steps.at[number];
    inside[ui->count] = !number;
    for (uint32_t i = 0; i < ui->count; i++)
        inside[i] = marks[parent_of(ui, i)] || (step->deep && inside[parent_of(ui, i)]);
    memset(places, 0, ((size_t)ui->count + 1) * sizeof *places);
    for (uint32_t i = 0; i < ui->count; i++) {
        uint32_t *place = &places[parent_of(ui, i)];
        marks[i] = inside[i] && fits(ui, i, locator, step);
        *place += marks[i];
        if (step->place && *place != step->place)
            marks[i] = false;
    }
    marks[ui->count] = !number && step->place < 2 && fits(ui, ui->count, locator, step);
}

/* A dump has more attributes than the tree keeps apart: bounds, index, what pages add. */
static bool is_answerable(const tac_locator *locator)
{
    bool known = locator->kind == TAC_LOCATOR_PATH && !locator->again;
    for (size_t i = 0; i < locator->conditions.count; i++)
        known = known && locator->conditions.at[i].part != TAC_PART_OTHER;
    return known;
}

bool ui_match(const tac_ui *ui, const tac_locator *locator, bool *marks, bool *any)
{
    *any = false;
    if (!is_answerable(locator))
        return false;
    size_t count = (size_t)ui->count + 1;
    uint32_t seen = 0, *places = tac_calloc(count, sizeof *places);
    bool *found = tac_calloc(count, sizeof *found), *inside = tac_calloc(count, sizeof *inside);
    for (size_t i = 0; i < locator->steps.count; i++)
        walk(ui, locator, i, found, inside, places);
    seen = locator->place && found[ui->count];
    for (uint32_t i = 0; i < ui->count; i++)
        if (found[i] && (!locator->place || ++seen == locator->place))
            marks[i] = *any = true;
    free(places);
    free(found);
    free(inside);
    return true;
}
