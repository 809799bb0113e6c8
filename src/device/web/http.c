/* The WebDriver protocol: JSON over HTTP on one kept connection.
 *
 * Errors come as {"value":{"error","message"}}. An alert that the page opened makes every command
 * fail with "unexpected alert open": it is accepted and noted, and the command is given again, at
 * most ALERTS times, so that an endless loop of alerts ends in an error. */
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

static tac_status transfer(struct webdriver *w, const char *step, const char *method,
                           const char *url, const char *body, double deadline, tac_str *answer,
                           tac_error *err)
{
    char problem[CURL_ERROR_SIZE] = "";
    curl_easy_setopt(w->curl, CURLOPT_URL, url);
    curl_easy_setopt(w->curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(w->curl, CURLOPT_HTTPHEADER, w->headers);
    curl_easy_setopt(w->curl, CURLOPT_POSTFIELDS, body);
    if (!body)
        curl_easy_setopt(w->curl, CURLOPT_HTTPGET, strcmp(method, "GET") ? 0L : 1L);
    curl_easy_setopt(w->curl, CURLOPT_TIMEOUT_MS, (long)(deadline * 1000) + 1);
    curl_easy_setopt(w->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(w->curl, CURLOPT_WRITEDATA, answer);
    curl_easy_setopt(w->curl, CURLOPT_ERRORBUFFER, problem);
    curl_easy_setopt(w->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(w->curl, CURLOPT_NOPROXY, "*");
    CURLcode code = curl_easy_perform(w->curl);
    curl_easy_setopt(w->curl, CURLOPT_ERRORBUFFER, NULL);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return tac_fail(err, TAC_E_DEVICE, "%s: no answer from %s within %g s", step, w->base,
                        deadline);
    if (code != CURLE_OK)
        return tac_fail(err, TAC_E_DEVICE, "%s: the browser's driver at %s is gone (%s)", step,
                        w->base, problem[0] ? problem : curl_easy_strerror(code));
    return TAC_OK;
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
        document = json_loadb(tac_str_text(&answer), answer.length, 0, NULL);
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
        tac_fail(err,
                 !strcmp(error, "no such element") || !strcmp(error, "stale element reference")
                     ? TAC_E_LIMIT
                     : TAC_E_DEVICE,
                 "%s: %s: %.*s", step, error, (int)strcspn(words, "\n"), words);
        status = err ? err->status : TAC_E_DEVICE;
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
        wd_note(w, 'I', false, wd_now(),
                json_is_string(text) ? json_string_value(text) : "an alert without text");
    json_decref(text);
    once(w, step, "POST", "/alert/accept", "{}", deadline, NULL, code, sizeof code, &ignored);
}

tac_status wd_call(struct webdriver *w, const char *step, const char *method, const char *path,
                   json_t *body, double deadline, json_t **value, tac_error *err)
{
    char *text = body                      ? json_dumps(body, JSON_COMPACT)
                 : !strcmp(method, "POST") ? tac_strdup("{}")
                                           : NULL;
    json_decref(body);
    tac_error local;
    tac_error *problem = err ? err : &local;
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
    static const char *const codes[] = {"unknown command", "unknown method",
                                        "unsupported operation"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!strcmp(w->error, codes[i]))
            return true;
    return false;
}

tac_status wd_script(struct webdriver *w, const char *step, const char *script, json_t *arguments,
                     double deadline, json_t **value, tac_error *err)
{
    json_t *body = json_object();
    json_object_set_new(body, "script", tac_json_string(script));
    json_object_set_new(body, "args", arguments ? arguments : json_array());
    return wd_call(w, step, "POST", "/execute/sync", body, deadline, value, err);
}

tac_status wd_devtools(struct webdriver *w, const char *step, const char *command,
                       json_t *parameters, json_t **value, tac_error *err)
{
    json_t *body = json_object();
    json_object_set_new(body, "cmd", json_string(command));
    json_object_set_new(body, "params", parameters ? parameters : json_object());
    return wd_call(w, step, "POST", "/goog/cdp/execute", body, 30, value, err);
}
