/* `input` on the phone that speaks adb. As on Android the command returns when the app has handled
 * the event. A tap on a field gives it the keyboard; typed text reaches the app as one entry. A tap
 * on what waits for double taps is done when the second has not come in time. */
#include "base/data/text.h"
#include "device/android_keys.h"
#include "device/hierarchy.h"
#include "phone/adbd/daemon.h"

static void settle(struct phone *p)
{
    sim_settle(p->device, p->device->deadline, NULL);
    if (p->sim->running)
        phone_add_frame(p, p->sim->response);
}

static void perform(struct phone *p, tac_action_kind kind, char *xpath, const char *value)
{
    tac_gesture gesture = {.kind = kind, .target = {.xpath = xpath}, .value = value};
    if (p->sim->running) {
        sim_perform(p->device, &gesture, p->device->deadline, NULL);
        settle(p);
    }
}

static void flush_tap(struct phone *p)
{
    if (!p->tapped.waits)
        return;
    p->tapped.waits = false;
    if (!p->sim->running)
        return;
    sim_tap(p->device, p->tapped.x, p->tapped.y, p->device->deadline, NULL);
    settle(p);
}

void phone_flush_typing(struct phone *p)
{
    flush_tap(p);
    if (p->typing && p->focus)
        perform(p, TAC_ACTION_TEXT, p->focus, tac_str_text(&p->typed));
    p->typing = false;
}

/* What is typed goes on behind what the field with the focus holds; false: no field has it. */
static bool begin_typing(struct phone *p)
{
    if (p->typing)
        return true;
    uint32_t node = p->sim->running ? sim_focused(p->sim) : TAC_UI_NONE;
    if (node == TAC_UI_NONE)
        return false;
    free(p->focus);
    p->focus = tac_ui_xpath(p->sim->ui, node);
    tac_str_clear(&p->typed);
    tac_str_add(&p->typed, sim_field_text(p->sim, node));
    return true;
}

static bool waits_for_double(const struct sim *s, uint32_t node)
{
    for (; node != TAC_UI_NONE; node = s->ui->nodes[node].parent) {
        uint32_t widget = s->drawn_widget.at[node];
        if (widget != SIM_NONE && s->app->widgets.at[widget].on[SIM_TOUCH_DOUBLE].has)
            return true;
    }
    return false;
}

static bool second_tap(struct phone *p, int x, int y)
{
    double between = p->sim->now - p->tapped.time;
    bool second = p->tapped.waits && abs(p->tapped.x - x) < 100 && abs(p->tapped.y - y) < 100 &&
                  between >= PHONE_DOUBLE_TAP_LEAST && between <= PHONE_DOUBLE_TAP_MOST;
    if (second)
        p->tapped.waits = false;
    return second;
}

void phone_tap(struct phone *p, int x, int y)
{
    bool second = second_tap(p, x, y);
    phone_flush_typing(p);
    if (!p->sim->running)
        return;
    const tac_ui *ui = sim_draw(p->sim);
    uint32_t node = ui_topmost(ui, x, y, 0);
    if (node != TAC_UI_NONE && waits_for_double(p->sim, node)) {
        char *place = ui_place(ui, node);
        if (second)
            perform(p, TAC_ACTION_DOUBLE_CLICK, place, NULL);
        else
            p->tapped = (struct phone_tap){true, x, y, p->sim->now};
        free(place);
        return;
    }
    node = ui_topmost(ui, x, y, 1u << TAC_ACTION_CLICK | 1u << TAC_ACTION_TEXT);
    if (node != TAC_UI_NONE && ui->nodes[node].flags & TAC_UI_EDITABLE) {
        uint32_t widget = p->sim->drawn_widget.at[node];
        sim_focus_node(p->sim, node);
        if (widget == SIM_NONE ||
            !p->sim->app->widgets.at[widget].on[SIM_TOUCH_CLICK].actions.count)
            return;
    }
    sim_tap(p->device, x, y, p->device->deadline, NULL);
    settle(p);
}

static void swipe(struct phone *p, int x, int y, int to_x, int to_y, int milliseconds)
{
    phone_flush_typing(p);
    if (!p->sim->running)
        return;
    bool still = x == to_x && y == to_y;
    tac_action_kind kind = still ? TAC_ACTION_LONG_CLICK : TAC_ACTION_SCROLL;
    if (still && milliseconds < 500) {
        phone_tap(p, x, y);
        return;
    }
    const tac_ui *ui = sim_draw(p->sim);
    uint32_t node = ui_topmost(ui, x, y, 1u << kind);
    if (node == TAC_UI_NONE)
        return;
    char *xpath = ui_place(ui, node);
    bool upright = abs(to_y - y) >= abs(to_x - x);
    const char *way = upright ? (to_y < y ? "down" : "up") : to_x < x ? "right" : "left";
    perform(p, kind, xpath, way);
    free(xpath);
}

