/* Gestures and keys on what is drawn. A field that was touched or typed into has the focus: keys
 * with characters go there, and all others to the app. */
#include "base/data/text.h"
#include "device/android_keys.h"
#include "phone/world/phone.h"

static void press_permission(struct sim *s, bool allow)
{
    const struct sim_action *asked = s->asking;
    s->asking = NULL;
    if (allow)
        tac_vec_push(&s->granted, asked->name);
    sim_touch(s);
    sim_do(s, allow ? asked->then : asked->otherwise, 0);
}

/* --- the focus --- */

void sim_focus_node(struct sim *s, uint32_t node)
{
    uint32_t widget = s->drawn_widget.at[node];
    const struct sim_instance *top = sim_top(s);
    if (widget == SIM_NONE || !top || !(s->ui->nodes[node].flags & TAC_UI_EDITABLE))
        return;
    s->focus = (struct sim_focus){true, top->id, widget, s->drawn_item.at[node]};
    sim_touch(s);
}

uint32_t sim_focused(struct sim *s)
{
    const tac_ui *ui = sim_draw(s);
    for (uint32_t i = 0; i < ui->count; i++)
        if (ui->nodes[i].flags & TAC_UI_FOCUSED)
            return i;
    return TAC_UI_NONE;
}

/* --- typing --- */

/* The field holds this now. */
static void enter_text(struct sim *s, uint32_t node, const char *text)
{
    const struct sim_widget *w = &s->app->widgets.at[s->drawn_widget.at[node]];
    uint32_t item = s->drawn_item.at[node];
    if (!*text && w->bound && !*sim_field_text(s, node))
        return; /* nothing was typed */
    if (!sim_record(s, w->on[SIM_TOUCH_TEXT].label))
        return;
    if (w->bound)
        sim_assign(s, w->bind, (struct sim_value){0, text});
    sim_do(s, w->on[SIM_TOUCH_TEXT].actions, item);
}

/* What the app calls the press of a key; TAC_NONE where it hears nothing of it. */
static uint32_t label_of_key(const struct sim *s, const char *name)
{
    char *event = tac_format("key:%s", name);
    uint32_t label = tac_names_find(&s->app->labels, event);
    free(event);
    return label;
}

static void hear_label(struct sim *s, uint32_t label)
{
    if (label != TAC_NONE && sim_record(s, label))
        sim_notify(s, label, 0);
}

static void hear_key(struct sim *s, uint32_t code)
{
    char number[16];
    const char *name = android_key_name(code);
    if (code == 126 || code == 127) { /* the media's keys are the system's */
        sim_media_do(s, code == 126 ? SIM_MEDIA_RESUME : SIM_MEDIA_PAUSE, SIM_NONE);
        sim_touch(s);
        return;
    }
    snprintf(number, sizeof number, "%u", code);
    hear_label(s, label_of_key(s, name ? name : number));
}

/* Into the field; tabs and line ends are keys, and so is Enter where the text ends with "\\n". */
static void type_into(struct sim *s, uint32_t node, const char *text, bool replace)
{
    bool enter = tac_ends_with(text, "\\n");
    char *rest = tac_format("%s%.*s", replace ? "" : sim_field_text(s, node),
                            (int)(strlen(text) - (enter ? 2 : 0)), text);
    for (;;) {
        size_t part = strcspn(rest, "\t\n");
        char end = rest[part];
        rest[part] = '\0';
        enter_text(s, node, rest);
        if (!end || !s->running)
            break;
        hear_key(s, end == '\t' ? 61 : 66);
        node = sim_focused(s);
        if (node == TAC_UI_NONE || !s->running || !rest[part + 1])
            break;
        char *more = tac_format("%s%s", sim_field_text(s, node), rest + part + 1);
        free(rest);
        rest = more;
    }
    free(rest);
    if (enter && s->running)
        hear_key(s, 66);
}

static void delete_last(struct sim *s, uint32_t node)
{
    const char *held = sim_field_text(s, node);
    size_t length = strlen(held);
    while (length && ((unsigned char)held[--length] & 0xc0) == 0x80)
        ;
    char *left = tac_strndup(held, length);
    if (*held)
        enter_text(s, node, left);
    free(left);
}

