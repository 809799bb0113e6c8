/* `input` on the phone that speaks adb. As on Android the command returns when the app has handled
 * the event. A tap on a field gives it the keyboard; typed text reaches the app as one entry. */
#include "base/data/text.h"
#include "device/hierarchy.h"
#include "phone/adbd/daemon.h"

static uint32_t topmost(const tac_ui *ui, int x, int y, unsigned gestures)
{
    uint32_t hit = TAC_UI_NONE;
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        if (x >= n->left && x < n->right && y >= n->top && y < n->bottom &&
            tac_ui_gestures(n) & gestures)
            hit = i;
    }
    return hit;
}

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

void phone_flush_typing(struct phone *p)
{
    if (p->typing && p->focus)
        perform(p, TAC_ACTION_TEXT, p->focus, tac_str_text(&p->typed));
    p->typing = false;
}

static void unfocus(struct phone *p)
{
    phone_flush_typing(p);
    free(p->focus);
    p->focus = NULL;
}

void phone_tap(struct phone *p, int x, int y)
{
    unfocus(p);
    if (!p->sim->running)
        return;
    const tac_ui *ui = sim_draw(p->sim);
    uint32_t node = topmost(ui, x, y, 1u << TAC_ACTION_CLICK | 1u << TAC_ACTION_TEXT);
    if (node != TAC_UI_NONE && ui->nodes[node].flags & TAC_UI_EDITABLE) {
        uint32_t widget = p->sim->drawn_widget.at[node];
        p->focus = tac_ui_xpath(ui, node);
        tac_str_clear(&p->typed);
        tac_str_add(&p->typed, ui->nodes[node].text);
        if (widget == SIM_NONE || !p->sim->app->widgets.at[widget].click.count)
            return;
    }
    sim_tap(p->device, x, y, p->device->deadline, NULL);
    settle(p);
}

static void swipe(struct phone *p, int x, int y, int to_x, int to_y, int milliseconds)
{
    unfocus(p);
    if (!p->sim->running)
        return;
    bool still = x == to_x && y == to_y;
    tac_action_kind kind = still ? TAC_ACTION_LONG_CLICK : TAC_ACTION_SCROLL;
    if (still && milliseconds < 500) {
        phone_tap(p, x, y);
        return;
    }
    const tac_ui *ui = sim_draw(p->sim);
    uint32_t node = topmost(ui, x, y, 1u << kind);
    if (node == TAC_UI_NONE)
        return;
    char *xpath = ui_place(ui, node);
    const char *way = to_y < y ? "down" : to_y > y ? "up" : to_x < x ? "right" : "left";
    perform(p, kind, xpath, way);
    free(xpath);
}

void phone_key(struct phone *p, const char *name)
{
    static const struct {
        const char *number, *name, *event;
    } keys[] = {{"126", "KEYCODE_MEDIA_PLAY", "media-play"},
                {"127", "KEYCODE_MEDIA_PAUSE", "media-pause"},
                {"111", "KEYCODE_ESCAPE", "keyboard-close"}};
    if (!strcmp(name, "67") || !strcmp(name, "KEYCODE_DEL")) {
        if (p->focus && p->typed.length) {
            p->typed.text[--p->typed.length] = '\0';
            p->typing = true;
        }
        return;
    }
    if (!strcmp(name, "123") || !strcmp(name, "KEYCODE_MOVE_END"))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(name, keys[i].number) || !strcmp(name, keys[i].name)) {
            phone_flush_typing(p);
            sim_system(p->device, keys[i].event, p->device->deadline, NULL);
            return;
        }
    unfocus(p);
    if (!strcmp(name, "4") || !strcmp(name, "KEYCODE_BACK"))
        perform(p, TAC_ACTION_BACK, NULL, NULL);
    else if (!strcmp(name, "3") || !strcmp(name, "KEYCODE_HOME"))
        perform(p, TAC_ACTION_HOME, NULL, NULL);
    else
        perform(p, TAC_ACTION_KEY, NULL, name);
}

static void type(struct phone *p, const char *text)
{
    for (; *text; text++) {
        bool blank = text[0] == '%' && text[1] == 's';
        tac_str_add_char(&p->typed, blank ? ' ' : *text);
        text += blank;
    }
    p->typing = p->focus != NULL;
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
