/* One entry of an HTTP archive. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct har_entry {
    bool dated;
    int64_t start;  /* nanoseconds since 1970 */
    double time;    /* milliseconds; negative when not known */
    double timings; /* the sum of those that are not negative; NaN when there are none */
    const char *method, *url, *address, *connection; /* "" when absent */
    const char *host;                                /* inside url; not terminated */
    size_t host_length;
    int64_t status;
    double body, headers, content, request_body, request_headers; /* sizes; negative = not known */
    bool body_holds_headers; /* `body` is the whole answer: the header Content-Length says so */
    bool has_transfer, has_bytes_in;
    bool cached; /* Chrome: it came from a cache and was not asked for */
    double transfer, bytes_in;
};

/* Whether the recorder, by what it calls itself, gives the bytes of the whole answer as bodySize:
 * Firefox since 57 (lightbody/browsermob-proxy issue 723). creator: as in the archive, or NULL. */
bool har_bodies_hold_headers(const json_t *creator);
/* Borrows the texts of the entry. */
void har_entry_read(const json_t *entry, struct har_entry *out);
/* Bytes received on the wire: what the recorder says, else headers and body; 0 when neither is
 * known and for what never left the device (an internal redirect, a blocked request). */
double har_received(const struct har_entry *entry);
bool har_tells_received(const struct har_entry *entry); /* else har_received is 0 */
/* Bytes sent: the request's headers and body, as far as they are known. */
double har_sent(const struct har_entry *entry);
bool har_tells_sent(const struct har_entry *entry); /* else something is missing there */

/* One message of a web socket, as Chrome, Playwright and Proxyman write it. */
struct har_message {
    int64_t time; /* nanoseconds since 1970 */
    bool sent;
    double bytes; /* of its content */
};

/* False: it has no time, or no direction. */
bool har_message_read(const json_t *message, struct har_message *out);

extern const char *const har_path[]; /* "log", "entries" */

/* 0, or 3 when the text begins like an HTTP archive. */
int har_sniff(const char *head);
