/* The element that a gesture names: by an XPath over the hierarchy, by css, by the focus, or as the
 * one that such a name found in an earlier gesture ("it:css[2]:label"), which is the same element
 * wherever it stands by now; where the page has made it anew, the name counts. Elements have
 * numbers in the page script (page/observe.js). */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "device/hierarchy.h"
#include "device/web/webdriver.h"
#include "model/model.h"
#include <string.h>

/* Asks the page by a call whose last argument is a text; its answer's number, TAC_UI_NONE when it
 * has none. */
static tac_status ask(struct webdriver *w, const char *function, const char *arguments,
                      const char *text, double deadline, uint32_t *node, tac_error *err)
{
    json_t *quoted = tac_json_string(text), *answer = NULL;
    char *written = json_dumps(quoted, JSON_ENCODE_ANY);
    char *call = tac_format("__tactus.%s(%s%s)", function, arguments, written);
    tac_status status = wd_ask_page(w, "find the element", call, deadline, &answer, err);
    const char *why = status == TAC_OK ? json_string_value(json_object_get(answer, "why")) : NULL;
    const json_t *number = json_object_get(answer, "node");
    if (why)
        status = tac_fail(err, TAC_E_LIMIT, "%s: %s", text, why);
    *node = json_is_integer(number) ? (uint32_t)json_integer_value(number) : TAC_UI_NONE;
    json_decref(answer);
    json_decref(quoted);
    free(written);
    free(call);
    return status;
}

/* NULL is not */
static bool wd_is_css(const char *name)
{
    name = name ? tac_action_first_name(name) : "";
    return !strncmp(name, "css:", 4) || !strncmp(name, "css[", 4) || !strcmp(name, "focus:");
}

/* "css:SELECTOR", "css[3]:SELECTOR", "focus:" */
static tac_status find_css(struct webdriver *w, const char *name, double deadline, uint32_t *node,
                           tac_error *err)
{
    tac_locator locator;
    if (!tac_locator_read(name, &locator) || (locator.kind == TAC_LOCATOR_CSS && !locator.place))
        return tac_fail(err, TAC_E_INPUT, "'%s' is not a css selector such as css[2]:li", name);
    if (locator.kind == TAC_LOCATOR_FOCUS)
        return ask(w, "focused", "", name, deadline, node, err);
    json_t *quoted = tac_json_string(locator.css);
    char *written = json_dumps(quoted, JSON_ENCODE_ANY);
    char *arguments = tac_format("%s, %u, ", written, locator.place - 1);
    tac_status status = ask(w, "byCss", arguments, name, deadline, node, err);
    json_decref(quoted);
    free(written);
    free(arguments);
    return status;
}

/* A finger over what does not scroll moves what that lies in, be it the page, which no node is:
 * page/gesture.js finds it. */
static tac_status find_scroller(const tac_ui *ui, const tac_gesture *gesture, uint32_t *node,
                                tac_error *err)
{
    tac_status status = ui_find_accepting(ui, gesture, node, err);
    if (status != TAC_E_LIMIT)
        return status;
    *node = TAC_UI_NONE;
    return ui_means_screen(gesture) ? TAC_OK : ui_find_target(ui, gesture, node, err);
}

static bool is_scroll(const tac_gesture *gesture)
{
    return gesture->kind == TAC_ACTION_SCROLL || gesture->kind == TAC_ACTION_SWIPE;
}

static tac_status find_xpath(struct webdriver *w, const tac_gesture *gesture, double deadline,
                             uint32_t *node, tac_error *err)
{
    const tac_ui *ui;
    uint32_t same;
    const char *xpath = gesture->target.xpath;
    char number[24];
    tac_status status = wd_look(w, deadline, &ui, err);
    if (status == TAC_OK)
        status = is_scroll(gesture) ? find_scroller(ui, gesture, node, err)
                                    : ui_find_accepting(ui, gesture, node, err);
    if (status != TAC_OK || !xpath || *xpath != '(') /* one of several: an `it` may follow */
        return status;
    snprintf(number, sizeof number, "%u, ", *node);
    return ask(w, "remember", number, xpath, deadline, &same, err);
}

/* TAC_UI_NONE: it was not found before, or is gone. */
static tac_status find_again(struct webdriver *w, const char *name, double deadline, uint32_t *node,
                             tac_error *err)
{
    *node = TAC_UI_NONE;
    return tac_action_first_name(name) == name
               ? TAC_OK
               : ask(w, "again", "", tac_action_first_name(name), deadline, node, err);
}

tac_status wd_find(struct webdriver *w, const tac_gesture *gesture, double deadline, uint32_t *node,
                   bool *in_hierarchy, tac_error *err)
{
    tac_gesture named = *gesture;
    const char *name = gesture->target.xpath;
    *in_hierarchy = false;
    if (name) {
        tac_status status = find_again(w, name, deadline, node, err);
        if (status != TAC_OK || *node != TAC_UI_NONE)
            return status;
        named.target.xpath = tac_action_first_name(name);
        if (wd_is_css(named.target.xpath))
            return find_css(w, named.target.xpath, deadline, node, err);
    }
    *in_hierarchy = true;
    return find_xpath(w, &named, deadline, node, err);
}

tac_status wd_find_beside(struct webdriver *w, const char *name, double deadline, uint32_t *node,
                          tac_error *err)
{
    tac_selector selector = {.xpath = tac_action_first_name(name)};
    tac_status status = find_again(w, name, deadline, node, err);
    if (status != TAC_OK || *node != TAC_UI_NONE)
        return status;
    return wd_is_css(selector.xpath) ? find_css(w, selector.xpath, deadline, node, err)
                                     : tac_ui_find(w->ui, &selector, node, err);
}
