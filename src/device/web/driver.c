/* webdriver+http://HOST:PORT and chromium:URL behind the device interface. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "device/keys.h"
#include "device/web/webdriver.h"
#include <string.h>
#include <unistd.h>

static void end(struct webdriver *w)
{
    wd_close_session(w);
    chromedriver_stop(w);
    if (w->curl)
        libcurl.easy_cleanup(w->curl);
    tac_network_free(w->network);
    libcurl.slist_free_all(w->headers);
    wd_free_lines(w);
    json_decref(w->request);
    android_crash_free(&w->native.crash);
    tac_str_free(&w->native.storage);
    free(w->native.start);
    free(w->native.front);
    wd_free_traffic(w);
    wd_free_recorder(w);
    wd_forget_crash(w);
    tac_vec_free(&w->crash.stack);
    tac_ui_free(w->ui);
    free(w->base);
    free(w->window);
    free(w->url);
    free(w->app);
    free(w->host);
    free(w->base_folder);
    free(w->front);
    free(w->capabilities);
    for (size_t i = 0; w->stay && i < w->stay_count; i++)
        free(w->stay[i]);
    free((void *)w->stay);
    free(w->activity);
    free(w->browser);
    free(w->version);
    free(w);
}

void wd_free_device(tac_device *device)
{
    end(device->state);
}

static struct webdriver *new_webdriver(const char *base, const tac_device_options *options)
{
    struct webdriver *w = tac_calloc(1, sizeof *w);
    w->curl = libcurl.easy_init();
    if (!w->curl)
        tac_out_of_memory(0);
    w->headers = libcurl.slist_append(NULL, "Content-Type: application/json; charset=utf-8");
    w->fast = options->fast;
    w->seed = options->seed ? options->seed : 1;
    w->tolerate = options->tolerate_errors;
    w->recorder.console = options->recordable;
    w->options = *options;
    w->capabilities = options->capabilities ? tac_strdup(options->capabilities) : NULL;
    w->options.capabilities = w->capabilities;
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
    tac_status status = address_complete(app, &w->app, err);
    if (status != TAC_OK)
        return status;
    w->host = address_host(w->app);
    w->base_folder = address_folder(w->app);
    w->stay_count = w->options.stay_count ? w->options.stay_count : 1;
    w->stay = tac_calloc(w->stay_count + 1, sizeof *w->stay);
    for (size_t i = 0; i < w->options.stay_count; i++)
        w->stay[i] = tac_strdup(w->options.stay[i]);
    if (!w->options.stay_count)
        w->stay[0] = address_origin(w->app);
    return TAC_OK;
}

/* The browser, or only what tells whether there is one: a browser takes a second of a processor
 * to start, and what it can measure is known before. */
static tac_status start(struct webdriver *w, bool own, json_t **granted, tac_error *err)
{
    w->unstarted = own && w->options.check_only && !w->options.capabilities;
    tac_status status = own ? chromedriver_start(w, err) : TAC_OK;
    if (status != TAC_OK || !w->unstarted)
        return status == TAC_OK ? wd_open_session(w, &w->options, granted, err) : status;
    w->browser = tac_strdup("chrome");
    w->version = tac_strdup("");
    w->chromium = w->performance_log = true;
    return TAC_OK;
}

static tac_status begin(tac_device *device, const char *app, const char *base,
                        const tac_device_options *options, tac_error *err)
{
    tac_status status = libcurl_open(err);
    if (status != TAC_OK)
        return status;
    struct webdriver *w = new_webdriver(base, options);
    json_t *granted = NULL;
    device->state = w;
    if (!base)
        status = begin_page(w, app, err);
    if (status == TAC_OK && !base && options->scenario)
        status = tac_network_open(options->scenario, w->seed, &w->network, err);
    if (status == TAC_OK)
        status = start(w, !base, &granted, err);
    if (status == TAC_OK && w->native.here) {
        device->native = granted; /* another driver goes on */
        return TAC_OK;
    }
    if (status == TAC_OK && base)
        status = begin_page(w, app, err);
    if (status == TAC_OK && options->scenario && base)
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

static bool has_key(const tac_device *device, const char *name)
{
    (void)device;
    return web_key_exists(name);
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

static tac_status snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err)
{
    return wd_look(device->state, deadline, out, err);
}

static tac_status settle(tac_device *device, double deadline, tac_error *err)
{
    return wd_settle(device->state, deadline, err);
}

/* A page that hangs, or is held by an alert, does not tell its time: then the browser's clock is as
 * far from this host's as it last was. */
static tac_status read_clock(tac_device *device, tac_clock_reading *out, tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *now = NULL;
    out->host_before = out->host_after = tac_clock(CLOCK_REALTIME);
    out->device = out->host_before + w->clock_offset;
    if (w->hung)
        return TAC_OK;
    tac_status status = wd_evaluate(w, "read the clock",
                                    "performance.timeOrigin + performance.now()", 10, &now, err);
    if (status == TAC_OK && json_number_value(now) > 0) {
        out->host_after = tac_clock(CLOCK_REALTIME);
        out->device = (int64_t)(json_number_value(now) * 1e6);
        w->clock_offset = out->device - out->host_before - (out->host_after - out->host_before) / 2;
    } else if (status == TAC_OK || w->hung) {
        out->host_before = out->host_after = tac_clock(CLOCK_REALTIME);
        out->device = out->host_before + w->clock_offset;
        status = TAC_OK;
    }
    json_decref(now);
    return status;
}

static tac_status next_line(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    struct webdriver *w = device->state;
    *more = wd_next_line(w, out);
    if (*more)
        return TAC_OK;
    if (w->hung)
        return TAC_OK; /* nothing more comes; what the page said is known */
    tac_status status = wd_collect(w, err);
    *more = status == TAC_OK && wd_next_line(w, out);
    return status;
}

static tac_status crash(tac_device *device, tac_crash *out, tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = w->crash.seen || w->hung ? TAC_OK : wd_collect(w, err);
    if (w->crash.seen && !w->crash.placed) {
        w->crash.placed = true;
        wd_find_crash_place(w);
    }
    if (status == TAC_OK)
        *out = (tac_crash){.crashed = w->crash.seen,
                           .place = w->crash.place ? w->crash.place : "",
                           .exception = w->crash.exception,
                           .message = w->crash.message,
                           .stack = (const char *const *)w->crash.stack.at,
                           .stack_count = w->crash.stack.count,
                           .time = w->crash.time};
    return status;
}

#define CALLS                                                                                      \
    .free = wd_free_device, .describe = wd_describe, .install = install, .launch = wd_launch,      \
    .close = wd_close, .reset = wd_reset, .snapshot = snapshot, .observe = wd_observe,             \
    .reload = wd_reload, .system = wd_system, .perform = wd_perform, .has_key = has_key,           \
    .point = wd_point, .settle = settle, .sleep = wd_sleep, .wait_change = wd_wait_change,         \
    .restless = wd_restless, .foreground = wd_foreground, .screenshot = wd_screenshot,             \
    .probes = wd_probes, .measure = wd_measure, .clock = read_clock, .log = next_line,             \
    .crash = crash, .scenario = wd_scenario, .record = wd_record, .recorded = wd_recorded,         \
    .pending = wd_pending, .release = wd_release, .network = wd_network

const struct device_driver webdriver_driver = {.scheme = "webdriver", .open = open_remote, CALLS};
const struct device_driver chromium_driver = {.scheme = "chromium", .open = open_chromium, CALLS};
