/* Reads an app file of the built-in phone. Two passes: first the names of activities, screens,
 * variables and streams, so that anything may refer to anything; then what they contain. The first
 * mistake ends the reading with its line and column. */
#include "phone/app/app.h"

/* {"name": initial, ...} appended to a list of variables; at most `most`. */
static tac_status load_variables(struct sim_place *place, const json_t *object, const char *key,
                                 enum sim_scope scope, size_t most)
{
    struct sim_app *app = place->app;
    const json_t *all = json_object_get(object, key);
    if (!all)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = sim_want(place, all, JSON_OBJECT, "an object of variables and initial values");
    if (st)
        return st;
    if (json_object_size(all) > most)
        return sim_wrong(place, "at most %zu variables are possible here", most);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)all, name, value)
    {
        size_t at = sim_enter(place, name);
        if (sim_is_reserved(name))
            return sim_wrong(place, "'%s' is a word of the expression language", name);
        if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
                strlen(name) ||
            !*name || strchr("0123456789", name[0]))
            return sim_wrong(place, "a variable's name has letters, digits and _ only");
        if (!json_is_number(value) && !json_is_boolean(value) && !json_is_string(value))
            return sim_wrong(place, "a variable starts as a number, true, false or a text");
        struct sim_variable v = {name, {0, json_string_value(value)}};
        v.initial.number = json_is_true(value)     ? 1
                           : json_is_number(value) ? json_number_value(value)
                                                   : 0;
        if (scope == SIM_PROCESS)
            tac_vec_push(&app->process, v);
        else if (scope == SIM_KEPT)
            tac_vec_push(&app->kept, v);
        else
            tac_vec_push(&app->locals, v);
        sim_leave(place, at);
    }
    sim_leave(place, was);
    return TAC_OK;
}

/* First pass over one activity: its name, variables and the names of its screens. */
static tac_status declare_activity(struct sim_place *place, const char *name,
                                   const json_t *activity)
{
    static const char *const known[] = {"mode", "locals", "first", "screens", "system", NULL};
    struct sim_app *app = place->app;
    tac_status st = sim_want(place, activity, JSON_OBJECT, "an activity (an object)");
    if (!st)
        st = sim_only_keys(place, activity, known);
    if (st)
        return st;
    struct sim_activity a = {.name = name,
                             .first_local = (uint32_t)app->locals.count,
                             .first_screen = (uint32_t)app->screens.count};
    st = load_variables(place, activity, "locals", SIM_LOCAL, SIM_MAX_LOCALS);
    const char *mode = "standard";
    if (!st)
        st = sim_get_text(place, activity, "mode", &mode);
    if (st)
        return st;
    if (strcmp(mode, "standard") != 0 && strcmp(mode, "singleTop") != 0) {
        sim_enter(place, "mode");
        return sim_wrong(place, "the mode is 'standard' or 'singleTop'");
    }
    a.single_top = !strcmp(mode, "singleTop");
    a.local_count = (uint32_t)app->locals.count - a.first_local;
    const json_t *screens = json_object_get(activity, "screens");
    if (!json_is_object(screens) || json_object_size(screens) == 0)
        return sim_wrong(place, "activity '%s' needs 'screens' with at least one screen", name);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)screens, key, value)
        tac_vec_push(&app->screens, (struct sim_screen){.name = key});
    a.screen_count = (uint32_t)app->screens.count - a.first_screen;
    a.initial = a.first_screen;
    tac_vec_push(&app->activities, a);
    const char *first = NULL;
    st = sim_get_text(place, activity, "first", &first);
    if (st || !first)
        return st;
    uint32_t number = (uint32_t)app->activities.count - 1;
    app->activities.at[number].initial = sim_find_screen(app, number, first);
    if (app->activities.at[number].initial != SIM_NONE)
        return TAC_OK;
    sim_enter(place, "first");
    return sim_wrong(place, "activity '%s' has no screen '%s'", name, first);
}

static tac_status load_screen(struct sim_place *place, const json_t *json, uint32_t number)
{
    static const char *const known[] = {"widgets", "enter", "back", "system", NULL};
    struct sim_app *app = place->app;
    tac_status st = sim_want(place, json, JSON_OBJECT, "a screen (an object)");
    if (!st)
        st = sim_only_keys(place, json, known);
    struct sim_screen screen = {.name = app->screens.at[number].name};
    if (!st)
        st = sim_load_actions(place, json, "enter", &screen.enter, NULL);
    if (!st)
        st = sim_load_actions(place, json, "back", &screen.back, &screen.has_back);
    if (!st)
        st = sim_load_handlers(place, json, &screen.system);
    const json_t *widgets = json_object_get(json, "widgets");
    if (!st && widgets) {
        size_t was = sim_enter(place, "widgets");
        st = sim_load_widgets(place, widgets, &screen.first_child, &screen.child_count);
        if (!st)
            sim_leave(place, was);
    }
    if (!st)
        app->screens.at[number] = screen;
    return st;
}

/* Second pass over one activity. */
static tac_status load_activity(struct sim_place *place, uint32_t number, const json_t *activity)
{
    struct sim_app *app = place->app;
    place->activity = number;
    struct sim_handlers system = {0, 0};
    tac_status st = sim_load_handlers(place, activity, &system);
    if (st)
        return st;
    app->activities.at[number].system = system;
    size_t was = sim_enter(place, "screens");
    uint32_t screen = app->activities.at[number].first_screen;
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(activity, "screens"), key, value)
    {
        size_t at = sim_enter(place, key);
        st = load_screen(place, value, screen++);
        if (st)
            return st;
        sim_leave(place, at);
    }
    sim_leave(place, was);
    place->activity = SIM_NONE;
    return TAC_OK;
}

