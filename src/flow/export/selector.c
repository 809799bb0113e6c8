/* How an action names its element, and the same in the words of each tool. Models say it by the one
 * ranking of base/locator; here it is written as the tool's own documentation recommends:
 *
 *     Playwright       getByRole and name, getByTestId, getByText, css, then an engine of the
 * script WebdriverIO      on pages the same parts, which page.js.in looks for; on phones XPath
 *     Maestro          text or id; UiAutomator: resource id, text, description, class
 *
 * A locator of one element says all that tools for phones need, perhaps with a place among all that
 * fit ("one"); those that name an element by what it holds, by one above it or by its place are for
 * the tools that go from element to element ("tree"). Everything else cannot be expressed there,
 * which is said, and never left out. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/io/json.h"
#include "flow/export/exporter.h"
#include "model/model.h"
#include <ctype.h>
#include <string.h>

/* Two conditions on one part cannot be said elsewhere unless they are equal. */
static bool set(const tac_condition **to, const tac_condition *condition)
{
    const tac_condition *known = *to;
    *to = condition;
    return !known || (known->kind == condition->kind && !strcmp(known->value, condition->value));
}

/* False when test tools have nothing like it. */
static bool add_condition(const tac_condition *c, struct element *out)
{
    bool own = tac_part_may_name(c->part);
    bool equals = c->kind == TAC_CONDITION_EQUALS;
    if (!equals && c->kind != TAC_CONDITION_CONTAINS && c->kind != TAC_CONDITION_STARTS)
        return false;
    if (c->levels) {
        bool first = !out->held;
        out->held = c;
        return own && first;
    }
    if (own)
        return set(&out->own[c->part], c);
    out->abilities |= 1u << c->part;
    return equals && !strcmp(c->value, "true") &&
           (c->part == TAC_PART_SCROLLABLE || c->part == TAC_PART_CLICKABLE ||
            c->part == TAC_PART_LONG_CLICKABLE || c->part == TAC_PART_CHECKABLE ||
            c->part == TAC_PART_PASSWORD);
}

static bool element_of(const tac_locator *locator, size_t number, struct element *out)
{
    const tac_step *step = &locator->steps.at[number];
    *out = (struct element){.child = number && !step->deep, .place = step->place};
    out->top = !number && step->kind == TAC_ELEMENT_HIERARCHY && !step->deep;
    bool said = out->top ? locator->steps.count > 1 && step->first == TAC_NONE
                         : step->kind != TAC_ELEMENT_HIERARCHY && (number || step->deep);
    for (uint32_t c = step->first; c != TAC_NONE; c = locator->conditions.at[c].next)
        said &= add_condition(&locator->conditions.at[c], out);
    bool only =
        step->first == TAC_NONE || (step->kind == TAC_ELEMENT_CLASS && step->first == step->last);
    return said && (!step->place || (out->child && only));
}

void target_of(const tac_model_action *action, struct target *out)
{
    *out = (struct target){.xpath = action->xpath ? tac_action_first_name(action->xpath) : NULL};
    bool said = true;
    if (!out->xpath)
        tac_locator_add_step(&out->locator, TAC_ELEMENT_ANY, true);
    else
        said = tac_locator_read(out->xpath, &out->locator) && out->locator.kind == TAC_LOCATOR_PATH;
    if (said && action->resource_id)
        tac_locator_add_value(&out->locator, TAC_PART_ID, 0, action->resource_id);
    if (said && action->text)
        tac_locator_add_value(&out->locator, TAC_PART_TEXT, 0, action->text);
    out->count = said ? out->locator.steps.count : 0;
    out->elements = tac_calloc(out->count + 1, sizeof *out->elements);
    for (size_t i = 0; i < out->count; i++)
        said = element_of(&out->locator, i, &out->elements[i]) && said;
    out->last = &out->elements[out->count ? out->count - 1 : 0];
    out->place = out->locator.place;
    bool called = out->last->own[TAC_PART_TEST_ID] || out->last->own[TAC_PART_ROLE] ||
                  out->last->own[TAC_PART_NAME]; /* of pages */
    out->whole = said;
    out->one = said && out->count == 1 && !out->last->held && !out->last->abilities && !called;
    out->tree = said && !out->one && !out->place && !called;
}

