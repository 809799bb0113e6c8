/* Steps in words. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "reproduce/cause.h"

/* The value of an attribute in an XPath, "[@text='Save']"; false when it is not there. */
static bool attribute_of(const char *xpath, const char *name, tac_str *out)
{
    char *wanted = tac_format("@%s=", name);
    const char *at = strstr(xpath, wanted);
    size_t skip = strlen(wanted);
    free(wanted);
    if (!at || (at[skip] != '\'' && at[skip] != '"'))
        return false;
    const char *value = at + skip + 1, *end = strchr(value, at[skip]);
    if (!end)
        return false;
    tac_str_add_bytes(out, value, (size_t)(end - value));
    return true;
}

/* "com.example:id/save" as "save". */
static const char *short_id(const char *id)
{
    const char *slash = strstr(id, ":id/");
    return slash ? slash + 4 : id;
}

/* "css:li", "css[3]:li", "focus:", "it:...": elements of pages that a script of actions names. */
static bool is_of_script(const char *xpath)
{
    return !strncmp(xpath, "css", 3) || !strcmp(xpath, "focus:") ||
           tac_action_first_name(xpath) != xpath;
}

static const char *ordinal_ending(unsigned long place)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    bool teen = place % 100 >= 11 && place % 100 <= 13;
    return endings[teen || place % 10 > 3 ? 0 : place % 10];
}

static void say_element_of_script(const char *xpath, tac_str *out)
{
    const char *colon = strchr(xpath, ':');
    if (tac_action_first_name(xpath) != xpath) {
        tac_str_add(out, " it");
    } else if (!strcmp(xpath, "focus:")) {
        tac_str_add(out, " what has the focus");
    } else if (xpath[3] == '[') {
        unsigned long place = strtoul(xpath + 4, NULL, 10);
        tac_str_addf(out, " the %lu%s %s", place, ordinal_ending(place), colon ? colon + 1 : "");
    } else {
        tac_str_addf(out, " %s", colon ? colon + 1 : xpath);
    }
}

static void say_target(const tac_model_action *action, const char *event, tac_str *out)
{
    if (action->xpath && is_of_script(action->xpath)) {
        say_element_of_script(action->xpath, out);
        return;
    }
    static const char *const shown[] = {"text", "content-desc", "normalize-space()"};
    tac_str value = {0};
    const char *xpath = action->xpath ? action->xpath : "";
    if (action->resource_id || attribute_of(xpath, "resource-id", &value) ||
        attribute_of(xpath, "id", &value)) {
        tac_str_addf(out, " %s",
                     short_id(action->resource_id ? action->resource_id : tac_str_text(&value)));
    } else if (action->text) {
        tac_str_addf(out, " '%s'", action->text);
    } else {
        bool found = false;
        for (size_t i = 0; i < sizeof shown / sizeof *shown && !found; i++)
            found = attribute_of(xpath, shown[i], &value);
        tac_str_addf(out, found ? " '%s'" : " %s", found ? tac_str_text(&value) : event);
    }
    tac_str_free(&value);
}

static void say_key(const char *value, tac_str *out)
{
    if (!strcmp(value, "system:reload"))
        tac_str_add(out, "load it again");
    else if (!strcmp(value, "system:rotate"))
        tac_str_add(out, "turn the screen and turn it back");
    else if (!strncmp(value, "text:", 5))
        tac_str_addf(out, "type '%s'", value + 5);
    else
        tac_str_addf(out, "press the key %s", value);
}

static void say_action(const tac_model_action *action, const char *event, tac_str *out)
{
    const char *value = action->value ? action->value : "";
    switch (action->kind) {
    case TAC_ACTION_BACK:
        tac_str_add(out, "go back");
        return;
    case TAC_ACTION_HOME:
        tac_str_add(out, "go to the home screen");
        return;
    case TAC_ACTION_LAUNCH:
        tac_str_add(out, "open the app");
        return;
    case TAC_ACTION_KEY:
        say_key(value, out);
        return;
    case TAC_ACTION_WAIT:
        tac_str_addf(out, "wait %s s", value);
        return;
    case TAC_ACTION_TEXT:
        tac_str_addf(out, "enter '%s' into", value);
        break;
    case TAC_ACTION_LONG_CLICK:
        tac_str_add(out, "long-click");
        break;
    case TAC_ACTION_DOUBLE_CLICK:
        tac_str_add(out, "double-click");
        break;
    case TAC_ACTION_HOVER:
        tac_str_add(out, "point at");
        break;
    case TAC_ACTION_DRAG:
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_CLICK:
        if (strncmp(value, "to:", 3) != 0)
            tac_str_addf(out, "%s%s%s", tac_action_kind_name(action->kind), *value ? " " : "",
                         value);
        else
            tac_str_add(out, "drag");
        break;
    }
    say_target(action, event, out);
    if (action->kind == TAC_ACTION_DRAG && !strncmp(value, "to:", 3)) {
        tac_model_action end = {.xpath = value + 3};
        tac_str_add(out, " to");
        say_target(&end, event, out);
    }
}

/* Its words do not say the event's name. */
static bool needs_name(const tac_flow_step *step)
{
    for (size_t i = 0; i < step->action_count; i++) {
        const tac_model_action *action = &step->actions[i];
        if ((action->xpath && is_of_script(action->xpath)) ||
            (action->kind == TAC_ACTION_KEY && action->value &&
             !strncmp(action->value, "text:", 5)))
            return true;
    }
    return false;
}

char *say_step(const tac_flow_step *step, bool several)
{
    tac_str out = {0};
    if (several && *step->device)
        tac_str_addf(&out, "%s: ", step->device);
    if (needs_name(step))
        tac_str_addf(&out, "%s: ", step->event);
    for (size_t i = 0; i < step->action_count; i++) {
        tac_str_add(&out, i ? ", " : "");
        say_action(&step->actions[i], step->event, &out);
    }
    if (!step->action_count)
        tac_str_addf(&out, step->kind == TAC_EVENT_SYSTEM ? "wait for %s" : "%s", step->event);
    if (step->time > 1) {
        char number[32];
        tac_str_addf(&out, ", wait %s s", tac_double_text(step->time, number, sizeof number));
    }
    for (size_t i = 0; i < out.length; i++)
        if ((unsigned char)out.text[i] < ' ')
            out.text[i] = ' ';
    return tac_str_take(&out);
}

bool say_devices(const struct step_table *steps)
{
    bool several = false;
    for (size_t i = 1; i < steps->at.count && !several; i++)
        several = strcmp(steps->at.at[i].device, steps->at.at[0].device) != 0;
    return several;
}

char *say_script(const struct step_table *steps, const struct script *script, const char *between)
{
    tac_str out = {0};
    bool several = say_devices(steps);
    for (size_t i = 0; i < script->count;) {
        size_t same = 1;
        while (i + same < script->count && script->at[i + same] == script->at[i])
            same++;
        char *step = say_step(&steps->at.at[script->at[i]], several);
        tac_str_addf(&out, "%s%zu. %s", i ? between : "", i + 1, step);
        if (same > 1)
            tac_str_addf(&out, ", %zu times", same);
        free(step);
        i += same;
    }
    return out.text ? tac_str_take(&out) : tac_strdup("");
}
