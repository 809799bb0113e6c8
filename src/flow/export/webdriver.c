/* W3C WebDriver commands as one JSON document: {"flows":[{"name","kind","commands":[...]}]}. A
 * command is {"method","path","body"} with {session} and {element} to be filled in: {element} is
 * the element that a command last returned. Commands carry the event (the start of a flow has
 * none), the device, and the pause after it in seconds. Every flow starts the app anew. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "flow/export/expect.h"
#include "flow/file.h"
#include "model/model.h"
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
    const char *event, *device; /* event NULL at the start */
    tac_exporter *exporter;
    tac_export_platform platform;
    const char *package;
};

static void send(struct commands *in, const char *method, const char *path, json_t *body)
{
    json_t *object = json_object();
    if (in->event)
        json_object_set_new(object, "event", tac_json_string(in->event));
    if (*in->device)
        json_object_set_new(object, "device", tac_json_string(in->device));
    json_object_set_new(object, "method", tac_json_string(method));
    json_object_set_new(object, "path", tac_json_string(path));
    if (body)
        json_object_set_new(object, "body", body);
    json_array_append_new(in->list, object);
}

static void command(struct commands *in, const char *path, json_t *body)
{
    send(in, "POST", path, body ? body : json_object());
}

static void execute(struct commands *in, const char *script, json_t *arguments)
{
    command(
        in, "/session/{session}/execute/sync",
        json_pack("{s:s, s:o}", "script", script, "args", arguments ? arguments : json_array()));
}

static void refuse(struct commands *in, const tac_model_action *action)
{
    char *why = exporter_refuse(in->exporter, action);
    json_t *arguments = json_array();
    json_array_append_new(arguments, tac_json_string(why));
    execute(in, "throw new Error(arguments[0])", arguments);
    free(why);
}

static json_t *found(void)
{
    return json_pack("{s:s}", "element-6066-11e4-a52e-4f735466cecf", "{element}");
}

/* code: over `on`, what page.js.in reads. */
static void in_page(struct commands *in, const char *code, json_t *arguments)
{
    tac_str script = {0};
    add_page_script(&script);
    tac_str_addf(&script, "const on = onPage(); return %s", code);
    execute(in, tac_str_text(&script), arguments);
    tac_str_free(&script);
}

static bool find_on_page(struct commands *in, const tac_model_action *action)
{
    tac_locator name;
    struct target target;
    const char *shown = "on.shown(...arguments)";
    if (page_name_of(action, &name)) {
        if (name.kind == TAC_LOCATOR_FOCUS)
            send(in, "GET", "/session/{session}/element/active", NULL);
        else
            in_page(in, shown,
                    json_pack("[o,i,b]", tac_json_string(name.css), name.place, name.again));
        return true;
    }
    target_of(action, &target);
    json_t *query = target_query(&target);
    if (query)
        in_page(in, shown, json_pack("[o,i]", query, target.place));
    target_free(&target);
    return query != NULL;
}

static bool find_if_known(struct commands *in, const tac_model_action *action)
{
    if (in->platform == TAC_EXPORT_WEB)
        return find_on_page(in, action);
    struct target target;
    target_of(action, &target);
    char *xpath = target_xpath(&target, in->platform);
    if (xpath)
        command(in, "/session/{session}/element",
                json_pack("{s:s, s:o}", "using", "xpath", "value", tac_json_string(xpath)));
    bool found = xpath != NULL;
    free(xpath);
    target_free(&target);
    return found;
}

static bool find(struct commands *in, const tac_model_action *action)
{
    bool found = find_if_known(in, action);
    if (!found)
        refuse(in, action);
    return found;
}

static json_t *origin_of(bool on_element)
{
    return on_element ? found() : json_string("viewport");
}

/* A finger that goes down at the element (or in the middle of a small screen), waits, moves and
 * goes up. */
static json_t *gesture(bool on_element, int hold, int dx, int dy)
{
    return json_pack("{s:[{s:s, s:s, s:{s:s}, s:["
                     "{s:s, s:i, s:o, s:i, s:i}, {s:s, s:i}, {s:s, s:i},"
                     "{s:s, s:i, s:s, s:i, s:i}, {s:s, s:i}]}]}",
                     "actions", "type", "pointer", "id", "finger", "parameters", "pointerType",
                     "touch", "actions", "type", "pointerMove", "duration", 0, "origin",
                     origin_of(on_element), "x", on_element ? 0 : 180, "y", on_element ? 0 : 320,
                     "type", "pointerDown", "button", 0, "type", "pause", "duration", hold, "type",
                     "pointerMove", "duration", 300, "origin", "pointer", "x", dx, "y", dy, "type",
                     "pointerUp", "button", 0);
}