void target_free(struct target *target)
{
    tac_locator_free(&target->locator);
    free(target->elements);
}

bool element_is_named(const struct element *element)
{
    bool named = false;
    for (tac_part part = 0; part <= TAC_PART_NAME; part++)
        named = named || element->own[part];
    return named;
}

bool action_has_element(const tac_model_action *action)
{
    return action->xpath || action->resource_id || action->text;
}

bool action_restarts(const tac_model_action *action)
{
    return action->kind == TAC_ACTION_KEY && action->value &&
           (!strcmp(action->value, "system:restart") || !strcmp(action->value, "system:reload"));
}

/* --- Phones: XPath --- */

/* node of a snapshot is any element of Appium's tree, whose elements are named by class. */
static char *any_for_node(const char *xpath)
{
    tac_str out = {0};
    char before = '/';
    for (char quote = 0; *xpath; before = *xpath++) {
        if (quote)
            quote = *xpath == quote ? 0 : quote;
        else if (*xpath == '\'' || *xpath == '"')
            quote = *xpath;
        bool name =
            !quote && !strncmp(xpath, "node", 4) && strchr("/[( ", before) &&
            (!xpath[4] || (!isalnum((unsigned char)xpath[4]) && !strchr("_-.:(", xpath[4])));
        tac_str_add_char(&out, name ? '*' : *xpath);
        xpath += name ? 3 : 0;
    }
    return tac_str_take(&out);
}

static void add_test(tac_str *out, const char *attributes, const tac_condition *condition)
{
    static const char *const before[] = {[TAC_CONDITION_EQUALS] = "",
                                         [TAC_CONDITION_CONTAINS] = "contains(",
                                         [TAC_CONDITION_STARTS] = "starts-with("};
    bool equals = condition->kind == TAC_CONDITION_EQUALS;
    assert(condition->kind < sizeof before / sizeof *before && *attributes);
    tac_str_add(out, "[");
    for (const char *at = attributes; *at;) {
        size_t length = strcspn(at, "|");
        tac_str_addf(out, "%s%s%.*s%s", at == attributes ? "" : " or ", before[condition->kind],
                     (int)length, at, equals ? "=" : ",");
        tac_quote_xpath(out, condition->value);
        tac_str_add(out, equals ? "" : ")");
        at += length + (at[length] == '|');
    }
    tac_str_add(out, "]");
}

char *target_xpath(const struct target *target, tac_export_platform platform)
{
    static const struct {
        tac_part part;
        const char *android, *ios;
    } tests[] = {{TAC_PART_ID, "@resource-id", "@name"},
                 {TAC_PART_TEXT, "@text", "@label|@value"},
                 {TAC_PART_LABEL, "@content-desc", "@label|@name"},
                 {TAC_PART_CLASS, "@class", "@type"}};
    assert(platform != TAC_EXPORT_WEB);
    if (!target->one)
        return target->xpath ? any_for_node(target->xpath) : NULL;
    if (!element_is_named(target->last))
        return NULL;
    tac_str out = {0};
    tac_str_add(&out, target->place ? "(//*" : "//*");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (target->last->own[tests[i].part])
            add_test(&out, platform == TAC_EXPORT_IOS ? tests[i].ios : tests[i].android,
                     target->last->own[tests[i].part]);
    if (target->place)
        tac_str_addf(&out, ")[%u]", target->place);
    return tac_str_take(&out);
}

/* --- Pages --- */

/* The classes that a web page's snapshot has, as css. */
static const char *css_of_class(const char *class_name)
{
    static const char *const classes[][2] = {
        {"web.Button", "button, [role=button], input:is([type=button], [type=submit], "
                       "[type=reset], [type=image])"},
        {"web.CheckBox", "input:is([type=checkbox], [type=radio])"},
        {"web.EditText", "textarea, [contenteditable], input:is(:not([type]), [type=text], "
                         "[type=search], [type=email], [type=url], [type=tel], [type=password], "
                         "[type=number])"},
        {"web.Link", "a"},
        {"web.ListView", "ul, ol, tbody, [role=list], [role=listbox], [role=grid], table, div, "
                         "section, main"},
        {"web.Spinner", "select"},
        {"web.Option", "option"},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(classes[i][0], class_name))
            return classes[i][1];
    return strncmp(class_name, "web.", 4) ? class_name : class_name + 4;
}

