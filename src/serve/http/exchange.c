/* A request is refused as early as it can be: by its address and headers, before any of its body is
 * taken. The body of the others is kept up to a cap that its announced length is compared with
 * first; a body without an announced length is not taken at all. */
#include "serve/http/exchange.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <string.h>

enum { MOST_WORKING = 48 };

static const char bad_address = 0; /* the mark of a request whose address is refused */

void *exchange_look_at_address(void *context, const char *uri, struct MHD_Connection *connection)
{
    (void)context;
    (void)connection;
    /* A NUL would end names early for some readers and not for others. */
    for (const char *at = uri; *at; at++)
        if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 127 || !strncmp(at, "%00", 3))
            return (void *)(uintptr_t)&bad_address;
    return NULL;
}

/* --- who asks, and for what --- */

/* Fills the answer when the request is refused. */
static void check_door(struct request *request, const char *method)
{
    const struct gate *gate = &request->portal->gate;
    struct MHD_Connection *connection = request->connection;
    bool page = request->route && !strcmp(request->route->path, "/");
    bool change = strcmp(method, "GET") && strcmp(method, "HEAD");
    if (!gate_names_us(gate, connection))
        answer_error(request, MHD_HTTP_MISDIRECTED_REQUEST,
                     "this server is not the host that the request names");
    else if ((!page || change) && !gate_is_own_page(gate, connection))
        answer_error(request, MHD_HTTP_FORBIDDEN, "the request comes from another page");
    else if (request->route && request->route->door == DOOR_OPEN)
        return;
    else if (!gate_has_session(gate, connection))
        answer_error(request, MHD_HTTP_UNAUTHORIZED,
                     "open the address that 'tactus serve' printed when it was started");
    else if (change && !gate_may_change(gate, connection))
        answer_error(request, MHD_HTTP_FORBIDDEN,
                     "a change needs the header X-Tactus-Token, as GET /api/session tells it");
    else
        guests_trust(&request->portal->guests, connection);
}

static void check_route(struct request *request, const char *url, bool other_method)
{
    if (request->status || request->route)
        return;
    if (other_method)
        answer_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, "'%s' does not take this method", url);
    else
        answer_error(request, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
}

static void check_body(struct request *request)
{
    const char *length = request_header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
    uint64_t size = 0;
    if (request->status)
        return;
    if (request_header(request, MHD_HTTP_HEADER_TRANSFER_ENCODING))
        answer_error(request, MHD_HTTP_LENGTH_REQUIRED, "a body needs a Content-Length");
    else if (length && !tac_parse_u64(length, &size))
        answer_error(request, MHD_HTTP_BAD_REQUEST, "'Content-Length' is not a number");
    else if (size > (request->route->body == BODY_NONE ? 4096 : MOST_BODY))
        answer_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "a body has at most %d bytes",
                     request->route->body == BODY_NONE ? 4096 : MOST_BODY);
}

static struct request *begin(tac_portal *portal, struct MHD_Connection *connection, const char *url,
                             const char *method, bool bad)
{
    struct request *request = tac_calloc(1, sizeof *request);
    bool other_method;
    request->portal = portal;
    request->connection = connection;
    request->body.cap = MOST_BODY;
    request->route = route_find(&portal->routes, method, url, &request->id, &other_method);
    if (bad || !tac_utf8_valid(url, strlen(url)))
        answer_error(request, MHD_HTTP_BAD_REQUEST, "the address is not written as one");
    else
        check_door(request, method);
    check_route(request, url, other_method);
    check_body(request);
    return request;
}

/* --- working the answer out --- */

bool exchange_begin_work(tac_portal *portal)
{
    pthread_mutex_lock(&portal->lock);
    bool may = !portal->ending && portal->working < MOST_WORKING;
    portal->working += may;
    pthread_mutex_unlock(&portal->lock);
    return may;
}

void exchange_end_work(tac_portal *portal)
{
    pthread_mutex_lock(&portal->lock);
    assert(portal->working);
    portal->working--;
    pthread_cond_broadcast(&portal->calmer);
    pthread_mutex_unlock(&portal->lock);
}

static void read_json(struct request *request)
{
    tac_error err;
    if (tac_json_parse("request", tac_str_text(&request->body), request->body.length,
                       &request->json, &err) != TAC_OK) {
        err.status = TAC_E_INPUT;
        answer_failure(request, &err);
        request->status = MHD_HTTP_BAD_REQUEST;
    } else if (!json_is_object(request->json.root)) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "the body is not a JSON object");
    }
}

static void *work_out(void *context)
{
    struct request *request = context;
    tac_portal *portal = request->portal;
    if (request->route->body == BODY_JSON)
        read_json(request);
    if (!request->status)
        request->route->answer(request);
    if (!request->status)
        answer_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "the request was left unanswered");
    mhd.resume_connection(request->connection);
    exchange_end_work(portal);
    return NULL;
}

/* The answer comes in another thread; the request is called for again then. */
static enum MHD_Result work_later(struct request *request)
{
    pthread_t thread;
    pthread_attr_t detached;
    if (!exchange_begin_work(request->portal)) {
        answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                     "the server works on as many requests as it can; ask again");
        return request_send(request);
    }
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    mhd.suspend_connection(request->connection);
    if (pthread_create(&thread, &detached, work_out, request)) {
        answer_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "no thread can be started");
        exchange_end_work(request->portal);
        mhd.resume_connection(request->connection);
    }
    pthread_attr_destroy(&detached);
    return MHD_YES;
}

enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **state)
{
    tac_portal *portal = context;
    struct request *request = *state;
    (void)version;
    if (!request || *state == &bad_address) {
        request = begin(portal, connection, url, method, *state == &bad_address);
        *state = request;
        if (!request->status)
            return MHD_YES; /* the body follows */
        guests_request_is_whole(&portal->guests, connection);
        return request_send(request);
    }
    if (*upload_size) {
        tac_str_add_bytes(&request->body, upload, *upload_size);
        *upload_size = 0;
        return request->body.overflow ? MHD_NO : MHD_YES;
    }
    if (request->status)
        return request_send(request);
    guests_request_is_whole(&portal->guests, connection);
    return work_later(request);
}

void exchange_completed(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code)
{
    tac_portal *portal = context;
    (void)code;
    if (*state != &bad_address)
        request_free(*state);
    *state = NULL;
    guests_next_request(&portal->guests, connection);
}

void exchange_refuse_work(tac_portal *portal)
{
    pthread_mutex_lock(&portal->lock);
    portal->ending = true;
    pthread_mutex_unlock(&portal->lock);
}

void exchange_await_work(tac_portal *portal)
{
    pthread_mutex_lock(&portal->lock);
    while (portal->working)
        pthread_cond_wait(&portal->calmer, &portal->lock);
    pthread_mutex_unlock(&portal->lock);
}
