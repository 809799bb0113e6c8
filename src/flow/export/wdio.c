/* A WebdriverIO script (mocha): a describe block with one test per flow. Flows of several devices
 * use multiremote: browser.getInstance('DEVICE'). */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "flow/export/exporter.h"
#include <string.h>

static void begin(tac_exporter *exporter)
{
    tac_str *out = &exporter->text;
    tac_str_add(out,
                "// Flows for WebdriverIO: npx wdio run wdio.conf.js --spec FILE\n"
                "'use strict';\n\n"
                "async function element(driver, xpath) {\n"
                "    const found = await driver.$(xpath);\n"
                "    await found.waitForDisplayed({ timeout: 10000 });\n"
                "    return found;\n"
                "}\n\n"
                "async function drag(driver, from, hold, dx, dy) {\n"
                "    await driver.action('pointer', { parameters: { pointerType: 'touch' } })\n"
                "        .move({ origin: from, x: from === 'viewport' ? 180 : 0, y: from === "
                "'viewport' ? 320 : 0 })\n"
                "        .down().pause(hold)\n"
                "        .move({ origin: 'pointer', x: dx, y: dy, duration: 300 }).up()\n"
                "        .perform();\n"
                "}\n\n"
                "describe(");
    add_quoted(out, exporter->name);
    tac_str_add(out, ", () => {\n");
}

static void end(tac_exporter *exporter)
{
    tac_str_add(&exporter->text, "});\n");
}

/* "        await METHOD" on the element; counts what cannot be found. */
static void on_element(tac_exporter *exporter, const tac_model_action *action, const char *before,
                       const char *after)
{
    struct locator locator;
    locator_of(action, &locator);
    char *xpath = locator_xpath(&locator);
    tac_str *out = &exporter->text;
    if (xpath) {
        tac_str_addf(out, "        await %sawait element(driver, ", before);
        add_quoted(out, xpath);
        tac_str_addf(out, ")%s;\n", after);
    } else {
        exporter->unsaid++;
        tac_str_addf(out, "        throw new Error('%s: the model names no element');\n",
                     tac_action_kind_name(action->kind));
    }
    free(xpath);
    locator_free(&locator);
}

static void add_drag(tac_exporter *exporter, const tac_model_action *action)
{
    const char *way = action->value ? action->value : "";
    bool scroll = action->kind == TAC_ACTION_SCROLL;
    int sign = scroll ? -1 : 1;
    int dx = !strcmp(way, "left") ? -200 * sign : !strcmp(way, "right") ? 200 * sign : 0;
    int dy = dx ? 0 : !strcmp(way, "up") ? -300 * sign : !strcmp(way, "down") ? 300 * sign : -300;
    char after[64];
    if (!action->xpath && !action->resource_id && !action->text) {
        tac_str_addf(&exporter->text, "        await drag(driver, 'viewport', 0, %d, %d);\n", dx,
                     dy);
        return;
    }
    snprintf(after, sizeof after, ", 0, %d, %d)", dx, dy);
    on_element(exporter, action, "drag(driver, ", after);
}

static void add_action(tac_exporter *exporter, const tac_model_action *action)
{
    tac_str *out = &exporter->text;
    tac_str after = {0};
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        on_element(exporter, action, "(", ").click()");
        break;
    case TAC_ACTION_LONG_CLICK:
        on_element(exporter, action, "drag(driver, ", ", 1000, 0, 0)");
        break;
    case TAC_ACTION_TEXT:
        tac_str_add(&after, ").setValue(");
        add_quoted(&after, action->value ? action->value : "");
        tac_str_add(&after, ")");
        on_element(exporter, action, "(", tac_str_text(&after));
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        add_drag(exporter, action);
        break;
    case TAC_ACTION_BACK:
        tac_str_add(out, "        await driver.back();\n");
        break;
    case TAC_ACTION_HOME:
        tac_str_add(out, "        await driver.pressKeyCode(3);\n");
        break;
    case TAC_ACTION_LAUNCH:
        tac_str_add(out, "        await driver.reloadSession();\n");
        break;
    case TAC_ACTION_KEY:
        tac_str_add(out, "        await driver.keys([");
        add_quoted(out, action->value ? action->value : "");
        tac_str_add(out, "]);\n");
        break;
    case TAC_ACTION_WAIT:
        if (action->xpath || action->resource_id || action->text)
            on_element(exporter, action, "(", ").waitForDisplayed()");
        else
            tac_str_add(out, "        await driver.pause(1000);\n");
        break;
    default:
        exporter->unsaid++;
        tac_str_addf(out, "        throw new Error('%s is not expressible in WebdriverIO');\n",
                     tac_action_kind_name(action->kind));
    }
    tac_str_free(&after);
}

static void add_step(tac_exporter *exporter, const tac_flow_step *step, bool several)
{
    tac_str *out = &exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_add(out, "        // ");
    add_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event)\n" : "\n");
    if (several) {
        tac_str_add(out, "        driver = browser.getInstance(");
        add_quoted(out, step->device);
        tac_str_add(out, ");\n");
    }
    for (size_t i = 0; i < count; i++)
        add_action(exporter, &actions[i]);
    if (step->time > 0)
        tac_str_addf(out, "        await driver.pause(%.0f);\n", step->time * 1000);
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    bool several = flow_devices(flow, devices, 64) > 1;
    tac_str *out = &exporter->text;
    char title[64];
    snprintf(title, sizeof title, "flow %llu (%s)", (unsigned long long)exporter->flows,
             tac_flow_kind_name(flow->kind));
    tac_str_add(out, "    it(");
    add_quoted(out, title);
    tac_str_add(out, ", async () => {\n        let driver = browser;\n");
    for (size_t i = 0; i < flow->step_count; i++)
        add_step(exporter, &flow->steps[i], several);
    tac_str_add(out, "    });\n");
}

const struct export_format export_wdio = {
    .name = "wdio", .suffix = ".js", .begin = begin, .flow = flow, .end = end};