/* What is looked for in a page: its elements, without what only a snapshot counts. */
static bool is_of_page(const struct target *target)
{
    bool said = target->whole && target->count;
    for (size_t i = 0; i < target->count; i++) {
        const struct element *e = &target->elements[i];
        said = said && !(e->abilities & ~(1u << TAC_PART_SCROLLABLE)) &&
               (element_is_named(e) || e->held || e->top || e->place || e->abilities);
    }
    return said;
}

/* Only by what a snapshot counts, or by a label, which is said in many ways. */
static bool is_structure(const struct target *target)
{
    bool found = false;
    for (size_t i = 0; i < target->count; i++) {
        const struct element *e = &target->elements[i];
        found = found || e->top || e->place || e->abilities || !element_is_named(e) ||
                e->own[TAC_PART_LABEL] || (e->held && e->held->part == TAC_PART_LABEL);
    }
    return found;
}

static json_t *value_json(const tac_condition *c)
{
    static const char *const keys[] = {
        [TAC_CONDITION_CONTAINS] = "contains", [TAC_CONDITION_STARTS] = "starts"};
    if (c->kind == TAC_CONDITION_EQUALS)
        return tac_json_string(c->part == TAC_PART_CLASS ? css_of_class(c->value) : c->value);
    return json_pack("{s:o}", keys[c->kind], tac_json_string(c->value));
}

/* What page.js.in calls a part. */
static const char *key_of(tac_part part)
{
    return part == TAC_PART_ID        ? "id"
           : part == TAC_PART_LABEL   ? "label"
           : part == TAC_PART_CLASS   ? "css"
           : part == TAC_PART_TEST_ID ? "testId"
                                      : tac_part_name(part); /* text, role, name */
}

json_t *target_query(const struct target *target)
{
    json_t *query = json_array();
    for (size_t i = 0; is_of_page(target) && i < target->count; i++) {
        const struct element *e = &target->elements[i];
        if (e->top)
            continue;
        json_t *step = json_object();
        if (e->place)
            json_object_set_new(step, "place", json_integer(e->place));
        if (e->abilities)
            json_object_set_new(step, "scrolls", json_true());
        for (size_t k = 0; k <= TAC_PART_NAME; k++) {
            const tac_condition *c = e->own[tac_locator_order[k]];
            if (c)
                json_object_set_new(step, key_of(c->part), value_json(c));
        }
        if (e->held)
            json_object_set_new(step, "has",
                                json_pack("{s:o}", key_of(e->held->part), value_json(e->held)));
        json_array_append_new(query, step);
    }
    json_t *only = json_array_size(query) == 1 ? json_incref(json_array_get(query, 0)) : NULL;
    if (only || !json_array_size(query)) {
        json_decref(query);
        return only;
    }
    return query;
}

/* --- Playwright --- */

static void add_js(tac_str *out, const char *text)
{
    tac_str_add_char(out, '\'');
    tac_quote_js(out, text);
    tac_str_add_char(out, '\'');
}

/* A text that is the whole, or a pattern for its beginning or a piece of it. */
static void add_wanted(tac_str *out, const tac_condition *c)
{
    if (c->kind == TAC_CONDITION_EQUALS) {
        add_js(out, c->value);
        return;
    }
    tac_str_add(out, c->kind == TAC_CONDITION_STARTS ? "/^" : "/");
    for (const char *at = c->value; *at; at++) {
        tac_str_add(out, strchr("\\^$.|?*+()[]{}/", *at) ? "\\" : "");
        tac_str_add_char(out, *at);
    }
    tac_str_add_char(out, '/');
}

