/* What an app declares: which features it has, and what their events are called in it. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "kpi/read.h"
#include <string.h>

static tac_kpi_app *app_new(const tac_kpi_catalogue *catalogue)
{
    tac_kpi_app *app = tac_calloc(1, sizeof *app);
    app->catalogue = catalogue;
    app->has = tac_calloc(catalogue->features.count + 1, sizeof *app->has);
    app->of = tac_calloc(catalogue->features.count + 1, sizeof *app->of);
    return app;
}

tac_kpi_app *tac_kpi_app_with_all(const char *name, const tac_kpi_catalogue *catalogue)
{
    tac_kpi_app *app = app_new(catalogue);
    app->name = tac_arena_strdup(&app->texts, name);
    for (size_t i = 0; i < catalogue->features.count; i++) {
        const kpi_texts *events = &catalogue->features.at[i].events;
        app->has[i] = true;
        for (size_t e = 0; e < events->count; e++)
            tac_vec_push(&app->of[i], tac_arena_strdup(&app->texts, events->at[e]));
    }
    return app;
}

/* Every event of the feature has a name in the app, and nothing else is named. */
static tac_status read_events(const struct kpi_object *object, const struct kpi_feature *feature,
                              kpi_texts *out, tac_error *err)
{
    const char *key;
    json_t *value;
    tac_status status = TAC_OK;
    json_object_foreach((json_t *)object->json, key, value)
    {
        bool known = key[0] == '#';
        for (size_t e = 0; e < feature->events.count && !known; e++)
            known = !strcmp(key, feature->events.at[e]);
        if (!known)
            return kpi_fail(object, key, err, "'%.60s' is not an event of the feature '%s'", key,
                            feature->name);
    }
    for (size_t e = 0; e < feature->events.count && status == TAC_OK; e++) {
        const char *name = NULL;
        status = kpi_read_text(object, feature->events.at[e], true, &name, err);
        if (status == TAC_OK && strchr(name, '`'))
            status = kpi_fail(object, feature->events.at[e], err,
                              "the name of an event has no backquote");
        if (status == TAC_OK)
            tac_vec_push(out, name);
    }
    return status;
}

static tac_status read_features(const tac_json *file, const json_t *features, tac_kpi_app *app,
                                tac_error *err)
{
    const char *name;
    json_t *json;
    tac_status status = TAC_OK;
    json_object_foreach((json_t *)features, name, json)
    {
        struct kpi_object object;
        char at[96];
        size_t feature = kpi_find_feature(app->catalogue, name);
        snprintf(at, sizeof at, "/features/%.60s", name);
        if (status == TAC_OK)
            status = kpi_object_open(file, json, at, "what a feature's events are called",
                                     &app->texts, &object, err);
        if (status == TAC_OK && feature == SIZE_MAX)
            status = kpi_fail(&object, "", err, "'%.60s' is not a feature of the catalogue '%s'",
                              name, app->catalogue->name);
        if (status == TAC_OK)
            status =
                read_events(&object, &app->catalogue->features.at[feature], &app->of[feature], err);
        if (status == TAC_OK)
            app->has[feature] = true;
    }
    return status;
}

static tac_status read_app(const tac_json *file, tac_kpi_app *app, tac_error *err)
{
    struct kpi_object root;
    const json_t *features = json_object_get(file->root, "features");
    tac_status status =
        kpi_object_open(file, file->root, "", "a declaration", &app->texts, &root, err);
    if (status == TAC_OK && json_integer_value(json_object_get(file->root, "tactus-kpi-app")) != 1)
        status = tac_json_fail(
            file, "", err,
            "this is not the declaration of an app: \"tactus-kpi-app\": 1 is missing");
    if (status == TAC_OK)
        status = kpi_refuse_unknown(&root, "tactus-kpi-app name about features", err);
    if (status == TAC_OK)
        status = kpi_read_text(&root, "name", true, &app->name, err);
    if (status == TAC_OK && !json_is_object(features))
        status = tac_json_fail(
            file, features ? "/features" : "", err,
            "\"features\" is needed: an object from features to the names of their events");
    return status == TAC_OK ? read_features(file, features, app, err) : status;
}

tac_status tac_kpi_app_load(const char *path, const tac_kpi_catalogue *catalogue, tac_kpi_app **out,
                            tac_error *err)
{
    tac_json file;
    tac_status status = tac_json_load(path, KPI_MAX_FILE, &file, err);
    if (status != TAC_OK)
        return status;
    tac_kpi_app *app = app_new(catalogue);
    status = read_app(&file, app, err);
    tac_json_free(&file);
    if (status == TAC_OK)
        *out = app;
    else
        tac_kpi_app_free(app);
    return status;
}

void tac_kpi_app_free(tac_kpi_app *app)
{
    if (!app)
        return;
    for (size_t i = 0; i < app->catalogue->features.count; i++)
        tac_vec_free(&app->of[i]);
    free(app->of);
    free(app->has);
    tac_arena_free(&app->texts);
    free(app);
}

const char *tac_kpi_app_name(const tac_kpi_app *app)
{
    return app->name;
}

char *kpi_lacks(const tac_kpi_app *app, const kpi_indices *features)
{
    tac_str text = {0};
    size_t lacking = 0;
    for (size_t i = 0; i < features->count; i++)
        if (!app->has[features->at[i]])
            tac_str_addf(&text, "%s'%s'", lacking++ ? ", " : "",
                         app->catalogue->features.at[features->at[i]].name);
    char *reason = lacking ? tac_format("'%s' does not declare the feature%s %s", app->name,
                                        lacking == 1 ? "" : "s", tac_str_text(&text))
                           : tac_strdup("");
    tac_str_free(&text);
    return reason;
}
