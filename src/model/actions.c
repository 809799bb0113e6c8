/* Checks how events are performed: that an element is named where one is needed, that its XPath can
 * be read, that directions are directions and waits are seconds. */
#include "base/io/xpath.h"
#include "base/locator/locator.h"
#include "model/builder.h"
#include <string.h>

static bool is_direction(const char *value)
{
    static const char *const ways[] = {"up", "down", "left", "right"};
    for (size_t i = 0; i < 4; i++)
        if (!strcmp(value, ways[i]))
            return true;
    return false;
}

bool tac_action_area_parse(const char *text, double out[4])
{
    for (int i = 0; i < 4; i++) {
        char part[32];
        size_t length = strcspn(text, " ");
        if (!length || length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!tac_parse_double(part, &out[i]) || !(out[i] >= 0 && out[i] <= 100))
            return false;
        text += length + (text[length] == ' ');
    }
    return !*text && out[0] <= out[2] && out[1] <= out[3];
}

const char *tac_action_first_name(const char *xpath)
{
    return strncmp(xpath, "it:", 3) ? xpath : xpath + 3;
}

static bool names_element(const char *xpath)
{
    tac_locator locator;
    bool read = tac_locator_read(xpath, &locator);
    tac_locator_free(&locator);
    return read || tac_xpath_compiles(tac_action_first_name(xpath));
}

/* What is wrong with an action, NULL when nothing is; detail is part of the message. */
static const char *flaw_of(const tac_model_action *action, const char **detail)
{
    bool element = action->xpath || action->resource_id || action->text;
    bool needs = action->kind == TAC_ACTION_CLICK || action->kind == TAC_ACTION_LONG_CLICK ||
                 action->kind == TAC_ACTION_TEXT || action->kind == TAC_ACTION_PINCH ||
                 action->kind == TAC_ACTION_DOUBLE_CLICK || action->kind == TAC_ACTION_HOVER ||
                 action->kind == TAC_ACTION_DRAG;
    bool moves = action->kind == TAC_ACTION_SCROLL || action->kind == TAC_ACTION_SWIPE ||
                 action->kind == TAC_ACTION_DRAG;
    double seconds;
    *detail = action->value ? action->value : "";
    if (needs && !element)
        return "names no element; give it an xpath, a resourceId or a text";
    if (moves && action->value && !is_direction(action->value))
        return "goes up, down, left or right, not";
    if (action->kind == TAC_ACTION_WAIT && action->value &&
        (!tac_parse_double(action->value, &seconds) || !(seconds >= 0)))
        return "takes a number of seconds, not";
    if (action->kind == TAC_ACTION_KEY && !action->value)
        return "names no key";
    double area[4];
    *detail = action->area;
    if (action->area && !tac_action_area_parse(action->area, area))
        return "has an area that is not left, top, right and bottom in percent:";
    *detail = action->xpath;
    return action->xpath && *action->xpath && !names_element(action->xpath)
               ? "has an xpath that cannot be read:"
               : NULL;
}

void tac_model_check_actions(struct finishing *work)
{
    const tac_model *model = work->model;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        uint32_t application =
            tac_model_application_of(work, model->nodes[transition->from].machine);
        for (uint32_t i = 0; i < transition->action_count; i++) {
            const tac_model_action *action = &model->actions[transition->first_action + i];
            const char *detail, *flaw = flaw_of(action, &detail);
            if (flaw)
                tac_model_report(work, TAC_ERROR, application, transition->line,
                                 "the %s of '%s' %s%s%s%s", tac_action_kind_name(action->kind),
                                 model->events[transition->event], flaw,
                                 detail && *detail ? " '" : "", detail ? detail : "",
                                 detail && *detail ? "'" : "");
        }
        if (transition->sends != TAC_MODEL_NONE && transition->sends == transition->receives)
            tac_model_report(work, TAC_ERROR, application, transition->line,
                             "the transition '%s' sends and receives on the channel '%s': it "
                             "would answer itself",
                             model->events[transition->event], model->channels[transition->sends]);
    }
}

bool tac_xpath_is_positional(const char *xpath)
{
    char quote = 0;
    for (const char *c = xpath ? xpath : ""; *c; c++) {
        if (quote) {
            quote = *c == quote ? 0 : quote;
        } else if (*c == '\'' || *c == '"') {
            quote = *c;
        } else if (*c == '[') {
            const char *digit = c + 1 + strspn(c + 1, " ");
            size_t digits = strspn(digit, "0123456789");
            if (digits && digit[digits + strspn(digit + digits, " ")] == ']')
                return true;
        } else if (!strncmp(c, "position()", 10) || !strncmp(c, "last()", 6)) {
            return true;
        }
    }
    return false;
}
