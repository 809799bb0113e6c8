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

/* The place in "css[3]:SELECTOR" or "(XPATH)[3]", where one of several elements was taken; else 0.
 */
static unsigned long place_of(const char *xpath)
{
    const char *open = !strncmp(xpath, "css[", 4) ? xpath + 3 : NULL;
    if (*xpath == '(' && xpath[strlen(xpath) - 1] == ']')
        open = strrchr(xpath, '[');
    if (!open || (*xpath == '(' && open[-1] != ')'))
        return 0;
    char *end;
    unsigned long place = strtoul(open + 1, &end, 10);
    return *end == ']' ? place : 0;
}

/* An element by its identifier, its text or its css selector; false when the selector tells none.
 */
static bool say_selector(const char *xpath, tac_str *out)
{
    static const char *const names[] = {"resource-id", "id"};
    static const char *const shown[] = {"text", "content-desc", "normalize-space()"};
    tac_str value = {0};
    bool found = false;
    if (tac_action_first_name(xpath) != xpath) {
        found = true;
        xpath = "";
        tac_str_add(out, " it");
    } else if (!strncmp(xpath, "css", 3) && strchr(xpath, ':')) {
        found = true;
        tac_str_addf(out, " %s", strchr(xpath, ':') + 1);
    } else if (!strcmp(xpath, "focus:")) {
        found = true;
        tac_str_add(out, " what has the focus");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        if ((found = attribute_of(xpath, names[i], &value)))
            tac_str_addf(out, " %s", short_id(tac_str_text(&value)));
    for (size_t i = 0; i < sizeof shown / sizeof *shown && !found; i++)
        if ((found = attribute_of(xpath, shown[i], &value)))
            tac_str_addf(out, " '%s'", tac_str_text(&value));
    if (found && place_of(xpath))
        tac_str_addf(out, " (match %lu)", place_of(xpath));
    tac_str_free(&value);
    return found;
}

static void say_target(const tac_model_action *action, const char *event, tac_str *out)
{
    if (action->resource_id)
        tac_str_addf(out, " %s", short_id(action->resource_id));
    else if (action->text)
        tac_str_addf(out, " '%s'", action->text);
    else if (!say_selector(action->xpath ? action->xpath : "", out))
        tac_str_addf(out, " %s", event);
}

/* value: a direction, or "to:" and the selector of the other element. */
static void say_drag(const tac_model_action *action, const char *event, tac_str *out)
{
    const char *value = action->value ? action->value : "";
    bool to = !strncmp(value, "to:", 3);
    tac_str_addf(out, "drag%s%s", *value && !to ? " " : "", to ? "" : value);
    say_target(action, event, out);
    if (!to)
        return;
    tac_str_add(out, " to");
    if (!say_selector(value + 3, out))
        tac_str_addf(out, " %s", value + 3);
}

static void say_key(const char *value, tac_str *out)
{
    if (!strcmp(value, "system:reload"))
        tac_str_add(out, "load it again");
    else if (!strcmp(value, "system:restart"))
        tac_str_add(out, "close the app and open it again");
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
        say_drag(action, event, out);
        return;
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_CLICK:
        tac_str_addf(out, "%s%s%s", tac_action_kind_name(action->kind), *value ? " " : "", value);
        break;
    }
    say_target(action, event, out);
}

/* A step of guarded actions, whose words are of the page and do not say the event's name. */
static bool needs_name(const tac_flow_step *step)
{
    for (size_t i = 0; i < step->action_count; i++) {
        const tac_model_action *action = &step->actions[i];
        const char *xpath = action->xpath ? action->xpath : "";
        const char *value = action->value ? action->value : "";
        if (!strncmp(xpath, "css", 3) || !strcmp(xpath, "focus:") || !strncmp(value, "text:", 5))
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
    return out.text ? tac_str_take(&out) : tac_strdup("1. open the app");
}
