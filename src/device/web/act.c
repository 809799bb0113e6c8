/* What a person does: touches, the mouse, keys, text, back. Real input goes through the driver's
 * actions, at a place where the page says that a touch reaches the element; in fast mode the same
 * element is clicked or filled inside the page, in one round trip. Every input is sent once. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/hierarchy.h"
#include "device/keys.h"
#include "device/web/webdriver.h"
#include "model/model.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

const char wd_element_key[] = "element-6066-11e4-a52e-4f735466cecf";

json_t *wd_touch(const json_t *element, int32_t x, int32_t y, int milliseconds)
{
    json_t *origin = element ? json_incref((json_t *)(uintptr_t)element) : json_string("viewport");
    json_t *move = json_pack("{s:s,s:i,s:i,s:i,s:o}", "type", "pointerMove", "duration", 0, "x", x,
                             "y", y, "origin", origin);
    json_t *steps =
        json_pack("[o,{s:s,s:i},{s:s,s:i},{s:s,s:i}]", move, "type", "pointerDown", "button", 0,
                  "type", "pause", "duration", milliseconds, "type", "pointerUp", "button", 0);
    return json_pack("{s:[{s:s,s:s,s:{s:s},s:o}]}", "actions", "type", "pointer", "id", "finger",
                     "parameters", "pointerType", "touch", "actions", steps);
}

/* The mouse at a place of the screen, which first comes from elsewhere: `clicks` times down and up,
 * or, when by_x or by_y is not 0, down, moved by that much, up. */
json_t *wd_mouse(int32_t x, int32_t y, int clicks, int32_t by_x, int32_t by_y)
{
    json_t *steps = json_array();
    for (int i = 1; i >= 0; i--)
        json_array_append_new(steps,
                              json_pack("{s:s,s:i,s:i,s:i,s:s}", "type", "pointerMove", "duration",
                                        0, "x", x > i ? x - i : 0, "y", y, "origin", "viewport"));
    bool drag = by_x || by_y;
    for (int i = 0; i < (drag ? 1 : clicks); i++) {
        json_array_append_new(steps, json_pack("{s:s,s:i}", "type", "pointerDown", "button", 0));
        for (int part = 1; drag && part <= 5; part++)
            json_array_append_new(steps, json_pack("{s:s,s:i,s:i,s:i,s:s}", "type", "pointerMove",
                                                   "duration", 20, "x", x + by_x * part / 5, "y",
                                                   y + by_y * part / 5, "origin", "viewport"));
        json_array_append_new(steps, json_pack("{s:s,s:i}", "type", "pointerUp", "button", 0));
    }
    return json_pack("{s:[{s:s,s:s,s:{s:s},s:o}]}", "actions", "type", "pointer", "id", "mouse",
                     "parameters", "pointerType", "mouse", "actions", steps);
}

/* A key that is pressed by name stays down as long as the quickest of fingers keep it: pages that
 * listen to its coming up rely on what their timers did since it went down. */
enum { KEY_HELD = 30 }; /* ms */

static void add_key(json_t *steps, const char *key, size_t length, int held)
{
    json_t *text = json_stringn(key, length);
    if (!text) /* not UTF-8 */
        return;
    json_array_append_new(steps, json_pack("{s:s,s:O}", "type", "keyDown", "value", text));
    if (held)
        json_array_append_new(steps, json_pack("{s:s,s:i}", "type", "pause", "duration", held));
    json_array_append_new(steps, json_pack("{s:s,s:o}", "type", "keyUp", "value", text));
}

static void add_characters(json_t *steps, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t size = 1;
        while (((unsigned char)text[at + size] & 0xc0) == 0x80)
            size++;
        add_key(steps, text + at, size, 0);
        at += size;
    }
}

static tac_status send_keys(struct webdriver *w, const char *step, json_t *steps, double deadline,
                            tac_error *err)
{
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    json_t *body = json_pack("{s:[{s:s,s:s,s:o}]}", "actions", "type", "key", "id", "keyboard",
                             "actions", steps);
    return wd_input(w, step, body, deadline, err);
}

/* "Control+Shift+a": the modifiers stay down while the rest is pressed. False: no such key. */
static bool add_chord(json_t *steps, const char *name)
{
    const char *modifier = web_chord_modifier(&name);
    if (!modifier) {
        const char *code = web_key_code(name);
        if (code)
            add_key(steps, code, strlen(code), KEY_HELD);
        return code != NULL;
    }
    json_array_append_new(steps, json_pack("{s:s,s:s}", "type", "keyDown", "value", modifier));
    bool known = add_chord(steps, name);
    json_array_append_new(steps, json_pack("{s:s,s:s}", "type", "keyUp", "value", modifier));
    return known;
}

