/* Maestro YAML. A Maestro file has two documents, the app and the commands, for one device; a flow
 * of several devices becomes one pair per device, in which the steps of the others are comments at
 * the place where they happen. */
#include "base/data/text.h"
#include "flow/export/exporter.h"
#include <string.h>

static void begin(tac_exporter *exporter)
{
    tac_str_add(&exporter->text,
                "# Flows for Maestro. A Maestro file holds one flow: use\n"
                "# 'tactus flow export --to maestro -o FOLDER/' for one file each.\n");
}

static void end(tac_exporter *exporter)
{
    (void)exporter;
}

/* The element as Maestro selects it; false when there is nothing to select by. */
static bool add_selector(tac_str *out, const struct locator *locator)
{
    bool any = false;
    const char *text = locator->text ? locator->text : locator->description;
    if (locator->resource_id) {
        tac_str_add(out, "    id: ");
        add_quoted(out, locator->resource_id);
        tac_str_add(out, "\n");
        any = true;
    }
    if (text) {
        tac_str_add(out, "    text: ");
        add_quoted(out, text);
        tac_str_add(out, "\n");
        any = true;
    }
    if (any && locator->index >= 0)
        tac_str_addf(out, "    index: %d\n", locator->index);
    return any;
}

static void say_unsaid(tac_exporter *exporter, const tac_model_action *action)
{
    exporter->unsaid++;
    tac_str_addf(&exporter->text, "# not expressible in Maestro: %s ",
                 tac_action_kind_name(action->kind));
    if (action->xpath)
        add_comment(&exporter->text, action->xpath);
    tac_str_add(&exporter->text, "\n");
}

/* "- COMMAND:" and the selector; says so when the element cannot be selected. */
static bool add_on_element(tac_exporter *exporter, const char *command,
                           const tac_model_action *action)
{
    struct locator locator;
    tac_str selector = {0};
    locator_of(action, &locator);
    bool found = add_selector(&selector, &locator);
    if (found)
        tac_str_addf(&exporter->text, "- %s:\n%s", command, tac_str_text(&selector));
    else
        say_unsaid(exporter, action);
    tac_str_free(&selector);
    locator_free(&locator);
    return found;
}

static void add_wait(tac_str *out, const char *what, double seconds)
{
    tac_str_addf(out,
                 "- extendedWaitUntil:\n    visible: \"tactus: %s\"\n    timeout: %.0f\n"
                 "    optional: true\n",
                 what, seconds * 1000);
}

static void add_action(tac_exporter *exporter, const tac_model_action *action)
{
    tac_str *out = &exporter->text;
    const char *value = action->value ? action->value : "";
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        add_on_element(exporter, "tapOn", action);
        break;
    case TAC_ACTION_LONG_CLICK:
        add_on_element(exporter, "longPressOn", action);
        break;
    case TAC_ACTION_TEXT:
        if (action->xpath || action->resource_id || action->text)
            add_on_element(exporter, "tapOn", action);
        tac_str_add(out, "- inputText: ");
        add_quoted(out, value);
        tac_str_add(out, "\n");
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE: {
        /* scrolling down moves the finger up */
        bool scroll = action->kind == TAC_ACTION_SCROLL;
        const char *direction = !strcmp(value, "left")    ? "LEFT"
                                : !strcmp(value, "right") ? "RIGHT"
                                : !strcmp(value, "up")    ? (scroll ? "DOWN" : "UP")
                                : !strcmp(value, "down")  ? (scroll ? "UP" : "DOWN")
                                                          : "UP";
        tac_str_addf(out, "- swipe:\n    direction: %s\n", direction);
        break;
    }
    case TAC_ACTION_BACK:
        tac_str_add(out, "- back\n");
        break;
    case TAC_ACTION_HOME:
        tac_str_add(out, "- pressKey: Home\n");
        break;
    case TAC_ACTION_LAUNCH:
        tac_str_add(out, "- launchApp\n");
        break;
    case TAC_ACTION_KEY:
        tac_str_add(out, "- pressKey: ");
        add_quoted(out, value);
        tac_str_add(out, "\n");
        break;
    case TAC_ACTION_WAIT:
        if (!action->xpath && !action->resource_id && !action->text)
            add_wait(out, "wait", 1);
        else
            add_on_element(exporter, "assertVisible", action);
        break;
    default:
        say_unsaid(exporter, action);
    }
}

static void add_step(tac_exporter *exporter, const tac_flow_step *step, size_t number)
{
    tac_str *out = &exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_addf(out, "# step %zu: ", number);
    add_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event)\n" : "\n");
    if (!step->action_count && step->kind == TAC_EVENT_SYSTEM) {
        add_wait(out, "the system event", step->time > 0 ? step->time : 5);
        return;
    } else {
        for (size_t i = 0; i < count; i++)
            add_action(exporter, &actions[i]);
    }
    if (step->time > 0)
        add_wait(out, "delay", step->time);
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    tac_str *out = &exporter->text;
    for (size_t d = 0; d < count; d++) {
        const char *package = flow_package(flow, devices[d]);
        tac_str_addf(out, "---\nappId: ");
        add_quoted(out, *package ? package : "unknown");
        tac_str_addf(out, "\nname: ");
        char title[256];
        snprintf(title, sizeof title, "%.100s flow %llu%s%.100s", exporter->name,
                 (unsigned long long)exporter->flows, count > 1 ? " on " : "",
                 count > 1 ? devices[d] : "");
        add_quoted(out, title);
        tac_str_add(out, "\n---\n- launchApp\n");
        for (size_t i = 0; i < flow->step_count; i++) {
            const tac_flow_step *step = &flow->steps[i];
            if (!strcmp(step->device, devices[d])) {
                add_step(exporter, step, i + 1);
                continue;
            }
            tac_str_addf(out, "# step %zu is on ", i + 1);
            add_comment(out, step->device);
            tac_str_add(out, ": ");
            add_comment(out, step->event);
            tac_str_add(out, "\n");
        }
    }
}

const struct export_format export_maestro = {
    .name = "maestro", .suffix = ".yaml", .begin = begin, .flow = flow, .end = end};