/* What a key enters into a field; "" for none. */
static const char *character_of(uint32_t code, char out[2])
{
    out[0] = code == 62                 ? ' '
             : code >= 7 && code <= 16  ? (char)('0' + (code - 7))
             : code >= 29 && code <= 54 ? (char)('a' + (code - 29))
                                        : '\0';
    out[1] = '\0';
    return out;
}

static void close_keyboard(struct sim *s)
{
    s->keyboard = false;
    sim_touch(s);
    sim_system_event(s, sim_label(s->app, "keyboard-close"), 0, false);
}

bool sim_has_key(const tac_device *device, const char *name)
{
    return android_key_exists(name) || label_of_key(device->state, name) != TAC_NONE;
}

tac_status sim_press_key(struct sim *s, const char *name, tac_error *err)
{
    uint32_t field = sim_focused(s);
    struct android_key key;
    if (!strncmp(name, "text:", 5)) {
        if (field == TAC_UI_NONE)
            return tac_fail(err, TAC_E_LIMIT, "type: nothing on the screen has the focus");
        type_into(s, field, name + 5, false);
        return TAC_OK;
    }
    tac_status st = android_key_read(name, &key, err);
    if (st == TAC_E_INPUT && label_of_key(s, name) != TAC_NONE) { /* a key of this phone's own */
        hear_label(s, label_of_key(s, name));
        return TAC_OK;
    }
    if (st)
        return st;
    char entered[2];
    const char *text = key.character ? key.character : character_of(key.code, entered);
    if (key.code == 111 && s->keyboard)
        close_keyboard(s);
    if (field != TAC_UI_NONE && *text)
        type_into(s, field, text, false);
    else if (field != TAC_UI_NONE && key.code == 67)
        delete_last(s, field);
    else if (key.code == 4 || key.code == 3)
        return sim_gesture(
            s, &(tac_gesture){.kind = key.code == 4 ? TAC_ACTION_BACK : TAC_ACTION_HOME}, err);
    else if (key.code)
        hear_key(s, key.code);
    return TAC_OK;
}

/* --- gestures --- */

/* What is looked at: a swipe looks where the finger comes from; one without a direction goes up. */
static enum sim_way way_of(const tac_gesture *gesture)
{
    static const char *const names[SIM_WAYS] = {"up", "down", "left", "right"};
    static const enum sim_way against[SIM_WAYS] = {SIM_DOWN, SIM_UP, SIM_RIGHT, SIM_LEFT};
    for (int i = 0; i < SIM_WAYS; i++)
        if (gesture->value && !strcmp(gesture->value, names[i]))
            return gesture->kind == TAC_ACTION_SWIPE ? against[i] : (enum sim_way)i;
    return SIM_DOWN;
}

/* What a widget does about a gesture. */
struct reaction {
    struct sim_reaction is;
    uint32_t item;
};

static struct reaction reaction_of(const struct sim *s, uint32_t node, enum sim_touch touch,
                                   enum sim_way way)
{
    uint32_t number = s->drawn_widget.at[node];
    if (number == SIM_NONE || !(s->ui->nodes[node].flags & TAC_UI_ENABLED))
        return (struct reaction){0};
    const struct sim_widget *w = &s->app->widgets.at[number];
    struct reaction out = {w->on[touch], s->drawn_item.at[node]};
    if (touch == SIM_TOUCH_SCROLL) {
        out.is.has = (w->flags & TAC_UI_SCROLLABLE) != 0;
        if (w->on[SIM_TOUCH_SCROLL_TO + way].has)
            out.is.actions = w->on[SIM_TOUCH_SCROLL_TO + way].actions;
    }
    return out;
}

/* That of the node itself or of the next around it that has one. */
static struct reaction reaction_above(const struct sim *s, uint32_t node, enum sim_touch touch,
                                      enum sim_way way)
{
    struct reaction found = {0};
    for (; node != TAC_UI_NONE && !found.is.has; node = s->ui->nodes[node].parent)
        found = reaction_of(s, node, touch, way);
    return found;
}

static void react(struct sim *s, const struct reaction *reaction)
{
    if (sim_record(s, reaction->is.label))
        sim_do(s, reaction->is.actions, reaction->item);
}

