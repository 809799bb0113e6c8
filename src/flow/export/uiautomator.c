/* UiAutomator: a Java class in the manner of the 2015 energy paper, Listing 1.1: one method per
 * event that finds its control, performs it and logs, and one test per flow that calls them in
 * order. A flow of several devices becomes one class per device (in one file: one test per device),
 * since a test runs on one device; the steps of the others are notes.
 *
 * A UiSelector finds an element by its own attributes and its number. What an element holds, the
 * one above it and its place there are said with BySelectors, whose depth counts from where the
 * search starts. */
#include "base/check.h"
#include "base/data/text.h"
#include "flow/export/expect.h"
#include "uiautomator_template.h"
#include <ctype.h>
#include <string.h>

static void begin(tac_exporter *exporter)
{
    add_template(&exporter->text, uiautomator_template, 0, exporter->name);
}

static void end(tac_exporter *exporter)
{
    add_template(&exporter->text, uiautomator_template, 1, "");
}

static void add_string(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_java(out, text);
    tac_str_add_char(out, '"');
}

/* .method("value"); the methods are those for equals, contains and starts. False when there is
 * none. */
static bool add_test(tac_str *out, const char *const *methods, const tac_condition *test)
{
    if (!test)
        return true;
    if (!methods[test->kind])
        return false;
    tac_str_addf(out, ".%s(", methods[test->kind]);
    add_string(out, test->value);
    tac_str_add(out, ")");
    return true;
}

/* "new UiSelector()..."; false when the element cannot be selected. */
static bool add_selector(tac_str *out, const tac_model_action *action)
{
    static const char *const ids[] = {"resourceId", NULL, NULL};
    static const char *const texts[] = {"text", "textContains", "textStartsWith"};
    static const char *const descriptions[] = {"description", "descriptionContains",
                                               "descriptionStartsWith"};
    static const char *const classes[] = {"className", NULL, NULL};
    struct target target;
    target_of(action, &target);
    bool known = target.one && element_is_named(target.last);
    if (known) {
        const tac_condition *class = target.last->own[TAC_PART_CLASS];
        tac_str_add(out, "new UiSelector()");
        if (class && class->kind != TAC_CONDITION_EQUALS) {
            /* a part of the class, as a pattern */
            tac_str_add(out, ".classNameMatches(");
            tac_str pattern = {0};
            tac_str_addf(&pattern, "%s\\Q%s\\E.*",
                         class->kind == TAC_CONDITION_CONTAINS ? ".*" : "", class->value);
            add_string(out, tac_str_text(&pattern));
            tac_str_add(out, ")");
            tac_str_free(&pattern);
        } else {
            known = add_test(out, classes, class);
        }
        known = add_test(out, ids, target.last->own[TAC_PART_ID]) && known;
        known = add_test(out, texts, target.last->own[TAC_PART_TEXT]) && known;
        known = add_test(out, descriptions, target.last->own[TAC_PART_LABEL]) && known;
        if (target.place)
            tac_str_addf(out, ".instance(%u)", target.place - 1);
    }
    target_free(&target);
    return known;
}

/* --- Elements that others name --- */

static bool add_by_test(tac_str *out, tac_part part, const tac_condition *test)
{
    static const char *const ways[] = {[TAC_CONDITION_EQUALS] = "",
                                       [TAC_CONDITION_CONTAINS] = "Contains",
                                       [TAC_CONDITION_STARTS] = "StartsWith"};
    static const char *const names[] = {[TAC_PART_ID] = "res",
                                        [TAC_PART_LABEL] = "desc",
                                        [TAC_PART_TEXT] = "text",
                                        [TAC_PART_CLASS] = "clazz"};
    if (!test)
        return true;
    tac_str_addf(out, ".%s%s(", names[part], ways[test->kind]);
    add_string(out, test->value);
    tac_str_add(out, ")");
    return test->kind == TAC_CONDITION_EQUALS || part == TAC_PART_TEXT || part == TAC_PART_LABEL;
}

/* "By..." of the element itself and what it holds; false when they cannot be said. */
static bool add_by(tac_str *out, const struct element *element)
{
    static const tac_part parts[] = {TAC_PART_CLASS, TAC_PART_ID, TAC_PART_TEXT, TAC_PART_LABEL};
    static const struct {
        tac_part part;
        const char *method;
    } abilities[] = {{TAC_PART_SCROLLABLE, "scrollable"},
                     {TAC_PART_CLICKABLE, "clickable"},
                     {TAC_PART_LONG_CLICKABLE, "longClickable"},
                     {TAC_PART_CHECKABLE, "checkable"}};
    bool known = !(element->abilities & 1u << TAC_PART_PASSWORD);
    tac_str_add(out, "By");
    size_t start = out->length;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        known = add_by_test(out, parts[i], element->own[parts[i]]) && known;
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
        if (element->abilities & 1u << abilities[i].part)
            tac_str_addf(out, ".%s(true)", abilities[i].method);
    for (uint32_t i = 0; element->held && i < element->held->levels; i++)
        tac_str_add(out, ".hasChild(By");
    if (element->held)
        known = add_by_test(out, element->held->part, element->held) && known;
    for (uint32_t i = 0; element->held && i < element->held->levels; i++)
        tac_str_add(out, ")");
    tac_str_add(out, element->child ? ".depth(1)" : "");
    return known && out->length > start;
}

