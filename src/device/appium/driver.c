/* A native app behind Appium: the page source is the Android hierarchy, with elements named by
 * their class; the app's life goes through "mobile:" commands, which are ordinary script calls of
 * W3C.
 *
 * Drivers differ in what they know. A call that the other end does not have is asked for once and
 * then done without: an app that cannot be started or cleared by name gets a new session, and where
 * nobody tells who is in front, the package of the screen's root does. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/appium/appium.h"
#include <math.h>
#include <string.h>

tac_status appium_mobile(struct webdriver *w, const char *step, const char *command,
                         json_t *arguments, double deadline, json_t **value, tac_error *err)
{
    char *script = tac_format("mobile: %s", command);
    json_t *list = json_array();
    json_array_append_new(list, arguments ? arguments : json_object());
    tac_status status = wd_script(w, step, script, list, deadline, value, err);
    free(script);
    return status;
}

static json_t *of_app(const struct webdriver *w)
{
    json_t *arguments = json_object();
    json_object_set_new(arguments, "appId", tac_json_string(w->host));
    return arguments;
}

/* --- looking --- */

tac_status appium_snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err)
{
    struct webdriver *w = device->state;
    *out = w->ui;
    if (wd_is_fresh(w))
        return TAC_OK;
    json_t *source = NULL;
    tac_ui *ui = NULL;
    tac_status status =
        wd_call(w, "look at the screen", "GET", "/source", NULL, deadline, &source, err);
    if (status == TAC_OK && !json_is_string(source))
        status = tac_fail(err, TAC_E_DEVICE, "look at the screen: %s gave no page source", w->base);
    if (status == TAC_OK)
        status = tac_ui_from_xml("page source", json_string_value(source),
                                 json_string_length(source), &ui, err);
    json_decref(source);
    if (status != TAC_OK)
        return status == TAC_E_INPUT ? TAC_E_DEVICE : status;
    tac_ui_free(w->ui);
    w->ui = ui;
    w->fresh_until = INFINITY;
    *out = ui;
    return TAC_OK;
}

static bool same_shape(const tac_ui *a, const tac_ui *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) {
        const tac_ui_node *x = &a->nodes[i], *y = &b->nodes[i];
        same = x->parent == y->parent && x->flags == y->flags && x->left == y->left &&
               x->top == y->top && x->right == y->right && x->bottom == y->bottom &&
               !strcmp(x->class_name, y->class_name) && !strcmp(x->resource_id, y->resource_id);
    }
    return same;
}

/* Two looks that show the same. Texts do not count: a clock or the time of a song goes on. */
static tac_status settle(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    const double pause = 0.1;
    double until = tac_now() + deadline;
    const tac_ui *now;
    wd_touched(w);
    tac_status status = appium_snapshot(device, deadline, &now, err);
    while (status == TAC_OK) {
        tac_ui *before = w->ui;
        double looked = tac_now();
        w->ui = tac_ui_new(0);
        wd_sleep(device, pause, err);
        status = appium_snapshot(device, deadline, &now, err);
        bool same = status == TAC_OK && same_shape(before, now);
        tac_ui_free(before);
        if (same && w->traffic.last_input > 0) {
            w->traffic.response = fmax(0, looked - w->traffic.last_input);
            w->traffic.last_input = 0;
        }
        if (status != TAC_OK || same)
            break;
        if (tac_now() >= until)
            return tac_fail(err, TAC_E_LIMIT, "the screen did not settle within %g s", deadline);
    }
    return status;
}

/* A text that one of two calls knows, or NULL; the caller's. */
static tac_status ask_front(struct webdriver *w, const char *command, const char *path,
                            double deadline, char **out, tac_error *err)
{
    json_t *value = NULL;
    tac_status status =
        appium_mobile(w, "ask who is in front", command, NULL, deadline, &value, err);
    if (status != TAC_OK && wd_unknown(w))
        status = wd_call(w, "ask who is in front", "GET", path, NULL, deadline, &value, err);
    if (status != TAC_OK && wd_unknown(w)) {
        w->native.no_front = true;
        status = TAC_OK;
    }
    *out = json_is_string(value) ? tac_strdup(json_string_value(value)) : NULL;
    json_decref(value);
    return status;
}

