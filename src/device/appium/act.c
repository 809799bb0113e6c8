/* What a person does with a native app: elements are found by the same stable XPaths as elsewhere,
 * and clicked and filled through W3C's element calls; long touches and swipes are pointer actions
 * at the element's bounds. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/android_keys.h"
#include "device/appium/appium.h"
#include "device/hierarchy.h"
#include <string.h>

/* The element's XPath in the page source, where elements are called by their class. What is not
 * displayed is not in our tree and must not be counted. */
static char *source_xpath(const tac_ui *ui, uint32_t node)
{
    struct ui_locators *locators = ui_locators_new(ui, true);
    char *xpath = ui_locators_write(locators, node, "*[not(@displayed='false')]");
    ui_locators_free(locators);
    return xpath;
}

static tac_status find_element(struct webdriver *w, uint32_t node, double deadline, json_t **out,
                               tac_error *err)
{
    char *xpath = source_xpath(w->ui, node);
    json_t *body = json_object();
    json_object_set_new(body, "using", json_string("xpath"));
    json_object_set_new(body, "value", tac_json_string(xpath));
    free(xpath);
    return wd_call(w, "find the element", "POST", "/element", body, deadline, out, err);
}

static json_t *move_to(int32_t x, int32_t y, int milliseconds)
{
    return json_pack("{s:s,s:i,s:i,s:i,s:s}", "type", "pointerMove", "duration", milliseconds, "x",
                     x, "y", y, "origin", "viewport");
}

static json_t *finger(json_t *steps)
{
    return json_pack("{s:[{s:s,s:s,s:{s:s},s:o}]}", "actions", "type", "pointer", "id", "finger",
                     "parameters", "pointerType", "touch", "actions", steps);
}

static json_t *pause_for(int milliseconds)
{
    return json_pack("{s:s,s:i}", "type", "pause", "duration", milliseconds);
}

static json_t *press(bool down)
{
    return json_pack("{s:s,s:i}", "type", down ? "pointerDown" : "pointerUp", "button", 0);
}

/* The finger goes over the middle half of the element: a swipe in its direction, a scroll against
 * it, because it looks into it. One without a direction goes up. */
static tac_status swipe(struct webdriver *w, const tac_ui_node *n, const char *direction,
                        bool scroll, double deadline, tac_error *err)
{
    int32_t x = (n->left + n->right) / 2, y = (n->top + n->bottom) / 2;
    int32_t dx = (n->right - n->left) / 4, dy = (n->bottom - n->top) / 4;
    bool sideways = !strcmp(direction, "left") || !strcmp(direction, "right");
    int sign = !strcmp(direction, "up") || !strcmp(direction, "left") ? -1 : 1;
    if (!scroll && *direction)
        sign = -sign;
    dx = sideways ? sign * dx : 0;
    dy = sideways ? 0 : sign * dy;
    json_t *steps =
        json_pack("[o,{s:s,s:i},o,{s:s,s:i}]", move_to(x + dx, y + dy, 0), "type", "pointerDown",
                  "button", 0, move_to(x - dx, y - dy, 400), "type", "pointerUp", "button", 0);
    return wd_call(w, "swipe", "POST", "/actions", finger(steps), deadline, NULL, err);
}

bool appium_has_key(const tac_device *device, const char *name)
{
    (void)device;
    return android_key_exists(name);
}

static tac_status press_code(struct webdriver *w, uint32_t code, double deadline, tac_error *err)
{
    return appium_mobile(w, "press a key", "pressKey",
                         json_pack("{s:I}", "keycode", (json_int_t)code), deadline, NULL, err);
}

static tac_status call_element(struct webdriver *w, const json_t *element, const char *step,
                               const char *what, json_t *body, double deadline, tac_error *err)
{
    const char *id = json_string_value(json_object_get(element, wd_element_key));
    if (!id) {
        json_decref(body);
        return tac_fail(err, TAC_E_DEVICE,
                        "the driver's element references are not those of W3C WebDriver");
    }
    char *path = tac_format("/element/%s/%s", id, what);
    tac_status status = wd_call(w, step, "POST", path, body, deadline, NULL, err);
    free(path);
    return status;
}

/* Behind what the field holds. Tabs and line ends are keys, and so is Enter where the text ends
 * with
 * "\\n". */
static tac_status type_into(struct webdriver *w, const json_t *element, const char *value,
                            double deadline, tac_error *err)
{
    bool enter = tac_ends_with(value, "\\n");
    char *rest = tac_strndup(value, strlen(value) - (enter ? 2 : 0)), *at = rest;
    tac_status status = TAC_OK;
    while (status == TAC_OK && *at) {
        size_t part = strcspn(at, "\t\n");
        char end = at[part];
        at[part] = '\0';
        json_t *body = json_object();
        json_object_set_new(body, "text", tac_json_string(at));
        if (part)
            status =
                call_element(w, element, "enter text", "value", json_incref(body), deadline, err);
        json_decref(body);
        if (status == TAC_OK && end)
            status = press_code(w, end == '\t' ? 61 : 66, deadline, err);
        at += part + (end != '\0');
    }
    free(rest);
    return status == TAC_OK && enter ? press_code(w, 66, deadline, err) : status;
}

