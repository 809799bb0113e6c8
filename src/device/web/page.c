/* What the page says: the script inside it, snapshots, settling, console lines and exceptions. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include "locator_names_js.h"
#include "webdriver_page_chosen_js.h"
#include "webdriver_page_field_js.h"
#include "webdriver_page_gesture_js.h"
#include "webdriver_page_observe_js.h"
#include "webdriver_page_own_js.h"
#include "webdriver_page_screen_js.h"
#include "webdriver_page_watch_js.h"
#include "webdriver_tree_drawn_js.h"
#include "webdriver_tree_flat_js.h"
#include "webdriver_tree_search_js.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* All parts of the script, in one scope; the caller's. */
static char *page_script(void)
{
    return tac_format("(() => {\n%s;\n%s;\n%s;\n%s;\n%s;\n%s;\n%s;\n%s;\n%s;\n%s;\n%s\n})()",
                      webdriver_page_own_js, webdriver_page_watch_js, locator_names_js,
                      webdriver_page_chosen_js, webdriver_page_field_js, webdriver_page_gesture_js,
                      webdriver_tree_flat_js, webdriver_tree_search_js, webdriver_tree_drawn_js,
                      webdriver_page_screen_js, webdriver_page_observe_js);
}

tac_status wd_install_page_script(struct webdriver *w, tac_error *err)
{
    char *script = page_script();
    json_t *parameters = json_object();
    json_object_set_new(parameters, "source", json_string(script));
    free(script);
    return wd_devtools(w, "prepare the page", "Page.addScriptToEvaluateOnNewDocument", parameters,
                       NULL, err);
}

static tac_status put_in(struct webdriver *w, const char *step, double deadline, tac_error *err)
{
    char *script = page_script();
    tac_status status = w->chromium ? wd_evaluate(w, step, script, deadline, NULL, err)
                                    : wd_script(w, step, script, NULL, deadline, NULL, err);
    free(script);
    return status;
}

/* Calls a function of the page script; where the browser could not install it beforehand (no
 * DevTools) or the page has been replaced, it is put in first. A page that is being replaced right
 * now is asked again. */
tac_status wd_ask_page(struct webdriver *w, const char *step, const char *expression,
                       double deadline, json_t **value, tac_error *err)
{
    char *script = tac_format("window.__tactus && __tactus.look ? %s : null", expression);
    double until = tac_now() + deadline;
    tac_status status = TAC_OK;
    *value = NULL;
    for (int tries = 0; tries < 20 && (!*value || json_is_null(*value)); tries++) {
        json_decref(*value);
        *value = NULL;
        double left = until - tac_now();
        if (left <= 0 && tries)
            break;
        status = tries ? put_in(w, step, left > 1 ? left : 1, err) : TAC_OK;
        if (status == TAC_OK)
            status = wd_evaluate(w, step, script, left > 1 ? left : 1, value, err);
        if (w->hung || (status != TAC_OK && strcmp(w->error, "javascript error")))
            break;
        if (status != TAC_OK || json_is_null(*value))
            usleep(10000);
    }
    free(script);
    if (status == TAC_OK && (!*value || json_is_null(*value)))
        status = tac_fail(err, TAC_E_LIMIT, "%s: the page does not run scripts", step);
    if (status != TAC_OK) {
        json_decref(*value);
        *value = NULL;
    }
    return status;
}

static const char *text_in(const json_t *row, size_t index)
{
    const char *text = json_string_value(json_array_get(row, index));
    return text ? text : "";
}

static int32_t pixel_in(const json_t *row, size_t index)
{
    return (int32_t)json_integer_value(json_array_get(row, index));
}

