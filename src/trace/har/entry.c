/* See entry.h. -1 means "not known"; other negative sizes occur and mean nothing either. */
#include "trace/har/entry.h"
#include "base/io/json.h"
#include "trace/json/items.h"
#include "trace/text/clock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const har_path[] = {"log", "entries", NULL};

int har_sniff(const char *head)
{
    const char *log = strstr(head, "\"log\"");
    return log && log - head < 256 &&
                   (strstr(log, "\"entries\"") || strstr(log, "\"creator\"") ||
                    strstr(log, "\"pages\""))
               ? 3
               : 0;
}

static double number_at(const json_t *object, const char *key)
{
    return json_loose_number(json_object_get(object, key), -1);
}

static double sum_timings(const json_t *timings)
{
    static const char *const parts[] = {"blocked", "dns", "connect", "send", "wait", "receive"};
    double sum = json_is_object(timings) ? 0 : NAN;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double part = number_at(timings, parts[i]);
        sum += part > 0 ? part : 0;
    }
    return sum;
}

static void find_host(struct har_entry *out)
{
    const char *at = strstr(out->url, "://");
    out->host = at ? at + 3 : "";
    out->host_length = strcspn(out->host, "/?#");
    const char *user = memrchr(out->host, '@', out->host_length);
    if (user) {
        out->host_length -= (size_t)(user + 1 - out->host);
        out->host = user + 1;
    }
    const char *port = *out->host == '[' ? NULL : memchr(out->host, ':', out->host_length);
    if (port)
        out->host_length = (size_t)(port - out->host);
}

static int64_t status_of(const json_t *response)
{
    double status = json_loose_number(json_object_get(response, "status"), 0);
    return status > 0 && status < 1e6 ? (int64_t)status : 0;
}

bool har_bodies_hold_headers(const json_t *creator)
{
    return !strcmp(tac_json_get_text(creator, "name"), "Firefox") &&
           strtol(tac_json_get_text(creator, "version"), NULL, 10) >= 57;
}

/* What the header Content-Length says; -1 without one. */
static double content_length(const json_t *response)
{
    size_t index;
    const json_t *header;
    json_array_foreach(json_object_get(response, "headers"), index, header)
    {
        if (!strcasecmp(tac_json_get_text(header, "name"), "Content-Length"))
            return number_at(header, "value");
    }
    return -1;
}

void har_entry_read(const json_t *entry, struct har_entry *out)
{
    const json_t *request = json_object_get(entry, "request");
    const json_t *response = json_object_get(entry, "response");
    const json_t *transfer = json_object_get(response, "_transferSize");
    const json_t *bytes_in = json_object_get(entry, "_bytesIn");
    const char *start = tac_json_get_text(entry, "startedDateTime");
    const json_t *connection = json_object_get(entry, "connection");
    *out = (struct har_entry){.time = number_at(entry, "time"),
                              .timings = sum_timings(json_object_get(entry, "timings")),
                              .method = tac_json_get_text(request, "method"),
                              .url = tac_json_get_text(request, "url"),
                              .address = tac_json_get_text(entry, "serverIPAddress"),
                              .connection =
                                  json_is_string(connection) ? json_string_value(connection) : "",
                              .status = status_of(response),
                              .body = number_at(response, "bodySize"),
                              .headers = number_at(response, "headersSize"),
                              .content = number_at(json_object_get(response, "content"), "size"),
                              .request_body = number_at(request, "bodySize"),
                              .request_headers = number_at(request, "headersSize"),
                              .has_transfer = transfer && !json_is_null(transfer),
                              .transfer = json_loose_number(transfer, -1),
                              .has_bytes_in = bytes_in && !json_is_null(bytes_in),
                              .bytes_in = json_loose_number(bytes_in, -1)};
    out->cached = *tac_json_get_text(entry, "_fromCache") != '\0';
    double length = content_length(response);
    out->body_holds_headers = length >= 0 && out->headers > 0 && out->body == out->headers + length;
    out->dated = clock_scan_date(start, &out->start) || clock_scan_mail_date(start, &out->start);
    find_host(out);
}

bool har_tells_received(const struct har_entry *entry)
{
    return entry->cached || (entry->has_transfer && entry->transfer >= 0) ||
           (entry->has_bytes_in && entry->bytes_in >= 0) || entry->status == 0 ||
           (entry->status == 307 && !*entry->address) || (entry->headers >= 0 && entry->body >= 0);
}

double har_received(const struct har_entry *entry)
{
    if (entry->has_transfer && entry->transfer >= 0)
        return entry->transfer;
    if (entry->has_bytes_in && entry->bytes_in >= 0)
        return entry->bytes_in;
    if (entry->cached || entry->status == 0 || (entry->status == 307 && !*entry->address))
        return 0;
    if (entry->headers < 0 || entry->body < 0)
        return 0;
    if (entry->body_holds_headers && (entry->body > 0 || entry->status != 304))
        return entry->body; /* 0: from the cache; a 304 has a body of 0 and was received */
    return entry->headers + entry->body;
}

double har_sent(const struct har_entry *entry)
{
    if (entry->cached || entry->status == 0 || (entry->status == 307 && !*entry->address))
        return 0;
    return (entry->request_headers > 0 ? entry->request_headers : 0) +
           (entry->request_body > 0 ? entry->request_body : 0);
}

/* What came from a cache was not asked for on the wire; GET and HEAD have no body to tell of. */
bool har_tells_sent(const struct har_entry *entry)
{
    bool bodiless = !strcmp(entry->method, "GET") || !strcmp(entry->method, "HEAD");
    return entry->cached || entry->status == 0 || (entry->status == 307 && !*entry->address) ||
           (entry->has_transfer && entry->transfer == 0) ||
           (entry->request_headers >= 0 && (bodiless || entry->request_body >= 0));
}

/* The bytes that a text in base 64 stands for. */
static double unpacked_size(const char *text)
{
    size_t length = strlen(text), full = length;
    while (full && length - full < 2 && text[full - 1] == '=')
        full--;
    size_t size = full / 4 * 3 + (full % 4 ? full % 4 - 1 : 0);
    return (double)size;
}

bool har_message_read(const json_t *message, struct har_message *out)
{
    enum { TEXT = 1 };
    const json_t *data = json_object_get(message, "data");
    const char *type = tac_json_get_text(message, "type");
    double seconds = number_at(message, "time");
    out->sent = !strcmp(type, "send");
    if ((!out->sent && strcmp(type, "receive")) || !(seconds > 0 && seconds < 4e9))
        return false;
    out->time = llround(seconds * 1e9);
    bool packed = number_at(message, "opcode") > TEXT && json_is_string(data);
    out->bytes = packed ? unpacked_size(json_string_value(data)) : (double)json_string_length(data);
    return true;
}
