/* A WebdriverIO script (mocha): a describe block with one test per flow, which starts the app anew.
 * Flows of several devices use multiremote: browser.getInstance('DEVICE'). */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "flow/export/exporter.h"
#include "flow/file.h"
#include "model/model.h"
#include "shown_template.h"
#include "wdio_page_template.h"
#include "wdio_template.h"
#include <string.h>

static void add_string(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_js(out, text);
    tac_str_add_char(out, '"');
}

static void begin(tac_exporter *exporter)
{
    tac_str name = {0};
    add_string(&name, exporter->name);
    add_template(&exporter->text, wdio_template, 0, tac_str_text(&name));
    tac_str_free(&name);
}

static void end(tac_exporter *exporter)
{
    add_template(&exporter->text, wdio_template, 1, "");
    if (exporter->on_pages)
        tac_str_addf(&exporter->text, "\n%s\n%s", shown_template, wdio_page_template);
}

static void unsaid(tac_exporter *exporter, const tac_model_action *action)
{
    exporter->unsaid++;
    tac_str_add(&exporter->text, "        throw new Error(\"not expressible: ");
    tac_quote_js(&exporter->text, tac_action_kind_name(action->kind));
    tac_quote_js(&exporter->text, action->xpath ? " on " : "");
    tac_quote_js(&exporter->text, action->xpath ? action->xpath : "");
    tac_quote_js(&exporter->text, action->value ? " " : "");
    tac_quote_js(&exporter->text, action->value ? action->value : "");
    tac_str_add(&exporter->text, "\");\n");
}

struct wdio_step {
    tac_exporter *exporter;
    tac_export_platform platform;
    const char *package;
};

/* The expression that finds the element; false: it cannot be said. */
static bool add_element(tac_export_platform platform, const tac_model_action *action, tac_str *out)
{
    tac_locator name;
    if (platform == TAC_EXPORT_WEB && page_name_of(action, &name)) {
        tac_str_add(out, name.kind == TAC_LOCATOR_FOCUS ? "await focused(driver"
                                                        : "await onPage(driver, ");
        if (name.kind == TAC_LOCATOR_CSS) {
            add_string(out, name.css);
            tac_str_addf(out, ", %u, %s", name.place, name.again ? "true" : "false");
        }
        tac_str_add_char(out, ')');
        return true;
    }
    struct target target;
    target_of(action, &target);
    char *xpath = target_xpath(&target, platform);
    if (xpath) {
        tac_str_add(out, "await element(driver, ");
        add_string(out, xpath);
        tac_str_add_char(out, ')');
    }
    bool said = xpath != NULL;
    free(xpath);
    target_free(&target);
    return said;
}

/* "        await BEFORE (element) AFTER"; counts what cannot be found. */
static void on_element(const struct wdio_step *in, const tac_model_action *action,
                       const char *before, const char *after)
{
    tac_str element = {0};
    if (add_element(in->platform, action, &element))
        tac_str_addf(&in->exporter->text, "        await %s%s%s;\n", before, tac_str_text(&element),
                     after);
    else
        unsaid(in->exporter, action);
    tac_str_free(&element);
}

static void add_move(const struct wdio_step *in, const tac_model_action *action)
{
    struct export_move move = finger_move(action);
    bool wheel = in->platform == TAC_EXPORT_WEB && action->kind == TAC_ACTION_SCROLL;
    char after[80];
    snprintf(after, sizeof after, wheel ? ", %d, %d)" : ", 0, %d, %d)", wheel ? -move.dx : move.dx,
             wheel ? -move.dy : move.dy);
    const char *before = wheel ? "wheel(driver, " : "drag(driver, ";
    if (action_has_element(action))
        on_element(in, action, before, after);
    else
        tac_str_addf(&in->exporter->text, "        await %s'viewport'%s;\n", before, after);
}

