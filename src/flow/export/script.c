/* Scripts in JavaScript, one test per flow, which starts the app without what an earlier one left:
 * WebdriverIO (mocha) for pages and apps, a spec file of Playwright for pages. Both tools wait for
 * elements by themselves. The two differ in their calls only, which stand in a table; in a pattern
 * '@' is the element (or what is typed, pressed, opened) and '#' a second value.
 *
 * Flows of several devices use a browser each: multiremote (browser.getInstance('DEVICE')), or a
 * context of Playwright's browser. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "flow/export/expect.h"
#include "playwright_page_template.h"
#include "playwright_template.h"
#include "wdio_page_template.h"
#include "wdio_template.h"
#include "flow/file.h"
#include "model/model.h"
#include <string.h>

enum call {
    CALL_CLICK,
    CALL_CHOOSE, /* an option */
    CALL_DOUBLE_CLICK,
    CALL_HOVER,
    CALL_LONG_CLICK,
    CALL_DRAG, /* @ to # */
    CALL_FILL, /* @ with # */
    CALL_PRESS,
    CALL_TYPE,
    CALL_WHEEL, /* @ by # */
    CALL_WHEEL_PAGE,
    CALL_SWIPE,
    CALL_SWIPE_PAGE,
    CALL_BACK,
    CALL_START,
    CALL_FRONT,
    CALL_RELOAD,
    CALL_PAUSE,
    CALL_SEE,
    CALL_EXPECT, /* the script @ in the page; # is the condition */
    CALL_DEVICE
};
enum { CALLS = CALL_DEVICE + 1 };

/* NULL: the tool has none. */
static const char *const wdio_page[CALLS] = {
    [CALL_CLICK] = "await (@).click();",
    [CALL_CHOOSE] = "await (@).click();",
    [CALL_DOUBLE_CLICK] = "await (@).doubleClick();",
    [CALL_HOVER] = "await (@).moveTo();",
    [CALL_LONG_CLICK] = "await drag(driver, @, 1000, 0, 0);",
    [CALL_DRAG] = "await (@).dragAndDrop(#);",
    [CALL_FILL] = "await enter(driver, @, #);",
    [CALL_PRESS] = "await press(driver, @);",
    [CALL_TYPE] = "await type(driver, @);",
    [CALL_WHEEL] = "await wheel(driver, @, #);",
    [CALL_WHEEL_PAGE] = "await wheel(driver, 'viewport', #);",
    [CALL_SWIPE] = "await drag(driver, @, 0, #);",
    [CALL_SWIPE_PAGE] = "await drag(driver, 'viewport', 0, #);",
    [CALL_BACK] = "await driver.back();",
    [CALL_START] = "await openPage(driver, @);",
    [CALL_FRONT] = "await driver.url(@);",
    [CALL_RELOAD] = "await driver.refresh();",
    [CALL_PAUSE] = "await driver.pause(@);",
    [CALL_SEE] = "@;",
    [CALL_EXPECT] = "await expectOnPage(driver, @, #);",
    [CALL_DEVICE] = "driver = browser.getInstance(@);",
};
static const char *const wdio_app[CALLS] = {
    [CALL_CLICK] = "await (@).click();",
    [CALL_LONG_CLICK] = "await drag(driver, @, 1000, 0, 0);",
    [CALL_FILL] = "await (@).setValue(#);",
    [CALL_PRESS] = "await driver.keys([@]);",
    [CALL_WHEEL] = "await drag(driver, @, 0, #);",
    [CALL_WHEEL_PAGE] = "await drag(driver, 'viewport', 0, #);",
    [CALL_SWIPE] = "await drag(driver, @, 0, #);",
    [CALL_SWIPE_PAGE] = "await drag(driver, 'viewport', 0, #);",
    [CALL_BACK] = "await driver.back();",
    [CALL_START] = "await openApp(driver, @);",
    [CALL_FRONT] = "await driver.activateApp(@);",
    [CALL_RELOAD] = "await openApp(driver, @);",
    [CALL_PAUSE] = "await driver.pause(@);",
    [CALL_SEE] = "@;",
    [CALL_EXPECT] = "await until(driver, async () => @, #);",
    [CALL_DEVICE] = "driver = browser.getInstance(@);",
};
static const char *const playwright_page[CALLS] = {
    [CALL_CLICK] = "await @.click();",
    [CALL_CHOOSE] = "await choose(@);",
    [CALL_DOUBLE_CLICK] = "await @.dblclick();",
    [CALL_HOVER] = "await @.hover();",
    [CALL_LONG_CLICK] = "await @.click({ delay: 1000 });",
    [CALL_DRAG] = "await @.dragTo(#);",
    [CALL_FILL] = "await @.fill(#);",
    [CALL_PRESS] = "await page.keyboard.press(@);",
    [CALL_TYPE] = "await page.keyboard.type(@);",
    [CALL_WHEEL] = "await wheel(page, @, #);",
    [CALL_WHEEL_PAGE] = "await wheel(page, null, #);",
    [CALL_BACK] = "await page.goBack();",
    [CALL_START] = "await page.goto(@);",
    [CALL_FRONT] = "await page.goto(@);",
    [CALL_RELOAD] = "await page.reload();",
    [CALL_PAUSE] = "await page.waitForTimeout(@);",
    [CALL_SEE] = "await expect(@).toBeVisible();",
    [CALL_EXPECT] = "await expectOnPage(page, @, #);",
    [CALL_DEVICE] = "page = pages[@];",
};

