/* The texts of DroidBot's events:
 *   TouchEvent(state=HASH, view=HASH(Activity/Class-text))
 *   ScrollEvent(state=HASH, view=HASH(Activity/Class-text), direction=RIGHT)
 *   SetTextEvent(state=HASH, view=HASH(Activity/Class-text), text=Hello)
 *   KeyEvent(state=HASH, name=BACK)
 *   IntentEvent(intent='am start package/activity')
 * DroidBot cuts the text of a view after ten characters; what was typed is whole. So what follows
 * the view is looked for from the front, and only the bracket that ends the whole from the back. */
#include "model/exchange/droidbot_event.h"
#include <string.h>
#include <strings.h>

struct view {
    const char *hash, *class_name, *text; /* NULL when absent */
};

static const struct {
    const char *type, *prefix;
    tac_action_kind action;
} gestures[] = {
    {"touch", "touch", TAC_ACTION_CLICK},
    {"long_touch", "longTouch", TAC_ACTION_LONG_CLICK},
    {"select", "select", TAC_ACTION_CLICK},
    {"unselect", "unselect", TAC_ACTION_CLICK},
    {"scroll", "scroll", TAC_ACTION_SCROLL},
    {"set_text", "setText", TAC_ACTION_TEXT},
    {"swipe", "swipe", TAC_ACTION_SWIPE},
    /* what AutoDroid and others that are made from DroidBot call them */
    {"click", "touch", TAC_ACTION_CLICK},
    {"long_click", "longTouch", TAC_ACTION_LONG_CLICK},
};

/* The text between `from` and `to` (exclusive), the arena's. */
static char *between(tac_arena *arena, const char *from, const char *to)
{
    return tac_arena_strndup(arena, from, (size_t)(to - from));
}

static const char *last_of(const char *text, const char *part)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, part)); at++)
        found = at;
    return found;
}

/* The text up to the bracket that ends the whole. */
static char *rest_of(tac_arena *arena, const char *text)
{
    size_t length = strlen(text);
    if (length && text[length - 1] == ')')
        length--;
    return tac_arena_strndup(arena, text, length);
}

static char *lower_case(tac_arena *arena, const char *text)
{
    char *lower = tac_arena_strdup(arena, text);
    for (char *c = lower; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    return lower;
}

/* view=HASH(Activity/Class-text) up to `end`, the bracket that closes it. */
static struct view parse_view(tac_arena *arena, const char *text, const char *end)
{
    struct view view = {0};
    const char *at = strstr(text, "view=");
    const char *open = at ? strchr(at, '(') : NULL;
    if (!open || !end || open >= end)
        return view;
    view.hash = between(arena, at + strlen("view="), open);
    char *inside = between(arena, open + 1, end);
    char *slash = strchr(inside, '/');
    char *class_name = slash ? slash + 1 : inside;
    char *dash = strchr(class_name, '-');
    if (dash) {
        *dash = '\0';
        view.text = dash[1] ? dash + 1 : NULL;
    }
    view.class_name = *class_name ? class_name : NULL;
    return view;
}

/* An XPath of the control where its text is known; a text with both kinds of quotes cannot be
 * written as an XPath literal. */
static const char *view_xpath(tac_arena *arena, const struct view *view)
{
    if (!view->text || !view->class_name)
        return NULL;
    const char *quote = strchr(view->text, '\'') ? "\"" : "'";
    if (strchr(view->text, *quote) || strchr(view->class_name, '\''))
        return NULL;
    return tac_arena_format(arena, "//*[contains(@class,'%s') and starts-with(@text,%s%s%s)]",
                            view->class_name, quote, view->text, quote);
}

static void parse_gesture(tac_arena *arena, size_t gesture, const char *text,
                          struct droidbot_event *out)
{
    tac_action_kind action = gestures[gesture].action;
    const char *rest = NULL;
    if (action == TAC_ACTION_SCROLL)
        rest = "), direction=";
    else if (action == TAC_ACTION_TEXT)
        rest = "), text=";
    const char *end = rest ? strstr(text, rest) : last_of(text, "))");
    struct view view = parse_view(arena, text, end);
    out->action = action;
    out->prefix = gestures[gesture].prefix;
    out->hash = view.hash;
    out->value = rest && end ? rest_of(arena, end + strlen(rest)) : NULL;
    if (action == TAC_ACTION_SCROLL && out->value)
        out->value = lower_case(arena, out->value);
    out->xpath = view_xpath(arena, &view);
    const char *prefix = gestures[gesture].prefix;
    const char *shown = action == TAC_ACTION_SCROLL ? out->value : view.text;
    if (!view.hash)
        return;
    out->key = tac_arena_format(arena, "%s %s %s", prefix, view.hash, out->value ? out->value : "");
    out->name =
        tac_arena_format(arena, "%s_%s%s%s", prefix, view.class_name ? view.class_name : "view",
                         shown ? "_" : "", shown ? shown : "");
}

static void parse_key(tac_arena *arena, const char *text, struct droidbot_event *out)
{
    const char *at = strstr(text, "name=");
    out->action = TAC_ACTION_KEY;
    if (!at)
        return;
    const char *key = rest_of(arena, at + strlen("name="));
    if (strcasecmp(key, "BACK") == 0)
        out->action = TAC_ACTION_BACK;
    else if (strcasecmp(key, "HOME") == 0)
        out->action = TAC_ACTION_HOME;
    out->value = out->action == TAC_ACTION_KEY ? key : NULL;
    out->name = tac_arena_format(arena, "key_%s", key);
    out->key = out->name;
}

static void parse_intent(tac_arena *arena, const char *text, struct droidbot_event *out)
{
    const char *open = strchr(text, '\''), *close = strrchr(text, '\'');
    out->action = TAC_ACTION_LAUNCH;
    if (!open || close <= open)
        return;
    const char *intent = between(arena, open + 1, close);
    out->value = intent;
    out->key = tac_arena_format(arena, "intent %s", intent);
    out->performed = strncmp(intent, "am start", 8) == 0;
    if (out->performed)
        out->name = "launch";
    else if (strstr(intent, "stop"))
        out->name = "stop";
    else
        out->name = "intent";
}

void tac_droidbot_event_parse(tac_arena *arena, const char *type, const char *text,
                              struct droidbot_event *out)
{
    *out = (struct droidbot_event){.action = TAC_ACTION_CLICK, .performed = true};
    if (strcmp(type, "kill_app") == 0 || strcmp(type, "exit") == 0)
        out->performed = false;
    if (strcmp(type, "key") == 0)
        parse_key(arena, text, out);
    else if (strcmp(type, "intent") == 0)
        parse_intent(arena, text, out);
    else
        for (size_t i = 0; i < sizeof gestures / sizeof *gestures; i++)
            if (strcmp(type, gestures[i].type) == 0)
                parse_gesture(arena, i, text, out);
    if (!out->key)
        out->key = tac_arena_format(arena, "%s %s", type, text);
    if (!out->name)
        out->name = tac_arena_strdup(arena, *type ? type : "event");
}