static tac_status is_running(struct webdriver *w, double deadline, bool *running, tac_error *err)
{
    enum { NOT_RUNNING = 1 };
    json_t *state = NULL;
    tac_status status = appium_mobile(w, "ask whether the app runs", "queryAppState", of_app(w),
                                      deadline, &state, err);
    *running = !json_is_integer(state) || json_integer_value(state) > NOT_RUNNING;
    json_decref(state);
    return status != TAC_OK && wd_unknown(w) ? TAC_OK : status;
}

static const char *without_package(const char *activity, const char *package)
{
    size_t n = strlen(package);
    if (!strncmp(activity, package, n) && activity[n] == '.')
        return activity + n + 1;
    return activity[0] == '.' ? activity + 1 : activity;
}

static tac_status foreground(tac_device *device, double deadline, tac_foreground *out,
                             tac_error *err)
{
    struct webdriver *w = device->state;
    char *package = NULL, *activity = NULL;
    const tac_ui *ui;
    tac_status status = TAC_OK;
    if (!w->native.no_front)
        status = ask_front(w, "getCurrentPackage", "/appium/device/current_package", deadline,
                           &package, err);
    if (status == TAC_OK && package)
        status = ask_front(w, "getCurrentActivity", "/appium/device/current_activity", deadline,
                           &activity, err);
    if (status == TAC_OK && !package) {
        status = appium_snapshot(device, deadline, &ui, err);
        package = tac_strdup(status == TAC_OK && ui->count ? ui->nodes[0].package : w->host);
        activity = tac_strdup("screen");
    }
    bool running = true;
    if (status == TAC_OK && strcmp(package, w->host) != 0)
        status = is_running(w, deadline, &running, err);
    free(w->native.front);
    free(w->activity);
    w->native.front = package ? package : tac_strdup("");
    w->activity = tac_strdup(without_package(activity ? activity : "", w->native.front));
    free(activity);
    *out =
        (tac_foreground){.package = w->native.front, .activity = w->activity, .running = running};
    return status;
}

/* --- the app's life --- */

static tac_status new_session(struct webdriver *w, tac_error *err)
{
    json_t *granted = NULL;
    wd_close_session(w);
    tac_status status = wd_new_session(w, &granted, err);
    json_decref(granted);
    w->native.untouched = status == TAC_OK;
    wd_touched(w);
    return status;
}

/* A command about the app. Where the driver does not have it, the app's life is the session's. */
static tac_status about_app(struct webdriver *w, const char *step, const char *command,
                            double deadline, tac_error *err)
{
    wd_touched(w);
    if (w->native.no_life)
        return TAC_OK;
    json_t *arguments = of_app(w);
    if (!strcmp(command, "startActivity")) {
        json_object_set_new(arguments, "intent", tac_json_string(w->native.start));
        json_object_set_new(arguments, "wait", json_true());
    }
    tac_status status = appium_mobile(w, step, command, arguments, deadline, NULL, err);
    if (status != TAC_OK && wd_unknown(w)) {
        w->native.no_life = true;
        return TAC_OK;
    }
    return status;
}

static tac_status launch(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    android_crash_clear(&w->native.crash);
    tac_status status = about_app(w, "start the app",
                                  w->native.start ? "startActivity" : "activateApp", deadline, err);
    if (status == TAC_OK && w->native.no_life && !w->native.untouched)
        status = new_session(w, err);
    return status == TAC_OK ? settle(device, deadline, err) : status;
}

static tac_status close_app(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    w->native.untouched = false;
    return about_app(w, "close the app", "terminateApp", deadline, err);
}

