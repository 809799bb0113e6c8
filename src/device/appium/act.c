/* What a person does with a native app: elements are found by the same stable XPaths as elsewhere,
 * and clicked and filled through W3C's element calls; long touches and swipes are pointer actions
 * at the element's bounds. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/hierarchy.h"
#include "device/keys.h"
#include "device/web/webdriver.h"
#include <string.h>

/* The element's XPath in the page source, where elements are named by class instead of "node":
 * every name test outside of quotation marks is replaced. */
static char *source_xpath(const tac_ui *ui, uint32_t node)
{
    char *path = tac_ui_xpath(ui, node), quote = 0, before = '/';
    tac_str out = {0};
    for (const char *c = path; *c; before = *c++) {
        if (quote)
            quote = *c == quote ? 0 : quote;
        else if (*c == '\'' || *c == '"')
            quote = *c;
        if (!quote && strchr("/[(", before) && !strncmp(c, "node", 4) && strchr("/[])", c[4])) {
            tac_str_add_char(&out, '*');
            c += 3;
        } else {
            tac_str_add_char(&out, *c);
        }
    }
    free(path);
    return tac_str_take(&out);
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
    json_t *body = json_pack("{s:[{s:s,s:s,s:{s:s},s:o}]}", "actions", "type", "pointer", "id",
                             "finger", "parameters", "pointerType", "touch", "actions", steps);
    return wd_call(w, "swipe", "POST", "/actions", body, deadline, NULL, err);
}

/* Its Delete is the one that deletes backwards. */
static int key_code(const char *name)
{
    return android_key_code(!strcmp(name, "Delete") ? "Backspace" : name);
}

bool appium_has_key(const tac_device *device, const char *name)
{
    (void)device;
    return key_code(name) >= 0;
}

static tac_status press_key(struct webdriver *w, const char *name, double deadline, tac_error *err)
{
    int code = key_code(name);
    if (code < 0)
        return tac_fail(err, TAC_E_INPUT,
                        "'%.60s' is not the name of a key of phones; give Android's name or number",
                        name);
    return appium_mobile(w, "press a key", "pressKey", json_pack("{s:i}", "keycode", code),
                         deadline, NULL, err);
}

static tac_status enter_value(struct webdriver *w, const json_t *element, const char *value,
                              double deadline, tac_error *err)
{
    bool enter = tac_ends_with(value, "\\n");
    char *text = tac_strndup(value, strlen(value) - (enter ? 2 : 0));
    tac_status status = wd_enter_text(w, element, text, deadline, err);
    free(text);
    return status == TAC_OK && enter ? press_key(w, "Enter", deadline, err) : status;
}

static tac_status click(struct webdriver *w, const json_t *element, double deadline, tac_error *err)
{
    const char *id = json_string_value(json_object_get(element, wd_element_key));
    if (!id)
        return tac_fail(err, TAC_E_DEVICE,
                        "the driver's element references are not those of W3C WebDriver");
    char *path = tac_format("/element/%s/click", id);
    tac_status status = wd_call(w, "touch", "POST", path, NULL, deadline, NULL, err);
    free(path);
    return status;
}

static tac_status act(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                      double deadline, tac_error *err)
{
    const char *value = gesture->value ? gesture->value : "";
    const tac_ui_node *n = &w->ui->nodes[node];
    json_t *element = NULL;
    tac_status status = TAC_OK;
    if (gesture->kind == TAC_ACTION_LONG_CLICK)
        return wd_call(w, "touch for long", "POST", "/actions",
                       wd_touch(NULL, (n->left + n->right) / 2, (n->top + n->bottom) / 2, 800),
                       deadline, NULL, err);
    if (gesture->kind == TAC_ACTION_SCROLL || gesture->kind == TAC_ACTION_SWIPE)
        return swipe(w, n, value, gesture->kind == TAC_ACTION_SCROLL, deadline, err);
    status = find_element(w, node, deadline, &element, err);
    if (status == TAC_OK)
        status = gesture->kind == TAC_ACTION_TEXT ? enter_value(w, element, value, deadline, err)
                                                  : click(w, element, deadline, err);
    json_decref(element);
    return status;
}

static tac_status act_on_element(tac_device *device, const tac_gesture *gesture, double deadline,
                                 tac_error *err)
{
    struct webdriver *w = device->state;
    const tac_ui *ui;
    uint32_t node;
    wd_touched(w);
    tac_status status = appium_snapshot(device, deadline, &ui, err);
    if (status == TAC_OK)
        status = ui_find_accepting(ui, gesture, &node, err);
    if (status != TAC_OK)
        return status;
    return act(w, gesture, node, deadline, err);
}

tac_status appium_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                          tac_error *err)
{
    struct webdriver *w = device->state;
    double seconds = 0;
    tac_status status;
    w->traffic.last_input = tac_now();
    switch (gesture->kind) {
    case TAC_ACTION_BACK:
        status = wd_call(w, "go back", "POST", "/back", NULL, deadline, NULL, err);
        break;
    case TAC_ACTION_HOME:
        status = press_key(w, "Home", deadline, err);
        break;
    case TAC_ACTION_LAUNCH:
        return device->driver->launch(device, deadline, err);
    case TAC_ACTION_KEY:
        status = press_key(w, gesture->value ? gesture->value : "Enter", deadline, err);
        break;
    case TAC_ACTION_WAIT:
        if (gesture->value)
            tac_parse_double(gesture->value, &seconds);
        return wd_sleep(device, seconds, err);
    default:
        status = act_on_element(device, gesture, deadline, err);
    }
    wd_touched(w);
    w->native.untouched = false;
    return status;
}

tac_status appium_tap(tac_device *device, int32_t x, int32_t y, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    w->traffic.last_input = tac_now();
    wd_touched(w);
    w->native.untouched = false;
    return wd_call(w, "touch", "POST", "/actions", wd_touch(NULL, x, y, 30), deadline, NULL, err);
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
        return press_key(w, "MediaPlay", deadline, err);
    if (!strcmp(event, "media-pause"))
        return press_key(w, "MediaPause", deadline, err);
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