/* The expression of an element whose value is the UiObject2; false when there is none. */
static bool add_object(tac_str *out, const struct target *target, size_t number)
{
    const struct element *e = &target->elements[number], *above = number ? e - 1 : NULL;
    bool known = true;
    if (e->place) {
        assert(above && e->child);
        tac_str_add(out, above->top ? "nth(device.findObjects(By.depth(0))" : "nth(");
        if (!above->top) {
            known = add_object(out, target, number - 1);
            tac_str_add(out, ".getChildren()");
        }
        tac_str_addf(out, ", %u)", e->place - 1);
        return known && !element_is_named(e);
    }
    if (above && above->top)
        return false;
    tac_str_add(out, "find(");
    if (above)
        known = add_object(out, target, number - 1);
    else
        tac_str_add(out, "device");
    tac_str_add(out, ", ");
    known = add_by(out, e) && known;
    tac_str_add(out, above && !e->child ? ".minDepth(1))" : ")");
    return known;
}

static bool add_tree(tac_str *out, const tac_model_action *action)
{
    struct target target;
    target_of(action, &target);
    bool known = target.tree && add_object(out, &target, target.count - 1);
    target_free(&target);
    return known;
}

static void note(tac_exporter *exporter, const char *text)
{
    tac_str_add(&exporter->text, "        // ");
    tac_quote_comment(&exporter->text, text);
    tac_str_add_char(&exporter->text, '\n');
}

static void refuse(tac_exporter *exporter, const tac_model_action *action)
{
    char *why = exporter_refuse(exporter, action);
    tac_str_add(&exporter->text,
                "        if (true)\n            throw new UiObjectNotFoundException(");
    add_string(&exporter->text, why);
    tac_str_add(&exporter->text, ");\n");
    free(why);
}

/* What is done with a UiObject, and the same with a UiObject2. */
struct control_call {
    const char *one, *two, *before;
};

static bool call_control(tac_exporter *exporter, const tac_model_action *action,
                         struct control_call call)
{
    tac_str selector = {0}, object = {0};
    tac_str *out = &exporter->text;
    bool one = call.one && add_selector(&selector, action), two = !one && add_tree(&object, action);
    if (one)
        tac_str_addf(out, "        %scontrol(%s)%s;\n", call.before, tac_str_text(&selector),
                     call.one);
    else if (two)
        tac_str_addf(out, "        %s%s%s;\n", call.before, tac_str_text(&object), call.two);
    tac_str_free(&selector);
    tac_str_free(&object);
    return one || two;
}

static void on_control(tac_exporter *exporter, const tac_model_action *action,
                       struct control_call call)
{
    if (!call_control(exporter, action, call))
        refuse(exporter, action);
}

/* Where the finger goes: scrolling down moves it up. */
static const char *way_on_screen(const tac_model_action *action)
{
    static const char *const ways[] = {"up", "down", "left", "right"};
    bool scroll = action->kind == TAC_ACTION_SCROLL;
    for (size_t i = 0; action->value && i < 4; i++)
        if (!strcmp(action->value, ways[i]))
            return ways[scroll ? i ^ 1 : i];
    return "up";
}

static void add_move(tac_exporter *exporter, const tac_model_action *action)
{
    static const struct {
        const char *way;
        struct control_call swipe, scroll;
    } ways[] = {{"left",
                 {".swipeLeft(20)", ".swipe(Direction.LEFT, 0.8f)", ""},
                 {".setAsHorizontalList().scrollBackward()", ".scroll(Direction.LEFT, 0.8f)", ""}},
                {"right",
                 {".swipeRight(20)", ".swipe(Direction.RIGHT, 0.8f)", ""},
                 {".setAsHorizontalList().scrollForward()", ".scroll(Direction.RIGHT, 0.8f)", ""}},
                {"up",
                 {".swipeUp(20)", ".swipe(Direction.UP, 0.8f)", ""},
                 {".setAsVerticalList().scrollBackward()", ".scroll(Direction.UP, 0.8f)", ""}},
                {"down",
                 {".swipeDown(20)", ".swipe(Direction.DOWN, 0.8f)", ""},
                 {".setAsVerticalList().scrollForward()", ".scroll(Direction.DOWN, 0.8f)", ""}}};
    bool swipe = action->kind == TAC_ACTION_SWIPE;
    size_t which = 0;
    while (which < 4 && strcmp(action->value ? action->value : "", ways[which].way) != 0)
        which++;
    if (which == 4) /* one that does not say where: a finger goes up, a scroll goes on */
        which = swipe ? 2 : 3;
    tac_str selector = {0};
    if (!action_has_element(action))
        tac_str_addf(&exporter->text, "        swipeScreen(\"%s\");\n", way_on_screen(action));
    else if (swipe)
        on_control(exporter, action, ways[which].swipe);
    else if (add_selector(&selector, action))
        tac_str_addf(&exporter->text, "        scrollable(%s)%s;\n", tac_str_text(&selector),
                     ways[which].scroll.one);
    else
        on_control(exporter, action, (struct control_call){NULL, ways[which].scroll.two, ""});
    tac_str_free(&selector);
}

