/* What a person does: touches, keys, text, back. Real input goes through the driver's actions; in
 * fast mode the same element is clicked or filled inside the page, in one round trip. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/hierarchy.h"
#include "device/web/webdriver.h"
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

static tac_status press_key(struct webdriver *w, const char *name, double deadline, tac_error *err)
{
    static const struct {
        const char *name, *code;
    } keys[] = {{"Enter", "\xee\x80\x87"},
                {"Tab", "\xee\x80\x84"},
                {"Escape", "\xee\x80\x8c"},
                {"Delete", "\xee\x80\x97"},
                {"Backspace", "\xee\x80\x83"}};
    const char *code = name;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(name, keys[i].name))
            code = keys[i].code;
    json_t *steps = json_pack("[{s:s,s:s},{s:s,s:s}]", "type", "keyDown", "value", code, "type",
                              "keyUp", "value", code);
    json_t *body = json_pack("{s:[{s:s,s:s,s:o}]}", "actions", "type", "key", "id", "keyboard",
                             "actions", steps);
    return wd_call(w, "press a key", "POST", "/actions", body, deadline, NULL, err);
}

/* Where a node of the last snapshot is: {"x", "y"} of its middle on the screen, and "element", the
 * page's own reference to it unless it lives in a frame, whose elements the driver does not take.
 */
static tac_status place_of(struct webdriver *w, uint32_t node, double deadline, json_t **out,
                           tac_error *err)
{
    static const char script[] =
        "const e = window.__tactus && __tactus.nodes[arguments[0]];"
        "if (!e || !e.isConnected) return null;"
        "e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});"
        "let box = e.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + "
        "box.height / 2;"
        "for (let w = e.ownerDocument.defaultView; w !== window; w = w.parent) {"
        "  const frame = w.frameElement; frame.scrollIntoView({block: 'nearest', behavior: "
        "'instant'});"
        "  box = frame.getBoundingClientRect(); x += box.left + frame.clientLeft; y += box.top + "
        "frame.clientTop }"
        "return {x: Math.floor(x), y: Math.floor(y), element: e.ownerDocument === document ? e : "
        "null}";
    json_t *arguments = json_array();
    json_array_append_new(arguments, json_integer(node));
    tac_status status = wd_script(w, "find the element", script, arguments, deadline, out, err);
    if (status == TAC_OK && !json_is_object(*out)) {
        json_decref(*out);
        *out = NULL;
        status = tac_fail(err, TAC_E_LIMIT, "the element went away before it was touched");
    }
    return status;
}

tac_status wd_enter_text(struct webdriver *w, const json_t *element, const char *text,
                         double deadline, tac_error *err)
{
    const char *id = json_string_value(json_object_get(element, wd_element_key));
    if (!id)
        return tac_fail(err, TAC_E_DEVICE,
                        "the driver's element references are not those of W3C WebDriver");
    char *clear = tac_format("/element/%s/clear", id), *type = tac_format("/element/%s/value", id);
    tac_status status = wd_call(w, "clear the field", "POST", clear, NULL, deadline, NULL, err);
    if (status == TAC_OK) {
        json_t *body = json_object();
        json_object_set_new(body, "text", tac_json_string(text));
        status = wd_call(w, "enter text", "POST", type, body, deadline, NULL, err);
    }
    free(clear);
    free(type);
    return status;
}

/* Every character as a key, after what was there is selected: for elements of frames. */
static tac_status type_keys(struct webdriver *w, uint32_t node, const char *text, double deadline,
                            tac_error *err)
{
    json_t *arguments = json_array(), *steps = json_array();
    json_array_append_new(arguments, json_integer(node));
    tac_status status =
        wd_script(w, "select what is in the field",
                  "const e = __tactus.nodes[arguments[0]]; e.focus(); e.select && e.select()",
                  arguments, deadline, NULL, err);
    for (const char *at = text; *at;) {
        size_t length = 1;
        while (((unsigned char)at[length] & 0xc0) == 0x80)
            length++;
        json_t *key = json_stringn(at, length);
        json_array_append_new(steps, json_pack("{s:s,s:O}", "type", "keyDown", "value", key));
        json_array_append_new(steps, json_pack("{s:s,s:o}", "type", "keyUp", "value", key));
        at += length;
    }
    json_t *body = json_pack("{s:[{s:s,s:s,s:o}]}", "actions", "type", "key", "id", "keyboard",
                             "actions", steps);
    if (status == TAC_OK)
        return wd_call(w, "enter text", "POST", "/actions", body, deadline, NULL, err);
    json_decref(body);
    return status;
}

/* A text that ends with "\\n" is followed by the Enter key. */
static tac_status enter_value(struct webdriver *w, uint32_t node, const json_t *element,
                              const char *value, double deadline, tac_error *err)
{
    bool enter = tac_ends_with(value, "\\n");
    char *text = tac_strndup(value, strlen(value) - (enter ? 2 : 0));
    tac_status status = json_is_object(element) ? wd_enter_text(w, element, text, deadline, err)
                                                : type_keys(w, node, text, deadline, err);
    free(text);
    return status == TAC_OK && enter ? press_key(w, "Enter", deadline, err) : status;
}

