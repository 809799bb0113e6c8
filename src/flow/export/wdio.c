/* A WebdriverIO script (mocha): a describe block with one test per flow, which starts the app anew.
 * Flows of several devices use multiremote: browser.getInstance('DEVICE'). */
#include "base/data/alloc.h"
#include "flow/export/exporter.h"
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

/* "        await BEFORE (element) AFTER"; counts what cannot be found. */
static void on_element(const struct wdio_step *in, const tac_model_action *action,
                       const char *before, const char *after)
{
    struct locator locator;
    locator_of(action, &locator);
    char *xpath = locator_xpath(&locator, in->platform);
    tac_str *out = &in->exporter->text;
    if (xpath) {
        tac_str_addf(out, "        await %sawait element(driver, ", before);
        add_string(out, xpath);
        tac_str_addf(out, ")%s;\n", after);
    } else {
        unsaid(in->exporter, action);
    }
    free(xpath);
    locator_free(&locator);
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

static void add_start(const struct wdio_step *in)
{
    tac_str *out = &in->exporter->text;
    bool page = in->platform == TAC_EXPORT_WEB;
    char *place = page ? start_page(in->exporter, in->package) : tac_strdup(in->package);
    tac_str_add(out, page ? "        await openPage(driver, " : "        await openApp(driver, ");
    add_string(out, place);
    tac_str_add(out, ");\n");
    free(place);
}

static void add_action(const struct wdio_step *in, const tac_model_action *action)
{
    tac_str *out = &in->exporter->text;
    tac_str after = {0};
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        on_element(in, action, "(", ").click()");
        break;
    case TAC_ACTION_LONG_CLICK:
        on_element(in, action, "drag(driver, ", ", 1000, 0, 0)");
        break;
    case TAC_ACTION_TEXT:
        tac_str_add(&after, ").setValue(");
        add_string(&after, action->value ? action->value : "");
        tac_str_add(&after, ")");
        on_element(in, action, "(", tac_str_text(&after));
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
            add_start(in);
        break;
    case TAC_ACTION_LAUNCH:
        add_start(in);
        break;
    case TAC_ACTION_KEY:
        add_key(in, action);
        break;
    case TAC_ACTION_WAIT:
        if (action_has_element(action))
            on_element(in, action, "(", ").waitForDisplayed()");
        else
            tac_str_addf(out, "        await driver.pause(%.0f);\n", 1000 * wait_seconds(action));
        break;
    default:
        unsaid(in->exporter, action);
    }
    tac_str_free(&after);
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
        add_step(&in, &flow->steps[i], count > 1);
    }
    tac_str_add(out, "    });\n");
}

const struct export_format export_wdio = {
    .name = "wdio", .suffix = ".js", .begin = begin, .flow = flow, .end = end};
