/* Recording pages: the recorder's script (web/recorder) in every document, before any other; what
 * it tells, what waits in it, and letting that happen.
 *
 * What a page that is being left has not told yet comes by the browser's console, which is read
 * first, so that the order is kept. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include "webdriver_recorder_js.h"
#include <string.h>
#include <unistd.h>

enum {
    PART = 4000000,            /* characters that are fetched at once */
    MOST_IN_PAGE = 256000000,  /* characters that wait in the page; what is beyond is counted */
    MOST_LEFT_BEHIND = 5000000 /* of a page that is left */
};

tac_status wd_install_recorder(struct webdriver *w, tac_error *err)
{
    free(w->recorder.script);
    w->recorder.script = NULL;
    if (w->recorder.mode == TAC_RECORDER_OFF)
        return TAC_OK;
    char *source = tac_format("(() => { const TACTUS_CONFIG = { held: %s, most: %d };\n%s\n})()\n"
                              "//# sourceURL=tactus-recorder.js",
                              w->recorder.mode == TAC_RECORDER_HELD ? "true" : "false",
                              MOST_IN_PAGE, webdriver_recorder_js);
    json_t *parameters = json_object(), *answer = NULL;
    json_object_set_new(parameters, "source", tac_json_string(source));
    free(source);
    tac_status status =
        wd_devtools(w, "prepare the recorder", "Page.addScriptToEvaluateOnNewDocument", parameters,
                    &answer, err);
    const char *name = json_string_value(json_object_get(answer, "identifier"));
    if (status == TAC_OK && name)
        w->recorder.script = tac_strdup(name);
    json_decref(answer);
    return status;
}

tac_status wd_record(tac_device *device, tac_recorder_mode mode, tac_error *err)
{
    struct webdriver *w = device->state;
    if (!w->chromium)
        return tac_fail(err, TAC_E_USAGE,
                        "%s: pages are recorded in browsers that speak Chromium's DevTools only",
                        device->uri);
    if (mode == w->recorder.mode)
        return TAC_OK;
    tac_status status = w->hung ? wd_revive(device, err) : TAC_OK;
    if (status == TAC_OK && w->recorder.script) {
        json_t *parameters = json_object();
        json_object_set_new(parameters, "identifier", json_string(w->recorder.script));
        status = wd_devtools(w, "remove the recorder", "Page.removeScriptToEvaluateOnNewDocument",
                             parameters, NULL, err);
    }
    w->recorder.mode = mode;
    return status == TAC_OK ? wd_install_recorder(w, err) : status;
}

