/* What the page says: the script inside it, snapshots, settling, console lines and exceptions. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include "webdriver_page_js.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

tac_status wd_install_page_script(struct webdriver *w, tac_error *err)
{
    json_t *parameters = json_object();
    json_object_set_new(parameters, "source", json_string(webdriver_page_js));
    return wd_devtools(w, "prepare the page", "Page.addScriptToEvaluateOnNewDocument", parameters,
                       NULL, err);
}

/* Calls a function of the page script; where the browser could not install it beforehand (no
 * DevTools) or the page has been replaced, it is put in first. */
static tac_status ask_page(struct webdriver *w, const char *step, const char *expression,
                           double deadline, json_t **value, tac_error *err)
{
    char *script = tac_format("return window.__tactus ? %s : null", expression);
    double until = tac_now() + deadline;
    tac_status status = TAC_OK;
    *value = NULL;
    for (int tries = 0; tries < 3 && status == TAC_OK && (!*value || json_is_null(*value));
         tries++) {
        json_decref(*value);
        *value = NULL;
        double left = until - tac_now();
        if (tries)
            status = wd_script(w, step, webdriver_page_js, NULL, left > 1 ? left : 1, NULL, err);
        if (status == TAC_OK)
            status = wd_script(w, step, script, NULL, left > 1 ? left : 1, value, err);
    }
    free(script);
    if (status == TAC_OK && (!*value || json_is_null(*value)))
        status = tac_fail(err, TAC_E_DEVICE, "%s: the page does not run scripts", step);
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

static void fill_tree(struct webdriver *w, const json_t *rows)
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
                            .bottom = pixel_in(row, 9)};
        tac_ui_add(w->ui, parent < 0 || (size_t)parent >= i ? TAC_UI_NONE : (uint32_t)parent,
                   &node);
    }
}

tac_status wd_look(struct webdriver *w, double deadline, const tac_ui **out, tac_error *err)
{
    *out = w->ui;
    if (wd_is_fresh(w))
        return TAC_OK;
    json_t *rows;
    tac_status status =
        ask_page(w, "look at the page", "__tactus.snapshot()", deadline, &rows, err);
    if (status != TAC_OK)
        return status;
    fill_tree(w, rows);
    json_decref(rows);
    *out = w->ui;
    return TAC_OK;
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
    w->crash.exception = w->crash.message = NULL;
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
    tac_status status = ask_page(w, "read the console", "__tactus.take()", 10, &taken, err);
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
        if (status != TAC_OK || !more || !name || !strcmp(name, w->window))
            continue;
        status = go_to_window(w, "go to the new window", name, deadline, err);
        if (status == TAC_OK)
            status =
                wd_call(w, "close the new window", "DELETE", "/window", NULL, deadline, NULL, err);
        if (status == TAC_OK)
            wd_note(w, 'I', false, wd_now(), "the page opened a window, which was closed");
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
    tac_status status = ask_page(w, "watch the page", "__tactus.status()", deadline, &now, err);
    *out = status != TAC_OK || !json_is_true(json_array_get(now, 0)) ||
           json_integer_value(json_array_get(now, 1)) > 0 || !json_is_false(json_array_get(now, 3));
    json_decref(now);
    return status;
}

/* What a settled page showed stands for a moment: whoever asks at once, asks nobody. */
static void keep_look(struct webdriver *w, const json_t *look)
{
    const double moment = 0.05;
    take_lines(w, json_array_get(look, 2));
    free(w->url);
    w->url = tac_strdup(text_in(look, 3));
    fill_tree(w, json_array_get(look, 4));
    w->fresh_until = tac_now() + moment;
}

static tac_status not_settled(const json_t *status, double deadline, tac_error *err)
{
    bool loaded = json_is_true(json_array_get(status, 0));
    bool waiting = json_integer_value(json_array_get(status, 1)) > 0;
    return tac_fail(err, TAC_E_LIMIT, "the page did not settle within %g s: %s", deadline,
                    !loaded   ? "it is still loading"
                    : waiting ? "requests are pending"
                              : "it keeps changing");
}

tac_status wd_settle(struct webdriver *w, double deadline, tac_error *err)
{
    double until = tac_now() + deadline, changed = 0;
    wd_touched(w);
    tac_status status = close_other_windows(w, deadline, err);
    while (status == TAC_OK) {
        json_t *look;
        status = ask_page(w, "wait for the page to settle", "__tactus.look(100, 25)", deadline,
                          &look, err);
        if (status != TAC_OK)
            break;
        const json_t *now = json_array_get(look, 0);
        bool settled = json_array_size(look) > 2;
        double rest = json_number_value(json_array_get(look, 1)) / 1000;
        changed = tac_now() - json_number_value(json_array_get(now, 2)) / 1000;
        if (settled)
            keep_look(w, look);
        else if (tac_now() >= until)
            status = not_settled(now, deadline, err);
        json_decref(look);
        if (settled || status != TAC_OK)
            break;
        usleep((useconds_t)(fmin(fmax(rest, 0.005), 0.1) * 1e6));
    }
    if (status == TAC_OK && w->traffic.last_input > 0) {
        w->traffic.response = fmax(0, changed - w->traffic.last_input);
        w->traffic.last_input = 0;
    }
    return status;
}
