/* webdriver+http://HOST:PORT and chromium:URL behind the device interface. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include <string.h>
#include <unistd.h>

static void end(struct webdriver *w)
{
    wd_close_session(w);
    chromedriver_stop(w);
    if (w->curl)
        curl_easy_cleanup(w->curl);
    curl_slist_free_all(w->headers);
    wd_free_lines(w);
    json_decref(w->request);
    android_crash_free(&w->native.crash);
    tac_str_free(&w->native.storage);
    free(w->native.start);
    free(w->native.front);
    wd_free_traffic(w);
    wd_forget_crash(w);
    tac_vec_free(&w->crash.stack);
    tac_ui_free(w->ui);
    free(w->base);
    free(w->window);
    free(w->url);
    free(w->app);
    free(w->host);
    free(w->activity);
    free(w->browser);
    free(w->version);
    free(w);
}

void wd_free_device(tac_device *device)
{
    end(device->state);
}

/* "http://127.0.0.1:8000/app/" is the app of 127.0.0.1:8000. */
static char *host_of(const char *url)
{
    const char *start = strstr(url, "://");
    start = start ? start + 3 : url;
    return tac_strndup(start, strcspn(start, "/?#"));
}

static struct webdriver *new_webdriver(const char *base, const tac_device_options *options)
{
    struct webdriver *w = tac_calloc(1, sizeof *w);
    w->curl = curl_easy_init();
    if (!w->curl)
        tac_out_of_memory(0);
    w->headers = curl_slist_append(NULL, "Content-Type: application/json; charset=utf-8");
    w->fast = options->fast;
    w->ui = tac_ui_new(0);
    w->base = base ? tac_strdup(base) : NULL;
    for (size_t n = base ? strlen(base) : 0; n && w->base[n - 1] == '/'; n--)
        w->base[n - 1] = '\0';
    return w;
}

static tac_status begin_page(struct webdriver *w, const char *app, tac_error *err)
{
    if (!app || !app[0])
        return tac_fail(
            err, TAC_E_USAGE,
            "no page to drive was given: write chromium:URL, or name the page as the app");
    w->app = tac_strdup(app);
    w->host = host_of(app);
    return TAC_OK;
}

static tac_status begin(tac_device *device, const char *app, const char *base,
                        const tac_device_options *options, tac_error *err)
{
    struct webdriver *w = new_webdriver(base, options);
    json_t *granted = NULL;
    tac_status status = base ? TAC_OK : begin_page(w, app, err);
    device->state = w;
    if (status == TAC_OK && !base)
        status = chromedriver_start(w, err);
    if (status == TAC_OK)
        status = wd_open_session(w, options, &granted, err);
    if (status == TAC_OK && w->native.here)
        status = appium_begin(device, app, granted, err);
    else if (status == TAC_OK && base)
        status = begin_page(w, app, err);
    if (status == TAC_OK && options->scenario)
        status = wd_scenario(device, options->scenario, err);
    json_decref(granted);
    if (status != TAC_OK)
        end(w);
    return status;
}

static tac_status open_remote(tac_device *device, const char *rest,
                              const tac_device_options *options, tac_error *err)
{
    return begin(device, options->app, rest, options, err);
}

static tac_status open_chromium(tac_device *device, const char *rest,
                                const tac_device_options *options, tac_error *err)
{
    return begin(device, rest[0] ? rest : options->app, NULL, options, err);
}

tac_status wd_describe(tac_device *device, tac_device_info *out, tac_error *err)
{
    (void)err;
    struct webdriver *w = device->state;
    *out = (tac_device_info){.name = w->browser,
                             .serial = "",
                             .system = w->version,
                             .app_name = w->host,
                             .app_code = w->host,
                             .package = w->host};
    return TAC_OK;
}

/* A page is where it is. */
static tac_status install(tac_device *device, const char *file, double deadline, tac_error *err)
{
    (void)device;
    (void)deadline;
    return file ? tac_fail(err, TAC_E_USAGE, "a browser installs no files") : TAC_OK;
}

static tac_status go_to(struct webdriver *w, const char *step, const char *url, double deadline,
                        tac_error *err)
{
    json_t *body = json_object();
    json_object_set_new(body, "url", tac_json_string(url));
    wd_touched(w);
    return wd_call(w, step, "POST", "/url", body, deadline, NULL, err);
}

static tac_status launch(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    wd_forget_crash(w);
    w->blank = false;
    tac_status status = go_to(w, "open the app", w->app, deadline, err);
    return status == TAC_OK ? wd_settle(w, deadline, err) : status;
}

static tac_status leave(struct webdriver *w, const char *step, double deadline, tac_error *err)
{
    if (w->blank)
        return TAC_OK;
    tac_status status = go_to(w, step, "about:blank", deadline, err);
    w->blank = status == TAC_OK;
    return status;
}

static tac_status close_app(tac_device *device, double deadline, tac_error *err)
{
    return leave(device->state, "close the app", deadline, err);
}

/* The path of the page; names in a model hold no slashes. */
static char *activity_of(const char *path)
{
    size_t length = strcspn(path, "?#");
    char *name = length ? tac_strndup(path, length) : tac_strdup("index");
    for (char *at = name; *at; at++)
        if (*at == '/' || *at == ' ')
            *at = '_';
    return name;
}

