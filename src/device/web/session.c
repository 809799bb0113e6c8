/* A WebDriver session: capabilities, the page script, the end. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include <string.h>
#include <unistd.h>

/* Pages reach this machine, the app's own host and those that belong to it; nothing else. */
static char *reachable_hosts(const struct webdriver *w)
{
    tac_str rules = {0};
    tac_str_add(&rules, "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , "
                        "EXCLUDE localhost");
    for (size_t i = 0; i < w->stay_count; i++) {
        const char *start = strstr(w->stay[i], "://");
        size_t length = start ? strcspn(start + 3, "/:?#") : 0;
        if (length)
            tac_str_addf(&rules, " , EXCLUDE %.*s", (int)length, start + 3);
    }
    return tac_str_take(&rules);
}

/* What the browser is not to do, in one list: of two the browser takes the last. The popup of the
 * address bar is two pages of the browser's own in a process of their own, which nobody sees here:
 * 0.8 s of a processor at each start, as much as all the rest. */
static char *features_off(const struct webdriver *w)
{
    /* Within a site the next document takes the place of the last: in another process it would not
     * wait for the callback that leaves, and the browser drops what that one says then. */
    return tac_format("--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup%s",
                      w->recorder.console ? ",RenderDocument,BackForwardCache" : "");
}

/* What was found to work with Debian's Chromium; see docs/web.md. */
static json_t *chromium_capabilities(const struct webdriver *w)
{
    static const char *const flags[] = {
        "--headless",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--autoplay-policy=no-user-gesture-required",
        "--disable-popup-blocking",
    };
    json_t *arguments = json_array();
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        json_array_append_new(arguments, json_string(flags[i]));
    char *off = features_off(w);
    json_array_append_new(arguments, json_string(off));
    free(off);
    if (geteuid() == 0) /* Chromium's sandbox does not start for root; describe says so */
        json_array_append_new(arguments, json_string("--no-sandbox"));
    char *profile = tac_format("--user-data-dir=%s/profile", w->profile);
    json_array_append_new(arguments, tac_json_string(profile));
    free(profile);
    char *hosts = w->network ? wd_network_hosts(w) : reachable_hosts(w);
    json_array_append_new(arguments, tac_json_string(hosts));
    free(hosts);
    char *downloads = tac_format("%s/downloads", w->profile);
    json_t *preferences = json_object();
    json_object_set_new(preferences, "download.default_directory", tac_json_string(downloads));
    json_object_set_new(preferences, "download.prompt_for_download", json_false());
    free(downloads);
    json_t *metrics = json_pack("{s:i,s:i,s:f,s:b,s:b}", "width", WD_WIDE, "height", WD_HIGH,
                                "pixelRatio", WD_PIXELS, "mobile", 1, "touch", 1);
    json_t *options = json_pack("{s:s,s:o,s:{s:o},s:o}", "binary", CHROMIUM, "args", arguments,
                                "mobileEmulation", "deviceMetrics", metrics, "prefs", preferences);
    /* Nobody but us waits for pages and answers dialogs, so that no command lasts. */
    json_t *logs = json_pack("{s:s}", "performance", "ALL");
    if (w->recorder.console)
        json_object_set_new(logs, "browser", json_string("ALL"));
    return json_pack("{s:s,s:o,s:o,s:s,s:s}", "browserName", "chrome", "goog:chromeOptions",
                     options, "goog:loggingPrefs", logs, "pageLoadStrategy", "none",
                     "unhandledPromptBehavior", "ignore");
}

/* The user's file is the whole "capabilities" object, or just what must match. */
static tac_status read_capabilities(const char *path, json_t **out, tac_error *err)
{
    tac_json json;
    tac_status status = tac_json_load(path, 1 << 20, &json, err);
    if (status != TAC_OK)
        return status;
    json_t *whole = json_object_get(json.root, "capabilities");
    if (!json_is_object(json.root))
        status = tac_json_fail(&json, "", err, "capabilities are a JSON object");
    else if (whole)
        *out = json_incref(whole);
    else if (json_object_get(json.root, "alwaysMatch") || json_object_get(json.root, "firstMatch"))
        *out = json_incref(json.root);
    else
        *out = json_pack("{s:O}", "alwaysMatch", json.root);
    tac_json_free(&json);
    return status;
}

