/* The actions of an app file: what an event does. Each action is an object whose first known verb
 * says what it is; docs/app-files.md lists them. */
#include "phone/app/app.h"

static tac_status load_list(struct sim_place *place, const json_t *array, struct sim_list *out);

/* A sub-list under `key`, also for the branches of "if" and "permission". */
tac_status sim_load_actions(struct sim_place *place, const json_t *object, const char *key,
                            struct sim_list *out, bool *present)
{
    const json_t *array = json_object_get(object, key);
    *out = (struct sim_list){0, 0};
    if (present)
        *present = array != NULL;
    if (!array)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = load_list(place, array, out);
    if (!st)
        sim_leave(place, was);
    return st;
}

static tac_status load_go(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"go", NULL};
    const char *name = NULL;
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "go", &name);
    if (st)
        return st;
    if (place->activity == SIM_NONE)
        return sim_wrong(place, "'go' works inside an activity only");
    action->a = sim_find_screen(place->app, place->activity, name);
    if (action->a != SIM_NONE)
        return TAC_OK;
    sim_enter(place, "go");
    return sim_wrong(place, "activity '%s' has no screen '%s'",
                     place->app->activities.at[place->activity].name, name);
}

static uint32_t push_action(struct sim_app *app, const struct sim_action *action)
{
    tac_vec_push(&app->actions, *action);
    return (uint32_t)app->actions.count - 1;
}

/* {"set": {"a": 1, "b": "a + 1"}} becomes one SET per variable, held in `then`. */
static tac_status load_set(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"set", NULL};
    struct sim_app *app = place->app;
    tac_status st = sim_only_keys(place, json, known);
    if (st)
        return st;
    size_t was = sim_enter(place, "set");
    const json_t *all = json_object_get(json, "set");
    st = sim_want(place, all, JSON_OBJECT, "an object of variables and values");
    TAC_VEC(uint32_t) made = {0};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)all, name, value)
    {
        if (st)
            break;
        struct sim_action set = {.verb = SIM_SET, .expr = SIM_NONE};
        st = sim_need_variable(place, name, name, &set.ref);
        size_t at = sim_enter(place, name);
        if (!st)
            st = sim_parse_value(place, value, &set.expr);
        if (!st) {
            tac_vec_push(&made, push_action(app, &set));
            sim_leave(place, at);
        }
    }
    if (!st) {
        action->verb = SIM_IF; /* an "if" without a condition is a block */
        action->expr = SIM_NONE;
        action->then = (struct sim_list){(uint32_t)app->links.count, (uint32_t)made.count};
        tac_vec_append(&app->links, made.at, made.count);
        sim_leave(place, was);
    }
    tac_vec_free(&made);
    return st;
}

static tac_status load_open(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"open", "screen", "clearTop", NULL};
    struct sim_app *app = place->app;
    const char *name = NULL, *screen = NULL;
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "open", &name);
    if (!st)
        st = sim_get_text(place, json, "screen", &screen);
    if (!st)
        st = sim_get_bool(place, json, "clearTop", &action->clear_top);
    if (st)
        return st;
    action->a = sim_find_activity(app, name);
    if (action->a == SIM_NONE) {
        sim_enter(place, "open");
        return sim_wrong(place, "there is no activity '%s'", name);
    }
    action->b =
        screen ? sim_find_screen(app, action->a, screen) : app->activities.at[action->a].initial;
    if (action->b != SIM_NONE)
        return TAC_OK;
    sim_enter(place, "screen");
    return sim_wrong(place, "activity '%s' has no screen '%s'", name, screen);
}

static tac_status load_if(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"if", "then", "else", NULL};
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_expr(place, json, "if", &action->expr);
    if (!st)
        st = sim_load_actions(place, json, "then", &action->then, NULL);
    if (!st)
        st = sim_load_actions(place, json, "else", &action->otherwise, NULL);
    return st;
}

