/* The steps of exported JavaScript: which element, and the call on it. See script.c. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "flow/export/script.h"
#include "flow/file.h"
#include "model/model.h"
#include <string.h>

void script_add_string(tac_str *out, const char *text)
{
    tac_str_add_char(out, '\'');
    tac_quote_js(out, text);
    tac_str_add_char(out, '\'');
}

char *script_string(const char *text)
{
    tac_str out = {0};
    script_add_string(&out, text);
    return tac_str_take(&out);
}

const char *script_indent(const struct script *in)
{
    return in->playwright ? "  " : "        ";
}

/* The call's line; false when the tool has no such call. */
bool script_add_call(const struct script *in, enum call call, const char *first, const char *second)
{
    tac_str *out = &in->exporter->text;
    if (!in->calls[call])
        return false;
    tac_str_add(out, script_indent(in));
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

void script_refuse(const struct script *in, const tac_model_action *action)
{
    char *why = exporter_refuse(in->exporter, action);
    tac_str_addf(&in->exporter->text, "%sthrow new Error(", script_indent(in));
    script_add_string(&in->exporter->text, why);
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
    char *css = script_string(name->css);
    char *text =
        tac_format("page.locator(%s).filter({ visible: true }).nth(%u)", css, name->place - 1);
    free(css);
    return text;
}

static char *wdio_name(const tac_locator *name)
{
    if (name->kind == TAC_LOCATOR_FOCUS)
        return tac_strdup("await focused(driver)");
    char *css = script_string(name->css);
    char *text = tac_format("await element(driver, %s, %u%s)", css, name->place,
                            name->again ? ", true" : "");
    free(css);
    return text;
}

static char *wdio_element(const struct script *in, const struct target *target)
{
    char *text = NULL;
    if (in->platform != TAC_EXPORT_WEB) {
        char *xpath = target_xpath(target, in->platform),
             *quoted = xpath ? script_string(xpath) : NULL;
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
char *script_element(const struct script *in, const tac_model_action *action, bool *option)
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
    char *element = script_element(in, action, &option);
    if (call == CALL_CLICK && option)
        call = CALL_CHOOSE;
    if (!element || !script_add_call(in, call, element, second))
        script_refuse(in, action);
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
    else if (!script_add_call(in, scroll ? CALL_WHEEL_PAGE : CALL_SWIPE_PAGE, "", by))
        script_refuse(in, action);
}

static bool press_on_page(const struct script *in, const char *name)
{
    uint32_t codes[PAGE_CHORD_MAX];
    tac_str keys = {0};
    bool known = page_chord(name, codes) > 0;
    if (in->playwright) {
        tac_str chord = {0};
        known = page_chord_name(name, &chord);
        script_add_string(&keys, tac_str_text(&chord));
        tac_str_free(&chord);
    } else {
        for (size_t i = 0, count = page_chord(name, codes); i < count; i++)
            tac_str_addf(&keys, "%s'\\u{%x}'", i ? ", " : "[", (unsigned)codes[i]);
        tac_str_add_char(&keys, ']');
    }
    if (known)
        script_add_call(in, CALL_PRESS, tac_str_text(&keys), "");
    tac_str_free(&keys);
    return known;
}

static bool press_on_phone(const struct script *in, const char *name)
{
    const struct export_key *key = export_key_of(name);
    char text[24] = "";
    if (in->platform == TAC_EXPORT_ANDROID && key) {
        tac_str_addf(&in->exporter->text, "%sawait driver.pressKeyCode(%d); // %s\n",
                     script_indent(in), key->code, key->android);
        return true;
    }
    if (key && key->webdriver)
        snprintf(text, sizeof text, "'\\u%04x'", (unsigned)key->webdriver);
    else if (!key && *name && !name[1])
        snprintf(text, sizeof text, *name == '\'' || *name == '\\' ? "'\\%s'" : "'%s'", name);
    return *text && script_add_call(in, CALL_PRESS, text, "");
}

void script_open(const struct script *in, enum call call)
{
    bool page = in->platform == TAC_EXPORT_WEB;
    char *place = page ? start_page(in->exporter, in->package) : tac_strdup(in->package);
    char *quoted = script_string(place);
    script_add_call(in, call, quoted, "");
    free(quoted);
    free(place);
}

static void add_key(const struct script *in, const tac_model_action *action)
{
    const char *name = action->value ? action->value : "", *typed = page_typed_text(action);
    bool page = in->platform == TAC_EXPORT_WEB, said = true;
    if (action_restarts(action)) {
        bool reload = !page || !strcmp(name, "system:reload");
        script_open(in, reload ? CALL_RELOAD : CALL_FRONT);
    } else if (page && typed) {
        char *quoted = script_string(typed);
        script_add_call(in, CALL_TYPE, quoted, "");
        free(quoted);
    } else {
        said = page ? press_on_page(in, name) : press_on_phone(in, name);
    }
    if (!said)
        script_refuse(in, action);
}

/* On pages a text that ends with a backslash and an n presses Enter. */
static void add_text(const struct script *in, const tac_model_action *action)
{
    const char *value = action->value ? action->value : "";
    bool enter = in->platform == TAC_EXPORT_WEB && tac_ends_with(value, "\\n");
    char *text = tac_strndup(value, strlen(value) - (enter ? 2 : 0)), *quoted = script_string(text);
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
    char *from = known ? script_element(in, action, &option) : NULL;
    char *to = known ? script_element(in, &end, &option) : NULL;
    if (!from || !to || !script_add_call(in, CALL_DRAG, from, to))
        script_refuse(in, action);
    free(from);
    free(to);
}

void script_wait(const struct script *in, double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", 1000 * seconds);
    script_add_call(in, CALL_PAUSE, text, "");
}

static void add_home(const struct script *in)
{
    if (in->platform == TAC_EXPORT_ANDROID)
        press_on_phone(in, "Home");
    else if (in->platform == TAC_EXPORT_IOS)
        tac_str_addf(&in->exporter->text,
                     "%sawait driver.execute('mobile: pressButton', { name: 'home' });\n",
                     script_indent(in));
    else
        script_open(in, CALL_FRONT);
}

void script_add_action(const struct script *in, const tac_model_action *action)
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
        script_add_call(in, CALL_BACK, "", "");
        break;
    case TAC_ACTION_HOME:
        add_home(in);
        break;
    case TAC_ACTION_LAUNCH:
        script_open(in, CALL_FRONT);
        break;
    case TAC_ACTION_KEY:
        add_key(in, action);
        break;
    case TAC_ACTION_WAIT:
        if (action_has_element(action))
            on_element(in, action, CALL_SEE, "");
        else
            script_wait(in, wait_seconds(action));
        break;
    case TAC_ACTION_PINCH:
        script_refuse(in, action);
    }
}
