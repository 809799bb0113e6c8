/* Bytes per request and in sum, from Chromium's performance log (the Network events of DevTools).
 *
 * Only what goes over a wire for the app counts: not the browser's own page about what could not be
 * opened, which comes under the id of the page that failed.
 *
 * Received: loadingFinished has the bytes of a whole request as they came over the wire; until then
 * dataReceived counts its parts, so that a song that is still streaming is seen to cost. Of a body
 * that was cut off often only the length of its parts is told; then that counts. Sent: the
 * request line, the headers and the body; requestWillBeSentExtraInfo has the headers as they went
 * out and replaces those that the page knew of. Each finished request becomes a line of the log. */
#include "base/data/alloc.h"
#include "device/web/webdriver.h"
#include <string.h>

static struct wd_request *request_of(struct webdriver *w, const char *id)
{
    uint32_t number = tac_names_intern(&w->traffic.ids, id);
    while (w->traffic.requests.count <= number)
        tac_vec_push(&w->traffic.requests, (struct wd_request){.received = 0});
    return &w->traffic.requests.at[number];
}

/* "name: value\r\n" each. */
static double header_bytes(const json_t *headers)
{
    double bytes = 0;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)headers, name, value) bytes +=
        (double)strlen(name) + 4 + (double)(json_is_string(value) ? json_string_length(value) : 0);
    return bytes;
}

static void set_headers(struct webdriver *w, struct wd_request *request, double bytes)
{
    w->traffic.tx += bytes - request->headers;
    request->sent += bytes - request->headers;
    request->headers = bytes;
}

static void received(struct webdriver *w, struct wd_request *request, double bytes)
{
    if (request->foreign || !(bytes > -1e15 && bytes < 1e15))
        return;
    w->traffic.rx += bytes;
    request->received += bytes;
}

static void finish(struct webdriver *w, struct wd_request *request, double time, const char *end)
{
    if (request->document && w->traffic.documents)
        w->traffic.documents--;
    request->document = false;
    if (!request->name)
        return;
    char *raw = tac_format("I request: %s %s received %.0f sent %.0f", request->name, end,
                           request->received, request->sent);
    double wall = request->wall + (time > request->began ? time - request->began : 0);
    wd_keep_line(w, &(tac_log_line){.time = (int64_t)(wall * 1e9),
                                    .level = 'I',
                                    .tag = "request",
                                    .message = raw + strlen("I request: "),
                                    .raw = raw});
    free(raw);
    free(request->name);
    /* A redirected request goes on under the same id, and so does what the browser shows instead.
     */
    *request = (struct wd_request){.foreign = true};
}

static void begin(struct webdriver *w, struct wd_request *request, const json_t *parameters)
{
    const json_t *asked = json_object_get(parameters, "request");
    const char *url = json_string_value(json_object_get(asked, "url"));
    const char *method = json_string_value(json_object_get(asked, "method"));
    const json_t *body = json_object_get(asked, "postData");
    const char *host = url ? strstr(url, "://") : NULL;
    const char *path = host ? strchr(host + 3, '/') : NULL;
    request->foreign = !host || strncmp(url, "http", 4) != 0;
    if (request->foreign)
        return; /* data: and blob: go over no wire */
    const char *type = json_string_value(json_object_get(parameters, "type"));
    request->document = type && !strcmp(type, "Document");
    w->traffic.documents += request->document;
    request->name = tac_format("%s %s", method ? method : "GET", url);
    request->wall = json_number_value(json_object_get(parameters, "wallTime"));
    request->began = json_number_value(json_object_get(parameters, "timestamp"));
    double line = (double)(strlen(method ? method : "GET") + (path ? strlen(path) : 1)) +
                  (double)strlen("  HTTP/1.1\r\n\r\n") +
                  (double)(json_is_string(body) ? json_string_length(body) : 0);
    w->traffic.tx += line;
    request->sent += line;
    if (request->headers <= 0)
        set_headers(w, request, header_bytes(json_object_get(asked, "headers")));
}

static void take_message(struct webdriver *w, const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *parameters = json_object_get(message, "params");
    const char *id = json_string_value(json_object_get(parameters, "requestId"));
    if (!method || !id || strncmp(method, "Network.", 8) != 0)
        return;
    double bytes = json_number_value(json_object_get(parameters, "encodedDataLength"));
    double time = json_number_value(json_object_get(parameters, "timestamp"));
    struct wd_request *request = request_of(w, id);
    method += strlen("Network.");
    if (!strcmp(method, "requestWillBeSent")) {
        const json_t *before = json_object_get(parameters, "redirectResponse");
        if (before) {
            double all = json_number_value(json_object_get(before, "encodedDataLength"));
            received(w, request, all - request->received);
            finish(w, request, time, "redirected");
        }
        begin(w, request, parameters);
    } else if (!strcmp(method, "requestWillBeSentExtraInfo")) {
        set_headers(w, request, header_bytes(json_object_get(parameters, "headers")));
    } else if (!strcmp(method, "responseReceived")) {
        const json_t *response = json_object_get(parameters, "response");
        const char *url = json_string_value(json_object_get(response, "url"));
        request->status = (int)json_integer_value(json_object_get(response, "status"));
        if (url && !strncmp(url, "chrome", 6))
            request->foreign = true;
        if (request->status == 204)
            return; /* no page comes; the failure that follows ends it */
        if (request->document && w->traffic.documents)
            w->traffic.documents--;
        request->document = false;
    } else if (!strcmp(method, "dataReceived")) {
        received(w, request, bytes);
        request->decoded += json_number_value(json_object_get(parameters, "dataLength"));
    } else if (!strcmp(method, "loadingFinished")) {
        char status[16];
        snprintf(status, sizeof status, "%d", request->status);
        received(w, request, bytes - request->received);
        finish(w, request, time, status);
    } else if (!strcmp(method, "loadingFailed")) {
        if (request->received <= 0) /* nobody says how much it was on the wire */
            received(w, request, request->decoded);
        finish(w, request, time, "failed");
    }
}

tac_status wd_count_traffic(struct webdriver *w, double deadline, tac_error *err)
{
    json_t *entries = NULL;
    tac_status status = wd_call(w, "read the performance log", "POST", "/se/log",
                                json_pack("{s:s}", "type", "performance"), deadline, &entries, err);
    size_t i;
    const json_t *entry;
    json_array_foreach(entries, i, entry)
    {
        const char *text = json_string_value(json_object_get(entry, "message"));
        json_t *outer = text ? json_loads(text, 0, NULL) : NULL; /* JSON inside a string */
        take_message(w, json_object_get(outer, "message"));
        json_decref(outer);
    }
    json_decref(entries);
    return status;
}

void wd_free_traffic(struct webdriver *w)
{
    for (size_t i = 0; i < w->traffic.requests.count; i++)
        free(w->traffic.requests.at[i].name);
    tac_vec_free(&w->traffic.requests);
    tac_names_free(&w->traffic.ids);
}