static void add_page_key(const struct wdio_step *in, const tac_model_action *action)
{
    const char *name = action->value ? action->value : "", *typed = page_typed_text(action);
    tac_str *out = &in->exporter->text;
    uint32_t codes[PAGE_CHORD_MAX];
    size_t count = page_chord(name, codes);
    if (typed) {
        tac_str_add(out, "        await type(driver, ");
        add_string(out, typed);
        tac_str_add(out, ");\n");
    } else if (count) {
        tac_str_add(out, "        await press(driver, [");
        for (size_t i = 0; i < count; i++)
            tac_str_addf(out, "%s\"\\u{%x}\"", i ? ", " : "", (unsigned)codes[i]);
        tac_str_add(out, "]); // ");
        tac_quote_comment(out, name);
        tac_str_add_char(out, '\n');
    } else {
        unsaid(in->exporter, action);
    }
}

static void add_key(const struct wdio_step *in, const tac_model_action *action)
{
    const char *name = action->value ? action->value : "";
    const struct export_key *key = export_key_of(name);
    tac_str *out = &in->exporter->text;
    if (in->platform == TAC_EXPORT_ANDROID && key) {
        tac_str_addf(out, "        await driver.pressKeyCode(%d); // %s\n", key->code,
                     key->android);
    } else if (key && key->webdriver) {
        tac_str_addf(out, "        await driver.keys([\"\\u%04x\"]); // %s\n",
                     (unsigned)key->webdriver, key->name);
    } else if (!key && *name && !name[1]) {
        tac_str_add(out, "        await driver.keys([");
        add_string(out, name);
        tac_str_add(out, "]);\n");
    } else {
        unsaid(in->exporter, action);
    }
}

/* call: "openPage(driver, " */
static void add_opening(const struct wdio_step *in, const char *call)
{
    tac_str *out = &in->exporter->text;
    bool page = in->platform == TAC_EXPORT_WEB;
    char *place = page ? start_page(in->exporter, in->package) : tac_strdup(in->package);
    tac_str_addf(out, "        await %s", call);
    add_string(out, place);
    tac_str_add(out, ");\n");
    free(place);
}

/* Without what an earlier flow left. */
static void add_start(const struct wdio_step *in)
{
    add_opening(in, in->platform == TAC_EXPORT_WEB ? "openPage(driver, " : "openApp(driver, ");
}

/* What the app has stored stays. */
static void bring_to_front(const struct wdio_step *in)
{
    add_opening(in, in->platform == TAC_EXPORT_WEB ? "driver.url(" : "driver.activateApp(");
}

static void restart(const struct wdio_step *in, const tac_model_action *action)
{
    if (in->platform != TAC_EXPORT_WEB)
        add_start(in);
    else if (!strcmp(action->value, "system:reload"))
        tac_str_add(&in->exporter->text, "        await driver.refresh();\n");
    else
        bring_to_front(in);
}

/* A page's field is not left while its content is replaced; a text that ends with a backslash and
 * an n presses Enter. */
static void add_text(const struct wdio_step *in, const tac_model_action *action)
{
    bool page = in->platform == TAC_EXPORT_WEB;
    const char *value = action->value ? action->value : "";
    bool enter = page && tac_ends_with(value, "\\n");
    char *text = tac_strndup(value, strlen(value) - (enter ? 2 : 0));
    tac_str after = {0};
    tac_str_add(&after, page ? ", " : ").setValue(");
    add_string(&after, text);
    tac_str_add(&after, ")");
    on_element(in, action, page ? "enter(driver, " : "(", tac_str_text(&after));
    if (enter)
        tac_str_add(&in->exporter->text,
                    "        await press(driver, [\"\\u{e007}\"]); // Enter\n");
    tac_str_free(&after);
    free(text);
}

static void add_drag(const struct wdio_step *in, const tac_model_action *action)
{
    const char *value = action->value ? action->value : "";
    tac_model_action end = {.kind = action->kind, .xpath = value + 3};
    tac_str from = {0}, to = {0};
    if (!strncmp(value, "to:", 3) && add_element(in->platform, action, &from) &&
        add_element(in->platform, &end, &to))
        tac_str_addf(&in->exporter->text, "        await (%s).dragAndDrop(%s);\n",
                     tac_str_text(&from), tac_str_text(&to));
    else
        unsaid(in->exporter, action);
    tac_str_free(&from);
    tac_str_free(&to);
}