struct script {
    tac_exporter *exporter;
    const char *const *calls;
    tac_export_platform platform;
    const char *package;
    bool playwright;
};

static void add_string(tac_str *out, const char *text)
{
    tac_str_add_char(out, '\'');
    tac_quote_js(out, text);
    tac_str_add_char(out, '\'');
}

static char *string_of(const char *text)
{
    tac_str out = {0};
    add_string(&out, text);
    return tac_str_take(&out);
}

static const char *indent(const struct script *in)
{
    return in->playwright ? "  " : "        ";
}

static void note(tac_exporter *exporter, const char *text)
{
    bool playwright = exporter->format == &export_playwright;
    tac_str_add(&exporter->text, playwright ? "  // " : "        // ");
    tac_quote_comment(&exporter->text, text);
    tac_str_add_char(&exporter->text, '\n');
}

/* The call's line; false when the tool has no such call. */
static bool add_call(const struct script *in, enum call call, const char *first, const char *second)
{
    tac_str *out = &in->exporter->text;
    if (!in->calls[call])
        return false;
    tac_str_add(out, indent(in));
    for (const char *at = in->calls[call]; *at; at++)
        if (*at == '@')
            tac_str_add(out, first);
        else if (*at == '#')
            tac_str_add(out, second);
        else
            tac_str_add_char(out, *at);
    tac_str_add_char(out, '\n');
    return true;
}

static void refuse(const struct script *in, const tac_model_action *action)
{
    char *why = exporter_refuse(in->exporter, action);
    tac_str_addf(&in->exporter->text, "%sthrow new Error(", indent(in));
    add_string(&in->exporter->text, why);
    tac_str_add(&in->exporter->text, ");\n");
    free(why);
}

/* --- Elements --- */

static char *playwright_name(const tac_locator *name)
{
    if (name->again)
        return NULL;
    if (name->kind == TAC_LOCATOR_FOCUS)
        return tac_strdup("page.locator(':focus')");
    char *css = string_of(name->css);
    char *text =
        tac_format("page.locator(%s).filter({ visible: true }).nth(%u)", css, name->place - 1);
    free(css);
    return text;
}

static char *wdio_name(const tac_locator *name)
{
    if (name->kind == TAC_LOCATOR_FOCUS)
        return tac_strdup("await focused(driver)");
    char *css = string_of(name->css);
    char *text = tac_format("await element(driver, %s, %u%s)", css, name->place,
                            name->again ? ", true" : "");
    free(css);
    return text;
}

