/* Which node of a phone's screen a gesture goes to.
 *
 * A dump says what takes clicks, long clicks and scrolls; a touch that a node does not take goes on
 * to what it lies in, as on Android. Nothing says what takes double clicks, drags and swipes: those
 * are done wherever they are wanted. What has no size cannot be touched. */
#include "device/hierarchy.h"
#include "model/model.h"
#include <string.h>

static uint32_t flags_taking(tac_action_kind kind)
{
    if (kind == TAC_ACTION_CLICK)
        return TAC_UI_CLICKABLE | TAC_UI_CHECKABLE;
    if (kind == TAC_ACTION_LONG_CLICK)
        return TAC_UI_LONG_CLICKABLE;
    return kind == TAC_ACTION_SCROLL ? TAC_UI_SCROLLABLE : 0;
}

static bool done_anywhere(tac_action_kind kind)
{
    return kind == TAC_ACTION_DOUBLE_CLICK || kind == TAC_ACTION_DRAG || kind == TAC_ACTION_SWIPE ||
           kind == TAC_ACTION_PINCH;
}

/* The node around it that takes the gesture, be it enabled or not; none: TAC_UI_NONE. */
static uint32_t taker_above(const tac_ui *ui, uint32_t node, tac_action_kind kind)
{
    uint32_t flags = flags_taking(kind);
    while (node != TAC_UI_NONE && !(ui->nodes[node].flags & flags))
        node = ui->nodes[node].parent;
    return node;
}

static tac_status need_size(const tac_ui *ui, const tac_gesture *gesture, uint32_t node,
                            tac_error *err)
{
    const tac_ui_node *n = &ui->nodes[node];
    char name[256];
    if (n->right > n->left && n->bottom > n->top)
        return TAC_OK;
    return tac_fail(err, TAC_E_LIMIT, "%s %s: the element is there but has no size to be touched",
                    tac_action_kind_name(gesture->kind),
                    tac_selector_text(&gesture->target, name, sizeof name));
}

static tac_status find_anywhere(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                                tac_error *err)
{
    tac_error missing;
    tac_status st = ui_find_target(ui, gesture, node, &missing);
    /* A finger that is told no element goes over what scrolls, or over the screen. */
    if (st == TAC_E_LIMIT && ui_means_screen(gesture) && ui->count) {
        *node = 0;
        return TAC_OK;
    }
    if (st && err)
        *err = missing;
    if (!st && !(ui->nodes[*node].flags & TAC_UI_ENABLED))
        st = ui_does_not_accept(ui, gesture, *node, err);
    return st;
}

static tac_status find_taker(const tac_ui *ui, const tac_gesture *gesture, uint32_t *place,
                             uint32_t *taker, tac_error *err)
{
    tac_error refusal;
    tac_status st = ui_find_accepting(ui, gesture, place, &refusal);
    *taker = *place;
    if (!st)
        return TAC_OK;
    if (st == TAC_E_LIMIT && flags_taking(gesture->kind) &&
        ui_find_target(ui, gesture, place, NULL) == TAC_OK) {
        *taker = taker_above(ui, *place, gesture->kind);
        if (*taker != TAC_UI_NONE && ui->nodes[*taker].flags & TAC_UI_ENABLED)
            return TAC_OK;
    }
    if (err)
        *err = refusal;
    return st;
}

tac_status ui_find_touch(const tac_ui *ui, const tac_gesture *gesture, uint32_t *place,
                         uint32_t *taker, tac_error *err)
{
    tac_status st;
    *place = *taker = TAC_UI_NONE;
    if (gesture->kind == TAC_ACTION_HOVER)
        return tac_fail(err, TAC_E_USAGE, "hover: a phone has no mouse pointer");
    if (done_anywhere(gesture->kind)) {
        st = find_anywhere(ui, gesture, place, err);
        *taker = *place;
    } else {
        st = find_taker(ui, gesture, place, taker, err);
    }
    return st ? st : need_size(ui, gesture, *place, err);
}

tac_status ui_find_drop(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                        tac_error *err)
{
    const char *value = gesture->value ? gesture->value : "";
    if (strncmp(value, "to:", 3) != 0)
        return tac_fail(err, TAC_E_USAGE, "drag: the element to drag to is missing");
    const tac_gesture there = {.kind = TAC_ACTION_DRAG, .target = {.xpath = value + 3}};
    tac_status st = ui_find_target(ui, &there, node, err);
    return st ? st : need_size(ui, &there, *node, err);
}

uint32_t ui_topmost(const tac_ui *ui, int32_t x, int32_t y, unsigned gestures)
{
    uint32_t hit = TAC_UI_NONE;
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        if (x >= n->left && x < n->right && y >= n->top && y < n->bottom &&
            (!gestures || tac_ui_gestures(n) & gestures))
            hit = i;
    }
    return hit;
}

static bool covered(const tac_ui *ui, uint32_t node, int32_t x, int32_t y)
{
    for (uint32_t i = node + 1; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        if (x >= n->left && x < n->right && y >= n->top && y < n->bottom && tac_ui_gestures(n))
            return true;
    }
    return false;
}

bool ui_free_point(const tac_ui *ui, uint32_t node, int32_t *x, int32_t *y)
{
    const tac_ui_node *n = &ui->nodes[node];
    int32_t width = n->right - n->left, height = n->bottom - n->top;
    enum { STEPS = 24 };
    *x = n->left + width / 2;
    *y = n->top + height / 2;
    if (!covered(ui, node, *x, *y))
        return true;
    for (int32_t i = 1; i < STEPS; i++)
        for (int32_t k = 1; k < 8; k++) {
            int32_t px = n->left + width * k / 8, py = n->top + height * i / STEPS;
            if (!covered(ui, node, px, py)) {
                *x = px;
                *y = py;
                return false;
            }
        }
    return false;
}