static tac_status reset(tac_device *device, uint64_t seed, double deadline, tac_error *err)
{
    (void)seed;
    struct webdriver *w = device->state;
    tac_status status = about_app(w, "close the app", "terminateApp", deadline, err);
    if (status == TAC_OK)
        status = about_app(w, "clear the app's data", "clearApp", deadline, err);
    if (status == TAC_OK && w->native.no_life && !w->native.untouched)
        status = new_session(w, err);
    if (status == TAC_OK)
        status = appium_collect(w, err); /* what was written before is not of this run's app */
    android_crash_clear(&w->native.crash);
    return status;
}

static tac_status install(tac_device *device, const char *file, double deadline, tac_error *err)
{
    if (!file)
        return TAC_OK;
    json_t *arguments = json_object();
    json_object_set_new(arguments, "appPath", tac_json_string(file));
    return appium_mobile(device->state, "install the app", "installApp", arguments, deadline, NULL,
                         err);
}

static const char *granted_text(const json_t *granted, const char *name)
{
    char *prefixed = tac_format("appium:%s", name);
    const char *text = json_string_value(json_object_get(granted, name));
    if (!text)
        text = json_string_value(json_object_get(granted, prefixed));
    free(prefixed);
    return text;
}

/* Takes the app from the options or from what was granted. */
static tac_status begin(tac_device *device, const char *app, const json_t *granted, tac_error *err)
{
    struct webdriver *w = device->state;
    const char *platform = granted_text(granted, "platformName");
    const char *version = granted_text(granted, "platformVersion");
    const char *package = granted_text(granted, "appPackage");
    free(w->browser);
    free(w->version);
    w->browser = tac_strdup(platform ? platform : "Appium");
    w->version = tac_strdup(version ? version : "");
    w->native.untouched = true;
    if (!package)
        package = granted_text(granted, "bundleId");
    if (app && strchr(app, '/'))
        w->native.start = tac_strdup(app);
    if (app && *app)
        w->host = tac_strndup(app, strcspn(app, "/"));
    else if (package)
        w->host = tac_strdup(package);
    tac_status status = TAC_OK;
    if (!w->host) {
        const tac_ui *ui;
        w->native.no_life = true;
        status = appium_snapshot(device, device->deadline, &ui, err);
        w->host = tac_strdup(status == TAC_OK && ui->count ? ui->nodes[0].package : "");
    }
    w->native.crash.package = tac_strdup(w->host);
    return status;
}

/* Takes over the session that the WebDriver's open has begun. */
static tac_status take_over(tac_device *device, const char *rest, const tac_device_options *options,
                            tac_error *err)
{
    (void)rest;
    tac_status status = begin(device, options->app, device->native, err);
    if (status == TAC_OK && options->scenario)
        status = wd_scenario(device, options->scenario, err);
    json_decref(device->native);
    device->native = NULL;
    if (status != TAC_OK)
        wd_free_device(device);
    return status;
}

/* Lines of the log carry the time at which Appium's host read them, so its clock is ours. */
static tac_status read_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    (void)device;
    (void)err;
    int64_t now = tac_clock(CLOCK_REALTIME);
    *out = (tac_clock_reading){.device = now, .host_before = now, .host_after = now};
    return TAC_OK;
}

const struct device_driver appium_driver = {
    .scheme = "webdriver",
    .open = take_over,
    .free = wd_free_device,
    .describe = wd_describe,
    .install = install,
    .launch = launch,
    .close = close_app,
    .reset = reset,
    .snapshot = appium_snapshot,
    .perform = appium_perform,
    .has_key = appium_has_key,
    .system = appium_system,
    .settle = settle,
    .sleep = wd_sleep,
    .wait_change = wd_wait_change,
    .foreground = foreground,
    .screenshot = wd_screenshot,
    .probes = wd_probes,
    .measure = wd_measure,
    .clock = read_clock,
    .log = appium_log,
    .crash = appium_crash,
    .scenario = wd_scenario,
};