tac_status wd_fill_tree(struct webdriver *w, const json_t *rows, tac_error *err)
{
    size_t i;
    const json_t *row;
    tac_ui_free(w->ui);
    w->ui = tac_ui_new(0);
    json_array_foreach(rows, i, row)
    {
        json_int_t parent = json_integer_value(json_array_get(row, 0));
        tac_ui_node node = {.text = text_in(row, 3),
                            .resource_id = text_in(row, 2),
                            .class_name = text_in(row, 1),
                            .package = w->host,
                            .description = text_in(row, 4),
                            .flags = (uint32_t)json_integer_value(json_array_get(row, 5)),
                            .left = pixel_in(row, 6),
                            .top = pixel_in(row, 7),
                            .right = pixel_in(row, 8),
                            .bottom = pixel_in(row, 9),
                            .role = text_in(row, 10),
                            .name = text_in(row, 11),
                            .test_id = text_in(row, 12)};
        tac_ui_add(w->ui, parent < 0 || (size_t)parent >= i ? TAC_UI_NONE : (uint32_t)parent,
                   &node);
    }
    const char *beyond = json_string_value(rows);
    return beyond ? tac_fail(err, TAC_E_LIMIT, "%s", beyond) : TAC_OK;
}

tac_status wd_look(struct webdriver *w, double deadline, const tac_ui **out, tac_error *err)
{
    *out = w->ui;
    if (wd_is_fresh(w))
        return TAC_OK;
    json_t *rows;
    tac_status status =
        wd_ask_page(w, "look at the page", "__tactus.snapshot()", deadline, &rows, err);
    if (status != TAC_OK)
        return status;
    status = wd_fill_tree(w, rows, err);
    json_decref(rows);
    *out = w->ui;
    return status;
}

/* Frames as Chromium writes them: "play (http://host/player.js:42:9)". WebKit and Firefox write
 * "play@http://host/player.js:42:9"; other lines belong to the message. NULL: no frame. */
static char *frame_of(const char *line, bool chromium_style)
{
    line += strspn(line, " ");
    if (!strncmp(line, "at ", 3))
        return tac_strdup(line + 3);
    const char *at = strstr(line, "@");
    if (chromium_style || !at)
        return NULL;
    return at == line ? tac_strdup(at + 1)
                      : tac_format("%.*s (%s)", (int)(at - line), line, at + 1);
}

/* The first uncaught exception since the launch is the crash. */
static void note_crash(struct webdriver *w, const json_t *entry)
{
    if (w->tolerate) {
        char *line = tac_format("uncaught %s: %s", text_in(entry, 1), text_in(entry, 2));
        wd_note(w, 'E', false, (int64_t)(json_number_value(json_array_get(entry, 0)) * 1e6), line);
        free(line);
        return;
    }
    if (w->crash.seen)
        return;
    w->crash.seen = true;
    w->crash.time = (int64_t)(json_number_value(json_array_get(entry, 0)) * 1e6);
    w->crash.exception = tac_strdup(text_in(entry, 1));
    w->crash.message = tac_strdup(text_in(entry, 2));
    char *text = tac_strdup(text_in(entry, 3)), *rest = NULL;
    bool chromium_style = !strncmp(text, "at ", 3) || strstr(text, "\n    at ") != NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *frame = frame_of(line, chromium_style);
        if (frame)
            tac_vec_push(&w->crash.stack, frame);
    }
    free(text);
}

void wd_forget_crash(struct webdriver *w)
{
    free(w->crash.exception);
    free(w->crash.message);
    for (size_t i = 0; i < w->crash.stack.count; i++)
        free(w->crash.stack.at[i]);
    free(w->crash.place);
    w->crash.exception = w->crash.message = w->crash.place = NULL;
    w->crash.placed = false;
    w->crash.stack.count = 0;
    w->crash.seen = false;
}

static void take_lines(struct webdriver *w, const json_t *taken)
{
    size_t i;
    const json_t *entry;
    json_array_foreach(json_array_get(taken, 0), i, entry)
        wd_note(w, text_in(entry, 1)[0], json_is_true(json_array_get(entry, 2)),
                (int64_t)(json_number_value(json_array_get(entry, 0)) * 1e6), text_in(entry, 3));
    json_array_foreach(json_array_get(taken, 1), i, entry) note_crash(w, entry);
    w->traffic.long_tasks = json_number_value(json_array_get(taken, 2));
}

tac_status wd_collect(struct webdriver *w, tac_error *err)
{
    if (wd_is_fresh(w))
        return TAC_OK;
    json_t *taken;
    tac_status status = wd_ask_page(w, "read the console", "__tactus.take()", 10, &taken, err);
    if (status == TAC_OK)
        take_lines(w, taken);
    json_decref(taken);
    return status;
}