static tac_status enter_value(struct webdriver *w, const json_t *element, const char *value,
                              double deadline, tac_error *err)
{
    tac_status status = call_element(w, element, "clear the field", "clear", NULL, deadline, err);
    return status == TAC_OK ? type_into(w, element, value, deadline, err) : status;
}

/* *found: something has the focus, and took the text. */
static tac_status type_into_focus(tac_device *device, const char *text, double deadline,
                                  bool *found, tac_error *err)
{
    struct webdriver *w = device->state;
    const tac_ui *ui;
    json_t *element = NULL;
    uint32_t node = 0;
    *found = false;
    tac_status status = appium_snapshot(device, deadline, &ui, err);
    if (status != TAC_OK)
        return status;
    while (node < ui->count && !(ui->nodes[node].flags & TAC_UI_FOCUSED))
        node++;
    *found = node < ui->count;
    if (!*found)
        return TAC_OK;
    status = find_element(w, node, deadline, &element, err);
    if (status == TAC_OK)
        status = type_into(w, element, text, deadline, err);
    json_decref(element);
    return status;
}

/* A key by its name, or "text:..." into what has the focus. */
static tac_status press_key(tac_device *device, const char *name, double deadline, tac_error *err)
{
    struct android_key key;
    bool found = false, text = !strncmp(name, "text:", 5);
    tac_status status = text ? TAC_OK : android_key_read(name, &key, err);
    wd_touched(device->state);
    if (status == TAC_OK && (text || key.character))
        status = type_into_focus(device, text ? name + 5 : key.character, deadline, &found, err);
    if (status != TAC_OK || found)
        return status;
    if (text)
        return tac_fail(err, TAC_E_LIMIT, "type: nothing on the screen has the focus");
    if (key.code)
        return press_code(device->state, key.code, deadline, err);
    return tac_fail(err, TAC_E_USAGE,
                    "key: no key of Android has '%s', and nothing has the focus to type it into",
                    name);
}

static tac_status double_tap(struct webdriver *w, int32_t x, int32_t y, double deadline,
                             tac_error *err)
{
    json_t *steps = json_array();
    json_array_append_new(steps, move_to(x, y, 0));
    for (int i = 0; i < 2; i++) {
        json_array_append_new(steps, press(true));
        json_array_append_new(steps, pause_for(40));
        json_array_append_new(steps, press(false));
        json_array_append_new(steps, pause_for(80));
    }
    return wd_call(w, "touch twice", "POST", "/actions", finger(steps), deadline, NULL, err);
}

/* Held until it is picked up, then moved. */
static tac_status drag(struct webdriver *w, int32_t x, int32_t y, const tac_gesture *gesture,
                       double deadline, tac_error *err)
{
    uint32_t to = TAC_UI_NONE;
    int32_t to_x, to_y;
    tac_status status = ui_find_drop(w->ui, gesture, &to, err);
    if (status != TAC_OK)
        return status;
    ui_free_point(w->ui, to, &to_x, &to_y);
    json_t *steps = json_array();
    json_array_append_new(steps, move_to(x, y, 0));
    json_array_append_new(steps, press(true));
    json_array_append_new(steps, pause_for(700));
    json_array_append_new(steps, move_to(to_x, to_y, 700));
    json_array_append_new(steps, press(false));
    return wd_call(w, "drag", "POST", "/actions", finger(steps), deadline, NULL, err);
}

/* Two fingers beside the place, moved apart ("out") or together. */
static tac_status pinch(struct webdriver *w, int32_t x, int32_t y, const char *way, double deadline,
                        tac_error *err)
{
    enum { NEAR = 24, FAR = 160 };
    bool out = !strcmp(way, "out");
    json_t *fingers = json_array();
    for (int side = -1; side <= 1; side += 2) {
        int32_t from = x + side * (out ? NEAR : FAR), to = x + side * (out ? FAR : NEAR);
        json_t *steps = json_array();
        json_array_append_new(steps, move_to(from > 0 ? from : 0, y, 0));
        json_array_append_new(steps, press(true));
        json_array_append_new(steps, pause_for(80));
        json_array_append_new(steps, move_to(to > 0 ? to : 0, y, 400));
        json_array_append_new(steps, press(false));
        json_t *body = finger(steps), *source = json_array_get(json_object_get(body, "actions"), 0);
        json_object_set_new(source, "id", json_string(side < 0 ? "finger" : "finger2"));
        json_array_append(fingers, source);
        json_decref(body);
    }
    return wd_call(w, "pinch", "POST", "/actions", json_pack("{s:o}", "actions", fingers), deadline,
                   NULL, err);
}

static tac_status touch_at(struct webdriver *w, const char *step, int32_t x, int32_t y,
                           int milliseconds, double deadline, tac_error *err)
{
    return wd_call(w, step, "POST", "/actions", wd_touch(NULL, x, y, milliseconds), deadline, NULL,
                   err);
}

/* Appium clicks the middle of an element; where another one takes touches there, a free point of it
 * is touched. */