static json_t *wheel(bool on_element, int dx, int dy)
{
    return json_pack("{s:[{s:s, s:s, s:[{s:s, s:i, s:o, s:i, s:i, s:i, s:i}]}]}", "actions", "type",
                     "wheel", "id", "wheel", "actions", "type", "scroll", "duration", 100, "origin",
                     origin_of(on_element), "x", on_element ? 0 : 180, "y", on_element ? 0 : 320,
                     "deltaX", dx, "deltaY", dy);
}

static void move(struct commands *in, const tac_model_action *action)
{
    struct export_move by = finger_move(action);
    bool has = action_has_element(action);
    if (has && !find(in, action))
        return;
    if (in->platform == TAC_EXPORT_WEB && action->kind == TAC_ACTION_SCROLL)
        command(in, "/session/{session}/actions", wheel(has, -by.dx, -by.dy));
    else
        command(in, "/session/{session}/actions", gesture(has, 0, by.dx, by.dy));
}

/* The mouse at the element: clicks, or rests there. */
static json_t *mouse(int clicks)
{
    json_t *steps = json_pack("[{s:s, s:i, s:o, s:i, s:i}]", "type", "pointerMove", "duration", 0,
                              "origin", found(), "x", 0, "y", 0);
    for (int i = 0; i < clicks; i++) {
        json_array_append_new(steps, json_pack("{s:s, s:i}", "type", "pointerDown", "button", 0));
        json_array_append_new(steps, json_pack("{s:s, s:i}", "type", "pointerUp", "button", 0));
    }
    return json_pack("{s:[{s:s, s:s, s:{s:s}, s:o}]}", "actions", "type", "pointer", "id", "mouse",
                     "parameters", "pointerType", "mouse", "actions", steps);
}

static void key_event(json_t *steps, const char *type, uint32_t code)
{
    char value[8] = "";
    value[tac_utf8_put(value, code)] = '\0';
    json_array_append_new(steps,
                          json_pack("{s:s, s:o}", "type", type, "value", tac_json_string(value)));
}

static void keyboard(struct commands *in, json_t *steps)
{
    command(in, "/session/{session}/actions",
            json_pack("{s:[{s:s, s:s, s:o}]}", "actions", "type", "key", "id", "keyboard",
                      "actions", steps));
}

/* The keys before the last one stay down while it is pressed. */
static void press_chord(struct commands *in, const uint32_t *codes, size_t count)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < count; i++)
        key_event(steps, "keyDown", codes[i]);
    json_array_append_new(steps, json_pack("{s:s, s:i}", "type", "pause", "duration", 30));
    for (size_t i = count; i-- > 0;)
        key_event(steps, "keyUp", codes[i]);
    keyboard(in, steps);
}

static void type_keys(struct commands *in, const char *text)
{
    json_t *steps = json_array();
    for (size_t length; *text; text += length) {
        for (length = 1; ((unsigned char)text[length] & 0xc0) == 0x80;)
            length++;
        json_t *key = json_stringn(text, length);
        json_array_append_new(steps, json_pack("{s:s, s:O}", "type", "keyDown", "value", key));
        json_array_append_new(steps, json_pack("{s:s, s:o}", "type", "keyUp", "value", key));
    }
    keyboard(in, steps);
}

static void press_on_page(struct commands *in, const tac_model_action *action)
{
    const char *name = action->value ? action->value : "", *typed = page_typed_text(action);
    uint32_t codes[PAGE_CHORD_MAX];
    size_t count = page_chord(name, codes);
    if (typed && tac_utf8_valid(typed, strlen(typed)))
        type_keys(in, typed);
    else if (count)
        press_chord(in, codes, count);
    else
        refuse(in, action);
}

/* W3C: the value of a key is one code point. */
static void press(struct commands *in, const tac_model_action *action)
{
    const char *name = action->value ? action->value : "";
    const struct export_key *key = export_key_of(name);
    char value[8];
    if (key && key->webdriver)
        snprintf(value, sizeof value, "%c%c%c", (int)(0xE0 | key->webdriver >> 12),
                 (int)(0x80 | (key->webdriver >> 6 & 63)), (int)(0x80 | (key->webdriver & 63)));
    else if (!key && *name && !name[1])
        snprintf(value, sizeof value, "%s", name);
    else if (key && in->platform == TAC_EXPORT_ANDROID) {
        execute(in, "mobile: pressKey", json_pack("[{s:i}]", "keycode", key->code));
        return;
    } else {
        refuse(in, action);
        return;
    }
    command(in, "/session/{session}/actions",
            json_pack("{s:[{s:s, s:s, s:[{s:s, s:o}, {s:s, s:o}]}]}", "actions", "type", "key",
                      "id", "keyboard", "actions", "type", "keyDown", "value",
                      tac_json_string(value), "type", "keyUp", "value", tac_json_string(value)));
}