static tac_status load_activities(struct sim_place *place, const json_t *root, bool declare)
{
    struct sim_app *app = place->app;
    const json_t *all = json_object_get(root, "activities");
    if (!json_is_object(all) || json_object_size(all) == 0)
        return sim_wrong(place, "the app needs 'activities' with at least one activity");
    size_t was = sim_enter(place, "activities");
    if (json_object_size(all) > SIM_MAX_ACTIVITIES)
        return sim_wrong(place, "at most %d activities are possible", SIM_MAX_ACTIVITIES);
    const char *name;
    json_t *activity;
    uint32_t number = 0;
    json_object_foreach((json_t *)all, name, activity)
    {
        size_t at = sim_enter(place, name);
        tac_status st = declare ? declare_activity(place, name, activity)
                                : load_activity(place, number++, activity);
        if (st)
            return st;
        sim_leave(place, at);
    }
    sim_leave(place, was);
    if (!declare)
        return TAC_OK;
    const char *main_name = app->activities.at[0].name;
    tac_status st = sim_get_text(place, root, "main", &main_name);
    if (st)
        return st;
    app->main_activity = sim_find_activity(app, main_name);
    if (app->main_activity != SIM_NONE)
        return TAC_OK;
    sim_enter(place, "main");
    return sim_wrong(place, "there is no activity '%s'", main_name);
}

static tac_status load_header(struct sim_place *place, const json_t *root)
{
    static const char *const known[] = {
        "tactus-app", "name",     "code",    "package",   "device",     "serial",
        "variables",  "kept",     "main",    "templates", "activities", "system",
        "streams",    "channels", "crashes", "resources", NULL};
    struct sim_app *app = place->app;
    tac_status st = sim_want(place, root, JSON_OBJECT, "an app (an object)");
    if (!st)
        st = sim_only_keys(place, root, known);
    if (st)
        return st;
    double version = 0;
    st = sim_get_number(place, root, "tactus-app", 1, 1, &version);
    if (st)
        return st;
    if (version != 1)
        return sim_wrong(place, "this is not an app file: \"tactus-app\": 1 is missing");
    app->name = app->code = "app";
    app->package = "com.example.app";
    app->device_name = "phone";
    app->serial = "sim-0001";
    st = sim_get_text(place, root, "name", &app->name);
    if (!st)
        st = sim_get_text(place, root, "code", &app->code);
    if (!st)
        st = sim_get_text(place, root, "package", &app->package);
    if (!st)
        st = sim_get_text(place, root, "device", &app->device_name);
    if (!st)
        st = sim_get_text(place, root, "serial", &app->serial);
    return st;
}

static tac_status load_root(struct sim_place *place)
{
    const json_t *root = place->app->json.root;
    tac_status st = load_header(place, root);
    if (!st)
        st = load_variables(place, root, "variables", SIM_PROCESS, SIM_MAX_VARIABLES);
    if (!st)
        st = load_variables(place, root, "kept", SIM_KEPT, SIM_MAX_VARIABLES);
    if (!st)
        st = sim_load_streams(place, root);
    if (!st)
        st = sim_load_channels(place, root);
    if (!st)
        st = load_activities(place, root, true);
    if (!st)
        st = load_activities(place, root, false);
    if (!st)
        st = sim_load_handlers(place, root, &place->app->system);
    if (!st)
        st = sim_load_crashes(place, root);
    if (!st)
        st = sim_load_resources(place, root);
    return st;
}

static tac_status finish_load(struct sim_app *app, struct sim_app **out, tac_error *err)
{
    struct sim_place place = {.app = app, .activity = SIM_NONE, .err = err};
    place.templates = json_object_get(app->json.root, "templates");
    if (place.templates && !json_is_object(place.templates)) {
        sim_enter(&place, "templates");
        tac_status st = sim_wrong(&place, "'templates' must be an object of named widgets");
        sim_app_free(app);
        return st;
    }
    tac_status st = load_root(&place);
    if (st) {
        sim_app_free(app);
        return st;
    }
    *out = app;
    return TAC_OK;
}

tac_status sim_app_load(const char *path, struct sim_app **out, tac_error *err)
{
    struct sim_app *app = tac_calloc(1, sizeof *app);
    tac_status st = tac_json_load(path, SIM_MAX_FILE, &app->json, err);
    if (st) {
        free(app);
        return st;
    }
    return finish_load(app, out, err);
}

tac_status sim_app_parse(const char *name, const char *text, size_t size, struct sim_app **out,
                         tac_error *err)
{
    struct sim_app *app = tac_calloc(1, sizeof *app);
    tac_status st = tac_json_parse(name, text, size, &app->json, err);
    if (st) {
        free(app);
        return st;
    }
    return finish_load(app, out, err);
}

void sim_app_free(struct sim_app *app)
{
    if (!app)
        return;
    tac_json_free(&app->json);
    tac_arena_free(&app->arena);
    tac_names_free(&app->labels);
    tac_vec_free(&app->process);
    tac_vec_free(&app->kept);
    tac_vec_free(&app->locals);
    tac_vec_free(&app->activities);
    tac_vec_free(&app->screens);
    tac_vec_free(&app->widgets);
    tac_vec_free(&app->children);
    tac_vec_free(&app->actions);
    tac_vec_free(&app->links);
    tac_vec_free(&app->exprs);
    tac_vec_free(&app->texts);
    tac_vec_free(&app->parts);
    tac_vec_free(&app->handlers);
    tac_vec_free(&app->streams);
    tac_vec_free(&app->channels);
    tac_vec_free(&app->crashes);
    free(app);
}