void sim_touch_node(struct sim *s, uint32_t node, const tac_gesture *gesture)
{
    struct reaction reaction;
    if (s->drawn_widget.at[node] == SIM_NONE) {
        if (s->asking)
            press_permission(s, !strcmp(s->ui->nodes[node].resource_id, SIM_ALLOW_ID));
        return;
    }
    switch (gesture->kind) {
    case TAC_ACTION_TEXT:
        sim_focus_node(s, node);
        sim_draw(s);
        type_into(s, node, gesture->value ? gesture->value : "", true);
        return;
    case TAC_ACTION_LONG_CLICK:
        reaction = reaction_of(s, node, SIM_TOUCH_LONG, SIM_DOWN);
        break;
    case TAC_ACTION_SCROLL:
        reaction = reaction_of(s, node, SIM_TOUCH_SCROLL, way_of(gesture));
        break;
    case TAC_ACTION_CLICK:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_BACK:
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_KEY:
    case TAC_ACTION_WAIT:
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        reaction = reaction_of(s, node, SIM_TOUCH_CLICK, SIM_DOWN);
        sim_focus_node(s, node);
    }
    react(s, &reaction);
}

/* Two clicks where nobody has something for both at once. */
static void double_click(struct sim *s, uint32_t node)
{
    struct reaction both = reaction_above(s, node, SIM_TOUCH_DOUBLE, SIM_DOWN);
    if (both.is.has) {
        react(s, &both);
        return;
    }
    const tac_ui_node *n = &s->ui->nodes[node];
    int32_t x = (n->left + n->right) / 2, y = (n->top + n->bottom) / 2;
    for (int i = 0; i < 2 && s->running; i++) {
        uint32_t hit = ui_topmost(sim_draw(s), x, y, 1u << TAC_ACTION_CLICK);
        if (hit != TAC_UI_NONE)
            sim_touch_node(s, hit, &(tac_gesture){.kind = TAC_ACTION_CLICK});
    }
}

/* What nobody picks up stays where it is. */
static tac_status drag(struct sim *s, uint32_t node, const tac_gesture *gesture, tac_error *err)
{
    uint32_t to = TAC_UI_NONE;
    tac_status st = ui_find_drop(s->ui, gesture, &to, err);
    if (st)
        return st;
    struct reaction from = reaction_above(s, node, SIM_TOUCH_DRAG, SIM_DOWN);
    struct reaction there = reaction_above(s, to, SIM_TOUCH_DROP, SIM_DOWN);
    if (from.is.has)
        react(s, &from);
    if (from.is.has && there.is.has && s->running)
        react(s, &there);
    return TAC_OK;
}

/* A dump does not say whether a node can be pinched; the app file does. */
static tac_status pinch(struct sim *s, const tac_gesture *gesture, tac_error *err)
{
    uint32_t node = TAC_UI_NONE;
    tac_status st = ui_find_target(s->ui, gesture, &node, err);
    if (st)
        return st;
    struct reaction reaction = reaction_of(s, node, SIM_TOUCH_PINCH, SIM_DOWN);
    if (!reaction.is.has)
        return ui_does_not_accept(s->ui, gesture, node, err);
    react(s, &reaction);
    return TAC_OK;
}

tac_status sim_touch_element(struct sim *s, const tac_gesture *gesture, tac_error *err)
{
    uint32_t place, taker;
    const tac_ui *ui = sim_draw(s);
    if (gesture->kind == TAC_ACTION_PINCH)
        return pinch(s, gesture, err);
    tac_status st = ui_find_touch(ui, gesture, &place, &taker, err);
    if (st)
        return st;
    if (gesture->kind == TAC_ACTION_DRAG)
        return drag(s, place, gesture, err);
    if (gesture->kind == TAC_ACTION_DOUBLE_CLICK) {
        double_click(s, place);
    } else if (gesture->kind == TAC_ACTION_SWIPE) {
        struct reaction moved = reaction_above(s, place, SIM_TOUCH_SCROLL, way_of(gesture));
        if (moved.is.has)
            react(s, &moved);
    } else {
        sim_touch_node(s, taker, gesture);
    }
    return TAC_OK;
}
