/* Reads an app file of the built-in phone. Two passes: first the names of activities, screens,
 * variables and streams, so that anything may refer to anything; then what they contain. The first
 * mistake ends the reading with its line and column. */
#include "phone/app/load.h"

typedef TAC_VEC(struct sim_variable) variable_list;

static tac_status load_variable(struct sim_place *place, const char *name, const json_t *value,
                                void *to)
{
    if (sim_is_reserved(name))
        return sim_wrong(place, "'%s' is a word of the expression language", name);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
            strlen(name) ||
        !*name || strchr("0123456789", name[0]))
        return sim_wrong(place, "a variable's name has letters, digits and _ only");
    if (!json_is_number(value) && !json_is_boolean(value) && !json_is_string(value))
        return sim_wrong(place, "a variable starts as a number, true, false or a text");
    double number = json_is_true(value) ? 1 : json_number_value(value);
    tac_vec_push((variable_list *)to,
                 (struct sim_variable){name, {number, json_string_value(value)}});
    return TAC_OK;
}

/* {"name": initial, ...} appended to a list of variables; at most `most`. */
static tac_status load_variables(struct sim_place *place, const json_t *object, const char *key,
                                 void *to, size_t most)
{
    if (json_object_size(json_object_get(object, key)) > most)
        return sim_wrong_member(place, key, "at most %zu variables are possible here", most);
    return sim_each(place, object, key, JSON_OBJECT, "an object of variables and initial values",
                    load_variable, to);
}

/* First pass over one activity: its name, variables and the names of its screens. */
static tac_status declare_activity(struct sim_place *place, const char *name, const json_t *json,
                                   void *context)
{
    static const struct sim_field fields[] = {SIM_ONLY("mode", TEXT),    SIM_ONLY("locals", OTHER),
                                              SIM_ONLY("first", TEXT),   SIM_ONLY("screens", OTHER),
                                              SIM_ONLY("system", OTHER), SIM_END};
    struct sim_app *app = context;
    struct sim_activity a = {.name = name,
                             .first_local = (uint32_t)app->locals.count,
                             .first_screen = (uint32_t)app->screens.count};
    tac_status st = sim_load_fields(place, json, "an activity (an object)", fields, NULL);
    if (!st)
        st = load_variables(place, json, "locals", &app->locals, SIM_MAX_LOCALS);
    if (st)
        return st;
    const char *mode = sim_text_of(json, "mode"), *first = sim_text_of(json, "first"), *key;
    a.single_top = mode && !strcmp(mode, "singleTop");
    if (mode && !a.single_top && strcmp(mode, "standard") != 0)
        return sim_wrong_member(place, "mode", "the mode is 'standard' or 'singleTop'");
    a.local_count = (uint32_t)app->locals.count - a.first_local;
    json_t *screens = json_object_get(json, "screens"), *value;
    if (json_object_size(screens) == 0)
        return sim_wrong(place, "activity '%s' needs 'screens' with at least one screen", name);
    json_object_foreach(screens, key, value)
        tac_vec_push(&app->screens, (struct sim_screen){.name = key});
    a.screen_count = (uint32_t)app->screens.count - a.first_screen;
    a.initial = 0;
    tac_vec_push(&app->activities, a);
    if (first)
        st = sim_need(place, "first",
                      tac_arena_format(&app->arena, "activity '%s' has no screen", name), first,
                      sim_screens(app, (uint32_t)app->activities.count - 1), "", &a.initial);
    tac_vec_last(&app->activities).initial = a.first_screen + a.initial;
    return st;
}

static tac_status load_screen(struct sim_place *place, const char *name, const json_t *json,
                              void *context)
{
    static const struct sim_field fields[] = {
        SIM_AT("enter", ACTIONS, struct sim_screen, enter),
        SIM_AT_HAS("back", ACTIONS, struct sim_screen, back, has_back), SIM_ONLY("widgets", OTHER),
        SIM_ONLY("system", OTHER), SIM_END};
    uint32_t *number = context;
    struct sim_screen screen = {.name = name};
    tac_status st = sim_load_fields(place, json, "a screen (an object)", fields, &screen);
    if (!st)
        st = sim_load_handlers(place, json, &screen.system);
    if (!st)
        st = sim_load_widgets(place, json, "widgets", &screen.first_child, &screen.child_count);
    if (!st)
        place->app->screens.at[(*number)++] = screen;
    return st;
}

