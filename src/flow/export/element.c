/* How an action names its element. Test tools find elements by id, text, description, class and
 * place; models say XPath. A locator of one element says all that these tools need, perhaps with a
 * place among all that fit ("one"); those that name an element by what it holds, by one above it or
 * by its place are for the tools that go from element to element ("tree"). They are put together
 * for each platform: Android's attributes, iOS's, or a web page's. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
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
    bool own = c->part == TAC_PART_ID || c->part == TAC_PART_LABEL || c->part == TAC_PART_TEXT ||
               c->part == TAC_PART_CLASS;
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
    out->one = said && out->count == 1 && !out->last->held && !out->last->abilities;
    out->tree = said && !out->one && !out->place;
}

void target_free(struct target *target)
{
    tac_locator_free(&target->locator);
    free(target->elements);
}

bool element_is_named(const struct element *element)
{
    return element->own[TAC_PART_ID] || element->own[TAC_PART_TEXT] ||
           element->own[TAC_PART_LABEL] || element->own[TAC_PART_CLASS];
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

/* --- Putting together --- */

/* A predicate: one of the expressions (separated by '|') fits the condition. */
static void add_test(tac_str *out, const char *expressions, const tac_condition *condition)
{
    static const char *const before[] = {[TAC_CONDITION_EQUALS] = "",
                                         [TAC_CONDITION_CONTAINS] = "contains(",
                                         [TAC_CONDITION_STARTS] = "starts-with("};
    if (!condition)
        return;
    bool equals = condition->kind == TAC_CONDITION_EQUALS;
    assert(condition->kind < sizeof before / sizeof *before && *expressions);
    tac_str_add(out, "[");
    for (const char *at = expressions; *at;) {
        size_t length = strcspn(at, "|");
        tac_str_addf(out, "%s%s%.*s%s", at == expressions ? "" : " or ", before[condition->kind],
                     (int)length, at, equals ? "=" : ",");
        tac_quote_xpath(out, condition->value);
        tac_str_add(out, equals ? "" : ")");
        at += length + (at[length] == '|');
    }
    tac_str_add(out, "]");
}

/* The classes that a web page's snapshot has, as elements. */
static void add_web_class(tac_str *out, const tac_condition *class)
{
    static const struct {
        const char *name, *expression;
    } classes[] = {
        {"web.Button", "self::button or @role='button' or self::input[@type='button' or "
                       "@type='submit' or @type='reset' or @type='image']"},
        {"web.CheckBox", "self::input[@type='checkbox' or @type='radio']"},
        {"web.EditText", "self::textarea or @contenteditable='true' or self::input[not(@type) or "
                         "@type='text' or @type='search' or @type='email' or @type='url' or "
                         "@type='tel' or @type='password' or @type='number']"},
        {"web.Link", "self::a"},
        {"web.ListView", "self::ul or self::ol or @role='list' or @role='listbox'"},
        {"web.Spinner", "self::select"},
        {"web.Option", "self::option"},
    };
    if (!class)
        return;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(classes[i].name, class->value)) {
            tac_str_addf(out, "[%s]", classes[i].expression);
            return;
        }
    const char *tag = strncmp(class->value, "web.", 4) ? class->value : class->value + 4;
    tac_str_addf(out, "[local-name()='%s']", tag);
}

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

char *target_xpath(const struct target *target, tac_export_platform platform)
{
    static const struct {
        tac_part part;
        const char *expressions[TAC_EXPORT_WEB + 1]; /* NULL: add_web_class */
    } tests[] = {{TAC_PART_ID,
                  {[TAC_EXPORT_ANDROID] = "@resource-id",
                   [TAC_EXPORT_IOS] = "@name",
                   [TAC_EXPORT_WEB] = "@id|@data-testid|@name"}},
                 {TAC_PART_TEXT,
                  {[TAC_EXPORT_ANDROID] = "@text",
                   [TAC_EXPORT_IOS] = "@label|@value",
                   [TAC_EXPORT_WEB] = "normalize-space(text())|@value"}},
                 {TAC_PART_LABEL,
                  {[TAC_EXPORT_ANDROID] = "@content-desc",
                   [TAC_EXPORT_IOS] = "@label|@name",
                   [TAC_EXPORT_WEB] = "@aria-label|@alt|@title|@placeholder"}},
                 {TAC_PART_CLASS, {[TAC_EXPORT_ANDROID] = "@class", [TAC_EXPORT_IOS] = "@type"}}};
    if (!target->one)
        return target->xpath && platform != TAC_EXPORT_WEB ? any_for_node(target->xpath) : NULL;
    if (!element_is_named(target->last))
        return NULL;
    tac_str out = {0};
    tac_str_add(&out, target->place ? "(//*" : "//*");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (tests[i].expressions[platform])
            add_test(&out, tests[i].expressions[platform], target->last->own[tests[i].part]);
        else
            add_web_class(&out, target->last->own[tests[i].part]);
    if (target->place)
        tac_str_addf(&out, ")[%u]", target->place);
    return tac_str_take(&out);
}