static void of_app(struct commands *in, const char *script)
{
    const char *key = in->platform == TAC_EXPORT_IOS ? "bundleId" : "appId";
    execute(in, script, json_pack("[{s:o}]", key, tac_json_string(in->package)));
}

/* What the app has stored stays. */
static void bring_to_front(struct commands *in)
{
    if (in->platform != TAC_EXPORT_WEB) {
        of_app(in, "mobile: activateApp");
        return;
    }
    char *page = start_page(in->exporter, in->package);
    command(in, "/session/{session}/url", json_pack("{s:o}", "url", tac_json_string(page)));
    free(page);
}

static void restart(struct commands *in, const tac_model_action *action)
{
    bool page = in->platform == TAC_EXPORT_WEB;
    if (page && !strcmp(action->value, "system:reload")) {
        command(in, "/session/{session}/refresh", NULL);
        return;
    }
    if (!page)
        of_app(in, "mobile: terminateApp");
    bring_to_front(in);
}

/* The app from its beginning, without what an earlier flow left. */
static void start(struct commands *in)
{
    if (in->platform == TAC_EXPORT_WEB) {
        bring_to_front(in);
        execute(in, "localStorage.clear(); sessionStorage.clear()", NULL);
        send(in, "DELETE", "/session/{session}/cookie", NULL);
    } else {
        of_app(in, "mobile: terminateApp");
    }
    bring_to_front(in);
}

/* A page's field is not left while its content is replaced; a text that ends with a backslash and
 * an n presses Enter. */
static void type_on_page(struct commands *in, const char *value)
{
    static const uint32_t delete_key = 0xE017, enter_key = 0xE007;
    bool enter = tac_ends_with(value, "\\n");
    char *text = tac_strndup(value, strlen(value) - (enter ? 2 : 0));
    in_page(in, "on.replaceContent(...arguments)", json_pack("[o]", found()));
    if (*text)
        command(in, "/session/{session}/element/{element}/value",
                json_pack("{s:o}", "text", tac_json_string(text)));
    else
        press_chord(in, &delete_key, 1);
    if (enter)
        press_chord(in, &enter_key, 1);
    free(text);
}

static void type_text(struct commands *in, const tac_model_action *action)
{
    if (!find(in, action))
        return;
    if (in->platform == TAC_EXPORT_WEB) {
        type_on_page(in, action->value ? action->value : "");
        return;
    }
    command(in, "/session/{session}/element/{element}/clear", NULL);
    command(in, "/session/{session}/element/{element}/value",
            json_pack("{s:o}", "text", tac_json_string(action->value ? action->value : "")));
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
        type_text(in, action);
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        move(in, action);
        break;
    case TAC_ACTION_BACK:
        command(in, "/session/{session}/back", NULL);
        break;
    case TAC_ACTION_HOME:
        if (in->platform == TAC_EXPORT_ANDROID)
            execute(in, "mobile: pressKey", json_pack("[{s:i}]", "keycode", 3));
        else
            bring_to_front(in);
        break;
    case TAC_ACTION_LAUNCH:
        bring_to_front(in);
        break;
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
        if (in->platform != TAC_EXPORT_WEB)
            refuse(in, action);
        else if (find(in, action))
            command(in, "/session/{session}/actions",
                    mouse(action->kind == TAC_ACTION_HOVER ? 0 : 2));
        break;
    case TAC_ACTION_KEY:
        if (action_restarts(action))
            restart(in, action);
        else if (in->platform == TAC_EXPORT_WEB)
            press_on_page(in, action);
        else
            press(in, action);
        break;
    case TAC_ACTION_WAIT:
        if (action_has_element(action))
            find(in, action);
        else
            execute(in, "return true", NULL);
        break;
    case TAC_ACTION_PINCH:
    case TAC_ACTION_DRAG:
        refuse(in, action);
    }
}