static void add_css(tac_str *out, const tac_condition *c)
{
    tac_str css = {0}, value = {0};
    tac_quote_js(&value, c->value);
    const char *equals = c->kind == TAC_CONDITION_EQUALS     ? "="
                         : c->kind == TAC_CONDITION_CONTAINS ? "*="
                                                             : "^=";
    if (c->part == TAC_PART_CLASS)
        tac_str_add(&css, css_of_class(c->value));
    else if (*c->value == '.' && c->kind == TAC_CONDITION_EQUALS)
        tac_str_add(&css, c->value);
    else
        tac_str_addf(&css, "[id%s\"%s\"], [name%s\"%s\"], [data-testid%s\"%s\"]", equals,
                     tac_str_text(&value), equals, tac_str_text(&value), equals,
                     tac_str_text(&value));
    tac_str_add(out, ".locator(");
    add_js(out, tac_str_text(&css));
    tac_str_add_char(out, ')');
    tac_str_free(&css);
    tac_str_free(&value);
}

/* "page.getByRole('button', { name: 'Save', exact: true })", inside of `in`. */
static void add_part(tac_str *out, const char *in, const tac_condition *c,
                     const tac_condition *name)
{
    bool exact = c->kind == TAC_CONDITION_EQUALS;
    if (c->part == TAC_PART_ID || c->part == TAC_PART_CLASS) {
        tac_str_add(out, in);
        add_css(out, c);
        return;
    }
    bool whole = exact && c->part == TAC_PART_TEXT;
    tac_str_addf(out, whole ? "written(%s, " : "%s", in);
    if (!whole)
        tac_str_add(out, c->part == TAC_PART_TEXT      ? ".getByText("
                         : c->part == TAC_PART_TEST_ID ? ".getByTestId("
                                                       : ".getByRole(");
    add_wanted(out, c);
    if (c->part == TAC_PART_ROLE && name) {
        tac_str_add(out, ", { name: ");
        add_wanted(out, name);
        tac_str_add(out, name->kind == TAC_CONDITION_EQUALS ? ", exact: true }" : " }");
    }
    tac_str_add_char(out, ')');
}

/* The locator of an element inside of `in`. */
static char *playwright_element(const struct element *e, const char *in)
{
    tac_str out = {0};
    const tac_condition *name = e->own[TAC_PART_NAME];
    for (size_t k = 0; k <= TAC_PART_NAME; k++) {
        const tac_condition *c = e->own[tac_locator_order[k]];
        if (!c || c->part == TAC_PART_NAME)
            continue;
        bool first = !out.length;
        tac_str_add(&out, first ? "" : ".and(");
        add_part(&out, first ? in : "page", c, name);
        tac_str_add(&out, first ? "" : ")");
    }
    if (e->held) {
        tac_str_add(&out, out.length ? ".filter({ has: " : "");
        add_part(&out, "page", e->held, NULL);
        tac_str_add(&out, " })");
    }
    return tac_str_take(&out);
}

/* By an engine of our own (playwright_page.js.in), for what css cannot count. */
static char *playwright_structure(const struct target *target)
{
    json_t *query = target_query(target);
    char *json = query ? tac_json_text(query, JSON_COMPACT) : NULL;
    tac_str out = {0};
    if (json) {
        tac_str_add(&out, "page.locator(");
        char *selector = tac_format("tactus=%s", json);
        add_js(&out, selector);
        free(selector);
        tac_str_add_char(&out, ')');
        if (target->place)
            tac_str_addf(&out, ".nth(%u)", target->place - 1);
    }
    free(json);
    json_decref(query);
    return json ? tac_str_take(&out) : NULL;
}

char *target_playwright(const struct target *target)
{
    if (is_structure(target))
        return playwright_structure(target);
    char *text = tac_strdup("page");
    bool hidden = false, said = is_of_page(target);
    for (size_t i = 0; said && i < target->count; i++) {
        const struct element *e = &target->elements[i];
        char *inside = text;
        said = element_is_named(e) && (!e->own[TAC_PART_NAME] || e->own[TAC_PART_ROLE]);
        hidden = !e->own[TAC_PART_ROLE];
        text = said ? playwright_element(e, inside) : tac_strdup("");
        free(inside);
    }
    if (!said) {
        free(text);
        return NULL;
    }
    char *all = target->place
                    ? tac_format("%s.filter({ visible: true }).nth(%u)", text, target->place - 1)
                : hidden ? tac_format("%s.filter({ visible: true })", text)
                         : tac_strdup(text);
    free(text);
    return all;
}