/* {"choose": [{"weight": 2, "do": [...]}, ...]}: each arm is an IF-block with a weight. */
static tac_status load_choose(struct sim_place *place, const json_t *json,
                              struct sim_action *action)
{
    static const char *const known[] = {"choose", NULL};
    static const char *const arm_keys[] = {"weight", "do", NULL};
    struct sim_app *app = place->app;
    tac_status st = sim_only_keys(place, json, known);
    if (st)
        return st;
    size_t was = sim_enter(place, "choose");
    const json_t *arms = json_object_get(json, "choose");
    if (!json_is_array(arms) || json_array_size(arms) == 0)
        return sim_wrong(place, "\"choose\" needs an array of {\"weight\", \"do\"}");
    TAC_VEC(uint32_t) made = {0};
    size_t i;
    json_t *arm;
    json_array_foreach((json_t *)arms, i, arm)
    {
        size_t at = sim_enter_item(place, i);
        struct sim_action block = {.verb = SIM_IF, .expr = SIM_NONE, .weight = 1};
        st = sim_want(place, arm, JSON_OBJECT, "{\"weight\", \"do\"}");
        if (!st)
            st = sim_only_keys(place, arm, arm_keys);
        if (!st)
            st = sim_get_number(place, arm, "weight", 0, 1e9, &block.weight);
        if (!st)
            st = sim_load_actions(place, arm, "do", &block.then, NULL);
        if (st)
            break;
        tac_vec_push(&made, push_action(app, &block));
        sim_leave(place, at);
    }
    if (!st) {
        action->then = (struct sim_list){(uint32_t)app->links.count, (uint32_t)made.count};
        tac_vec_append(&app->links, made.at, made.count);
        sim_leave(place, was);
    }
    tac_vec_free(&made);
    return st;
}

static tac_status load_log(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"log", "tag", "level", NULL};
    const char *message = NULL, *level = "I";
    action->tag = place->app->name;
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "log", &message);
    if (!st)
        st = sim_get_text(place, json, "tag", &action->tag);
    if (!st)
        st = sim_get_text(place, json, "level", &level);
    if (st)
        return st;
    if (strlen(level) != 1 || !strchr("VDIWEF", level[0])) {
        sim_enter(place, "level");
        return sim_wrong(place, "the level is one of V, D, I, W, E, F");
    }
    action->level = level[0];
    uint32_t text = 0;
    st = sim_parse_text(place, message, &text);
    if (!st)
        action->text = place->app->texts.at[text];
    return st;
}

static tac_status load_after(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"after", "fire", NULL};
    const char *event = NULL;
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_expr(place, json, "after", &action->expr);
    if (!st)
        st = sim_get_text(place, json, "fire", &event);
    if (st)
        return st;
    if (!event)
        return sim_wrong(place, "\"after\" needs \"fire\": the name of a system event");
    action->a = sim_label(place->app, event);
    return TAC_OK;
}

static tac_status load_media(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"media", "stream", NULL};
    static const char *const verbs[] = {"start", "pause", "resume", "toggle", "stop", "seek", NULL};
    const char *verb = NULL, *stream = NULL;
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "media", &verb);
    if (!st)
        st = sim_get_text(place, json, "stream", &stream);
    if (st)
        return st;
    uint32_t v = 0;
    while (verbs[v] && strcmp(verbs[v], verb) != 0)
        v++;
    if (!verbs[v]) {
        sim_enter(place, "media");
        return sim_wrong(place, "'media' is one of start, pause, resume, toggle, stop, seek");
    }
    action->a = v;
    action->b = stream ? sim_find_stream(place->app, stream) : SIM_NONE;
    if (v != SIM_MEDIA_START || action->b != SIM_NONE)
        return TAC_OK;
    if (!stream)
        return sim_wrong(place, "\"media\": \"start\" needs \"stream\": the name of a stream");
    sim_enter(place, "stream");
    return sim_wrong(place, "there is no stream '%s'; declare it under 'streams'", stream);
}

static tac_status load_fetch(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const known[] = {"fetch", "fire", NULL};
    const char *event = NULL;
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_expr(place, json, "fetch", &action->expr);
    if (!st)
        st = sim_get_text(place, json, "fire", &event);
    if (!st)
        action->a = event ? sim_label(place->app, event) : SIM_NONE;
    return st;
}

static tac_status load_external(struct sim_place *place, const json_t *json,
                                struct sim_action *action)
{
    static const char *const known[] = {"external", "activity", NULL};
    action->tag = "MainActivity";
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "external", &action->name);
    if (!st)
        st = sim_get_text(place, json, "activity", &action->tag);
    return st;
}

static tac_status load_permission(struct sim_place *place, const json_t *json,
                                  struct sim_action *action)
{
    static const char *const known[] = {"permission", "then", "else", NULL};
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "permission", &action->name);
    if (!st)
        st = sim_load_actions(place, json, "then", &action->then, NULL);
    if (!st)
        st = sim_load_actions(place, json, "else", &action->otherwise, NULL);
    return st;
}