/* From one control to another; only what a UiSelector finds. */
static void add_drag(tac_exporter *exporter, const tac_model_action *action)
{
    const char *value = action->value ? action->value : "";
    tac_model_action end = {.xpath = value + 3};
    tac_str from = {0}, to = {0};
    if (!strncmp(value, "to:", 3) && add_selector(&from, action) && add_selector(&to, &end))
        tac_str_addf(&exporter->text, "        control(%s).dragTo(control(%s), 40);\n",
                     tac_str_text(&from), tac_str_text(&to));
    else
        refuse(exporter, action);
    tac_str_free(&from);
    tac_str_free(&to);
}

static void add_key(tac_exporter *exporter, const tac_model_action *action)
{
    const struct export_key *key = export_key_of(action->value ? action->value : "");
    tac_str *out = &exporter->text;
    if (action_restarts(action)) {
        tac_str_add(out, "        launch(started);\n");
        return;
    }
    if (key) {
        tac_str_addf(out, "        device.pressKeyCode(%d); // KEYCODE_%s\n", key->code,
                     key->android);
        return;
    }
    refuse(exporter, action);
}

static void add_action(tac_exporter *exporter, const tac_model_action *action)
{
    tac_str *out = &exporter->text;
    tac_str call = {0};
    static const struct control_call click = {".click()", ".click()", ""};
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        on_control(exporter, action, click);
        break;
    case TAC_ACTION_LONG_CLICK:
        on_control(exporter, action, (struct control_call){".longClick()", ".longClick()", ""});
        break;
    case TAC_ACTION_TEXT:
        tac_str_add(&call, ".setText(");
        add_string(&call, action->value ? action->value : "");
        tac_str_add(&call, ")");
        on_control(exporter, action,
                   (struct control_call){tac_str_text(&call), tac_str_text(&call), ""});
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        add_move(exporter, action);
        break;
    case TAC_ACTION_DRAG:
        add_drag(exporter, action);
        break;
    case TAC_ACTION_DOUBLE_CLICK: /* two clicks of UiAutomator are too far apart */
    case TAC_ACTION_HOVER:
        refuse(exporter, action);
        break;
    case TAC_ACTION_PINCH:
        on_control(exporter, action,
                   action->value && !strcmp(action->value, "out")
                       ? (struct control_call){".pinchOut(80, 20)", ".pinchOpen(0.8f)", ""}
                       : (struct control_call){".pinchIn(80, 20)", ".pinchClose(0.8f)", ""});
        break;
    case TAC_ACTION_BACK:
        tac_str_add(out, "        device.pressBack();\n");
        break;
    case TAC_ACTION_HOME:
        tac_str_add(out, "        device.pressHome();\n");
        break;
    case TAC_ACTION_LAUNCH:
        tac_str_add(out, "        bringToFront(started);\n");
        break;
    case TAC_ACTION_KEY:
        add_key(exporter, action);
        break;
    case TAC_ACTION_WAIT:
        if (action_has_element(action))
            on_control(exporter, action, (struct control_call){"", "", ""});
        else
            tac_str_addf(out, "        pause(%.0f);\n", 1000 * wait_seconds(action));
        break;
    }
    tac_str_free(&call);
}

/* flow1_step2_send: the number stands before the event, so that no two are equal. */
static void add_step_name(tac_exporter *exporter, const tac_flow_step *step, size_t number)
{
    tac_str_addf(&exporter->text, "flow%llu_step%zu_", (unsigned long long)exporter->flows, number);
    for (const char *c = step->event; *c; c++)
        tac_str_add_char(&exporter->text, isalnum((unsigned char)*c) ? *c : '_');
}

