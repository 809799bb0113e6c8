/* One request and its answer. A thread of its own works it out while the connection is suspended,
 * so that work that takes long holds up nobody. */
#pragma once

#include "base/data/str.h"
#include "base/io/json.h"
#include "serve/http/portal.h"

enum { MOST_BODY = 16 << 20 };

struct route;

struct request {
    tac_portal *portal;
    struct MHD_Connection *connection;
    const struct route *route;
    char *id;      /* what stands for {id} in the route's path, or NULL */
    tac_str body;  /* as it was sent */
    tac_json json; /* the body of routes that take JSON; an object */
    /* The answer. */
    unsigned status;    /* 0: none yet */
    const char *type;   /* its content type; static */
    const char *policy; /* Content-Security-Policy; static */
    char *data;         /* owned */
    size_t size;
    char *etag, *location, *cookie; /* owned, may be NULL */
    struct MHD_Response *response;  /* instead of data: made by the handler */
};

/* A value of the query, or NULL: not there, or with a NUL inside. Borrowed. */
const char *request_query(const struct request *request, const char *name);
const char *request_header(const struct request *request, const char *name);
/* Fields of the body. A field of another type than asked for is as if it were not there; handlers
 * that need one say so. Borrowed. */
const char *request_text(const struct request *request, const char *name);

void answer_bytes(struct request *request, unsigned status, const char *type, char *data,
                  size_t size);
/* Takes the reference. */
void answer_json(struct request *request, unsigned status, json_t *document);
/* {"error": {"message", ...}} */
void answer_error(struct request *request, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same from an error of the library; status by what went wrong. */
void answer_failure(struct request *request, const tac_error *err);
/* {"message", "place"?}; the caller's. */
json_t *error_json(const tac_error *err);
unsigned status_of_failure(tac_status status);
/* Hands the answer to the network. */
enum MHD_Result request_send(struct request *request);
void request_free(struct request *request);