static tac_status go_to_window(struct webdriver *w, const char *step, const char *handle,
                               double deadline, tac_error *err)
{
    json_t *body = json_pack("{s:s}", "handle", handle);
    return wd_call(w, step, "POST", "/window", body, deadline, NULL, err);
}

/* A window that closed itself meanwhile is as good as closed. */
static tac_status close_window(struct webdriver *w, const char *name, double deadline,
                               tac_error *err)
{
    tac_status status = go_to_window(w, "go to the new window", name, deadline, err);
    if (status == TAC_OK)
        status = wd_call(w, "close the new window", "DELETE", "/window", NULL, deadline, NULL, err);
    if (status == TAC_OK)
        wd_note(w, 'I', false, tac_clock(CLOCK_REALTIME),
                "the page opened a window, which was closed");
    return status != TAC_OK && !strcmp(w->error, "no such window") ? TAC_OK : status;
}

/* New windows are closed again: the app is what is in the one that it was launched in. Drivers list
 * windows in any order. */
static tac_status close_other_windows(struct webdriver *w, double deadline, tac_error *err)
{
    json_t *handles = NULL;
    const json_t *handle;
    size_t i;
    tac_status status =
        wd_call(w, "count the windows", "GET", "/window/handles", NULL, deadline, &handles, err);
    bool more = json_array_size(handles) > 1;
    json_array_foreach(handles, i, handle)
    {
        const char *name = json_string_value(handle);
        if (status == TAC_OK && more && name && strcmp(name, w->window) != 0)
            status = close_window(w, name, deadline, err);
    }
    if (status == TAC_OK && more)
        status = go_to_window(w, "go back to the app", w->window, deadline, err);
    json_decref(handles);
    return status;
}

tac_status wd_restless(tac_device *device, double deadline, bool *out, tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *now;
    *out = w->lively;
    if (wd_is_fresh(w))
        return TAC_OK;
    tac_status status = wd_ask_page(w, "watch the page", "__tactus.status()", deadline, &now, err);
    const char *why = json_string_value(json_object_get(now, "why"));
    *out = status != TAC_OK || !why || *why || !json_is_false(json_object_get(now, "lively"));
    json_decref(now);
    return status;
}

static double seconds_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) / 1000 : NAN;
}

/* From the input, as the page felt it, else as it was sent, to the last change and the last byte.
 */
static void keep_times(struct webdriver *w, const json_t *times)
{
    const double slack = 0.005; /* between the clocks of this process and of the browser */
    json_int_t code = json_integer_value(json_object_get(times, "status"));
    if (code > 0 && code < 1000)
        w->http_status = (int)code;
    if (w->traffic.sent <= 0)
        return;
    double felt = seconds_in(times, "input"), changed = seconds_in(times, "changed");
    double byte = seconds_in(times, "byte");
    /* Another page has come: its time begins when it was asked for, which was at the input or
     * later. */
    double origin = seconds_in(times, "origin"),
           input = fmax(w->traffic.sent, w->traffic.delivered);
    if (felt >= w->traffic.sent - slack)
        input = felt;
    else if (origin > w->traffic.sent && origin < input)
        input = origin;
    w->traffic.response = changed > input ? changed - input : 0;
    w->traffic.load = byte > input ? byte - input : 0;
    w->traffic.sent = 0;
}

/* What a settled page showed stands for a moment: whoever asks at once, asks nobody. A page that
 * nothing can change but an input stands longer, so that a busy machine does not look twice. */
static tac_status keep_look(struct webdriver *w, const json_t *look, tac_error *err)
{
    const double moment = 0.05, while_at_rest = 0.5;
    const char *url = json_string_value(json_object_get(look, "url"));
    keep_times(w, json_object_get(look, "times"));
    take_lines(w, json_object_get(look, "taken"));
    free(w->url);
    w->url = tac_strdup(url ? url : "");
    w->lively = !json_is_false(json_object_get(look, "lively"));
    tac_status status = wd_fill_tree(w, json_object_get(look, "rows"), err);
    if (status == TAC_OK)
        w->fresh_until = tac_now() + (w->lively ? moment : while_at_rest);
    return status;
}

