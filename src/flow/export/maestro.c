/* Maestro YAML. A Maestro file has two documents, the app and the commands, for one device; a flow
 * of several devices becomes a file per device, in which the steps of the others are notes at the
 * place where they happen: whoever runs the files side by side has to wait there. Maestro's texts
 * and ids are regular expressions, so what stands in the model is escaped. */
#include "base/data/text.h"
#include "flow/export/expect.h"
#include "maestro_template.h"
#include "model/model.h"
#include <string.h>

static void add_string(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_yaml(out, text);
    tac_str_add_char(out, '"');
}

/* A text to type: what Maestro would evaluate, ${...}, is escaped as it asks for. */
static void add_typed(tac_str *out, const char *text)
{
    tac_str typed = {0};
    for (const char *c = text; *c; c++) {
        bool script = c[0] == '$' && c[1] == '{' && memchr(c + 2, '}', strcspn(c + 2, "$"));
        tac_str_add(&typed, script ? "\\" : "");
        tac_str_add_char(&typed, *c);
    }
    add_string(out, tac_str_text(&typed));
    tac_str_free(&typed);
}

static void begin(tac_exporter *exporter)
{
    add_template(&exporter->text, maestro_template, 0, exporter->name);
}

static void end(tac_exporter *exporter)
{
    (void)exporter;
}

/* A key and a pattern for the test of an attribute. */
static void add_pattern(tac_str *out, int depth, const char *key, const tac_condition *test)
{
    tac_str pattern = {0};
    tac_str_add(&pattern, test->kind == TAC_CONDITION_CONTAINS ? ".*" : "");
    for (const char *c = test->value; *c; c++) {
        if (strchr("\\^$.|?*+()[]{}", *c))
            tac_str_add_char(&pattern, '\\');
        tac_str_add_char(&pattern, *c);
    }
    tac_str_add(&pattern, test->kind != TAC_CONDITION_EQUALS ? ".*" : "");
    tac_str_addf(out, "%*s%s: ", 4 + 2 * depth, "", key);
    add_string(out, tac_str_text(&pattern));
    tac_str_add(out, "\n");
    tac_str_free(&pattern);
}

/* Id and text of one element, `depth` levels inside the command's. */
static void add_tests(tac_str *out, int depth, const struct element *element)
{
    const tac_condition *text = element->own[TAC_PART_TEXT];
    if (element->own[TAC_PART_ID])
        add_pattern(out, depth, "id", element->own[TAC_PART_ID]);
    if (text || element->own[TAC_PART_LABEL])
        add_pattern(out, depth, "text", text ? text : element->own[TAC_PART_LABEL]);
}

/* An element named by what it holds is said with containsChild, level by level, which like the
 * XPath's step means a direct child. */
static void add_held(tac_str *out, const tac_condition *held)
{
    struct element inside = {0};
    inside.own[held->part] = held;
    for (uint32_t depth = 1; depth <= held->levels; depth++)
        tac_str_addf(out, "%*scontainsChild:\n", (int)(2 + 2 * depth), "");
    add_tests(out, (int)held->levels, &inside);
}

/* The element as Maestro selects it; false when there is nothing to select by, or the model says
 * more than Maestro can. It selects neither by what an element can do nor by its class: an id is
 * enough without that, a text is not, and a place among those of a class is not one among all. Its
 * childOf is not as exact as an XPath (it takes whatever is below). */
static bool add_selector(tac_str *out, const struct target *target)
{
    const struct element *e = target->last;
    const tac_condition *id = e->own[TAC_PART_ID], *class = e->own[TAC_PART_CLASS];
    bool both = e->own[TAC_PART_TEXT] && e->own[TAC_PART_LABEL]; /* Maestro's text is either */
    bool any = id || e->own[TAC_PART_TEXT] || e->own[TAC_PART_LABEL];
    bool held = target->tree && target->count == 1 && e->held && e->held->part != TAC_PART_CLASS;
    bool class_decides = class && (!id || target->place || held);
    if ((!held && (!target->one || !any)) || e->abilities || both || class_decides)
        return false;
    add_tests(out, 0, e);
    if (held)
        add_held(out, e->held);
    if (target->place)
        tac_str_addf(out, "    index: %u\n", target->place - 1);
    return true;
}

/* The middle of the area in which the element was recorded, as Maestro's point. */
static bool add_point(tac_str *out, const tac_model_action *action)
{
    double area[4];
    if (!action->area || !tac_action_area_parse(action->area, area))
        return false;
    tac_str_addf(out, "    point: \"%.0f%%,%.0f%%\"\n", (area[0] + area[2]) / 2,
                 (area[1] + area[3]) / 2);
    return true;
}

static void note(tac_exporter *exporter, const char *text)
{
    tac_str_add(&exporter->text, "# ");
    tac_quote_comment(&exporter->text, text);
    tac_str_add_char(&exporter->text, '\n');
}

