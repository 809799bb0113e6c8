/* W3C WebDriver commands as one JSON document: {"flows":[{"name","kind","commands":[...]}]}. A
 * command is {"method","path","body"} with {session} and {element} to be filled in: {element} is
 * what the last find command returned. Commands carry the event, the device, and the pause after
 * it. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "flow/export/exporter.h"
#include <string.h>

static void begin(tac_exporter *exporter)
{
    tac_str_add(&exporter->text, "{\"flows\":[");
}

static void end(tac_exporter *exporter)
{
    tac_str_add(&exporter->text, "\n]}\n");
}

struct commands {
    json_t *list;
    const tac_flow_step *step;
    tac_exporter *exporter;
};

static void command(struct commands *in, const char *path, json_t *body)
{
    json_t *object = json_object();
    json_object_set_new(object, "event", tac_json_string(in->step->event));
    if (*in->step->device)
        json_object_set_new(object, "device", tac_json_string(in->step->device));
    json_object_set_new(object, "method", tac_json_string("POST"));
    json_object_set_new(object, "path", tac_json_string(path));
    json_object_set_new(object, "body", body ? body : json_object());
    json_array_append_new(in->list, object);
}

static bool find(struct commands *in, const tac_model_action *action)
{
    struct locator locator;
    locator_of(action, &locator);
    char *xpath = locator_xpath(&locator);
    if (xpath)
        command(in, "/session/{session}/element",
                json_pack("{s:s, s:o}", "using", "xpath", "value", tac_json_string(xpath)));
    free(xpath);
    locator_free(&locator);
    return xpath != NULL;
}

/* A finger that goes down at the element (or in the middle of a small screen), waits, moves and
 * goes up. */
static json_t *gesture(bool on_element, int hold, int dx, int dy)
{
    json_t *element = on_element
                          ? json_pack("{s:s}", "element-6066-11e4-a52e-4f735466cecf", "{element}")
                          : json_string("viewport");
    return json_pack("{s:[{s:s, s:s, s:{s:s}, s:["
                     "{s:s, s:i, s:o, s:i, s:i}, {s:s, s:i}, {s:s, s:i},"
                     "{s:s, s:i, s:s, s:i, s:i}, {s:s, s:i}]}]}",
                     "actions", "type", "pointer", "id", "finger", "parameters", "pointerType",
                     "touch", "actions", "type", "pointerMove", "duration", 0, "origin", element,
                     "x", on_element ? 0 : 180, "y", on_element ? 0 : 320, "type", "pointerDown",
                     "button", 0, "type", "pause", "duration", hold, "type", "pointerMove",
                     "duration", 300, "origin", "pointer", "x", dx, "y", dy, "type", "pointerUp",
                     "button", 0);
}

static void move(struct commands *in, const tac_model_action *action)
{
    const char *way = action->value ? action->value : "";
    bool scroll = action->kind == TAC_ACTION_SCROLL;
    int sign = scroll ? -1 : 1; /* scrolling down moves the finger up */
    int dx = !strcmp(way, "left") ? -200 : !strcmp(way, "right") ? 200 : 0;
    int dy = dx ? 0 : !strcmp(way, "up") ? -300 * sign : !strcmp(way, "down") ? 300 * sign : -300;
    bool found = find(in, action);
    command(in, "/session/{session}/actions", gesture(found, 0, scroll ? -dx : dx, dy));
}

static json_t *key_press(const char *key)
{
    return json_pack("{s:[{s:s, s:s, s:[{s:s, s:o}, {s:s, s:o}]}]}", "actions", "type", "key", "id",
                     "keyboard", "actions", "type", "keyDown", "value", tac_json_string(key),
                     "type", "keyUp", "value", tac_json_string(key));
}

static void add_action(struct commands *in, const tac_model_action *action)
{
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        if (find(in, action))
            command(in, "/session/{session}/element/{element}/click", NULL);
        break;
    case TAC_ACTION_LONG_CLICK:
        if (find(in, action))
            command(in, "/session/{session}/actions", gesture(true, 1000, 0, 0));
        break;
    case TAC_ACTION_TEXT:
        if (find(in, action))
            command(
                in, "/session/{session}/element/{element}/value",
                json_pack("{s:o}", "text", tac_json_string(action->value ? action->value : "")));
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        move(in, action);
        break;
    case TAC_ACTION_BACK:
        command(in, "/session/{session}/back", NULL);
        break;
    case TAC_ACTION_HOME:
        command(in, "/session/{session}/appium/device/press_keycode",
                json_pack("{s:i}", "keycode", 3));
        break;
    case TAC_ACTION_LAUNCH:
        command(in, "/session/{session}/refresh", NULL);
        break;
    case TAC_ACTION_KEY:
        command(in, "/session/{session}/actions", key_press(action->value ? action->value : ""));
        break;
    case TAC_ACTION_WAIT:
        if (!find(in, action))
            command(in, "/session/{session}/execute/sync",
                    json_pack("{s:s, s:[]}", "script", "return true", "args"));
        break;
    default:
        in->exporter->unsaid++;
        command(in, "/session/{session}/execute/sync",
                json_pack("{s:s, s:[]}", "script", "throw new Error('pinch is not expressible')",
                          "args"));
    }
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    json_t *list = json_array();
    for (size_t i = 0; i < flow->step_count; i++) {
        const tac_flow_step *step = &flow->steps[i];
        struct commands in = {list, step, exporter};
        tac_model_action stand_in;
        size_t count;
        const tac_model_action *actions = step_actions(step, &stand_in, &count);
        for (size_t a = 0; a < count; a++)
            add_action(&in, &actions[a]);
        json_t *last = json_array_get(list, json_array_size(list) - 1);
        if (step->kind == TAC_EVENT_SYSTEM && last)
            json_object_set_new(last, "system", json_true());
        if (step->time > 0 && last)
            json_object_set_new(last, "pause", tac_json_number(step->time));
    }
    char *name = tac_format("%s flow %llu", exporter->name, (unsigned long long)exporter->flows);
    json_t *object = json_object();
    json_object_set_new(object, "name", tac_json_string(name));
    json_object_set_new(object, "kind", tac_json_string(tac_flow_kind_name(flow->kind)));
    json_object_set_new(object, "commands", list);
    char *text = tac_json_text(object, JSON_COMPACT);
    tac_str_addf(&exporter->text, "%s\n%s", exporter->flows > 1 ? "," : "", text);
    free(text);
    free(name);
    json_decref(object);
}

const struct export_format export_webdriver = {
    .name = "webdriver", .suffix = ".json", .begin = begin, .flow = flow, .end = end};