/* The verbs that have one plain value. */
static tac_status load_simple(struct sim_place *place, const json_t *json,
                              struct sim_action *action)
{
    static const char *const names[] = {"finish", "exit", "emit", "cancel", "cpu", "heap", NULL};
    size_t i = 0;
    while (!json_object_get(json, names[i]))
        i++;
    const char *const known[] = {names[i], NULL};
    tac_status st = sim_only_keys(place, json, known);
    bool yes = true;
    if (!st && i < 2)
        st = sim_get_bool(place, json, names[i], &yes);
    if (!st && i == 2)
        st = sim_get_text(place, json, names[i], &action->name);
    const char *event = "";
    if (!st && i == 3)
        st = sim_get_text(place, json, names[i], &event);
    if (i == 3)
        action->a = sim_label(place->app, event);
    if (!st && i > 3)
        st = sim_get_expr(place, json, names[i], &action->expr);
    return st;
}

struct verb {
    const char *name;
    enum sim_verb verb;
    tac_status (*load)(struct sim_place *place, const json_t *json, struct sim_action *action);
};

static const struct verb verbs_table[] = {{"go", SIM_GO, load_go},
                                          {"set", SIM_SET, load_set},
                                          {"open", SIM_OPEN, load_open},
                                          {"finish", SIM_FINISH, load_simple},
                                          {"exit", SIM_EXIT, load_simple},
                                          {"if", SIM_IF, load_if},
                                          {"choose", SIM_CHOOSE, load_choose},
                                          {"log", SIM_LOG, load_log},
                                          {"emit", SIM_EMIT, load_simple},
                                          {"after", SIM_AFTER, load_after},
                                          {"cancel", SIM_CANCEL, load_simple},
                                          {"media", SIM_MEDIA, load_media},
                                          {"fetch", SIM_FETCH, load_fetch},
                                          {"cpu", SIM_CPU, load_simple},
                                          {"heap", SIM_HEAP, load_simple},
                                          {"external", SIM_EXTERNAL, load_external},
                                          {"permission", SIM_PERMISSION, load_permission},
                                          {"send", SIM_SEND, sim_load_send}};

static tac_status load_action(struct sim_place *place, const json_t *json, uint32_t *out)
{
    tac_status st = sim_want(place, json, JSON_OBJECT, "an action (an object)");
    if (st)
        return st;
    for (size_t i = 0; i < sizeof verbs_table / sizeof *verbs_table; i++) {
        if (!json_object_get(json, verbs_table[i].name))
            continue;
        struct sim_action action = {
            .verb = verbs_table[i].verb, .a = SIM_NONE, .b = SIM_NONE, .expr = SIM_NONE};
        st = verbs_table[i].load(place, json, &action);
        if (!st)
            *out = push_action(place->app, &action);
        return st;
    }
    const char *key = json_object_iter_key(json_object_iter((json_t *)json));
    return sim_wrong(
        place,
        "'%s' is not an action; the actions are go, set, open, finish, exit, if, choose, "
        "log, emit, after, cancel, media, fetch, cpu, heap, external, permission, "
        "send",
        key ? key : "");
}

static tac_status load_list(struct sim_place *place, const json_t *array, struct sim_list *out)
{
    tac_status st = sim_want(place, array, JSON_ARRAY, "an array of actions");
    if (st)
        return st;
    if (++place->depth > SIM_MAX_DEPTH)
        return sim_wrong(place, "actions are nested more than %d deep", SIM_MAX_DEPTH);
    struct sim_app *app = place->app;
    TAC_VEC(uint32_t) made = {0};
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)array, i, item)
    {
        size_t was = sim_enter_item(place, i);
        uint32_t number = 0;
        st = load_action(place, item, &number);
        if (st)
            break;
        tac_vec_push(&made, number);
        sim_leave(place, was);
    }
    place->depth--;
    if (!st) {
        *out = (struct sim_list){(uint32_t)app->links.count, (uint32_t)made.count};
        tac_vec_append(&app->links, made.at, made.count);
    }
    tac_vec_free(&made);
    return st;
}

tac_status sim_load_handlers(struct sim_place *place, const json_t *object,
                             struct sim_handlers *out)
{
    const json_t *system = json_object_get(object, "system");
    *out = (struct sim_handlers){0, 0};
    if (!system)
        return TAC_OK;
    struct sim_app *app = place->app;
    size_t was = sim_enter(place, "system");
    tac_status st = sim_want(place, system, JSON_OBJECT, "an object of system events and actions");
    if (st)
        return st;
    TAC_VEC(struct sim_handler) made = {0};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)system, key, value)
    {
        size_t at = sim_enter(place, key);
        struct sim_handler handler = {.label = sim_label(app, key)};
        st = load_list(place, value, &handler.actions);
        if (st)
            break;
        tac_vec_push(&made, handler);
        sim_leave(place, at);
    }
    if (!st) {
        *out = (struct sim_handlers){(uint32_t)app->handlers.count, (uint32_t)made.count};
        tac_vec_append(&app->handlers, made.at, made.count);
        sim_leave(place, was);
    }
    tac_vec_free(&made);
    return st;
}