/* The text that a console entry carries: quoted as JSON, behind "console-api 1:2 ". */
static void take_entry(const char *entry, tac_str *out)
{
    static const char mark[] = "tactus-recorder:";
    const char *at = strstr(entry, mark);
    if (!at)
        return;
    if (at == entry || at[-1] != '"') {
        tac_str_add(out, at + strlen(mark));
        return;
    }
    json_t *text = json_loads(at - 1, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
    if (json_is_string(text))
        tac_str_add_bytes(out, json_string_value(text) + strlen(mark),
                          json_string_length(text) - strlen(mark));
    json_decref(text);
}

static tac_status read_console(struct webdriver *w, double deadline, const tac_recorder_sink *sink,
                               tac_error *err)
{
    if (!w->recorder.console)
        return TAC_OK;
    json_t *entries = NULL;
    const json_t *entry;
    size_t i;
    tac_str text = {.cap = (size_t)16 * MOST_LEFT_BEHIND};
    tac_status status = wd_call(w, "read the console", "POST", "/se/log",
                                json_pack("{s:s}", "type", "browser"), deadline, &entries, err);
    json_array_foreach(entries, i, entry)
    {
        const char *said = json_string_value(json_object_get(entry, "message"));
        if (said)
            take_entry(said, &text);
    }
    if (text.length)
        wd_recorded_lines(tac_str_text(&text), text.length, &w->recorder.told, sink);
    json_decref(entries);
    tac_str_free(&text);
    return status;
}

/* A page that did not answer may only be busy: the driver answers again once its script ends. It is
 * waited for once. */
static tac_status come_back(struct webdriver *w, tac_error *err)
{
    const double patience = 60;
    json_t *there = NULL;
    if (w->recorder.given_up)
        return tac_fail(err, TAC_E_DEVICE, "read the recorder: the page has stopped answering");
    w->hung = false;
    tac_status status = wd_evaluate(w, "read the recorder", "1", patience, &there, err);
    json_decref(there);
    if (status == TAC_E_LIMIT && w->hung)
        status = TAC_E_DEVICE;
    w->recorder.given_up = w->hung;
    return status;
}

tac_status wd_recorded(tac_device *device, double deadline, const tac_recorder_sink *sink,
                       tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = w->hung ? come_back(w, err) : TAC_OK;
    if (status == TAC_OK)
        status = read_console(w, deadline, sink, err);
    char script[96];
    snprintf(script, sizeof script, "window.__tactusRecorder ? __tactusRecorder.take(%d) : ''",
             PART);
    for (bool more = true; status == TAC_OK && more;) {
        json_t *text = NULL;
        status = wd_evaluate(w, "read the recorder", script, deadline, &text, err);
        size_t size = json_is_string(text) ? json_string_length(text) : 0;
        if (size)
            wd_recorded_lines(json_string_value(text), size, &w->recorder.told, sink);
        more = size > 0;
        json_decref(text);
    }
    return status;
}

/* Cuts the next field off; NULL when the record has no more. */
static char *next_field(char **at)
{
    char *field = *at;
    if (!field)
        return NULL;
    char *end = strchr(field, '\x1f');
    if (end)
        *end++ = '\0';
    *at = end;
    return field;
}

static void take_pending(struct webdriver *w)
{
    char *rest = NULL;
    w->recorder.pending.count = 0;
    for (char *record = strtok_r(w->recorder.texts.text, "\x1e", &rest); record;
         record = strtok_r(NULL, "\x1e", &rest)) {
        const char *fields[7];
        size_t count = 0;
        for (char *at = record; count < 7;) {
            const char *field = next_field(&at);
            if (!field)
                break;
            fields[count++] = field;
        }
        if (count < 7)
            continue;
        tac_vec_push(&w->recorder.pending, (tac_pending){.id = strtoull(fields[0], NULL, 10),
                                                         .label = fields[1],
                                                         .cause = fields[2],
                                                         .kind = fields[3],
                                                         .delay = strtod(fields[4], NULL),
                                                         .due = strtod(fields[5], NULL),
                                                         .blocked = fields[6]});
    }
}

tac_status wd_pending(tac_device *device, double deadline, const tac_pending **list, size_t *count,
                      tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *text = NULL;
    tac_status status = wd_evaluate(w, "ask what waits",
                                    "window.__tactusRecorder ? __tactusRecorder.pending() : ''",
                                    deadline, &text, err);
    tac_str_clear(&w->recorder.texts);
    if (json_is_string(text))
        tac_str_add_bytes(&w->recorder.texts, json_string_value(text), json_string_length(text));
    json_decref(text);
    w->recorder.pending.count = 0;
    if (status == TAC_OK && w->recorder.texts.length)
        take_pending(w);
    *list = w->recorder.pending.at;
    *count = w->recorder.pending.count;
    return status;
}

tac_status wd_release(tac_device *device, uint64_t id, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    char script[96];
    json_t *answer = NULL;
    double until = tac_now() + deadline;
    snprintf(script, sizeof script, "__tactusRecorder.release(%llu)", (unsigned long long)id);
    tac_status status = wd_evaluate(w, "let a callback happen", script, deadline, &answer, err);
    if (status == TAC_OK && !json_is_integer(answer))
        status = tac_fail(err, TAC_E_LIMIT, "let a callback happen: it does not wait any more");
    json_int_t number = json_integer_value(answer);
    json_decref(answer);
    wd_touched(w);
    while (status == TAC_OK) {
        json_t *done = NULL;
        tac_error passing;
        tac_status asked = wd_evaluate(w, "let a callback happen",
                                       "window.__tactusRecorder ? __tactusRecorder.released() : -1",
                                       deadline, &done, &passing);
        json_int_t now = json_is_integer(done) ? json_integer_value(done) : 0;
        json_decref(done);
        if (asked == TAC_OK && (now >= number || now < 0))
            break;
        if (asked != TAC_OK && (asked != TAC_E_LIMIT || w->hung)) {
            status = asked;
            if (err)
                *err = passing;
        } else if (tac_now() > until) {
            status = tac_fail(err, TAC_E_LIMIT, "let a callback happen: it did not end within %g s",
                              deadline);
        } else {
            usleep(2000);
        }
    }
    return status;
}

void wd_free_recorder(struct webdriver *w)
{
    free(w->recorder.script);
    tac_vec_free(&w->recorder.pending);
    tac_str_free(&w->recorder.texts);
}