static tac_status act(struct webdriver *w, const tac_gesture *gesture, uint32_t place,
                      uint32_t taker, double deadline, tac_error *err)
{
    const char *value = gesture->value ? gesture->value : "";
    const tac_ui_node *n = &w->ui->nodes[place];
    json_t *element = NULL;
    tac_status status = TAC_OK;
    int32_t x, y;
    bool middle = ui_free_point(w->ui, place, &x, &y);
    switch (gesture->kind) {
    case TAC_ACTION_LONG_CLICK:
        return touch_at(w, "touch for long", x, y, 800, deadline, err);
    case TAC_ACTION_DOUBLE_CLICK:
        return double_tap(w, x, y, deadline, err);
    case TAC_ACTION_DRAG:
        return drag(w, x, y, gesture, deadline, err);
    case TAC_ACTION_PINCH:
        return pinch(w, x, y, value, deadline, err);
    case TAC_ACTION_SCROLL:
        return swipe(w, &w->ui->nodes[taker], value, true, deadline, err);
    case TAC_ACTION_SWIPE:
        return swipe(w, n, value, false, deadline, err);
    case TAC_ACTION_CLICK:
    case TAC_ACTION_TEXT:
    case TAC_ACTION_BACK:
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_KEY:
    case TAC_ACTION_WAIT:
    case TAC_ACTION_HOVER:
        if (!middle && gesture->kind == TAC_ACTION_CLICK)
            return touch_at(w, "touch", x, y, 30, deadline, err);
    }
    status = find_element(w, place, deadline, &element, err);
    if (status == TAC_OK)
        status = gesture->kind == TAC_ACTION_TEXT
                     ? enter_value(w, element, value, deadline, err)
                     : call_element(w, element, "touch", "click", NULL, deadline, err);
    json_decref(element);
    return status;
}

static tac_status act_on_element(tac_device *device, const tac_gesture *gesture, double deadline,
                                 tac_error *err)
{
    struct webdriver *w = device->state;
    const tac_ui *ui;
    uint32_t place, taker;
    wd_touched(w);
    tac_status status = appium_snapshot(device, deadline, &ui, err);
    if (status == TAC_OK)
        status = ui_find_touch(ui, gesture, &place, &taker, err);
    if (status != TAC_OK)
        return status;
    return act(w, gesture, place, taker, deadline, err);
}

tac_status appium_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                          tac_error *err)
{
    struct webdriver *w = device->state;
    double seconds = 0;
    tac_status status = TAC_OK;
    w->traffic.last_input = tac_now();
    switch (gesture->kind) {
    case TAC_ACTION_BACK:
        status = wd_call(w, "go back", "POST", "/back", NULL, deadline, NULL, err);
        break;
    case TAC_ACTION_HOME:
        status = press_code(w, 3, deadline, err);
        break;
    case TAC_ACTION_LAUNCH:
        return device->driver->launch(device, deadline, err);
    case TAC_ACTION_KEY:
        status = press_key(device, gesture->value ? gesture->value : "Enter", deadline, err);
        break;
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
        status = act_on_element(device, gesture, deadline, err);
    }
    wd_touched(w);
    w->native.untouched = false;
    return status;
}

static tac_status turn(struct webdriver *w, double deadline, tac_error *err)
{
    json_t *now = NULL;
    tac_status status =
        wd_call(w, "ask for the orientation", "GET", "/orientation", NULL, deadline, &now, err);
    bool upright = json_is_string(now) && !strcmp(json_string_value(now), "PORTRAIT");
    json_decref(now);
    json_t *body = json_pack("{s:s}", "orientation", upright ? "LANDSCAPE" : "PORTRAIT");
    if (status == TAC_OK)
        return wd_call(w, "rotate", "POST", "/orientation", body, deadline, NULL, err);
    json_decref(body);
    return status;
}

tac_status appium_system(tac_device *device, const char *event, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    wd_touched(w);
    w->native.untouched = false;
    if (!strcmp(event, "media-play"))
        return press_code(w, 126, deadline, err);
    if (!strcmp(event, "media-pause"))
        return press_code(w, 127, deadline, err);
    if (!strcmp(event, "rotate"))
        return turn(w, deadline, err);
    if (!strcmp(event, "background"))
        return appium_mobile(w, event, "backgroundApp", json_pack("{s:i}", "seconds", -1), deadline,
                             NULL, err);
    if (!strcmp(event, "foreground"))
        return appium_mobile(w, event, "activateApp", json_pack("{s:s}", "appId", w->host),
                             deadline, NULL, err);
    if (!strcmp(event, "keyboard-close"))
        return appium_mobile(w, event, "hideKeyboard", NULL, deadline, NULL, err);
    bool on = !strcmp(event, "connectivity-on");
    if (on || !strcmp(event, "connectivity-off"))
        return appium_mobile(w, event, "setConnectivity",
                             json_pack("{s:b,s:b}", "wifi", on, "data", on), deadline, NULL, err);
    return tac_fail(err, TAC_E_USAGE, "Appium has no system event '%s'", event);
}