static tac_status foreground(tac_device *device, double deadline, tac_foreground *out,
                             tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *url = NULL;
    tac_status status = TAC_OK;
    if (!wd_is_fresh(w) || !w->url)
        status = wd_call(w, "ask where the page is", "GET", "/url", NULL, deadline, &url, err);
    if (status != TAC_OK)
        return status;
    const char *text = json_is_string(url) ? json_string_value(url) : url ? "" : w->url;
    char *host = host_of(text);
    const char *path = strstr(text, "://");
    path = path ? strchr(path + 3, '/') : NULL;
    free(w->activity);
    w->activity = activity_of(path ? path + 1 : "");
    bool own = !strcmp(host, w->host),
         blank = !strncmp(text, "about:", 6) || !strncmp(text, "data:", 5);
    *out = (tac_foreground){.package = own     ? w->host
                                       : blank ? ""
                                               : "elsewhere",
                            .activity = w->activity,
                            .running = true};
    free(host);
    json_decref(url);
    return TAC_OK;
}

static tac_status clear_by_devtools(struct webdriver *w, tac_error *err)
{
    const char *scheme_end = strstr(w->app, "://");
    int scheme = scheme_end ? (int)(scheme_end + 3 - w->app) : 0;
    char *origin = tac_format("%.*s%s", scheme, w->app, w->host);
    json_t *parameters = json_object();
    json_object_set_new(parameters, "origin", tac_json_string(origin));
    json_object_set_new(parameters, "storageTypes", json_string("all"));
    free(origin);
    return wd_devtools(w, "clear the storage", "Storage.clearDataForOrigin", parameters, NULL, err);
}

/* Without DevTools only a page of the app's origin can clear what the app remembers. What the app
 * would store while it is being left is refused. */
static tac_status clear_by_page(struct webdriver *w, double deadline, tac_error *err)
{
    static const char script[] =
        "const done = arguments[arguments.length - 1];"
        "const all = [];"
        "try {"
        "  localStorage.clear(); sessionStorage.clear();"
        "  Storage.prototype.setItem = () => {};"
        "  if (window.indexedDB && indexedDB.databases) all.push(indexedDB.databases().then(found "
        "=>"
        "    found.forEach(one => indexedDB.deleteDatabase(one.name))));"
        "  if (window.caches) all.push(caches.keys().then(names =>"
        "    Promise.all(names.map(name => caches.delete(name)))));"
        "  if (navigator.serviceWorker) all.push(navigator.serviceWorker.getRegistrations().then("
        "    found => Promise.all(found.map(one => one.unregister()))));"
        "} catch (error) {}"
        "Promise.allSettled(all).then(() => done(true))";
    json_t *body = json_pack("{s:s,s:[]}", "script", script, "args");
    tac_status status =
        wd_call(w, "clear the storage", "POST", "/execute/async", body, deadline, NULL, err);
    return status == TAC_OK
               ? wd_call(w, "clear the cookies", "DELETE", "/cookie", NULL, deadline, NULL, err)
               : status;
}

/* Cookies and storage of the app's origin; the browser stays. */
static tac_status reset(tac_device *device, uint64_t seed, double deadline, tac_error *err)
{
    (void)seed;
    struct webdriver *w = device->state;
    tac_status status = TAC_OK;
    tac_foreground where;
    if (!w->chromium) {
        status = foreground(device, deadline, &where, err);
        if (status == TAC_OK && strcmp(where.package, w->host) != 0)
            status = go_to(w, "reset the app", w->app, deadline, err);
        w->blank = false;
        if (status == TAC_OK)
            status = clear_by_page(w, deadline, err);
    }
    if (status == TAC_OK)
        status = leave(w, "reset the app", deadline, err);
    if (status == TAC_OK && w->chromium)
        status = clear_by_devtools(w, err);
    wd_forget_crash(w);
    return status;
}

static tac_status snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err)
{
    return wd_look(device->state, deadline, out, err);
}

static tac_status settle(tac_device *device, double deadline, tac_error *err)
{
    return wd_settle(device->state, deadline, err);
}

static tac_status read_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    json_t *now = NULL;
    out->host_before = wd_now();
    tac_status status =
        wd_script(device->state, "read the clock",
                  "return performance.timeOrigin + performance.now()", NULL, 10, &now, err);
    out->host_after = wd_now();
    out->device = (int64_t)(json_number_value(now) * 1e6);
    json_decref(now);
    return status;
}

static tac_status next_line(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    struct webdriver *w = device->state;
    *more = wd_next_line(w, out);
    if (*more)
        return TAC_OK;
    tac_status status = wd_collect(w, err);
    *more = status == TAC_OK && wd_next_line(w, out);
    return status;
}

static tac_status crash(tac_device *device, tac_crash *out, tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = w->crash.seen ? TAC_OK : wd_collect(w, err);
    if (status == TAC_OK)
        *out = (tac_crash){.crashed = w->crash.seen,
                           .exception = w->crash.exception,
                           .message = w->crash.message,
                           .stack = (const char *const *)w->crash.stack.at,
                           .stack_count = w->crash.stack.count,
                           .time = w->crash.time};
    return status;
}

#define CALLS                                                                                      \
    .free = wd_free_device, .describe = wd_describe, .install = install, .launch = launch,         \
    .close = close_app, .reset = reset, .snapshot = snapshot, .perform = wd_perform,               \
    .tap = wd_tap, .settle = settle, .sleep = wd_sleep, .wait_element = wd_wait_element,           \
    .wait_change = wd_wait_change, .restless = wd_restless, .foreground = foreground,              \
    .screenshot = wd_screenshot, .probes = wd_probes, .measure = wd_measure, .clock = read_clock,  \
    .log = next_line, .log_dropped = wd_log_dropped, .crash = crash, .scenario = wd_scenario

const struct device_driver webdriver_driver = {.scheme = "webdriver", .open = open_remote, CALLS};
const struct device_driver chromium_driver = {.scheme = "chromium", .open = open_chromium, CALLS};
