/* Reads an app file of the built-in phone. Two passes: first the names of activities, screens,
 * variables and streams, so that anything may refer to anything; then what they contain. The first
 * mistake ends the reading with its line and column. */
#include "base/data/text.h"
#include "base/data/visible.h"
#include "phone/app/app.h"

size_t sim_enter(struct sim_place *place, const char *key)
{
    size_t was = strlen(place->pointer), n = was;
    size_t room = sizeof place->pointer - 1;
    if (n < room)
        place->pointer[n++] = '/';
    for (; *key && n + 1 < room; key++) {
        if (*key == '~' || *key == '/') {
            place->pointer[n++] = '~';
            place->pointer[n++] = *key == '~' ? '0' : '1';
        } else {
            place->pointer[n++] = *key;
        }
    }
    place->pointer[n] = '\0';
    return was;
}

size_t sim_enter_item(struct sim_place *place, size_t index)
{
    char key[32];
    snprintf(key, sizeof key, "%zu", index);
    return sim_enter(place, key);
}

void sim_leave(struct sim_place *place, size_t length)
{
    place->pointer[length] = '\0';
}

tac_status sim_wrong(struct sim_place *place, const char *format, ...)
{
    char message[900];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return tac_json_fail(&place->app->json, place->pointer, place->err, "%s", message);
}

tac_status sim_only_keys(struct sim_place *place, const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        size_t count = 0;
        while (known[count] && strcmp(known[count], key) != 0)
            count++;
        if (known[count] || key[0] == '#')
            continue;
        const char *near = tac_closest(key, known, count);
        sim_enter(place, key);
        if (near)
            return sim_wrong(place, "'%s' is not known here; did you mean '%s'?", key, near);
        return sim_wrong(place, "'%s' is not known here (docs/app-files.md lists what is)", key);
    }
    return TAC_OK;
}

tac_status sim_want(struct sim_place *place, const json_t *value, json_type type, const char *what)
{
    if (value && json_typeof(value) == type)
        return TAC_OK;
    return sim_wrong(place, "expected %s", what);
}

static tac_status check_name(struct sim_place *place, const char *name)
{
    char buffer[TAC_NAME_FLAW];
    const char *flaw = tac_name_flaw(name, buffer);
    return flaw ? sim_wrong(place, "a name %s; names are text that can be shown", flaw) : TAC_OK;
}

/* What an app shows or says may be any text; all else names something. */
static bool is_free_text(const char *key)
{
    static const char *const keys[] = {"log", "text", "message", "description", "hint", "value"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(key, keys[i]))
            return true;
    return false;
}

tac_status sim_each_member(struct sim_place *place, const json_t *root, const char *key,
                           const char *what, sim_load_member *load)
{
    const json_t *all = json_object_get(root, key);
    if (!all)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = sim_want(place, all, JSON_OBJECT, what);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)all, name, value)
    {
        if (st)
            return st;
        size_t at = sim_enter(place, name);
        st = check_name(place, name);
        if (!st)
            st = load(place, name, value);
        if (!st)
            sim_leave(place, at);
    }
    if (!st)
        sim_leave(place, was);
    return st;
}

tac_status sim_get_number(struct sim_place *place, const json_t *object, const char *key,
                          double least, double most, double *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= least && number <= most)) {
        sim_enter(place, key);
        return sim_wrong(place, "'%s' must be a number from %g to %g", key, least, most);
    }
    *out = number;
    return TAC_OK;
}

tac_status sim_get_text(struct sim_place *place, const json_t *object, const char *key,
                        const char **out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    if (!json_is_string(value)) {
        sim_enter(place, key);
        return sim_wrong(place, "'%s' must be a text", key);
    }
    if (!is_free_text(key)) {
        size_t was = sim_enter(place, key);
        tac_status st = check_name(place, json_string_value(value));
        if (st)
            return st;
        sim_leave(place, was);
    }
    *out = json_string_value(value);
    return TAC_OK;
}

tac_status sim_get_bool(struct sim_place *place, const json_t *object, const char *key, bool *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TAC_OK;
    if (!json_is_boolean(value)) {
        sim_enter(place, key);
        return sim_wrong(place, "'%s' must be true or false", key);
    }
    *out = json_is_true(value);
    return TAC_OK;
}

tac_status sim_get_expr(struct sim_place *place, const json_t *object, const char *key,
                        uint32_t *out)
{
    const json_t *value = json_object_get(object, key);
    *out = SIM_NONE;
    if (!value)
        return TAC_OK;
    size_t was = sim_enter(place, key);
    tac_status st = sim_parse_value(place, value, out);
    if (!st)
        sim_leave(place, was);
    return st;
}

uint32_t sim_label(struct sim_app *app, const char *name)
{
    return tac_names_intern(&app->labels, name);
}

uint32_t sim_find_activity(const struct sim_app *app, const char *name)
{
    for (uint32_t i = 0; i < app->activities.count; i++)
        if (!strcmp(app->activities.at[i].name, name))
            return i;
    return SIM_NONE;
}

uint32_t sim_find_screen(const struct sim_app *app, uint32_t activity, const char *name)
{
    const struct sim_activity *a = &app->activities.at[activity];
    for (uint32_t i = 0; i < a->screen_count; i++)
        if (!strcmp(app->screens.at[a->first_screen + i].name, name))
            return a->first_screen + i;
    return SIM_NONE;
}

bool sim_find_variable(const struct sim_place *place, const char *name, struct sim_ref *out)
{
    const struct sim_app *app = place->app;
    if (place->activity != SIM_NONE) {
        const struct sim_activity *a = &app->activities.at[place->activity];
        for (uint32_t i = 0; i < a->local_count; i++)
            if (!strcmp(app->locals.at[a->first_local + i].name, name)) {
                *out = (struct sim_ref){SIM_LOCAL, i};
                return true;
            }
    }
    for (uint32_t i = 0; i < app->process.count; i++)
        if (!strcmp(app->process.at[i].name, name)) {
            *out = (struct sim_ref){SIM_PROCESS, i};
            return true;
        }
    for (uint32_t i = 0; i < app->kept.count; i++)
        if (!strcmp(app->kept.at[i].name, name)) {
            *out = (struct sim_ref){SIM_KEPT, i};
            return true;
        }
    return false;
}

/* {"name": initial, ...} appended to a list of variables; at most `most`. */
static tac_status load_variables(struct sim_place *place, const json_t *object, const char *key,
                                 enum sim_scope scope, size_t most)
{
    static const char *const reserved[] = {"item", "media", "random", "count", "and",
                                           "or",   "not",   "true",   "false", NULL};
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
        for (size_t i = 0; reserved[i]; i++)
            if (!strcmp(name, reserved[i]))
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
