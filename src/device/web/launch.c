/* Opening the app, leaving it, what it remembers, and where the page is.
 *
 * A page is opened from inside a blank one, and nobody waits for the navigation itself: the driver
 * stays free, and settling (page.c) notices when the page has come. A page that did not come (no
 * server, a failing status) is an error that says why. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include "webdriver_page_clear_js.h"
#include <string.h>
#include <unistd.h>

static tac_status go_to(struct webdriver *w, const char *step, const char *url, double deadline,
                        tac_error *err)
{
    json_t *body = json_object();
    json_object_set_new(body, "url", tac_json_string(url));
    wd_touched(w);
    return wd_call(w, step, "POST", "/url", body, deadline, NULL, err);
}

static tac_status leave(struct webdriver *w, const char *step, double deadline, tac_error *err)
{
    if (w->blank)
        return TAC_OK;
    tac_status status = go_to(w, step, "about:blank", deadline, err);
    double until = tac_now() + deadline;
    bool there = status != TAC_OK || !w->chromium;
    while (status == TAC_OK && !there) { /* the driver does not wait for pages */
        json_t *blank = NULL;
        tac_error passing;
        status =
            wd_evaluate(w, step, "location.href === 'about:blank'", deadline, &blank, &passing);
        there = status == TAC_OK && json_is_true(blank);
        json_decref(blank);
        if (status == TAC_E_LIMIT && !w->hung)
            status = TAC_OK; /* a page that is being replaced has no scripts */
        else if (status != TAC_OK && err)
            *err = passing;
        if (status == TAC_OK && !there && tac_now() > until)
            return tac_fail(err, TAC_E_LIMIT, "%s: the page cannot be left within %g s", step,
                            deadline);
        if (!there)
            usleep(5000);
    }
    w->blank = status == TAC_OK;
    return status;
}

tac_status wd_restart(struct webdriver *w, tac_error *err)
{
    json_t *granted = NULL;
    tac_status status = TAC_OK;
    w->hung = false;
    w->blank = false;
    wd_touched(w);
    free(w->session);
    w->session = NULL;
    if (w->unstarted)
        return TAC_OK;
    if (w->process > 0) {
        chromedriver_stop(w);
        free(w->base);
        w->base = NULL;
        status = chromedriver_start(w, err);
    }
    free(w->window);
    w->window = NULL;
    free(w->browser);
    free(w->version);
    w->browser = w->version = NULL;
    json_decref(w->request);
    w->request = NULL;
    if (status == TAC_OK)
        status = wd_open_session(w, &w->options, &granted, err);
    json_decref(granted);
    return status;
}

tac_status wd_revive(tac_device *device, tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = wd_restart(w, err);
    if (status == TAC_OK)
        wd_note(w, 'W', false, tac_clock(CLOCK_REALTIME),
                "the page had stopped answering; the browser was started anew");
    return status;
}

/* The reason that the browser's own error page gives, such as ERR_CONNECTION_REFUSED; the
 * caller's, NULL when there is none. */
static char *why_not_opened(struct webdriver *w)
{
    json_t *text = NULL;
    tac_error ignored;
    char *why = NULL;
    tac_status status =
        wd_evaluate(w, "read the browser's error",
                    "location.protocol === 'chrome-error:' ? (document.querySelector('.error-code')"
                    "?.textContent.trim() || 'the browser shows an error') : ''",
                    5, &text, &ignored);
    if (status == TAC_OK && json_string_length(text))
        why = tac_strdup(json_string_value(text));
    json_decref(text);
    return why;
}

