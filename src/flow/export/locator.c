/* How an action names its element. Test tools find elements by id, text, description, class and
 * place; models say XPath. The XPaths of hierarchies that Tactus and people write, one step with
 * tests of attributes and perhaps a place among all that fit, are taken apart:
 *
 *     //node[@resource-id='play']          //Button[@text="OK" and @class='x']
 *     (//node[@class='Tab'])[2]            //Button[contains(@text,'Save')]
 *
 * and so are those that name an element by what it holds, by one above it or by its place:
 *
 *     //node[node/@text='21']/node[@text='SAT']     //node[@scrollable='true']/node/node[2]
 *
 * They are put together again for each platform: Android's attributes, iOS's, or a web page's. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "flow/export/exporter.h"
#include <ctype.h>
#include <string.h>

struct scan {
    const char *at;
    struct locator *out;
};

static bool take(struct scan *in, const char *text)
{
    size_t length = strlen(text);
    while (*in->at == ' ')
        in->at++;
    if (strncmp(in->at, text, length) != 0)
        return false;
    in->at += length;
    return true;
}

/* A quoted text; the caller's, NULL when there is none. */
static char *take_quoted(struct scan *in)
{
    while (*in->at == ' ')
        in->at++;
    char quote = *in->at;
    const char *end = quote == '\'' || quote == '"' ? strchr(in->at + 1, quote) : NULL;
    if (!end)
        return NULL;
    char *text = tac_strndup(in->at + 1, (size_t)(end - in->at - 1));
    in->at = end + 1;
    return text;
}

/* A literal, or concat() of some. */
static char *take_literal(struct scan *in)
{
    if (!take(in, "concat("))
        return take_quoted(in);
    tac_str whole = {0};
    do {
        char *part = take_quoted(in);
        if (!part) {
            tac_str_free(&whole);
            return NULL;
        }
        tac_str_add(&whole, part);
        free(part);
    } while (take(in, ","));
    if (!take(in, ")")) {
        tac_str_free(&whole);
        return NULL;
    }
    return tac_str_take(&whole);
}

static struct locator_test *test_of(struct scan *in)
{
    struct locator *out = in->out;
    return take(in, "@resource-id")    ? &out->resource_id
           : take(in, "@text")         ? &out->text
           : take(in, "@content-desc") ? &out->description
           : take(in, "@class")        ? &out->class_name
                                       : NULL;
}

static bool set(struct locator_test *to, char *value, enum locator_how how)
{
    if (!value)
        return false;
    if (to->value) { /* two tests of one attribute cannot be said elsewhere unless they are equal */
        bool same = to->how == how && !strcmp(to->value, value);
        free(value);
        return same;
    }
    *to = (struct locator_test){value, how};
    return true;
}

/* @attribute='value', contains(@attribute,'value') or starts-with(...) */
static bool take_test(struct scan *in)
{
    enum locator_how how = take(in, "contains(")      ? LOCATOR_CONTAINS
                           : take(in, "starts-with(") ? LOCATOR_STARTS
                                                      : LOCATOR_EQUALS;
    struct locator_test *to = test_of(in);
    if (!to || !take(in, how == LOCATOR_EQUALS ? "=" : ","))
        return false;
    return set(to, take_literal(in), how) && (how == LOCATOR_EQUALS || take(in, ")"));
}

static bool take_predicate(struct scan *in)
{
    if (!take(in, "["))
        return false;
    do
        if (!take_test(in))
            return false;
    while (take(in, "and "));
    return take(in, "]");
}

static bool take_place(struct scan *in)
{
    long place = 0;
    if (!take(in, ")") || !take(in, "["))
        return false;
    while (isdigit((unsigned char)*in->at) && place < 100000)
        place = 10 * place + (*in->at++ - '0');
    in->out->index = (int)place - 1;
    assert(in->out->index >= -1);
    return place > 0 && take(in, "]");
}

/* --- Several elements --- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || strchr("_-.:", c);
}

/* A child of what `in` describes, that `in` describes from now on. */
static void go_inside(struct scan *in)
{
    struct locator *inside = tac_calloc(1, sizeof *inside);
    *inside = (struct locator){.index = -1, .place = -1, .tree = true};
    in->out->holds = inside;
    in->out = inside;
}

