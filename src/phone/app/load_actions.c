/* The actions of an app file: what an event does. Each action is an object whose first known verb
 * says what it is; docs/app-files.md lists them. */
#include "base/check.h"
#include "phone/app/load.h"

typedef TAC_VEC(uint32_t) action_numbers;

static struct sim_action new_action(enum sim_verb verb)
{
    return (struct sim_action){
        .verb = verb, .a = SIM_NONE, .b = SIM_NONE, .expr = SIM_NONE, .text = SIM_NONE};
}

static uint32_t push_action(struct sim_app *app, const struct sim_action *action)
{
    tac_vec_push(&app->actions, *action);
    return (uint32_t)app->actions.count - 1;
}

/* What was made becomes a list of the app, when nothing was wrong. */
static tac_status finish_list(struct sim_app *app, tac_status st, action_numbers *made,
                              struct sim_list *out)
{
    if (!st) {
        *out = (struct sim_list){(uint32_t)app->links.count, (uint32_t)made->count};
        tac_vec_append(&app->links, made->at, made->count);
    }
    tac_vec_free(made);
    return st;
}

static tac_status load_go(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    struct sim_app *app = place->app;
    if (place->activity == SIM_NONE)
        return sim_wrong(place, "'go' works inside an activity only");
    tac_status st =
        sim_need(place, "go",
                 tac_arena_format(&app->arena, "activity '%s' has no screen",
                                  app->activities.at[place->activity].name),
                 sim_text_of(json, "go"), sim_screens(app, place->activity), "", &action->a);
    action->a += app->activities.at[place->activity].first_screen;
    return st;
}

static tac_status load_assignment(struct sim_place *place, const char *name, const json_t *value,
                                  void *made)
{
    struct sim_action set = new_action(SIM_SET);
    tac_status st = sim_need_variable(place, name, &set.ref);
    if (!st)
        st = sim_parse_value(place, value, &set.expr);
    if (!st)
        tac_vec_push((action_numbers *)made, push_action(place->app, &set));
    return st;
}

/* {"set": {"a": 1, "b": "a + 1"}} becomes one SET per variable, held in `then` of a block: an "if"
 * without a condition. */
static tac_status load_set(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    action_numbers made = {0};
    tac_status st = sim_each(place, json, "set", JSON_OBJECT, "an object of variables and values",
                             load_assignment, &made);
    action->verb = SIM_IF;
    return finish_list(place->app, st, &made, &action->then);
}

static tac_status load_open(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    struct sim_app *app = place->app;
    const char *name = sim_text_of(json, "open"), *screen = sim_text_of(json, "screen");
    tac_status st = sim_need(place, "open", "there is no activity", name,
                             SIM_NAMED(app->activities), "", &action->a);
    if (st)
        return st;
    const struct sim_activity *activity = &app->activities.at[action->a];
    action->b = activity->initial;
    if (!screen)
        return TAC_OK;
    st = sim_need(place, "screen",
                  tac_arena_format(&app->arena, "activity '%s' has no screen", name), screen,
                  sim_screens(app, action->a), "", &action->b);
    action->b += activity->first_screen;
    return st;
}

static tac_status load_arm(struct sim_place *place, const char *name, const json_t *arm, void *made)
{
    static const struct sim_field fields[] = {
        SIM_NUMBER("weight", struct sim_action, weight, 0, 1e9),
        SIM_AT("do", ACTIONS, struct sim_action, then), SIM_END};
    struct sim_action block = new_action(SIM_IF);
    block.weight = 1;
    (void)name;
    tac_status st = sim_load_fields(place, arm, "{\"weight\", \"do\"}", fields, &block);
    if (!st)
        tac_vec_push((action_numbers *)made, push_action(place->app, &block));
    return st;
}

/* {"choose": [{"weight": 2, "do": [...]}, ...]}: each arm is an IF-block with a weight. */
static tac_status load_choose(struct sim_place *place, const json_t *json,
                              struct sim_action *action)
{
    static const char what[] = "an array of {\"weight\", \"do\"}";
    action_numbers made = {0};
    if (json_array_size(json_object_get(json, "choose")) == 0)
        return sim_wrong_member(place, "choose", "\"choose\" needs %s", what);
    tac_status st = sim_each(place, json, "choose", JSON_ARRAY, what, load_arm, &made);
    return finish_list(place->app, st, &made, &action->then);
}

