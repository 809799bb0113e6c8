/* The five shipped apps and the options with which they are explored (docs/explore.md). */
#ifndef SHIPPED_APPS_H
#define SHIPPED_APPS_H

#include "explore/explore.h"
#include "model/tools.h"
#include "tactus_test.h"

typedef struct shipped_app {
    const char *name, *package;
    bool random;
    const char *ignore[4], *texts[6][2]; /* ids; ids and values */
    /* the row of the paper's Table II; 0 = not readable there */
    unsigned activities, machines, states, transitions;
} shipped_app;

static const shipped_app shipped_apps[] = {
    {.name = "player", .package = "player", .states = 13, .transitions = 41},
    {.name = "calculator", .package = "calculator", .transitions = 93},
    {.name = "notes",
     .package = "notes",
     .ignore = {"share", "color", "account"},
     .texts = {{"title", "Milk"}, {"content", "Two litres"}, {"query", "milk"}, {"tag", "home"}},
     .states = 16,
     .transitions = 69},
    {.name = "quiz",
     .package = "quiz",
     .random = true,
     .texts = {{"first_name", "Ada"}, {"last_initial", "L"}, {"answer", "42"}},
     .states = 16,
     .transitions = 51},
    {.name = "blog",
     .package = "blog",
     .random = true,
     .ignore = {"lost_password", "create_account", "terms"},
     .texts = {{"user", "ada"},
               {"password", "secret"},
               {"post_title", "Hello"},
               {"post_body", "World"},
               {"display_name", "Ada"}},
     .activities = 14,
     .machines = 16,
     .states = 31}};
enum { SHIPPED = sizeof shipped_apps / sizeof *shipped_apps };

static tac_error explore_error;

__attribute__((unused)) static tac_exploration *
explore_app(const shipped_app *app, tac_strategy strategy, uint64_t seed, bool stable)
{
    static char ignore[4][200], texts[6][240];
    const char *ignored[4], *filled[6];
    char uri[1024], file[128];
    tac_explore_options options = {.strategy = strategy, .seed = seed, .stable_names = stable};
    for (size_t i = 0; i < 4 && app->ignore[i]; i++) {
        snprintf(ignore[i], sizeof ignore[i], "//node[@resource-id='com.example.tactus.%s:id/%s']",
                 app->package, app->ignore[i]);
        ignored[options.ignore_count++] = ignore[i];
    }
    for (size_t i = 0; i < 6 && app->texts[i][0]; i++) {
        snprintf(texts[i], sizeof texts[i], "//node[@resource-id='com.example.tactus.%s:id/%s']=%s",
                 app->package, app->texts[i][0], app->texts[i][1]);
        filled[options.text_count++] = texts[i];
    }
    options.ignore = ignored;
    options.texts = filled;
    snprintf(file, sizeof file, "examples/apps/%s.json", app->name);
    snprintf(uri, sizeof uri, "sim:%s", test_source(file));
    tac_device *device = NULL;
    tac_exploration *found = NULL;
    tac_device_options device_options = {.seed = seed};
    if (tac_device_open(uri, &device_options, &device, &explore_error) ||
        tac_explore(device, &options, NULL, &found, &explore_error))
        test_fail(__FILE__, __LINE__, "%s: %s", app->name, explore_error.message);
    tac_device_free(device);
    return found;
}

__attribute__((unused)) static tac_model *true_model(const shipped_app *app)
{
    char file[128];
    tac_model *model = NULL;
    tac_diagnostics findings = {0};
    snprintf(file, sizeof file, "examples/apps/%s.model.xml", app->name);
    if (tac_model_load(test_source(file), &findings, &model, &explore_error))
        test_fail(__FILE__, __LINE__, "%s", explore_error.message);
    tac_diagnostics_free(&findings);
    return model;
}

__attribute__((unused)) static int64_t figure(const tac_exploration *found, const char *key)
{
    json_t *json = tac_exploration_json(found);
    int64_t value = json_integer_value(json_object_get(json, key));
    json_decref(json);
    return value;
}

#endif