static const char *in_words(const char *reason)
{
    static const struct {
        const char *code, *words;
    } known[] = {{"ERR_CONNECTION_REFUSED", "nothing listens there (ERR_CONNECTION_REFUSED)"},
                 {"ERR_NAME_NOT_RESOLVED", "the host's name is not known (ERR_NAME_NOT_RESOLVED)"},
                 {"ERR_FILE_NOT_FOUND", "there is no such file (ERR_FILE_NOT_FOUND)"},
                 {"ERR_EMPTY_RESPONSE", "the server closed without an answer (ERR_EMPTY_RESPONSE)"},
                 {"ERR_UNSAFE_PORT", "browsers refuse this port (ERR_UNSAFE_PORT)"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(reason, known[i].code))
            return known[i].words;
    return reason;
}

static tac_status open_page(struct webdriver *w, double deadline, tac_error *err)
{
    if (!w->chromium || !strncmp(w->app, "file:", 5))
        return go_to(w, "open the app", w->app, deadline, err);
    json_t *text = tac_json_string(w->app);
    char *quoted = json_dumps(text, JSON_ENCODE_ANY);
    char *script = tac_format("void location.assign(%s)", quoted);
    wd_touched(w);
    tac_status status = wd_evaluate(w, "open the app", script, deadline, NULL, err);
    free(script);
    free(quoted);
    json_decref(text);
    return status;
}

static bool is_blank(const char *url)
{
    return !strncmp(url, "about:", 6) || !strncmp(url, "data:", 5) || !strncmp(url, "chrome://", 9);
}

/* Until the blank page is gone. */
static tac_status await_page(struct webdriver *w, double deadline, tac_error *err)
{
    double until = tac_now() + deadline;
    for (;;) {
        json_t *url = NULL;
        tac_error passing;
        tac_status status =
            wd_evaluate(w, "open the app", "location.href", deadline, &url, &passing);
        bool gone = status == TAC_OK && json_is_string(url) && !is_blank(json_string_value(url));
        json_decref(url);
        if (gone)
            return TAC_OK;
        if (status != TAC_OK && (status != TAC_E_LIMIT || w->hung)) {
            if (err)
                *err = passing;
            return status;
        }
        if (tac_now() > until)
            return tac_fail(err, TAC_E_DEVICE, "open the app: %s did not answer within %g s",
                            w->app, deadline);
        usleep(5000);
    }
}

static tac_status check_opened(struct webdriver *w, tac_error *err)
{
    char *why = why_not_opened(w);
    tac_status status = TAC_OK;
    if (why)
        status = tac_fail(err, TAC_E_DEVICE, "open the app: %s cannot be opened: %s", w->app,
                          in_words(why));
    else if (w->http_status >= 400 && !w->tolerate)
        status = tac_fail(err, TAC_E_DEVICE, "open the app: %s answers with status %d", w->app,
                          w->http_status);
    else if (w->http_status >= 400)
        wd_note(w, 'E', false, tac_clock(CLOCK_REALTIME),
                "the app's page came with a failing status");
    free(why);
    return status;
}

tac_status wd_launch(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = w->hung ? wd_revive(device, err) : TAC_OK;
    if (status == TAC_OK && w->chromium)
        status = leave(w, "open the app", deadline, err);
    if (status == TAC_OK && w->network) /* the scenario's time begins */
        status = tac_network_begin(w->network, NULL, w->seed, err);
    wd_forget_crash(w);
    memset(&w->pointer, 0, sizeof w->pointer);
    w->blank = false;
    w->http_status = 0;
    w->recorder.told = (struct wd_told){0};
    w->recorder.given_up = false;
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    if (status == TAC_OK)
        status = open_page(w, deadline, err);
    if (status == TAC_OK && w->chromium)
        status = await_page(w, deadline, err);
    char *why = status == TAC_OK && w->chromium ? why_not_opened(w) : NULL;
    if (status == TAC_OK && !why)
        status = wd_settle(w, deadline, err);
    free(why);
    return status == TAC_OK && w->chromium ? check_opened(w, err) : status;
}

tac_status wd_close(tac_device *device, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    if (w->hung)
        return wd_revive(device, err);
    tac_status status = leave(w, "close the app", deadline, err);
    return w->hung ? wd_revive(device, err) : status;
}

/* The path of the page below the app's own folder; names in a model hold no slashes. */
static char *activity_of(const struct webdriver *w, const char *path)
{
    size_t folder = strlen(w->base_folder);
    if (!strncmp(path, w->base_folder, folder))
        path += folder;
    else if (*path == '/')
        path++;
    size_t length = strcspn(path, "?#");
    char *name = length ? tac_strndup(path, length) : tac_strdup("index");
    for (char *at = name; *at; at++)
        if (*at == '/' || *at == ' ')
            *at = '_';
    return name;
}

static bool in_app(const struct webdriver *w, const char *url)
{
    for (size_t i = 0; i < w->stay_count; i++)
        if (address_within(url, w->stay[i]))
            return true;
    return false;
}

tac_status wd_foreground(tac_device *device, double deadline, tac_foreground *out, tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *url = NULL;
    tac_status status = TAC_OK;
    if (!wd_is_fresh(w) || !w->url)
        status = wd_call(w, "ask where the page is", "GET", "/url", NULL, deadline, &url, err);
    if (status != TAC_OK)
        return status;
    const char *text = json_is_string(url) ? json_string_value(url) : url ? "" : w->url;
    const char *path = strstr(text, "://");
    path = path ? strchr(path + 3, '/') : NULL;
    free(w->activity);
    w->activity = activity_of(w, path ? path : "");
    free(w->front);
    bool blank = !*text || is_blank(text), own = !blank && in_app(w, text);
    w->front = own ? tac_strdup(w->host) : blank ? tac_strdup("") : address_host(text);
    if (!own && !blank && (!*w->front || !strcmp(w->front, w->host))) {
        free(w->front); /* another folder of the same host */
        w->front = tac_strdup("elsewhere");
    }
    *out = (tac_foreground){.package = w->front, .activity = w->activity, .running = true};
    json_decref(url);
    return TAC_OK;
}

static tac_status clear_by_devtools(struct webdriver *w, tac_error *err)
{
    char *origin = address_origin(w->app);
    json_t *parameters = json_object();
    json_object_set_new(parameters, "origin", tac_json_string(origin));
    json_object_set_new(parameters, "storageTypes", json_string("all"));
    free(origin);
    return wd_devtools(w, "clear the storage", "Storage.clearDataForOrigin", parameters, NULL, err);
}

/* Without DevTools only a page of the app's origin can clear what the app remembers. */
static tac_status clear_by_page(struct webdriver *w, double deadline, tac_error *err)
{
    json_t *body = json_pack("{s:s,s:[]}", "script", webdriver_page_clear_js, "args");
    tac_status status =
        wd_call(w, "clear the storage", "POST", "/execute/async", body, deadline, NULL, err);
    return status == TAC_OK
               ? wd_call(w, "clear the cookies", "DELETE", "/cookie", NULL, deadline, NULL, err)
               : status;
}

/* Cookies and storage of the app's origin; the browser stays. */
tac_status wd_reset(tac_device *device, uint64_t seed, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    w->seed = seed ? seed : w->seed;
    tac_status status = w->hung ? wd_revive(device, err) : TAC_OK;
    tac_foreground where;
    if (status == TAC_OK && !w->chromium) {
        status = wd_foreground(device, deadline, &where, err);
        if (status == TAC_OK && strcmp(where.package, w->host) != 0)
            status = go_to(w, "reset the app", w->app, deadline, err);
        w->blank = false;
        if (status == TAC_OK)
            status = clear_by_page(w, deadline, err);
    }
    if (status == TAC_OK)
        status = leave(w, "reset the app", deadline, err);
    if (w->hung)
        status = wd_revive(device, err);
    if (status == TAC_OK && w->chromium)
        status = clear_by_devtools(w, err);
    wd_forget_crash(w);
    return status;
}