/* A command that fails, with the reason as its name. */
static void refuse(tac_exporter *exporter, const tac_model_action *action)
{
    char *why = exporter_refuse(exporter, action);
    tac_str_add(&exporter->text, "- assertTrue:\n    condition: ${false}\n    label: ");
    add_typed(&exporter->text, why);
    tac_str_add_char(&exporter->text, '\n');
    free(why);
}

/* Whether what the step leads to is looked for: a place on the screen alone proves nothing. */
static bool is_checked(const tac_exporter *exporter)
{
    return exporter->step && exporter->step->screen.show_count;
}

/* "- COMMAND:" and the selector; says so when the element cannot be selected. */
static bool add_on_element(tac_exporter *exporter, const char *command,
                           const tac_model_action *action)
{
    struct target target;
    tac_str selector = {0};
    target_of(action, &target);
    bool found = add_selector(&selector, &target), point = false;
    if (!found && strcmp(command, "assertVisible") && is_checked(exporter))
        found = point = add_point(&selector, action);
    if (point) {
        tac_str_add(&exporter->text, "# by its place: no id or text tells it from others: ");
        tac_quote_comment(&exporter->text, action->xpath ? action->xpath : "");
        tac_str_add(&exporter->text, "\n");
    }
    if (found)
        tac_str_addf(&exporter->text, "- %s:\n%s", command, tac_str_text(&selector));
    else
        refuse(exporter, action);
    tac_str_free(&selector);
    target_free(&target);
    return found;
}

static void add_wait(tac_str *out, const char *what, double seconds)
{
    tac_str_addf(out,
                 "- extendedWaitUntil:\n    visible: \"tactus: %s\"\n    timeout: %.0f\n"
                 "    optional: true\n",
                 what, seconds * 1000);
}

/* A swipe inside an area: over its middle, between a fifth and four fifths of it. */
static void add_swipe_in_area(tac_str *out, const double area[4], struct export_move finger)
{
    double x = (area[0] + area[2]) / 2, y = (area[1] + area[3]) / 2;
    double dx = finger.dx ? 0.3 * (area[2] - area[0]) * (finger.dx > 0 ? 1 : -1) : 0;
    double dy = finger.dy ? 0.3 * (area[3] - area[1]) * (finger.dy > 0 ? 1 : -1) : 0;
    tac_str_addf(out, "- swipe:\n    start: \"%.0f%%,%.0f%%\"\n    end: \"%.0f%%,%.0f%%\"\n",
                 x - dx, y - dy, x + dx, y + dy);
}