/* node/node/@text='x' */
static bool take_held(struct scan *in)
{
    struct locator *whole = in->out;
    if (whole->holds)
        return false;
    while (take(in, "node/") || take(in, "*/"))
        go_inside(in);
    bool taken = in->out != whole && take_test(in);
    in->out = whole;
    return taken;
}

static bool take_ability(struct scan *in)
{
    static const struct {
        const char *test;
        unsigned ability;
    } abilities[] = {{"@scrollable='true'", LOCATOR_SCROLLABLE},
                     {"@clickable='true'", LOCATOR_CLICKABLE},
                     {"@long-clickable='true'", LOCATOR_LONG_CLICKABLE},
                     {"@checkable='true'", LOCATOR_CHECKABLE},
                     {"@password='true'", LOCATOR_PASSWORD}};
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
        if (take(in, abilities[i].test)) {
            in->out->abilities |= abilities[i].ability;
            return true;
        }
    return false;
}

/* [2], as the only predicate of a child. */
static bool take_number(struct scan *in)
{
    long place = 0;
    while (isdigit((unsigned char)*in->at) && place < 100000)
        place = 10 * place + (*in->at++ - '0');
    in->out->place = (int)place - 1;
    return place > 0 && in->out->child && take(in, "]") && *in->at != '[';
}

static bool take_tree_predicate(struct scan *in)
{
    bool first = in->at[-1] != ']';
    if (!take(in, "["))
        return false;
    if (isdigit((unsigned char)*in->at))
        return first && take_number(in);
    do {
        bool held = !strncmp(in->at, "node/", 5) || !strncmp(in->at, "*/", 2);
        if (held ? !take_held(in) : !take_ability(in) && !take_test(in))
            return false;
    } while (take(in, "and "));
    return take(in, "]");
}

/* One step: the axis, a name, predicates. What is above it moves to `above`. */
static bool take_step(struct scan *in, bool first)
{
    bool child = !take(in, "//");
    if (child && (first || !take(in, "/")))
        return false;
    if (!first) {
        struct locator *above = tac_calloc(1, sizeof *above);
        *above = *in->out;
        *in->out = (struct locator){.index = -1, .place = -1, .tree = true, .xpath = above->xpath};
        in->out->above = above;
        in->out->child = child;
    }
    size_t length = 0;
    while (is_name(in->at[length]) && in->at[length])
        length++;
    bool any = *in->at == '*' || (length == 4 && !memcmp(in->at, "node", 4));
    if ((!any && !length) || memchr(in->at, ':', length))
        return false;
    if (!any && !set(&in->out->class_name, tac_strndup(in->at, length), LOCATOR_EQUALS))
        return false;
    in->at += any && !length ? 1 : length;
    while (*in->at == '[')
        if (!take_tree_predicate(in))
            return false;
    return true;
}

static bool take_tree(const char *xpath, struct locator *out)
{
    struct scan in = {xpath, out};
    out->top = take(&in, "/hierarchy");
    bool taken = out->top || take_step(&in, true);
    while (taken && *in.at)
        taken = take_step(&in, false);
    return taken && !out->top;
}

static bool take_apart(const char *xpath, struct locator *out)
{
    struct scan in = {xpath, out};
    bool grouped = take(&in, "(");
    if (!take(&in, "//"))
        return false;
    size_t length = strcspn(in.at, "[/ )");
    if (!length || memchr(in.at, ':', length) || memchr(in.at, '(', length))
        return false;
    bool any = (length == 1 && *in.at == '*') || (length == 4 && !memcmp(in.at, "node", 4));
    if (!any && !set(&out->class_name, tac_strndup(in.at, length), LOCATOR_EQUALS))
        return false;
    in.at += length;
    while (*in.at == '[')
        if (!take_predicate(&in))
            return false;
    if (grouped && !take_place(&in))
        return false;
    return *in.at == '\0';
}