/* What a mouse does. */
static void add_mouse(const struct wdio_step *in, const tac_model_action *action)
{
    if (in->platform != TAC_EXPORT_WEB)
        unsaid(in->exporter, action);
    else if (action->kind == TAC_ACTION_DRAG)
        add_drag(in, action);
    else
        on_element(in, action, "(",
                   action->kind == TAC_ACTION_HOVER ? ").moveTo()" : ").doubleClick()");
}

static void add_action(const struct wdio_step *in, const tac_model_action *action)
{
    tac_str *out = &in->exporter->text;
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        on_element(in, action, "(", ").click()");
        break;
    case TAC_ACTION_LONG_CLICK:
        on_element(in, action, "drag(driver, ", ", 1000, 0, 0)");
        break;
    case TAC_ACTION_TEXT:
        add_text(in, action);
        break;
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        add_mouse(in, action);
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        add_move(in, action);
        break;
    case TAC_ACTION_BACK:
        tac_str_add(out, "        await driver.back();\n");
        break;
    case TAC_ACTION_HOME:
        if (in->platform == TAC_EXPORT_ANDROID)
            tac_str_add(out, "        await driver.pressKeyCode(3); // HOME\n");
        else
            bring_to_front(in);
        break;
    case TAC_ACTION_LAUNCH:
        bring_to_front(in);
        break;
    case TAC_ACTION_KEY:
        if (action_restarts(action))
            restart(in, action);
        else if (in->platform == TAC_EXPORT_WEB)
            add_page_key(in, action);
        else
            add_key(in, action);
        break;
    case TAC_ACTION_WAIT:
        if (action_has_element(action))
            on_element(in, action, "(", ").waitForDisplayed()");
        else
            tac_str_addf(out, "        await driver.pause(%.0f);\n", 1000 * wait_seconds(action));
        break;
    case TAC_ACTION_PINCH:
        unsaid(in->exporter, action);
    }
}

static void choose_driver(tac_str *out, const char *device)
{
    tac_str_add(out, "        driver = browser.getInstance(");
    add_string(out, device);
    tac_str_add(out, ");\n");
}

static void add_step(const struct wdio_step *in, const tac_flow_step *step, bool several)
{
    tac_str *out = &in->exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_add(out, "        // ");
    tac_quote_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event)\n" : "\n");
    if (several)
        choose_driver(out, step->device);
    for (size_t i = 0; i < count; i++)
        add_action(in, &actions[i]);
    if (step->time > 0)
        tac_str_addf(out, "        await driver.pause(%.0f);\n", step->time * 1000);
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    tac_str *out = &exporter->text;
    tac_str_addf(out, "    it(\"flow %llu (%s)\", async () => {\n        let driver = browser;\n",
                 (unsigned long long)exporter->flows, tac_flow_kind_name(flow->kind));
    for (size_t d = 0; d < count; d++) {
        const char *package = flow_package(flow, devices[d]);
        struct wdio_step in = {exporter, platform_of(exporter, package), package};
        if (count > 1)
            choose_driver(out, devices[d]);
        if (*package || exporter->options.url)
            add_start(&in);
    }
    for (size_t i = 0; i < flow->step_count; i++) {
        const char *package = flow_package(flow, flow->steps[i].device);
        struct wdio_step in = {exporter, platform_of(exporter, package), package};
        exporter->on_pages = exporter->on_pages || in.platform == TAC_EXPORT_WEB;
        add_step(&in, &flow->steps[i], count > 1);
    }
    tac_str_add(out, "    });\n");
}

const struct export_format export_wdio = {
    .suffix = ".js", .begin = begin, .flow = flow, .end = end};