static char *wdio_element(const struct script *in, const struct target *target)
{
    char *text = NULL;
    if (in->platform != TAC_EXPORT_WEB) {
        char *xpath = target_xpath(target, in->platform), *quoted = xpath ? string_of(xpath) : NULL;
        text = xpath ? tac_format("await element(driver, %s)", quoted) : NULL;
        free(quoted);
        free(xpath);
        return text;
    }
    json_t *query = target_query(target);
    char *json = query ? tac_json_text(query, 0) : NULL;
    if (json && target->place)
        text = tac_format("await element(driver, %s, %u)", json, target->place);
    else if (json)
        text = tac_format("await element(driver, %s)", json);
    free(json);
    json_decref(query);
    return text;
}

/* The expression that finds the element, the caller's; NULL: it cannot be expressed. option: it is
 * one of a select, or of a list like it. */
static char *element_of(const struct script *in, const tac_model_action *action, bool *option)
{
    tac_locator name;
    struct target target;
    *option = false;
    if (in->platform == TAC_EXPORT_WEB && page_name_of(action, &name))
        return in->playwright ? playwright_name(&name) : wdio_name(&name);
    target_of(action, &target);
    const tac_condition *role = target.count ? target.last->own[TAC_PART_ROLE] : NULL;
    const tac_condition *class = target.count ? target.last->own[TAC_PART_CLASS] : NULL;
    *option =
        (role && !strcmp(role->value, "option")) || (class && !strcmp(class->value, "web.Option"));
    char *text = in->playwright ? target_playwright(&target) : wdio_element(in, &target);
    if (text && !strncmp(text, "page.locator('tactus=", 21))
        in->exporter->on_pages = true;
    target_free(&target);
    return text;
}

/* The call on the action's element. */
static void on_element(const struct script *in, const tac_model_action *action, enum call call,
                       const char *second)
{
    bool option;
    char *element = element_of(in, action, &option);
    if (call == CALL_CLICK && option)
        call = CALL_CHOOSE;
    if (!element || !add_call(in, call, element, second))
        refuse(in, action);
    free(element);
}

/* --- Actions --- */

static void add_move(const struct script *in, const tac_model_action *action)
{
    struct export_move move = finger_move(action);
    bool scroll = action->kind == TAC_ACTION_SCROLL;
    int sign = scroll && in->platform == TAC_EXPORT_WEB ? -1 : 1;
    char by[40];
    snprintf(by, sizeof by, "%d, %d", sign * move.dx, sign * move.dy);
    if (action_has_element(action))
        on_element(in, action, scroll ? CALL_WHEEL : CALL_SWIPE, by);
    else if (!add_call(in, scroll ? CALL_WHEEL_PAGE : CALL_SWIPE_PAGE, "", by))
        refuse(in, action);
}

static bool press_on_page(const struct script *in, const char *name)
{
    uint32_t codes[PAGE_CHORD_MAX];
    tac_str keys = {0};
    bool known = page_chord(name, codes) > 0;
    if (in->playwright) {
        tac_str chord = {0};
        known = page_chord_name(name, &chord);
        add_string(&keys, tac_str_text(&chord));
        tac_str_free(&chord);
    } else {
        for (size_t i = 0, count = page_chord(name, codes); i < count; i++)
            tac_str_addf(&keys, "%s'\\u{%x}'", i ? ", " : "[", (unsigned)codes[i]);
        tac_str_add_char(&keys, ']');
    }
    if (known)
        add_call(in, CALL_PRESS, tac_str_text(&keys), "");
    tac_str_free(&keys);
    return known;
}

static bool press_on_phone(const struct script *in, const char *name)
{
    const struct export_key *key = export_key_of(name);
    char text[24] = "";
    if (in->platform == TAC_EXPORT_ANDROID && key) {
        tac_str_addf(&in->exporter->text, "%sawait driver.pressKeyCode(%d); // %s\n", indent(in),
                     key->code, key->android);
        return true;
    }
    if (key && key->webdriver)
        snprintf(text, sizeof text, "'\\u%04x'", (unsigned)key->webdriver);
    else if (!key && *name && !name[1])
        snprintf(text, sizeof text, *name == '\'' || *name == '\\' ? "'\\%s'" : "'%s'", name);
    return *text && add_call(in, CALL_PRESS, text, "");
}