/* Keys go to whatever has the focus. "text:..." is typed there, character by character. */
static tac_status press_key(struct webdriver *w, const char *name, double deadline, tac_error *err)
{
    json_t *armed = NULL, *steps = json_array();
    tac_status status = TAC_OK;
    if (!strncmp(name, "text:", 5))
        add_characters(steps, name + 5, strlen(name + 5));
    else if (!add_chord(steps, name))
        status = tac_fail(err, TAC_E_INPUT,
                          "'%.60s' is not the name of a key; keys are single characters, Enter, "
                          "Tab, Escape, Backspace, Delete, Insert, Home, End, PageUp, PageDown, "
                          "ArrowLeft and its like, Space, F1 to F12, with Shift+, Control+, Alt+ "
                          "or Meta+ before them",
                          name);
    if (status == TAC_OK)
        status = wd_ask_page(w, "press a key", "__tactus.armAll()", deadline, &armed, err);
    json_decref(armed);
    if (status == TAC_OK)
        return send_keys(w, "press a key", steps, deadline, err);
    json_decref(steps);
    return status;
}

/* Asks the page about a node of the last snapshot: {"x", "y", ...}, or {"why"} it cannot be. */
static tac_status ask_node(struct webdriver *w, const char *call, double deadline, json_t **out,
                           tac_error *err)
{
    tac_status status = wd_ask_page(w, "find the element", call, deadline, out, err);
    const char *why = status == TAC_OK ? json_string_value(json_object_get(*out, "why")) : NULL;
    if (status == TAC_OK && (why || !json_is_object(*out))) {
        status = tac_fail(err, TAC_E_LIMIT, "%s", why ? why : "the element cannot be touched");
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

static tac_status act_fast(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                           double deadline, tac_error *err);

/* Every character as a key, into a field whose content is selected. A text that ends with "\\n" is
 * followed by the Enter key. What has a picker of its own is set inside the page. */
static tac_status enter_value(struct webdriver *w, uint32_t node, const char *value,
                              double deadline, tac_error *err)
{
    json_t *field = NULL, *steps = json_array();
    char call[64];
    snprintf(call, sizeof call, "__tactus.focus(%u)", node);
    tac_status status = ask_node(w, call, deadline, &field, err);
    if (json_is_true(json_object_get(field, "picked"))) {
        json_decref(field);
        json_decref(steps);
        tac_gesture set = {.kind = TAC_ACTION_TEXT, .value = value};
        return act_fast(w, &set, node, deadline, err);
    }
    bool enter = tac_ends_with(value, "\\n");
    size_t length = strlen(value) - (enter ? 2 : 0);
    if (!length && !json_is_true(json_object_get(field, "empty")))
        add_key(steps, web_key_code("Delete"), strlen(web_key_code("Delete")), KEY_HELD);
    add_characters(steps, value, length);
    if (enter)
        add_key(steps, web_key_code("Enter"), strlen(web_key_code("Enter")), KEY_HELD);
    json_decref(field);
    if (status == TAC_OK && json_array_size(steps))
        return send_keys(w, "enter text", steps, deadline, err);
    json_decref(steps);
    return status;
}

/* whole: over no element in particular; the node is the first that scrolls, if there is one. */
static tac_status scroll(struct webdriver *w, uint32_t node, const tac_gesture *gesture,
                         double deadline, tac_error *err)
{
    json_t *done = NULL;
    char call[80];
    const char *direction = gesture->value ? gesture->value : "";
    bool swipe = gesture->kind == TAC_ACTION_SWIPE, whole = ui_means_screen(gesture);
    const char *known[] = {"up", "down", "left", "right"}, *way = swipe ? "up" : "down";
    for (size_t i = 0; i < 4; i++)
        if (!strcmp(direction, known[i]))
            way = known[i];
    snprintf(call, sizeof call, "__tactus.scroll(%" PRId64 ", '%s', %s, %s)",
             node == TAC_UI_NONE ? -1 : (int64_t)node, way, swipe ? "true" : "false",
             whole ? "true" : "false");
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    tac_status status = ask_node(w, call, deadline, &done, err);
    json_decref(done);
    if (status == TAC_OK)
        wd_heard(w, deadline);
    return status;
}

/* How far a drag goes: over the next one of its kind, as its value says. */
static void drag_by(const tac_ui *ui, uint32_t node, const char *value, int32_t *by_x,
                    int32_t *by_y)
{
    int32_t wide = 60, high = 40; /* of an element that the hierarchy does not have */
    if (node < ui->count) {
        wide = ui->nodes[node].right - ui->nodes[node].left;
        high = ui->nodes[node].bottom - ui->nodes[node].top;
    }
    bool sideways = !strcmp(value, "left") || !strcmp(value, "right");
    *by_x = sideways ? (wide + 20) * (*value == 'l' ? -1 : 1) : 0;
    *by_y = sideways ? 0 : (high + 20) * (strcmp(value, "up") ? 1 : -1);
}

/* Both ends of a drag to another element: {"x", "y", "toX", "toY", "finger"}. */
static tac_status drag_ends(struct webdriver *w, uint32_t from, const char *target, double deadline,
                            json_t **out, tac_error *err)
{
    uint32_t to = TAC_UI_NONE;
    char call[64];
    tac_status status = wd_find_beside(w, target, deadline, &to, err);
    if (status == TAC_OK && to == TAC_UI_NONE)
        status = tac_fail(err, TAC_E_LIMIT, "drag to %s: there is no such element on the screen",
                          target);
    snprintf(call, sizeof call, "__tactus.pair(%u, %u)", from, to);
    return status == TAC_OK ? ask_node(w, call, deadline, out, err) : status;
}

static tac_status mouse_event(struct webdriver *w, const char *type, int32_t x, int32_t y,
                              int clicks, double deadline, tac_error *err)
{
    json_t *event =
        json_pack("{s:s,s:i,s:i,s:s,s:i,s:i}", "type", type, "x", x, "y", y, "button", "left",
                  "buttons", strcmp(type, "mouseReleased") ? 1 : 0, "clickCount", clicks);
    return wd_deliver(w, "touch", "/goog/cdp/execute",
                      json_pack("{s:s,s:o}", "cmd", "Input.dispatchMouseEvent", "params", event),
                      deadline, NULL, err);
}

/* The driver's own mouse is a finger on an emulated phone, and a finger does not start a drag and
 * drop of HTML. */
static tac_status drag_mouse(struct webdriver *w, int32_t x, int32_t y, int32_t by_x, int32_t by_y,
                             double deadline, tac_error *err)
{
    enum { PARTS = 5 };
    tac_status status = wd_hover(w, x, y, deadline, err);
    if (status == TAC_OK)
        status = mouse_event(w, "mousePressed", x, y, 1, deadline, err);
    for (int part = 1; part <= PARTS && status == TAC_OK; part++)
        status = mouse_event(w, "mouseMoved", x + by_x * part / PARTS, y + by_y * part / PARTS, 0,
                             deadline, err);
    /* what is dropped on must have felt it over itself after it came in */
    for (int beside = 1; beside >= 0 && status == TAC_OK; beside--)
        status = mouse_event(w, "mouseMoved", x + by_x - beside, y + by_y, 0, deadline, err);
    if (status == TAC_OK)
        status = mouse_event(w, "mouseReleased", x + by_x, y + by_y, 1, deadline, err);
    return status;
}

/* value: a direction, or "to:" and the selector of another element. */
static tac_status drag(struct webdriver *w, uint32_t node, const json_t *place, const char *value,
                       double deadline, tac_error *err)
{
    json_t *ends = NULL;
    int32_t by_x = 0, by_y = 0;
    tac_status status = TAC_OK;
    if (!strncmp(value, "to:", 3))
        status = drag_ends(w, node, value + 3, deadline, &ends, err);
    else
        drag_by(w->ui, node, value, &by_x, &by_y);
    if (status != TAC_OK)
        return status;
    const json_t *from = ends ? ends : place;
    int32_t x = (int32_t)json_integer_value(json_object_get(from, "x"));
    int32_t y = (int32_t)json_integer_value(json_object_get(from, "y"));
    if (ends) {
        by_x = (int32_t)json_integer_value(json_object_get(ends, "toX")) - x;
        by_y = (int32_t)json_integer_value(json_object_get(ends, "toY")) - y;
    }
    bool finger = json_is_true(json_object_get(from, "finger")) || !w->chromium;
    json_decref(ends);
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    wd_note_touch(w, x + by_x, y + by_y, !finger);
    return finger ? wd_input(w, "touch", wd_mouse(x, y, 1, by_x, by_y), deadline, err)
                  : drag_mouse(w, x, y, by_x, by_y, deadline, err);
}

/* Two clicks that count as a double click however long the machine takes between them; the driver
 * would go by the clock. */
static tac_status double_click_there(struct webdriver *w, int32_t x, int32_t y, double deadline,
                                     tac_error *err)
{
    tac_status status = wd_hover(w, x, y, deadline, err);
    for (int i = 0; i < 4 && status == TAC_OK; i++)
        status = mouse_event(w, i % 2 ? "mouseReleased" : "mousePressed", x, y, 1 + i / 2, deadline,
                             err);
    return status;
}

/* A finger that rests. No click comes of it, and the context menu if the page has one. */
static tac_status press_there(struct webdriver *w, uint32_t node, int32_t x, int32_t y,
                              double deadline, tac_error *err)
{
    const int menu = 550, press = 700; /* milliseconds */
    json_t *armed = NULL;
    char call[64];
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    if (!w->chromium)
        return wd_finger(w, x, y, press, deadline, err);
    snprintf(call, sizeof call, "__tactus.hold(%u, %d)", node, menu);
    tac_status status = ask_node(w, call, deadline, &armed, err);
    json_decref(armed);
    if (status != TAC_OK)
        return status;
    json_t *tap = json_pack("{s:i,s:i,s:i,s:s}", "x", x, "y", y, "duration", press,
                            "gestureSourceType", "touch");
    return wd_deliver(w, "touch", "/goog/cdp/execute",
                      json_pack("{s:s,s:o}", "cmd", "Input.synthesizeTapGesture", "params", tap),
                      deadline, NULL, err);
}

/* Whether a touch on a page that moves by itself would have reached something else; the page kept
 * it from that. A page that cannot be asked (an alert, another page) has felt it. */
static bool went_astray(struct webdriver *w, const json_t *place, double deadline)
{
    json_t *missed = NULL;
    tac_error ignored;
    if (!json_is_true(json_object_get(place, "moves")))
        return false;
    tac_status status =
        wd_evaluate(w, "touch", "!!(window.__tactus && __tactus.missed && __tactus.missed())",
                    deadline, &missed, &ignored);
    bool astray = status == TAC_OK && json_is_true(missed);
    json_decref(missed);
    return astray;
}

/* One touch at the place of the node; astray: it met something else, which did not feel it. */
static tac_status touch_once(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                             double deadline, bool *astray, tac_error *err)
{
    json_t *place;
    char call[64];
    *astray = false;
    bool mouse = gesture->kind != TAC_ACTION_CLICK && gesture->kind != TAC_ACTION_LONG_CLICK;
    if (!mouse)
        wd_outlast_mark(w);
    snprintf(call, sizeof call, "__tactus.place(%u)", node);
    tac_status status = ask_node(w, call, deadline, &place, err);
    if (status != TAC_OK)
        return status;
    int32_t x = (int32_t)json_integer_value(json_object_get(place, "x"));
    int32_t y = (int32_t)json_integer_value(json_object_get(place, "y"));
    const int tap = 10; /* milliseconds */
    wd_note_touch(w, x, y, mouse);
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    switch (gesture->kind) {
    case TAC_ACTION_DOUBLE_CLICK:
        status = w->chromium ? double_click_there(w, x, y, deadline, err)
                             : wd_input(w, "touch", wd_mouse(x, y, 2, 0, 0), deadline, err);
        break;
    case TAC_ACTION_HOVER:
        status = wd_hover(w, x, y, deadline, err);
        break;
    case TAC_ACTION_DRAG:
        status = drag(w, node, place, gesture->value ? gesture->value : "down", deadline, err);
        break;
    case TAC_ACTION_LONG_CLICK:
        status = press_there(w, node, x, y, deadline, err);
        break;
    case TAC_ACTION_CLICK:
    case TAC_ACTION_TEXT:
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_BACK:
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_KEY:
    case TAC_ACTION_WAIT:
        status = wd_finger(w, x, y, tap, deadline, err);
    }
    if (status == TAC_OK && gesture->kind != TAC_ACTION_HOVER)
        *astray = went_astray(w, place, deadline);
    json_decref(place);
    return status;
}

static tac_status touch_there(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                              double deadline, tac_error *err)
{
    /* a long press has brought the context menu by then */
    const int tries = gesture->kind == TAC_ACTION_LONG_CLICK ? 1 : 8;
    bool astray = true;
    tac_status status = TAC_OK;
    for (int i = 0; i < tries && astray && status == TAC_OK; i++)
        status = touch_once(w, gesture, node, deadline, &astray, err);
    if (status == TAC_OK && astray)
        status = tac_fail(
            err, TAC_E_LIMIT,
            "the element moves: what was to touch it would have reached another (tries: %d)",
            tries);
    return status;
}

static tac_status act_really(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                             double deadline, tac_error *err)
{
    const char *value = gesture->value ? gesture->value : "";
    switch (gesture->kind) {
    case TAC_ACTION_CLICK:
    case TAC_ACTION_LONG_CLICK:
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        return touch_there(w, gesture, node, deadline, err);
    case TAC_ACTION_TEXT:
        return enter_value(w, node, value, deadline, err);
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        return scroll(w, node, gesture, deadline, err);
    case TAC_ACTION_PINCH:
    case TAC_ACTION_BACK:
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_KEY:
    case TAC_ACTION_WAIT:
        break;
    }
    return tac_fail(err, TAC_E_USAGE, "a browser has no gesture '%s'",
                    tac_action_kind_name(gesture->kind));
}

/* Inside the page: a click, or a value with the events that typing would bring. */
static tac_status act_fast(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                           double deadline, tac_error *err)
{
    json_t *value = tac_json_string(gesture->value ? gesture->value : ""), *done = NULL,
           *answer = NULL;
    char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    char *call = tac_format("window.__tactus && __tactus.act ? __tactus.act(%u, '%s', %s) : null",
                            node, gesture->kind == TAC_ACTION_TEXT ? "text" : "click", quoted);
    tac_error problem = {0};
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    json_t *parameters = json_pack("{s:b}", "returnByValue", 1);
    json_object_set_new(parameters, "expression", tac_json_string(call));
    tac_status status = TAC_OK;
    if (w->chromium) /* an alert that it opens shows that it was delivered */
        status = wd_deliver(w, "act inside the page", "/goog/cdp/execute",
                            json_pack("{s:s,s:O}", "cmd", "Runtime.evaluate", "params", parameters),
                            deadline, &answer, &problem);
    else
        status = wd_evaluate(w, "act inside the page", call, deadline, &done, &problem);
    if (!done)
        done = json_incref(json_object_get(json_object_get(answer, "result"), "value"));
    const char *why = json_string_value(json_object_get(done, "why"));
    if (status == TAC_OK && why)
        status = tac_fail(err, TAC_E_LIMIT, "%s", why);
    else if (status != TAC_OK && err)
        *err = problem;
    json_decref(parameters);
    json_decref(value);
    json_decref(done);
    json_decref(answer);
    free(quoted);
    free(call);
    return status;
}

static tac_status act_on_element(struct webdriver *w, const tac_gesture *gesture, double deadline,
                                 tac_error *err)
{
    uint32_t node;
    bool in_hierarchy;
    tac_status status = wd_find(w, gesture, deadline, &node, &in_hierarchy, err);
    if (status != TAC_OK)
        return status;
    wd_touched(w);
    /* An option has no place on the page; WebDriver's own click chooses it inside the page too. */
    bool option = in_hierarchy && gesture->kind == TAC_ACTION_CLICK &&
                  !strcmp(w->ui->nodes[node].class_name, "web.Option");
    bool fast = option || (w->fast &&
                           (gesture->kind == TAC_ACTION_CLICK || gesture->kind == TAC_ACTION_TEXT));
    return fast ? act_fast(w, gesture, node, deadline, err)
                : act_really(w, gesture, node, deadline, err);
}

static tac_status go_back(struct webdriver *w, double deadline, tac_error *err)
{
    wd_touched(w);
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    if (!w->chromium)
        return wd_deliver(w, "go back", "/back", NULL, deadline, NULL, err);
    return wd_evaluate(w, "go back",
                       "void (window.__tactus && __tactus.goBack ? __tactus.goBack() : "
                       "history.back())",
                       deadline, NULL, err);
}

tac_status wd_reload(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    wd_touched(w);
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    return wd_deliver(w, "load the page again", "/refresh", json_object(), deadline, NULL, err);
}

tac_status wd_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                      tac_error *err)
{
    struct webdriver *w = device->state;
    double seconds = 0;
    switch (gesture->kind) {
    case TAC_ACTION_BACK:
        return go_back(w, deadline, err);
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
        return device->driver->launch(device, deadline, err);
    case TAC_ACTION_KEY:
        wd_touched(w);
        return press_key(w, gesture->value ? gesture->value : "Enter", deadline, err);
    case TAC_ACTION_WAIT:
        if (gesture->value)
            tac_parse_double(gesture->value, &seconds);
        return wd_sleep(device, seconds, err);
    case TAC_ACTION_CLICK:
    case TAC_ACTION_LONG_CLICK:
    case TAC_ACTION_TEXT:
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        break;
    }
    return act_on_element(w, gesture, deadline, err);
}
