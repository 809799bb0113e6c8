/* Scripts in JavaScript, one test per flow, which starts the app without what an earlier one left:
 * WebdriverIO (mocha) for pages and apps, a spec file of Playwright for pages. Both tools wait for
 * elements by themselves. The two differ in their calls only, which stand in a table; in a pattern
 * '@' is the element (or what is typed, pressed, opened) and '#' a second value.
 *
 * Flows of several devices use a browser each: multiremote (browser.getInstance('DEVICE')), or a
 * context of Playwright's browser. */
#include "flow/export/script.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "flow/export/expect.h"
#include "flow/file.h"
#include "model/model.h"
#include "playwright_page_template.h"
#include "playwright_template.h"
#include "wdio_page_template.h"
#include "wdio_template.h"
#include <string.h>

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

static void note(tac_exporter *exporter, const char *text)
{
    bool playwright = exporter->format == &export_playwright;
    tac_str_add(&exporter->text, playwright ? "  // " : "        // ");
    tac_quote_comment(&exporter->text, text);
    tac_str_add_char(&exporter->text, '\n');
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
    tac_str_addf(out, "%sawait expect(page.locator(", script_indent(in));
    script_add_string(out, what->css);
    tac_str_addf(out, ").filter({ visible: true })%s)%s.%s(", counts ? "" : ".first()",
                 simple->holds ? "" : ".not",
                 simple->contains ? "toContainText" : matchers[what->kind]);
    if (what->attribute) {
        script_add_string(out, what->attribute);
        tac_str_add(out, ", ");
    }
    if (simple->text)
        script_add_string(out, simple->text);
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
    char *element = script_element(in, &(tac_model_action){.xpath = what->xpath}, &option);
    char *wanted = simple->text ? script_string(simple->text) : NULL, *test = NULL;
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
        script_add_call(in, CALL_EXPECT, test, quoted);
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
    char *quoted = script_string(text);
    tac_str script = {0};
    bool said;
    if (in->platform != TAC_EXPORT_WEB) {
        said = add_on_phone(in, &simple, quoted);
    } else if ((said = expect_add_script(&script, of, ast))) {
        char *code = script_string(tac_str_text(&script));
        script_add_call(in, CALL_EXPECT, code, quoted);
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
    tac_str_addf(&in->exporter->text, "%sawait expect(page).toHaveURL(/", script_indent(in));
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
        char *element = script_element(in, &(tac_model_action){.xpath = screen->shows[i]}, &option);
        if (element)
            script_add_call(in, CALL_SEE, element, "");
        free(element);
    }
    expect_each(in->exporter, screen->expects, screen->expect_count, add_expectation, (void *)in);
}

/* --- Flows --- */

static void choose_device(const struct script *in, const char *device)
{
    char *quoted = script_string(device);
    script_add_call(in, CALL_DEVICE, quoted, "");
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
    tac_str_addf(out, "%s// ", script_indent(in));
    tac_quote_comment(out, step->event);
    tac_str_add(out, step->kind == TAC_EVENT_SYSTEM ? " (system event)\n" : "\n");
    if (several)
        choose_device(in, step->device);
    for (size_t i = 0; i < count; i++)
        script_add_action(in, &actions[i]);
    expect_page(in, before, state);
    expect_screen(in, &step->screen, strcmp(before, state) != 0);
    if (step->time > 0)
        script_wait(in, step->time);
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
        script_add_string(out, devices[d]);
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
            script_open(&in, CALL_START);
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
    script_refuse(&in, &(tac_model_action){.kind = TAC_ACTION_LAUNCH, .value = package});
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
    script_add_string(&name, exporter->name);
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