static void add_opening(const struct script *in, enum call call)
{
    bool page = in->platform == TAC_EXPORT_WEB;
    char *place = page ? start_page(in->exporter, in->package) : tac_strdup(in->package);
    char *quoted = string_of(place);
    add_call(in, call, quoted, "");
    free(quoted);
    free(place);
}

static void add_key(const struct script *in, const tac_model_action *action)
{
    const char *name = action->value ? action->value : "", *typed = page_typed_text(action);
    bool page = in->platform == TAC_EXPORT_WEB, said = true;
    if (action_restarts(action)) {
        bool reload = !page || !strcmp(name, "system:reload");
        add_opening(in, reload ? CALL_RELOAD : CALL_FRONT);
    } else if (page && typed) {
        char *quoted = string_of(typed);
        add_call(in, CALL_TYPE, quoted, "");
        free(quoted);
    } else {
        said = page ? press_on_page(in, name) : press_on_phone(in, name);
    }
    if (!said)
        refuse(in, action);
}

/* On pages a text that ends with a backslash and an n presses Enter. */
static void add_text(const struct script *in, const tac_model_action *action)
{
    const char *value = action->value ? action->value : "";
    bool enter = in->platform == TAC_EXPORT_WEB && tac_ends_with(value, "\\n");
    char *text = tac_strndup(value, strlen(value) - (enter ? 2 : 0)), *quoted = string_of(text);
    on_element(in, action, CALL_FILL, quoted);
    if (enter)
        press_on_page(in, "Enter");
    free(quoted);
    free(text);
}

static void add_drag(const struct script *in, const tac_model_action *action)
{
    const char *value = action->value ? action->value : "";
    tac_model_action end = {.kind = action->kind, .xpath = value + 3};
    bool known = !strncmp(value, "to:", 3), option;
    char *from = known ? element_of(in, action, &option) : NULL;
    char *to = known ? element_of(in, &end, &option) : NULL;
    if (!from || !to || !add_call(in, CALL_DRAG, from, to))
        refuse(in, action);
    free(from);
    free(to);
}

static void add_wait(const struct script *in, double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", 1000 * seconds);
    add_call(in, CALL_PAUSE, text, "");
}

static void add_home(const struct script *in)
{
    if (in->platform == TAC_EXPORT_ANDROID)
        press_on_phone(in, "Home");
    else if (in->platform == TAC_EXPORT_IOS)
        tac_str_addf(&in->exporter->text,
                     "%sawait driver.execute('mobile: pressButton', { name: 'home' });\n",
                     indent(in));
    else
        add_opening(in, CALL_FRONT);
}

static void add_action(const struct script *in, const tac_model_action *action)
{
    switch (action->kind) {
    case TAC_ACTION_CLICK:
        on_element(in, action, CALL_CLICK, "");
        break;
    case TAC_ACTION_LONG_CLICK:
        on_element(in, action, CALL_LONG_CLICK, "");
        break;
    case TAC_ACTION_DOUBLE_CLICK:
        on_element(in, action, CALL_DOUBLE_CLICK, "");
        break;
    case TAC_ACTION_HOVER:
        on_element(in, action, CALL_HOVER, "");
        break;
    case TAC_ACTION_TEXT:
        add_text(in, action);
        break;
    case TAC_ACTION_DRAG:
        add_drag(in, action);
        break;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
        add_move(in, action);
        break;
    case TAC_ACTION_BACK:
        add_call(in, CALL_BACK, "", "");
        break;
    case TAC_ACTION_HOME:
        add_home(in);
        break;
    case TAC_ACTION_LAUNCH:
        add_opening(in, CALL_FRONT);
        break;
    case TAC_ACTION_KEY:
        add_key(in, action);
        break;
    case TAC_ACTION_WAIT:
        if (action_has_element(action))
            on_element(in, action, CALL_SEE, "");
        else
            add_wait(in, wait_seconds(action));
        break;
    case TAC_ACTION_PINCH:
        refuse(in, action);
    }
}

/* --- What must be so --- */

