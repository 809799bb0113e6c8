/* The WebDriver protocol: JSON over HTTP on one kept connection.
 *
 * Errors come as {"value":{"error","message"}}. An alert that the page opened makes every command
 * fail with "unexpected alert open": it is accepted and noted, and the command is given again, at
 * most ALERTS times, so that an endless loop of alerts ends in an error. An input is never given
 * again: the question that precedes it has shown that no alert was open, so the alert is its doing.
 *
 * A driver that does not answer in time although it lives has a page that hangs (w->hung): from
 * then on every command fails at once, until a launch begins anew. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include <string.h>

enum { ALERTS = 20, ANSWER_CAP = 256 << 20 };

static size_t take_bytes(char *data, size_t size, size_t count, void *answer)
{
    tac_str *into = answer;
    tac_str_add_bytes(into, data, size * count);
    return into->overflow ? 0 : size * count;
}

/* Whether anybody is there at all; drivers answer this whatever their sessions do. */
static bool driver_lives(const struct webdriver *w)
{
    CURL *curl = libcurl.easy_init();
    char *url = tac_format("%s/status", w->base);
    tac_str answer = {.cap = 1 << 20};
    bool lives = false;
    if (curl) {
        libcurl.easy_setopt(curl, CURLOPT_URL, url);
        libcurl.easy_setopt(curl, CURLOPT_TIMEOUT_MS, 5000L);
        libcurl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
        libcurl.easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
        libcurl.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        libcurl.easy_setopt(curl, CURLOPT_NOPROXY, "*");
        lives = libcurl.easy_perform(curl) == CURLE_OK;
        libcurl.easy_cleanup(curl);
    }
    tac_str_free(&answer);
    free(url);
    return lives;
}

static tac_status no_answer(struct webdriver *w, const char *step, double deadline, tac_error *err)
{
    if (!w->session || w->native.here || !driver_lives(w))
        return tac_fail(err, TAC_E_DEVICE, "%s: no answer from %s within %g s", step, w->base,
                        deadline);
    w->hung = true;
    return tac_fail(err, TAC_E_LIMIT, "%s: the page does not answer within %g s", step, deadline);
}