static void add_swipe(tac_exporter *exporter, const tac_model_action *action)
{
    struct target target;
    struct export_move finger = finger_move(action);
    tac_str selector = {0};
    double area[4];
    target_of(action, &target);
    bool found = add_selector(&selector, &target);
    if (!found && is_checked(exporter) && action->area && tac_action_area_parse(action->area, area))
        add_swipe_in_area(&exporter->text, area, finger);
    else if (!found && action_has_element(action))
        refuse(exporter, action);
    else
        tac_str_addf(&exporter->text, "- swipe:\n    direction: %s\n",
                     finger.dx < 0   ? "LEFT"
                     : finger.dx > 0 ? "RIGHT"
                     : finger.dy > 0 ? "DOWN"
                                     : "UP");
    if (found) {
        tac_str_add(&exporter->text, "    from:\n");
        for (const char *line = tac_str_text(&selector); *line;) {
            size_t length = strcspn(line, "\n");
            tac_str_addf(&exporter->text, "    %.*s\n", (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
    tac_str_free(&selector);
    target_free(&target);
}

static void add_key(tac_exporter *exporter, const tac_model_action *action)
{
    const struct export_key *key = export_key_of(action->value ? action->value : "");
    if (action_restarts(action))
        tac_str_add(&exporter->text, "- launchApp:\n    stopApp: true\n");
    else if (key && key->maestro)
        tac_str_addf(&exporter->text, "- pressKey: %s\n", key->maestro);
    else
        refuse(exporter, action);
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
    case TAC_ACTION_DOUBLE_CLICK:
        add_on_element(exporter, "doubleTapOn", action);
        break;
    case TAC_ACTION_TEXT:
        if (action_has_element(action) && !add_on_element(exporter, "tapOn", action))
            break;
        tac_str_add(out, "- eraseText\n- inputText: ");
        add_typed(out, value);
        tac_str_add(out, "\n");
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        add_swipe(exporter, action);
        break;
    case TAC_ACTION_BACK:
        tac_str_add(out, "- back\n");
        break;
    case TAC_ACTION_HOME:
        tac_str_add(out, "- pressKey: Home\n");
        break;
    case TAC_ACTION_LAUNCH:
        tac_str_add(out, "- launchApp:\n    stopApp: false\n");
        break;
    case TAC_ACTION_KEY:
        add_key(exporter, action);
        break;
    case TAC_ACTION_WAIT:
        if (!action_has_element(action))
            add_wait(out, "wait", wait_seconds(action));
        else
            add_on_element(exporter, "assertVisible", action);
        break;
    case TAC_ACTION_PINCH:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        refuse(exporter, action);
    }
}

/* An element with that text, that is shown or is not. */
static bool add_expectation(void *context, const tac_properties *of, const struct ast *ast,
                            const char *text)
{
    tac_exporter *exporter = context;
    struct expectation_simple simple;
    struct target target;
    tac_str selector = {0};
    (void)text;
    expect_simple(of, ast, &simple);
    const tac_observable *what = simple.what;
    bool texts = what && what->kind == TAC_OBSERVE_TEXT && simple.text;
    if (!what || !what->xpath || (!texts && what->kind != TAC_OBSERVE_VISIBLE) ||
        (texts && !simple.holds))
        return false;
    target_of(&(tac_model_action){.xpath = what->xpath}, &target);
    const struct element *e = target.last;
    bool said = texts ? target.one && e->own[TAC_PART_ID] && !e->own[TAC_PART_TEXT] && !target.place
                      : add_selector(&selector, &target);
    if (said && texts) {
        tac_condition wanted = {.kind =
                                    simple.contains ? TAC_CONDITION_CONTAINS : TAC_CONDITION_EQUALS,
                                .part = TAC_PART_TEXT,
                                .value = simple.text};
        add_pattern(&selector, 0, "id", e->own[TAC_PART_ID]);
        add_pattern(&selector, 0, "text", &wanted);
    }
    if (said)
        tac_str_addf(&exporter->text, "- %s:\n%s",
                     simple.holds ? "assertVisible" : "assertNotVisible", tac_str_text(&selector));
    tac_str_free(&selector);
    target_free(&target);
    return said;
}

static void expect_screen(tac_exporter *exporter, const tac_flow_screen *screen)
{
    for (size_t i = 0; i < screen->show_count; i++) {
        struct target target;
        tac_str selector = {0};
        target_of(&(tac_model_action){.xpath = screen->shows[i]}, &target);
        if (add_selector(&selector, &target))
            tac_str_addf(&exporter->text, "- assertVisible:\n%s", tac_str_text(&selector));
        tac_str_free(&selector);
        target_free(&target);
    }
    expect_each(exporter, screen->expects, screen->expect_count, add_expectation, exporter);
}

static void add_step(tac_exporter *exporter, const tac_flow_step *step, size_t number)
{
    tac_str *out = &exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_addf(out, "# step %zu: ", number);
    tac_quote_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event)\n" : "\n");
    if (!step->action_count && step->kind == TAC_EVENT_SYSTEM) {
        add_wait(out, "the system event", step->time > 0 ? step->time : 5);
    } else {
        for (size_t i = 0; i < count; i++)
            add_action(exporter, &actions[i]);
        if (step->time > 0)
            add_wait(out, "delay", step->time);
    }
    expect_screen(exporter, &step->screen);
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    tac_str *out = &exporter->text;
    for (size_t d = 0; d < count; d++) {
        if (exporter->device && strcmp(devices[d], exporter->device))
            continue;
        const char *package = flow_package(flow, devices[d]);
        tac_str_addf(out, "---\nappId: ");
        add_string(out, *package ? package : "unknown");
        tac_str_addf(out, "\nname: ");
        char title[256];
        snprintf(title, sizeof title, "%.100s flow %llu%s%.100s", exporter->name,
                 (unsigned long long)exporter->flows, count > 1 ? " on " : "",
                 count > 1 ? devices[d] : "");
        add_string(out, title);
        tac_str_add(out, "\n---\n- launchApp:\n    stopApp: true\n");
        if (count > 1)
            tac_str_add(out,
                        "# Steps of the other devices are noted where they happen: run the files "
                        "of one flow side by side\n# and let each wait there.\n");
        exporter->step = NULL;
        for (size_t i = 0; i < flow->start_count; i++)
            if (!strcmp(flow->starts[i].device, devices[d]))
                expect_screen(exporter, &flow->starts[i].screen);
        for (size_t i = 0; i < flow->step_count; i++) {
            const tac_flow_step *step = exporter->step = &flow->steps[i];
            exporter->number = i + 1;
            if (!strcmp(step->device, devices[d])) {
                add_step(exporter, step, i + 1);
                continue;
            }
            tac_str_addf(out, "# step %zu is on ", i + 1);
            tac_quote_comment(out, step->device);
            tac_str_add(out, ": ");
            tac_quote_comment(out, step->event);
            tac_str_add(out, "\n");
        }
    }
}

const struct export_format export_maestro = {.suffix = ".yaml",
                                             .tool = "Maestro",
                                             .note = note,
                                             .one_device = true,
                                             .begin = begin,
                                             .flow = flow,
                                             .end = end};