void locator_of(const tac_model_action *action, struct locator *out)
{
    const char *xpath = action->xpath ? tac_action_first_name(action->xpath) : NULL;
    const struct locator fresh = {.index = -1, .place = -1, .xpath = xpath};
    bool said = true;
    *out = fresh;
    out->complete = !xpath || take_apart(xpath, out);
    if (!out->complete) {
        locator_free(out);
        *out = fresh;
        out->tree = take_tree(xpath, out);
    }
    if (action->resource_id)
        said &= set(&out->resource_id, tac_strdup(action->resource_id), LOCATOR_EQUALS);
    if (action->text)
        said &= set(&out->text, tac_strdup(action->text), LOCATOR_EQUALS);
    out->complete &= said;
    out->tree &= said;
    assert(!(out->complete && out->tree));
}

void locator_free(struct locator *locator)
{
    free(locator->resource_id.value);
    free(locator->text.value);
    free(locator->description.value);
    free(locator->class_name.value);
    if (locator->above)
        locator_free(locator->above);
    free(locator->above);
    if (locator->holds)
        locator_free(locator->holds);
    free(locator->holds);
}

bool locator_names_something(const struct locator *locator)
{
    return locator->resource_id.value || locator->text.value || locator->description.value ||
           locator->class_name.value;
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

/* A predicate: one of the expressions (separated by '|') fits the test. */
static void add_test(tac_str *out, const char *expressions, const struct locator_test *test)
{
    static const char *const before[] = {
        [LOCATOR_EQUALS] = "", [LOCATOR_CONTAINS] = "contains(", [LOCATOR_STARTS] = "starts-with("};
    TABLE_COVERS(before, LOCATOR_STARTS);
    if (!test->value)
        return;
    assert(test->how <= LOCATOR_STARTS && *expressions);
    tac_str_add(out, "[");
    for (const char *at = expressions; *at;) {
        size_t length = strcspn(at, "|");
        tac_str_addf(out, "%s%s%.*s%s", at == expressions ? "" : " or ", before[test->how],
                     (int)length, at, test->how == LOCATOR_EQUALS ? "=" : ",");
        tac_quote_xpath(out, test->value);
        tac_str_add(out, test->how == LOCATOR_EQUALS ? "" : ")");
        at += length + (at[length] == '|');
    }
    tac_str_add(out, "]");
}

/* The classes that a web page's snapshot has, as elements. */
static void add_web_class(tac_str *out, const struct locator_test *test)
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
    if (!test->value)
        return;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(classes[i].name, test->value)) {
            tac_str_addf(out, "[%s]", classes[i].expression);
            return;
        }
    const char *tag = strncmp(test->value, "web.", 4) ? test->value : test->value + 4;
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
        bool name = !quote && !strncmp(xpath, "node", 4) && strchr("/[( ", before) &&
                    (!xpath[4] || (!is_name(xpath[4]) && xpath[4] != '('));
        tac_str_add_char(&out, name ? '*' : *xpath);
        xpath += name ? 3 : 0;
    }
    return tac_str_take(&out);
}

char *locator_xpath(const struct locator *locator, tac_export_platform platform)
{
    if (!locator->complete)
        return locator->xpath && platform != TAC_EXPORT_WEB ? any_for_node(locator->xpath) : NULL;
    if (!locator_names_something(locator))
        return NULL;
    tac_str out = {0};
    tac_str_add(&out, locator->index >= 0 ? "(//*" : "//*");
    if (platform == TAC_EXPORT_WEB) {
        add_test(&out, "@id|@data-testid|@name", &locator->resource_id);
        add_test(&out, "normalize-space(text())|@value", &locator->text);
        add_test(&out, "@aria-label|@alt|@title|@placeholder", &locator->description);
        add_web_class(&out, &locator->class_name);
    } else if (platform == TAC_EXPORT_IOS) {
        add_test(&out, "@name", &locator->resource_id);
        add_test(&out, "@label|@value", &locator->text);
        add_test(&out, "@label|@name", &locator->description);
        add_test(&out, "@type", &locator->class_name);
    } else {
        add_test(&out, "@resource-id", &locator->resource_id);
        add_test(&out, "@text", &locator->text);
        add_test(&out, "@content-desc", &locator->description);
        add_test(&out, "@class", &locator->class_name);
    }
    if (locator->index >= 0)
        tac_str_addf(&out, ")[%d]", locator->index + 1);
    return tac_str_take(&out);
}