/* Playwright's assertions, for the conditions that it has one for. */
static bool add_matcher(const struct script *in, const tac_observable *what,
                        const struct expectation_simple *simple)
{
    static const char *const matchers[] = {[TAC_OBSERVE_TEXT] = "toHaveText",
                                           [TAC_OBSERVE_TEXTS] = NULL,
                                           [TAC_OBSERVE_NUMBER] = NULL,
                                           [TAC_OBSERVE_VALUE] = "toHaveValue",
                                           [TAC_OBSERVE_COUNT] = "toHaveCount",
                                           [TAC_OBSERVE_VISIBLE] = "toBeVisible",
                                           [TAC_OBSERVE_ENABLED] = "toBeEnabled",
                                           [TAC_OBSERVE_CHECKED] = "toBeChecked",
                                           [TAC_OBSERVE_ATTRIBUTE] = "toHaveAttribute"};
    TABLE_COVERS(matchers, TAC_OBSERVE_ATTRIBUTE);
    bool counts = what->kind == TAC_OBSERVE_COUNT, text = what->kind == TAC_OBSERVE_TEXT;
    bool truth = what->kind == TAC_OBSERVE_VISIBLE || what->kind == TAC_OBSERVE_ENABLED ||
                 what->kind == TAC_OBSERVE_CHECKED;
    bool fits = matchers[what->kind] && (counts  ? !isnan(simple->number)
                                         : truth ? !simple->text && isnan(simple->number)
                                                 : simple->text != NULL);
    tac_str *out = &in->exporter->text;
    if (!fits || !what->css || (simple->contains && !text))
        return false;
    tac_str_addf(out, "%sawait expect(page.locator(", indent(in));
    add_string(out, what->css);
    tac_str_addf(out, ").filter({ visible: true })%s)%s.%s(", counts ? "" : ".first()",
                 simple->holds ? "" : ".not",
                 simple->contains ? "toContainText" : matchers[what->kind]);
    if (what->attribute) {
        add_string(out, what->attribute);
        tac_str_add(out, ", ");
    }
    if (simple->text)
        add_string(out, simple->text);
    else if (counts)
        tac_str_addf(out, "%.15g", simple->number);
    tac_str_add(out, ");\n");
    return true;
}

/* On phones: a text, or whether something is there. */
static bool add_on_phone(const struct script *in, const struct expectation_simple *simple,
                         const char *quoted)
{
    bool option;
    const tac_observable *what = simple->what;
    if (!what || !what->xpath ||
        (what->kind != TAC_OBSERVE_TEXT && what->kind != TAC_OBSERVE_VISIBLE))
        return false;
    char *element = element_of(in, &(tac_model_action){.xpath = what->xpath}, &option);
    char *wanted = simple->text ? string_of(simple->text) : NULL, *test = NULL;
    const char *place = element ? strstr(element, "driver, ") + strlen("driver, ") : "";
    if (element && what->kind == TAC_OBSERVE_VISIBLE)
        test = tac_format("%sawait driver.$(%.*s).isDisplayed()", simple->holds ? "" : "!",
                          (int)strlen(place) - 1, place);
    else if (element && wanted)
        test =
            tac_format("%s(await driver.$(%.*s).getText())%s%s%s",
                       simple->contains && !simple->holds ? "!" : "", (int)strlen(place) - 1, place,
                       simple->contains ? ".includes("
                       : simple->holds  ? " === "
                                        : " !== ",
                       wanted, simple->contains ? ")" : "");
    if (test)
        add_call(in, CALL_EXPECT, test, quoted);
    bool said = test != NULL;
    free(test);
    free(wanted);
    free(element);
    return said;
}

static bool add_expectation(void *context, const tac_properties *of, const struct ast *ast,
                            const char *text)
{
    const struct script *in = context;
    struct expectation_simple simple;
    expect_simple(of, ast, &simple);
    if (in->playwright && simple.what && add_matcher(in, simple.what, &simple))
        return true;
    char *quoted = string_of(text);
    tac_str script = {0};
    bool said;
    if (in->platform != TAC_EXPORT_WEB) {
        said = add_on_phone(in, &simple, quoted);
    } else if ((said = expect_add_script(&script, of, ast))) {
        char *code = string_of(tac_str_text(&script));
        add_call(in, CALL_EXPECT, code, quoted);
        in->exporter->on_pages = true;
        free(code);
    }
    tac_str_free(&script);
    free(quoted);
    return said;
}