static tac_status load_log(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    const char *level = sim_text_of(json, "level");
    action->level = level ? level[0] : 'I';
    if (!action->tag)
        action->tag = place->app->name;
    if (level && (strlen(level) != 1 || !strchr("VDIWEF", level[0])))
        return sim_wrong_member(place, "level", "the level is one of V, D, I, W, E, F");
    return TAC_OK;
}

static tac_status load_after(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    (void)json;
    return action->a != SIM_NONE
               ? TAC_OK
               : sim_wrong(place, "\"after\" needs \"fire\": the name of a system event");
}

static tac_status load_media(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    static const char *const verbs[] = {
        [SIM_MEDIA_START] = "start",   [SIM_MEDIA_PAUSE] = "pause", [SIM_MEDIA_RESUME] = "resume",
        [SIM_MEDIA_TOGGLE] = "toggle", [SIM_MEDIA_STOP] = "stop",   [SIM_MEDIA_SEEK] = "seek"};
    TABLE_COVERS(verbs, SIM_MEDIA_SEEK);
    const char *verb = sim_text_of(json, "media"), *stream = sim_text_of(json, "stream");
    uint32_t v = 0, count = sizeof verbs / sizeof *verbs;
    while (v < count && strcmp(verbs[v], verb) != 0)
        v++;
    action->a = v;
    if (v == count)
        return sim_wrong_member(place, "media",
                                "'media' is one of start, pause, resume, toggle, stop, seek");
    if (v != SIM_MEDIA_START) {
        action->b = stream ? sim_find(SIM_NAMED(place->app->streams), stream) : SIM_NONE;
        return TAC_OK;
    }
    if (!stream)
        return sim_wrong(place, "\"media\": \"start\" needs \"stream\": the name of a stream");
    return sim_need(place, "stream", "there is no stream", stream, SIM_NAMED(place->app->streams),
                    "declare it under 'streams'", &action->b);
}

static tac_status load_external(struct sim_place *place, const json_t *json,
                                struct sim_action *action)
{
    (void)place, (void)json;
    if (!action->tag)
        action->tag = "MainActivity";
    return TAC_OK;
}

static tac_status load_send(struct sim_place *place, const json_t *json, struct sim_action *action)
{
    return sim_need(place, "send", "there is no channel", sim_text_of(json, "send"),
                    SIM_NAMED(place->app->channels), "declare it under 'channels'", &action->a);
}

/* Members are loaded into the action; then, where there is more to do, `finish`. */
struct verb {
    const char *name;
    enum sim_verb verb;
    tac_status (*finish)(struct sim_place *place, const json_t *json, struct sim_action *action);
    struct sim_field members[4];
};