static tac_status choose_capabilities(const struct webdriver *w, const tac_device_options *options,
                                      json_t **out, tac_error *err)
{
    if (options->capabilities)
        return read_capabilities(options->capabilities, out, err);
    *out = w->process ? json_pack("{s:o}", "alwaysMatch", chromium_capabilities(w))
                      : json_pack("{s:{}}", "alwaysMatch");
    return TAC_OK;
}

tac_status wd_new_session(struct webdriver *w, json_t **granted, tac_error *err)
{
    json_t *value = NULL;
    tac_status status = wd_call(w, "start a session", "POST", "!/session", json_incref(w->request),
                                120, &value, err);
    if (status != TAC_OK)
        return status;
    const char *id = json_string_value(json_object_get(value, "sessionId"));
    if (id) {
        w->session = tac_strdup(id);
        w->aside = false;
        *granted = json_incref(json_object_get(value, "capabilities"));
    } else {
        status = tac_fail(err, TAC_E_DEVICE, "%s gave no session", w->base);
    }
    json_decref(value);
    return status;
}

/* Appium says in which context its commands act; a browser does not know the question. */
static bool is_native(struct webdriver *w)
{
    json_t *context = NULL;
    tac_error ignored;
    wd_call(w, "ask for the context", "GET", "/context", NULL, 10, &context, &ignored);
    bool native = json_is_string(context) && !strcmp(json_string_value(context), "NATIVE_APP");
    json_decref(context);
    return native;
}

/* Chromium's driver keeps a performance log only for sessions that ask for it. */
static bool has_performance_log(struct webdriver *w)
{
    json_t *types = NULL;
    const json_t *type;
    size_t i;
    tac_error ignored;
    bool found = false;
    wd_call(w, "ask for the logs", "GET", "/se/log/types", NULL, 10, &types, &ignored);
    json_array_foreach(types, i, type) found |=
        json_is_string(type) && !strcmp(json_string_value(type), "performance");
    json_decref(types);
    return found;
}

/* The window of the app, and the script in every page that it will show. */
static tac_status prepare_pages(struct webdriver *w, tac_error *err)
{
    json_t *window = NULL;
    tac_status status = wd_call(w, "find the window", "GET", "/window", NULL, 10, &window, err);
    if (status == TAC_OK)
        w->window = tac_strdup(json_is_string(window) ? json_string_value(window) : "");
    json_decref(window);
    if (status != TAC_OK || !w->chromium)
        return status;
    w->performance_log = has_performance_log(w);
    status = wd_install_page_script(w, err);
    return status == TAC_OK ? wd_install_recorder(w, err) : status;
}

tac_status wd_open_session(struct webdriver *w, const tac_device_options *options, json_t **granted,
                           tac_error *err)
{
    json_t *capabilities = NULL;
    tac_status status = choose_capabilities(w, options, &capabilities, err);
    if (status != TAC_OK)
        return status;
    w->request = json_pack("{s:o}", "capabilities", capabilities);
    /* A session may take its time; whether anybody is there shows at once. */
    status = wd_call(w, "ask for the driver", "GET", "!/status", NULL, 5, NULL, err);
    if (status == TAC_OK)
        status = wd_new_session(w, granted, err);
    if (status != TAC_OK)
        return status;
    const char *browser = json_string_value(json_object_get(*granted, "browserName"));
    const char *version = json_string_value(json_object_get(*granted, "browserVersion"));
    w->browser = tac_strdup(browser ? browser : "browser");
    w->version = tac_strdup(version ? version : "");
    w->chromium = json_object_get(*granted, "goog:chromeOptions") != NULL;
    w->native.here = !w->chromium && is_native(w);
    return w->native.here ? TAC_OK : prepare_pages(w, err);
}

/* A browser that we started is killed with its driver, and its profile removed: it need not take
 * leave, which takes it a quarter of a second. */
void wd_close_session(struct webdriver *w)
{
    tac_error ignored;
    if (w->session && w->curl && w->process <= 0)
        wd_call(w, "end the session", "DELETE", "", NULL, 5, NULL, &ignored);
    free(w->session);
    w->session = NULL;
}