/* A page's activity is its path, below the folder of the app's address: the last part of it that
 * the states name, when it looks like a file. */
static char *page_of_state(const char *path)
{
    const char *file = strchr(path, '/'), *end = file ? strchr(file + 1, '/') : NULL;
    if (!end || end - file < 6 || memcmp(end - 5, ".html", 5) != 0)
        return NULL;
    return tac_strndup(file + 1, (size_t)(end - file - 1));
}

/* Where it differs from that of the state before. */
static void expect_page(const struct script *in, const char *before, const char *state)
{
    char *page = in->playwright ? page_of_state(state) : NULL, *known = page_of_state(before);
    bool told = !page || (known && !strcmp(page, known));
    free(known);
    if (told) {
        free(page);
        return;
    }
    tac_str_addf(&in->exporter->text, "%sawait expect(page).toHaveURL(/", indent(in));
    for (const char *c = page; *c; c++)
        tac_str_addf(&in->exporter->text, strchr("\\^$.|?*+()[]{}/", *c) ? "\\%c" : "%c", *c);
    tac_str_add(&in->exporter->text, "/);\n");
    free(page);
}

/* shown: what the state is known by, too; a step that stays in its state leaves that out. */
static void expect_screen(const struct script *in, const tac_flow_screen *screen, bool shown)
{
    bool option;
    for (size_t i = 0; shown && i < screen->show_count; i++) {
        char *element = element_of(in, &(tac_model_action){.xpath = screen->shows[i]}, &option);
        if (element)
            add_call(in, CALL_SEE, element, "");
        free(element);
    }
    expect_each(in->exporter, screen->expects, screen->expect_count, add_expectation, (void *)in);
}

/* --- Flows --- */

static void choose_device(const struct script *in, const char *device)
{
    char *quoted = string_of(device);
    add_call(in, CALL_DEVICE, quoted, "");
    free(quoted);
}

static const tac_flow_start *start_of(const tac_flow *flow, const char *device)
{
    for (size_t i = 0; i < flow->start_count; i++)
        if (!strcmp(flow->starts[i].device, device))
            return &flow->starts[i];
    return NULL;
}

static const char *settled(const char *const *states, size_t count)
{
    return count ? states[count - 1] : "";
}

/* Where the device of this step stands before it. */
static const char *state_before(const tac_flow *flow, size_t number)
{
    const char *device = flow->steps[number].device;
    while (number--)
        if (!strcmp(flow->steps[number].device, device))
            return settled(flow->steps[number].states, flow->steps[number].state_count);
    const tac_flow_start *start = start_of(flow, device);
    return start ? settled(start->states, start->state_count) : "";
}

static void add_step(const struct script *in, const tac_flow *flow, size_t number, bool several)
{
    const tac_flow_step *step = &flow->steps[number];
    const char *before = state_before(flow, number);
    const char *state = settled(step->states, step->state_count);
    tac_str *out = &in->exporter->text;
    tac_model_action stand_in;
    size_t count;
    const tac_model_action *actions = step_actions(step, &stand_in, &count);
    tac_str_addf(out, "%s// ", indent(in));
    tac_quote_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event)\n" : "\n");
    if (several)
        choose_device(in, step->device);
    for (size_t i = 0; i < count; i++)
        add_action(in, &actions[i]);
    expect_page(in, before, state);
    expect_screen(in, &step->screen, strcmp(before, state) != 0);
    if (step->time > 0)
        add_wait(in, step->time);
}

static struct script script_of(tac_exporter *exporter, const tac_flow *flow, const char *device)
{
    struct script in = {.exporter = exporter, .package = flow_package(flow, device)};
    in.platform = platform_of(exporter, in.package);
    in.playwright = exporter->format == &export_playwright;
    in.calls = in.playwright                   ? playwright_page
               : in.platform == TAC_EXPORT_WEB ? wdio_page
                                               : wdio_app;
    exporter->on_pages = exporter->on_pages || (in.platform == TAC_EXPORT_WEB && !in.playwright);
    return in;
}