#define AT(key, kind, member) SIM_AT(key, kind, struct sim_action, member)
static const struct verb verbs_table[] = {
    {"go", SIM_GO, load_go, {SIM_ONLY("go", TEXT), SIM_END}},
    {"set", SIM_SET, load_set, {SIM_ONLY("set", OTHER), SIM_END}},
    {"open",
     SIM_OPEN,
     load_open,
     {SIM_ONLY("open", TEXT), SIM_ONLY("screen", TEXT), AT("clearTop", BOOL, clear_top), SIM_END}},
    {"finish", SIM_FINISH, NULL, {SIM_ONLY("finish", BOOL), SIM_END}},
    {"exit", SIM_EXIT, NULL, {SIM_ONLY("exit", BOOL), SIM_END}},
    {"if",
     SIM_IF,
     NULL,
     {AT("if", EXPR, expr), AT("then", ACTIONS, then), AT("else", ACTIONS, otherwise), SIM_END}},
    {"choose", SIM_CHOOSE, load_choose, {SIM_ONLY("choose", OTHER), SIM_END}},
    {"log",
     SIM_LOG,
     load_log,
     {AT("tag", TEXT, tag), SIM_ONLY("level", TEXT), AT("log", PRINTED, text), SIM_END}},
    {"emit", SIM_EMIT, NULL, {AT("emit", TEXT, name), SIM_END}},
    {"after", SIM_AFTER, load_after, {AT("after", EXPR, expr), AT("fire", LABEL, a), SIM_END}},
    {"cancel", SIM_CANCEL, NULL, {AT("cancel", LABEL, a), SIM_END}},
    {"media", SIM_MEDIA, load_media, {SIM_ONLY("media", TEXT), SIM_ONLY("stream", TEXT), SIM_END}},
    {"fetch", SIM_FETCH, NULL, {AT("fetch", EXPR, expr), AT("fire", LABEL, a), SIM_END}},
    {"cpu", SIM_CPU, NULL, {AT("cpu", EXPR, expr), SIM_END}},
    {"heap", SIM_HEAP, NULL, {AT("heap", EXPR, expr), SIM_END}},
    {"external",
     SIM_EXTERNAL,
     load_external,
     {AT("external", TEXT, name), AT("activity", TEXT, tag), SIM_END}},
    {"permission",
     SIM_PERMISSION,
     NULL,
     {AT("permission", TEXT, name), AT("then", ACTIONS, then), AT("else", ACTIONS, otherwise),
      SIM_END}},
    {"send", SIM_SEND, load_send, {SIM_ONLY("send", TEXT), AT("text", PRINTED, text), SIM_END}}};
#undef AT

static tac_status load_action(struct sim_place *place, const char *name, const json_t *json,
                              void *made)
{
    tac_status st = sim_want(place, json, JSON_OBJECT, "an action (an object)");
    (void)name;
    for (size_t i = 0; !st && i < sizeof verbs_table / sizeof *verbs_table; i++) {
        const struct verb *verb = &verbs_table[i];
        if (!json_object_get(json, verb->name))
            continue;
        struct sim_action action = {
            .verb = verb->verb, .a = SIM_NONE, .b = SIM_NONE, .expr = SIM_NONE, .text = SIM_NONE};
        st = sim_load_fields(place, json, NULL, verb->members, &action);
        if (!st && verb->finish)
            st = verb->finish(place, json, &action);
        if (!st)
            tac_vec_push((action_numbers *)made, push_action(place->app, &action));
        return st;
    }
    const char *key = json_object_iter_key(json_object_iter((json_t *)json));
    return st ? st
              : sim_wrong(place,
                          "'%s' is not an action; the actions are go, set, open, finish, exit, if, "
                          "choose, log, emit, after, cancel, media, fetch, cpu, heap, external, "
                          "permission, send",
                          key ? key : "");
}

tac_status sim_load_actions(struct sim_place *place, const json_t *array, struct sim_list *out)
{
    action_numbers made = {0};
    if (++place->depth > SIM_MAX_DEPTH)
        return sim_wrong(place, "actions are nested more than %d deep", SIM_MAX_DEPTH);
    tac_status st = sim_all(place, array, JSON_ARRAY, "an array of actions", load_action, &made);
    place->depth--;
    return finish_list(place->app, st, &made, out);
}

typedef TAC_VEC(struct sim_handler) handler_list;

static tac_status load_handler(struct sim_place *place, const char *event, const json_t *actions,
                               void *made)
{
    struct sim_handler handler = {.label = sim_label(place->app, event)};
    tac_status st = sim_load_actions(place, actions, &handler.actions);
    if (!st)
        tac_vec_push((handler_list *)made, handler);
    return st;
}

tac_status sim_load_handlers(struct sim_place *place, const json_t *object,
                             struct sim_handlers *out)
{
    handler_list made = {0};
    struct sim_app *app = place->app;
    tac_status st = sim_each(place, object, "system", JSON_OBJECT,
                             "an object of system events and actions", load_handler, &made);
    *out =
        (struct sim_handlers){made.count ? (uint32_t)app->handlers.count : 0, (uint32_t)made.count};
    if (!st)
        tac_vec_append(&app->handlers, made.at, made.count);
    tac_vec_free(&made);
    return st;
}