/* Second pass over one activity. */
static tac_status load_activity(struct sim_place *place, const char *name, const json_t *json,
                                void *context)
{
    struct sim_app *app = context;
    struct sim_handlers system = {0, 0};
    place->activity = sim_find_activity(app, name);
    tac_status st = sim_load_handlers(place, json, &system);
    app->activities.at[place->activity].system = system;
    uint32_t screen = app->activities.at[place->activity].first_screen;
    if (!st)
        st = sim_each(place, json, "screens", JSON_OBJECT, "an object of screens", load_screen,
                      &screen);
    place->activity = SIM_NONE;
    return st;
}

static tac_status load_activities(struct sim_place *place, const json_t *root)
{
    struct sim_app *app = place->app;
    const json_t *all = json_object_get(root, "activities");
    const char *main_name = sim_text_of(root, "main");
    if (json_object_size(all) == 0)
        return sim_wrong(place, "the app needs 'activities' with at least one activity");
    if (json_object_size(all) > SIM_MAX_ACTIVITIES)
        return sim_wrong_member(place, "activities", "at most %d activities are possible",
                                SIM_MAX_ACTIVITIES);
    tac_status st = sim_each(place, root, "activities", JSON_OBJECT, "an object of activities",
                             declare_activity, app);
    if (!st && main_name)
        st = sim_need(place, "main", "there is no activity", main_name, SIM_NAMED(app->activities),
                      "", &app->main_activity);
    if (!st)
        st = sim_each(place, root, "activities", JSON_OBJECT, "an object of activities",
                      load_activity, app);
    return st;
}

static tac_status load_header(struct sim_place *place, const json_t *root)
{
    static const struct sim_field fields[] = {
        {"tactus-app", SIM_FIELD_NUMBER, SIM_NOWHERE, 0, 1, 1},
        SIM_AT("name", TEXT, struct sim_app, name),
        SIM_AT("code", TEXT, struct sim_app, code),
        SIM_AT("package", TEXT, struct sim_app, package),
        SIM_AT("device", TEXT, struct sim_app, device_name),
        SIM_AT("serial", TEXT, struct sim_app, serial),
        SIM_ONLY("main", TEXT),
        SIM_ONLY("variables", OTHER),
        SIM_ONLY("kept", OTHER),
        SIM_ONLY("templates", OTHER),
        SIM_ONLY("activities", OTHER),
        SIM_ONLY("system", OTHER),
        SIM_ONLY("streams", OTHER),
        SIM_ONLY("channels", OTHER),
        SIM_ONLY("crashes", OTHER),
        SIM_ONLY("resources", OTHER),
        SIM_END};
    struct sim_app *app = place->app;
    app->name = app->code = "app";
    app->package = "com.example.app";
    app->device_name = "phone";
    app->serial = "sim-0001";
    tac_status st = sim_load_fields(place, root, "an app (an object)", fields, app);
    if (!st && !json_object_get(root, "tactus-app"))
        st = sim_wrong(place, "this is not an app file: \"tactus-app\": 1 is missing");
    return st;
}

static tac_status load_root(struct sim_place *place)
{
    struct sim_app *app = place->app;
    const json_t *root = app->json.root;
    tac_status st = load_header(place, root);
    if (!st)
        st = load_variables(place, root, "variables", &app->process, SIM_MAX_VARIABLES);
    if (!st)
        st = load_variables(place, root, "kept", &app->kept, SIM_MAX_VARIABLES);
    if (!st)
        st = sim_load_streams(place, root);
    if (!st)
        st = sim_load_channels(place, root);
    if (!st)
        st = load_activities(place, root);
    if (!st)
        st = sim_load_handlers(place, root, &app->system);
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