static void add_head(tac_exporter *exporter, const tac_flow *flow, const char *const *devices,
                     size_t count)
{
    bool playwright = exporter->format == &export_playwright, several = count > 1;
    tac_str *out = &exporter->text;
    tac_str_addf(out,
                 playwright
                     ? "\ntest('flow %llu (%s)', async ({ %s }) => {\n"
                     : "    it('flow %llu (%s)', async () => {\n        let driver = browser;\n",
                 (unsigned long long)exporter->flows, tac_flow_kind_name(flow->kind),
                 several ? "browser" : "page");
    if (!playwright || !several)
        return;
    tac_str_add(out, "  const pages = {};\n  let page;\n");
    for (size_t d = 0; d < count; d++) {
        tac_str_add(out, "  pages[");
        add_string(out, devices[d]);
        tac_str_add(out, "] = await (await browser.newContext()).newPage();\n");
    }
}

static void add_starts(tac_exporter *exporter, const tac_flow *flow, const char *const *devices,
                       size_t count)
{
    for (size_t d = 0; d < count; d++) {
        struct script in = script_of(exporter, flow, devices[d]);
        const tac_flow_start *start = start_of(flow, devices[d]);
        if (count > 1)
            choose_device(&in, devices[d]);
        if (*in.package || exporter->options.url)
            add_opening(&in, CALL_START);
        if (!start)
            continue;
        expect_page(&in, "", settled(start->states, start->state_count));
        expect_screen(&in, &start->screen, true);
    }
}

/* Playwright drives pages only. */
static bool drives(tac_exporter *exporter, const tac_flow *flow, const char *device)
{
    const char *package = flow_package(flow, device);
    if (exporter->format != &export_playwright || platform_of(exporter, package) == TAC_EXPORT_WEB)
        return true;
    struct script in = {.exporter = exporter, .playwright = true};
    refuse(&in, &(tac_model_action){.kind = TAC_ACTION_LAUNCH, .value = package});
    return false;
}

static void flow(tac_exporter *exporter, const tac_flow *flow)
{
    const char *devices[64];
    size_t count = flow_devices(flow, devices, 64), driven = 0;
    exporter->step = NULL;
    add_head(exporter, flow, devices, count);
    while (driven < count && drives(exporter, flow, devices[driven]))
        driven++;
    if (driven < count) {
        tac_str_add(&exporter->text, "});\n");
        return;
    }
    add_starts(exporter, flow, devices, count);
    for (size_t i = 0; i < flow->step_count; i++) {
        struct script in = script_of(exporter, flow, flow->steps[i].device);
        exporter->step = &flow->steps[i];
        exporter->number = i + 1;
        add_step(&in, flow, i, count > 1);
    }
    tac_str_add(&exporter->text, exporter->format == &export_playwright ? "});\n" : "    });\n");
}

static void begin(tac_exporter *exporter)
{
    tac_str name = {0};
    add_string(&name, exporter->name);
    add_template(&exporter->text,
                 exporter->format == &export_playwright ? playwright_template : wdio_template, 0,
                 tac_str_text(&name));
    tac_str_free(&name);
}

static void end(tac_exporter *exporter)
{
    bool playwright = exporter->format == &export_playwright;
    add_template(&exporter->text, playwright ? playwright_template : wdio_template, 1, "");
    if (!exporter->on_pages)
        return;
    tac_str_add_char(&exporter->text, '\n');
    add_page_script(&exporter->text);
    tac_str_add(&exporter->text, playwright ? playwright_page_template : wdio_page_template);
}

const struct export_format export_wdio = {
    .suffix = ".js", .tool = "WebdriverIO", .begin = begin, .flow = flow, .end = end, .note = note};
const struct export_format export_playwright = {.suffix = ".spec.js",
                                                .tool = "Playwright",
                                                .begin = begin,
                                                .flow = flow,
                                                .end = end,
                                                .note = note};