static tac_status transfer(struct webdriver *w, const char *step, const char *method,
                           const char *url, const char *body, double deadline, tac_str *answer,
                           tac_error *err)
{
    char problem[CURL_ERROR_SIZE] = "";
    libcurl.easy_setopt(w->curl, CURLOPT_URL, url);
    libcurl.easy_setopt(w->curl, CURLOPT_CUSTOMREQUEST, method);
    libcurl.easy_setopt(w->curl, CURLOPT_HTTPHEADER, w->headers);
    libcurl.easy_setopt(w->curl, CURLOPT_POSTFIELDS, body);
    if (!body)
        libcurl.easy_setopt(w->curl, CURLOPT_HTTPGET, strcmp(method, "GET") ? 0L : 1L);
    libcurl.easy_setopt(w->curl, CURLOPT_TIMEOUT_MS, (long)(deadline * 1000) + 1);
    libcurl.easy_setopt(w->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    libcurl.easy_setopt(w->curl, CURLOPT_WRITEDATA, answer);
    libcurl.easy_setopt(w->curl, CURLOPT_ERRORBUFFER, problem);
    libcurl.easy_setopt(w->curl, CURLOPT_NOSIGNAL, 1L);
    libcurl.easy_setopt(w->curl, CURLOPT_NOPROXY, "*");
    wd_use_network(w, w->curl);
    CURLcode code = libcurl.easy_perform(w->curl);
    libcurl.easy_setopt(w->curl, CURLOPT_ERRORBUFFER, NULL);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return no_answer(w, step, deadline, err);
    if (code != CURLE_OK)
        return tac_fail(err, TAC_E_DEVICE, "%s: the driver at %s is gone (%s)", step, w->base,
                        problem[0] ? problem : libcurl.easy_strerror(code));
    return TAC_OK;
}

/* What concerns one element, or one moment of a page, leaves the device well. */
static tac_status error_status(const char *code)
{
    static const char *const passing[] = {
        "no such element",          "stale element reference", "move target out of bounds",
        "element not interactable", "invalid element state",   "element click intercepted",
        "detached shadow root",     "script timeout",          "timeout",
        "javascript error",         "no such frame",           "unexpected alert open"};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (!strcmp(code, passing[i]))
            return TAC_E_LIMIT;
    return TAC_E_DEVICE;
}

static unsigned escaped(const char *at)
{
    unsigned code = 0;
    for (int i = 2; i < 6; i++)
        code = code << 4 | (unsigned)(at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
    return code;
}

static bool is_escape(const char *at, size_t left)
{
    return left >= 6 && at[0] == '\\' && at[1] == 'u' &&
           strspn(at + 2, "0123456789abcdefABCDEF") >= 4;
}

/* The four digits of an escape become these. */
static void escape_as(char *escape, const char *digits)
{
    for (size_t i = 0; i < 4; i++)
        escape[2 + i] = digits[i];
}

/* Texts of pages may hold U+0000 and halves of surrogate pairs, which our JSON cannot: a blank and
 * the replacement character stand for them. Other bytes stay as they are. */
static void mend_escapes(char *text, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++) {
        if (text[i] != '\\')
            continue;
        if (!is_escape(text + i, length - i)) {
            i++; /* what it escapes */
            continue;
        }
        unsigned code = escaped(text + i);
        bool pair = code >> 10 == 0xd800 >> 10 && is_escape(text + i + 6, length - i - 6) &&
                    escaped(text + i + 6) >> 10 == 0xdc00 >> 10;
        if (!code)
            escape_as(text + i, "0020");
        else if (code >> 11 == 0xd800 >> 11 && !pair)
            escape_as(text + i, "fffd");
        i += pair ? 11 : 5;
    }
}

static tac_status once(struct webdriver *w, const char *step, const char *method, const char *path,
                       const char *body, double deadline, json_t **value, char *code,
                       size_t code_size, tac_error *err)
{
    char *url = path[0] == '!' ? tac_format("%s%s", w->base, path + 1)
                               : tac_format("%s/session/%s%s", w->base, w->session, path);
    tac_str answer = {.cap = ANSWER_CAP};
    code[0] = '\0';
    tac_status status = transfer(w, step, method, url, body, deadline, &answer, err);
    free(url);
    json_t *document = NULL;
    if (status == TAC_OK) {
        size_t length = answer.length;
        char *text = tac_str_take(&answer);
        mend_escapes(text, length);
        document = json_loadb(text, length, 0, NULL);
        free(text);
        if (!json_object_get(document, "value"))
            status = tac_fail(err, TAC_E_DEVICE, "%s: %s does not answer like a WebDriver endpoint",
                              step, w->base);
    }
    tac_str_free(&answer);
    if (status != TAC_OK) {
        json_decref(document);
        return status;
    }
    json_t *found = json_object_get(document, "value");
    const char *error = json_string_value(json_object_get(found, "error"));
    snprintf(code, code_size, "%s", error ? error : "");
    if (error) {
        const char *words = json_string_value(json_object_get(found, "message"));
        words = words ? words : "";
        status = tac_fail(err, error_status(error), "%s: %s: %.*s", step, error,
                          (int)strcspn(words, "\n"), words);
    } else if (value) {
        *value = json_incref(found);
    }
    json_decref(document);
    return status;
}

static void accept_alert(struct webdriver *w, const char *step, double deadline)
{
    json_t *text = NULL;
    char code[64];
    tac_error ignored;
    if (once(w, step, "GET", "/alert/text", NULL, deadline, &text, code, sizeof code, &ignored) ==
        TAC_OK)
        wd_note(w, 'I', false, tac_clock(CLOCK_REALTIME),
                json_is_string(text) ? json_string_value(text) : "an alert without text");
    json_decref(text);
    once(w, step, "POST", "/alert/accept", "{}", deadline, NULL, code, sizeof code, &ignored);
}

static tac_status hangs(struct webdriver *w, const char *step, json_t *body, tac_error *err)
{
    json_decref(body);
    snprintf(w->error, sizeof w->error, "timeout");
    return tac_fail(err, TAC_E_LIMIT, "%s: the page has stopped answering", step);
}

tac_status wd_call(struct webdriver *w, const char *step, const char *method, const char *path,
                   json_t *body, double deadline, json_t **value, tac_error *err)
{
    tac_error local;
    tac_error *problem = err ? err : &local;
    if (w->hung && path[0] != '!')
        return hangs(w, step, body, problem);
    char *text = body                      ? json_dumps(body, JSON_COMPACT)
                 : !strcmp(method, "POST") ? tac_strdup("{}")
                                           : NULL;
    json_decref(body);
    char code[64] = "";
    double until = tac_now() + deadline;
    tac_status status = TAC_OK;
    for (int alerts = 0;; alerts++) {
        double left = until - tac_now();
        status = once(w, step, method, path, text, left > 0.05 ? left : 0.05, value, code,
                      sizeof code, problem);
        if (strcmp(code, "unexpected alert open"))
            break;
        if (alerts == ALERTS) {
            status =
                tac_fail(problem, TAC_E_DEVICE, "%s: the page opens one alert after another", step);
            break;
        }
        accept_alert(w, step, left > 0.05 ? left : 0.05);
    }
    snprintf(w->error, sizeof w->error, "%s", code);
    free(text);
    return status;
}

tac_status wd_deliver(struct webdriver *w, const char *step, const char *path, json_t *body,
                      double deadline, json_t **value, tac_error *err)
{
    if (w->hung)
        return hangs(w, step, body, err);
    char *text = body ? json_dumps(body, JSON_COMPACT) : tac_strdup("{}");
    json_decref(body);
    tac_error problem = {0};
    tac_status status =
        once(w, step, "POST", path, text, deadline, value, w->error, sizeof w->error, &problem);
    free(text);
    w->traffic.delivered = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    if (!strcmp(w->error, "unexpected alert open")) {
        accept_alert(w, step, deadline);
        return TAC_OK;
    }
    if (status != TAC_OK && err)
        *err = problem;
    return status;
}

void wd_touched(struct webdriver *w)
{
    w->fresh_until = 0;
}

bool wd_is_fresh(const struct webdriver *w)
{
    return tac_now() < w->fresh_until;
}

bool wd_unknown(const struct webdriver *w)
{
    return TAC_IS_ONE_OF(w->error, "unknown command", "unknown method", "unsupported operation");
}

tac_status wd_script(struct webdriver *w, const char *step, const char *script, json_t *arguments,
                     double deadline, json_t **value, tac_error *err)
{
    json_t *body = json_object();
    json_object_set_new(body, "script", tac_json_string(script));
    json_object_set_new(body, "args", arguments ? arguments : json_array());
    return wd_call(w, step, "POST", "/execute/sync", body, deadline, value, err);
}

/* {"result": {"value"}}, or {"exceptionDetails"} of a page that is being replaced. */
static tac_status take_result(struct webdriver *w, const char *step, const json_t *answer,
                              json_t **value, tac_error *err)
{
    const json_t *thrown = json_object_get(answer, "exceptionDetails");
    if (!thrown) {
        json_t *result = json_object_get(json_object_get(answer, "result"), "value");
        if (value)
            *value = result ? json_incref(result) : json_null();
        return TAC_OK;
    }
    const char *said =
        json_string_value(json_object_get(json_object_get(thrown, "exception"), "description"));
    snprintf(w->error, sizeof w->error, "javascript error");
    return tac_fail(err, TAC_E_LIMIT, "%s: %.*s", step, said ? (int)strcspn(said, "\n") : 20,
                    said ? said : "the script failed");
}

static tac_status evaluate(struct webdriver *w, const char *step, const char *expression,
                           bool awaits, double deadline, json_t **value, tac_error *err)
{
    if (!w->chromium) {
        char *script = tac_format("return (%s)", expression);
        tac_status status = wd_script(w, step, script, NULL, deadline, value, err);
        free(script);
        return status;
    }
    json_t *parameters = json_pack("{s:b,s:b}", "returnByValue", 1, "awaitPromise", awaits);
    json_t *answer = NULL;
    json_object_set_new(parameters, "expression", tac_json_string(expression));
    json_t *body = json_pack("{s:s,s:o}", "cmd", "Runtime.evaluate", "params", parameters);
    tac_status status = wd_call(w, step, "POST", "/goog/cdp/execute", body, deadline, &answer, err);
    if (status == TAC_OK)
        status = take_result(w, step, answer, value, err);
    json_decref(answer);
    return status;
}

tac_status wd_evaluate(struct webdriver *w, const char *step, const char *expression,
                       double deadline, json_t **value, tac_error *err)
{
    return evaluate(w, step, expression, false, deadline, value, err);
}

tac_status wd_await(struct webdriver *w, const char *step, const char *expression, double deadline,
                    json_t **value, tac_error *err)
{
    return evaluate(w, step, expression, true, deadline, value, err);
}

tac_status wd_devtools(struct webdriver *w, const char *step, const char *command,
                       json_t *parameters, json_t **value, tac_error *err)
{
    json_t *body = json_object();
    json_object_set_new(body, "cmd", json_string(command));
    json_object_set_new(body, "params", parameters ? parameters : json_object());
    return wd_call(w, step, "POST", "/goog/cdp/execute", body, 30, value, err);
}