/* Held for a long press, then moved. From Android 12 on the time contains the hold: when none is
 * left, the finger comes up without having moved. */
static void drag(struct phone *p, int x, int y, int to_x, int to_y, int milliseconds)
{
    enum { LONG_PRESS = 400 };
    phone_flush_typing(p);
    if (!p->sim->running || (p->android >= 12 && milliseconds <= LONG_PRESS))
        return;
    const tac_ui *ui = sim_draw(p->sim);
    uint32_t from = ui_topmost(ui, x, y, 0), to = ui_topmost(ui, to_x, to_y, 0);
    if (from == TAC_UI_NONE || to == TAC_UI_NONE)
        return;
    char *place = ui_place(ui, from), *there = ui_place(ui, to);
    char *value = tac_format("to:%s", there);
    perform(p, TAC_ACTION_DRAG, place, value);
    free(value);
    free(there);
    free(place);
}

/* Keys that move nothing here, and those that the system takes itself. */
static bool key_of_system(struct phone *p, uint32_t code)
{
    static const struct {
        uint32_t code;
        const char *event;
    } keys[] = {{126, "media-play"}, {127, "media-pause"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (code == keys[i].code) {
            phone_flush_typing(p);
            sim_system(p->device, keys[i].event, p->device->deadline, NULL);
            return true;
        }
    return (code == 112 || code == 122 || code == 123) && p->typing;
}

void phone_key(struct phone *p, const char *name)
{
    uint64_t number;
    char full[80];
    uint32_t code =
        tac_parse_u64(name, &number) && number < 1000 ? (uint32_t)number : android_key_code(name);
    if (code == 67 && begin_typing(p)) {
        while (p->typed.length && ((unsigned char)p->typed.text[--p->typed.length] & 0xc0) == 0x80)
            ;
        if (p->typed.text)
            p->typed.text[p->typed.length] = '\0';
        p->typing = true;
        return;
    }
    if (!code ||
        key_of_system(p, code)) /* Android does nothing about a name that it does not know */
        return;
    phone_flush_typing(p);
    const char *known = android_key_name(code);
    if (known)
        snprintf(full, sizeof full, "KEYCODE_%s", known);
    else
        snprintf(full, sizeof full, "%u", code);
    perform(p, TAC_ACTION_KEY, NULL, full);
}

/* Without a field, the keys of the characters. */
static void press_characters(struct phone *p, const char *text)
{
    for (; *text; text++) {
        char name[] = {*text, '\0'};
        perform(p, TAC_ACTION_KEY, NULL, name);
    }
}

static void type(struct phone *p, const char *text)
{
    flush_tap(p);
    if (!begin_typing(p)) {
        press_characters(p, text);
        return;
    }
    for (; *text; text++) {
        bool blank = text[0] == '%' && text[1] == 's';
        tac_str_add_char(&p->typed, blank ? ' ' : *text);
        text += blank;
    }
    p->typing = true;
}

int phone_input(struct phone_command *c)
{
    const char *verb = c->argc > 1 ? c->argv[1] : "";
    int n[5] = {0};
    for (int i = 0; i < 5 && i + 2 < c->argc; i++)
        n[i] = atoi(c->argv[i + 2]);
    if (!strcmp(verb, "tap") && c->argc == 4) {
        phone_tap(c->phone, n[0], n[1]);
    } else if (!strcmp(verb, "swipe") && c->argc >= 6) {
        swipe(c->phone, n[0], n[1], n[2], n[3], c->argc > 6 ? n[4] : 300);
    } else if (!strcmp(verb, "draganddrop") && c->argc >= 6) {
        drag(c->phone, n[0], n[1], n[2], n[3], c->argc > 6 ? n[4] : 300);
    } else if (!strcmp(verb, "keyevent") && c->argc > 2) {
        for (int i = 2; i < c->argc; i++)
            phone_key(c->phone, c->argv[i]);
    } else if (!strcmp(verb, "text") && c->argc == 3) {
        type(c->phone, c->argv[2]);
    } else {
        tac_str_add(c->out, "Error: Invalid arguments for command: input\n");
        return 255;
    }
    return 0;
}