/* On phones an element with that text, which the driver finds or not. */
static bool expect_on_phone(struct commands *in, const struct expectation_simple *simple)
{
    const tac_observable *what = simple->what;
    bool text = what && what->kind == TAC_OBSERVE_TEXT && simple->text && !simple->contains;
    if (!what || !what->xpath || !simple->holds || (!text && what->kind != TAC_OBSERVE_VISIBLE))
        return false;
    struct target target;
    tac_str all = {0};
    target_of(&(tac_model_action){.xpath = what->xpath}, &target);
    char *xpath = target_xpath(&target, in->platform);
    tac_str_add(&all, xpath ? xpath : "");
    for (int i = 0; text && i < (in->platform == TAC_EXPORT_IOS ? 2 : 1); i++) {
        tac_str_add(&all, in->platform != TAC_EXPORT_IOS ? "[@text="
                          : i                            ? " or @value="
                                                         : "[@label=");
        tac_quote_xpath(&all, simple->text);
    }
    tac_str_add(&all, text ? "]" : "");
    if (xpath)
        command(in, "/session/{session}/element",
                json_pack("{s:s, s:o}", "using", "xpath", "value",
                          tac_json_string(tac_str_text(&all))));
    bool said = xpath != NULL;
    free(xpath);
    tac_str_free(&all);
    target_free(&target);
    return said;
}

static bool add_expectation(void *context, const tac_properties *of, const struct ast *ast,
                            const char *text)
{
    struct commands *in = context;
    tac_str code = {0};
    if (in->platform != TAC_EXPORT_WEB) {
        struct expectation_simple simple;
        expect_simple(of, ast, &simple);
        return expect_on_phone(in, &simple);
    }
    tac_str_add(&code, "on.holds(() => ");
    bool said = expect_add_script(&code, of, ast);
    tac_str_add(&code, ", arguments[0])");
    if (said)
        in_page(in, tac_str_text(&code), json_pack("[o]", tac_json_string(text)));
    tac_str_free(&code);
    return said;
}

static void expect_screen(struct commands *in, const tac_flow_screen *screen)
{
    for (size_t i = 0; i < screen->show_count; i++)
        find_if_known(in, &(tac_model_action){.xpath = screen->shows[i]});
    expect_each(in->exporter, screen->expects, screen->expect_count, add_expectation, in);
}

static void add_step(struct commands *in, const tac_flow_step *step)
{
    tac_model_action stand_in;
    size_t count, before = json_array_size(in->list);
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    double pause = step->time;
    in->event = step->event;
    in->device = step->device;
    for (size_t a = 0; a < count; a++) {
        add_action(in, &actions[a]);
        if (actions[a].kind == TAC_ACTION_WAIT && !action_has_element(&actions[a]) &&
            actions[a].value)
            pause = (pause > 0 ? pause : 0) + wait_seconds(&actions[a]);
    }
    json_t *last = json_array_get(in->list, json_array_size(in->list) - 1);
    if (json_array_size(in->list) == before || !last)
        return;
    if (step->kind == TAC_EVENT_SYSTEM)
        json_object_set_new(last, "system", json_true());
    if (pause > 0)
        json_object_set_new(last, "pause", tac_json_number(pause));
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    struct commands in = {.list = json_array(), .exporter = exporter};
    exporter->step = NULL;
    for (size_t d = 0; d < count; d++) {
        in.device = devices[d];
        in.package = flow_package(flow, devices[d]);
        in.platform = platform_of(exporter, in.package);
        if (*in.package || exporter->options.url)
            start(&in);
        for (size_t i = 0; i < flow->start_count; i++)
            if (!strcmp(flow->starts[i].device, devices[d]))
                expect_screen(&in, &flow->starts[i].screen);
    }
    for (size_t i = 0; i < flow->step_count; i++) {
        in.package = flow_package(flow, flow->steps[i].device);
        in.platform = platform_of(exporter, in.package);
        exporter->step = &flow->steps[i];
        exporter->number = i + 1;
        add_step(&in, &flow->steps[i]);
    }
    char *name = tac_format("%s flow %llu", exporter->name, (unsigned long long)exporter->flows);
    json_t *object = json_object();
    json_object_set_new(object, "name", tac_json_string(name));
    json_object_set_new(object, "kind", tac_json_string(tac_flow_kind_name(flow->kind)));
    json_object_set_new(object, "commands", in.list);
    char *text = tac_json_text(object, JSON_COMPACT);
    tac_str_addf(&exporter->text, "%s\n%s", exporter->flows > 1 ? "," : "", text);
    free(text);
    free(name);
    json_decref(object);
}

const struct export_format export_webdriver = {
    .suffix = ".json", .tool = "W3C WebDriver", .begin = begin, .flow = flow, .end = end};