/* A page said that it is being left. Where nothing was asked for (a telephone number, a download)
 * it stays. */
static tac_status leaving_for_nothing(struct webdriver *w, double since, double deadline,
                                      tac_error *err)
{
    const double moment = 0.3;
    if (!w->performance_log || tac_now() - since < moment)
        return TAC_OK;
    tac_status status = wd_count_traffic(w, deadline, err);
    if (status != TAC_OK || w->traffic.documents)
        return status;
    tac_error ignored;
    wd_evaluate(w, "stay on the page", "void (window.__tactus && (__tactus.leaving = null))",
                deadline, NULL, &ignored);
    return TAC_OK;
}

/* The browser's own page about what could not be opened is at rest; it has no elements. */
static bool rests_elsewhere(struct webdriver *w)
{
    json_t *where = NULL;
    tac_error ignored;
    tac_status status =
        wd_evaluate(w, "wait for the page to settle",
                    "/^(chrome|about|chrome-error|view-source|devtools)/.test(location.protocol)"
                    " ? location.href : ''",
                    5, &where, &ignored);
    bool rests = status == TAC_OK && json_string_length(where) > 0;
    if (rests) {
        free(w->url);
        w->url = tac_strdup(json_string_value(where));
        wd_fill_tree(w, NULL, NULL);
        w->traffic.sent = 0;
        w->lively = false;
        w->fresh_until = tac_now() + 0.05;
    }
    json_decref(where);
    return rests;
}

static tac_status not_settled(const char *why, double deadline, tac_error *err)
{
    return tac_fail(err, TAC_E_LIMIT, "the page did not settle within %g s: %s", deadline,
                    why && *why ? why : "it does not say why");
}

/* What the page shows once it has settled, or how far it is after a moment: Chromium's pages wait
 * by themselves, which spares asking them at every frame. One that is left meanwhile breaks its
 * promise and is asked like others. */
static tac_status ask_settled(struct webdriver *w, double deadline, json_t **look, tac_error *err)
{
    const char *step = "wait for the page to settle";
    tac_error broken;
    *look = NULL;
    if (w->chromium) {
        tac_status status = wd_await(
            w, step, "window.__tactus && __tactus.settled ? __tactus.settled(100, 25, 250) : null",
            deadline, look, &broken);
        if (status == TAC_OK && json_is_object(*look))
            return TAC_OK;
        json_decref(*look);
        *look = NULL;
        if (status != TAC_OK && (w->hung || !*w->error)) {
            if (err)
                *err = broken;
            return status;
        }
    }
    return wd_ask_page(w, step, "__tactus.look(100, 25)", deadline, look, err);
}

/* One look; *rest is how long to wait for the next, negative once it has settled. */
static tac_status look_once(struct webdriver *w, double since, double until, double deadline,
                            double *rest, tac_error *err)
{
    json_t *look;
    tac_status status = ask_settled(w, deadline, &look, err);
    if (status == TAC_E_LIMIT && !w->hung && rests_elsewhere(w)) {
        *rest = -1;
        return TAC_OK;
    }
    if (status != TAC_OK)
        return status;
    const char *why = json_string_value(json_object_get(look, "why"));
    bool settled = why && !*why && json_object_get(look, "rows");
    *rest = settled ? -1 : seconds_in(look, "wait");
    if (settled)
        status = keep_look(w, look, err);
    else if (tac_now() >= until)
        status = not_settled(why, deadline, err);
    else if (json_is_true(json_object_get(look, "leaving")))
        status = leaving_for_nothing(w, since, deadline, err);
    json_decref(look);
    return status;
}

tac_status wd_settle(struct webdriver *w, double deadline, tac_error *err)
{
    double since = tac_now(), until = since + deadline, rest = 0;
    wd_touched(w);
    tac_status status = close_other_windows(w, deadline, err);
    while (status == TAC_OK) {
        status = look_once(w, since, until, deadline, &rest, err);
        if (status != TAC_OK || (rest < 0 && !wd_pointer_follows(w)))
            break;
        usleep((useconds_t)(fmin(fmax(rest, 0.004), 0.2) * 1e6));
    }
    return status;
}