static bool add_expectation(void *context, const tac_properties *of, const struct ast *ast,
                            const char *text)
{
    tac_exporter *exporter = context;
    struct expectation_simple simple;
    tac_str call = {0}, before = {0}, selector = {0};
    expect_simple(of, ast, &simple);
    const tac_observable *what = simple.what;
    tac_model_action element = {.xpath = what ? what->xpath : NULL};
    bool texts = what && what->kind == TAC_OBSERVE_TEXT && simple.text, said = false;
    if (!element.xpath)
        return false;
    tac_str_add(&before, "expect(");
    add_string(&before, text);
    tac_str_addf(&before, ", %s", simple.holds ? "" : "!");
    if (texts) {
        tac_str_add(&call, simple.contains ? ".getText().contains(" : ".getText().equals(");
        add_string(&call, simple.text);
        tac_str_add(&call, "))");
        said = call_control(
            exporter, &element,
            (struct control_call){tac_str_text(&call), tac_str_text(&call), tac_str_text(&before)});
    } else if (what->kind == TAC_OBSERVE_VISIBLE && add_selector(&selector, &element)) {
        tac_str_addf(&exporter->text, "        %sdevice.findObject(%s).waitForExists(%s));\n",
                     tac_str_text(&before), tac_str_text(&selector), simple.holds ? "WAIT" : "0");
        said = true;
    } else if (what->kind == TAC_OBSERVE_ENABLED || what->kind == TAC_OBSERVE_CHECKED) {
        const char *is = what->kind == TAC_OBSERVE_ENABLED ? ".isEnabled())" : ".isChecked())";
        said =
            call_control(exporter, &element, (struct control_call){is, is, tac_str_text(&before)});
    }
    tac_str_free(&call);
    tac_str_free(&before);
    tac_str_free(&selector);
    return said;
}

static void expect_screen(tac_exporter *exporter, const tac_flow_screen *screen)
{
    for (size_t i = 0; i < screen->show_count; i++)
        call_control(exporter, &(tac_model_action){.xpath = screen->shows[i]},
                     (struct control_call){"", "", ""});
    expect_each(exporter, screen->expects, screen->expect_count, add_expectation, exporter);
}

static void add_step(tac_exporter *exporter, const tac_flow_step *step, size_t number)
{
    tac_str *out = &exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_add(out, "\n    // ");
    tac_quote_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event) to " : " to ");
    tac_quote_comment(out, step->state_count ? step->states[step->state_count - 1] : "");
    tac_str_add(out, "\n    private void ");
    add_step_name(exporter, step, number);
    tac_str_add(out, "() throws UiObjectNotFoundException {\n");
    for (size_t i = 0; i < count; i++)
        add_action(exporter, &actions[i]);
    tac_str_add(out, "        done(");
    add_string(out, step->event);
    tac_str_add(out, ");\n");
    expect_screen(exporter, &step->screen);
    if (step->time > 0)
        tac_str_addf(out, "        pause(%.0f);\n", step->time * 1000);
    tac_str_add(out, "    }\n");
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64);
    tac_str *out = &exporter->text;
    for (size_t i = 0; i < flow->step_count; i++) {
        exporter->step = &flow->steps[i];
        exporter->number = i + 1;
        if (!exporter->device || !strcmp(flow->steps[i].device, exporter->device))
            add_step(exporter, &flow->steps[i], i + 1);
    }
    exporter->step = NULL;
    for (size_t d = 0; d < count; d++) {
        if (exporter->device && strcmp(devices[d], exporter->device))
            continue;
        tac_str_addf(out, "\n    @Test\n    public void flow%llu",
                     (unsigned long long)exporter->flows);
        if (count > 1) {
            tac_str_add(out, "_on_");
            add_identifier(out, devices[d]);
        }
        tac_str_add(out, "() throws UiObjectNotFoundException {\n        launch(");
        add_string(out, flow_package(flow, devices[d]));
        tac_str_add(out, ");\n");
        for (size_t i = 0; i < flow->start_count; i++)
            if (!strcmp(flow->starts[i].device, devices[d]))
                expect_screen(exporter, &flow->starts[i].screen);
        for (size_t i = 0; i < flow->step_count; i++) {
            bool here = !strcmp(flow->steps[i].device, devices[d]);
            if (here) {
                tac_str_add(out, "        ");
                add_step_name(exporter, &flow->steps[i], i + 1);
                tac_str_add(out, "();\n");
                continue;
            }
            tac_str_add(out, "        // wait for ");
            tac_quote_comment(out, flow->steps[i].device);
            tac_str_add(out, ": ");
            tac_quote_comment(out, flow->steps[i].event);
            tac_str_add(out, "\n");
        }
        tac_str_add(out, "    }\n");
    }
}

const struct export_format export_uiautomator = {.suffix = ".java",
                                                 .tool = "UiAutomator",
                                                 .note = note,
                                                 .one_device = true,
                                                 .suite_is_a_name = true,
                                                 .begin = begin,
                                                 .flow = flow,
                                                 .end = end};