static tac_status scroll(struct webdriver *w, uint32_t node, const char *direction, double deadline,
                         tac_error *err)
{
    json_t *arguments = json_array();
    json_array_append_new(arguments, json_integer(node));
    json_array_append_new(arguments, json_integer(!strcmp(direction, "up") ? -1 : 1));
    return wd_script(w, "scroll",
                     "const e = __tactus.nodes[arguments[0]];"
                     "e.scrollBy(0, arguments[1] * e.clientHeight)",
                     arguments, deadline, NULL, err);
}

static tac_status act_really(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                             double deadline, tac_error *err)
{
    json_t *place;
    tac_status status = place_of(w, node, deadline, &place, err);
    if (status != TAC_OK)
        return status;
    const char *value = gesture->value ? gesture->value : "";
    const json_t *element = json_object_get(place, "element");
    int32_t x = (int32_t)json_integer_value(json_object_get(place, "x"));
    int32_t y = (int32_t)json_integer_value(json_object_get(place, "y"));
    int milliseconds = gesture->kind == TAC_ACTION_CLICK ? 30 : 700;
    switch (gesture->kind) {
    case TAC_ACTION_CLICK:
    case TAC_ACTION_LONG_CLICK:
        status = wd_call(w, "touch", "POST", "/actions",
                         json_is_object(element) ? wd_touch(element, 0, 0, milliseconds)
                                                 : wd_touch(NULL, x, y, milliseconds),
                         deadline, NULL, err);
        break;
    case TAC_ACTION_TEXT:
        status = enter_value(w, node, element, value, deadline, err);
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        status = scroll(w, node, value, deadline, err);
        break;
    default:
        status = tac_fail(err, TAC_E_USAGE, "a browser has no gesture '%s'",
                          tac_action_kind_name(gesture->kind));
    }
    json_decref(place);
    return status;
}

/* Inside the page: a click, or a value with the events that typing would bring. */
static tac_status act_fast(struct webdriver *w, const tac_gesture *gesture, uint32_t node,
                           double deadline, tac_error *err)
{
    static const char script[] =
        "const e = window.__tactus && __tactus.nodes[arguments[0]];"
        "if (!e || !e.isConnected) return false;"
        "if (arguments[1] === 'click') { e.focus && e.focus(); e.click(); return true }"
        "let value = arguments[2], enter = value.endsWith('\\\\n');"
        "if (enter) value = value.slice(0, -2);"
        "e.focus();"
        "const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value');"
        "if (set && set.set) set.set.call(e, value); else e.textContent = value;"
        "e.dispatchEvent(new InputEvent('input', {bubbles: true, data: value}));"
        "e.dispatchEvent(new Event('change', {bubbles: true}));"
        "if (enter) for (const kind of ['keydown', 'keypress', 'keyup'])"
        "  e.dispatchEvent(new KeyboardEvent(kind, {key: 'Enter', code: 'Enter', keyCode: 13, "
        "which: 13, bubbles: true}));"
        "if (enter && e.form) e.form.requestSubmit && e.form.requestSubmit();"
        "return true";
    json_t *arguments = json_array(), *done = NULL;
    json_array_append_new(arguments, json_integer(node));
    json_array_append_new(arguments,
                          json_string(gesture->kind == TAC_ACTION_TEXT ? "text" : "click"));
    json_array_append_new(arguments, tac_json_string(gesture->value ? gesture->value : ""));
    tac_status status =
        wd_script(w, "act inside the page", script, arguments, deadline, &done, err);
    if (status == TAC_OK &&
        json_is_false(done)) /* null: a dialog opened, the click was delivered */
        status = tac_fail(err, TAC_E_LIMIT, "the element went away before it was touched");
    json_decref(done);
    return status;
}

static tac_status act_on_element(struct webdriver *w, const tac_gesture *gesture, double deadline,
                                 tac_error *err)
{
    const tac_ui *ui;
    uint32_t node;
    tac_status status = wd_look(w, deadline, &ui, err);
    if (status == TAC_OK)
        status = ui_find_accepting(ui, gesture, &node, err);
    if (status != TAC_OK)
        return status;
    wd_touched(w);
    w->traffic.last_input = tac_now();
    bool fast = w->fast && (gesture->kind == TAC_ACTION_CLICK || gesture->kind == TAC_ACTION_TEXT);
    return fast ? act_fast(w, gesture, node, deadline, err)
                : act_really(w, gesture, node, deadline, err);
}

tac_status wd_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                      tac_error *err)
{
    struct webdriver *w = device->state;
    double seconds = 0;
    switch (gesture->kind) {
    case TAC_ACTION_BACK:
        wd_touched(w);
        w->traffic.last_input = tac_now();
        return wd_call(w, "go back", "POST", "/back", NULL, deadline, NULL, err);
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
        return device->driver->launch(device, deadline, err);
    case TAC_ACTION_KEY:
        wd_touched(w);
        w->traffic.last_input = tac_now();
        return press_key(w, gesture->value ? gesture->value : "Enter", deadline, err);
    case TAC_ACTION_WAIT:
        if (gesture->value)
            tac_parse_double(gesture->value, &seconds);
        return wd_sleep(device, seconds, err);
    default:
        return act_on_element(w, gesture, deadline, err);
    }
}

tac_status wd_tap(tac_device *device, int32_t x, int32_t y, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    wd_touched(w);
    w->traffic.last_input = tac_now();
    return wd_call(w, "touch", "POST", "/actions", wd_touch(NULL, x, y, 30), deadline, NULL, err);
}
