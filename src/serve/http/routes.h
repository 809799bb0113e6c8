/* Every path that is served, once: routes.def. Dispatch and the OpenAPI description both come from
 * it, so that neither can say what the other does not. */
#ifndef TAC_SERVE_ROUTES_H
#define TAC_SERVE_ROUTES_H

#include "serve/http/request.h"

enum route_body { BODY_NONE, BODY_JSON, BODY_TEXT };
enum route_door { DOOR_OPEN, DOOR_SESSION }; /* who may ask: anybody; who has the cookie */

struct route {
    const char *method, *path; /* {id} stands for one part */
    enum route_door door;
    enum route_body body;
    const char *parameters; /* of the query, "path! points": ! = needed */
    const char *fields;     /* of the body, the same way */
    const char *summary;
    void (*answer)(struct request *request);
};

extern const struct route all_routes[];
extern const size_t all_route_count;

/* NULL: no such path (*other_method false) or not with this method (true). *id: what stood for
 * {id}, the caller's, or NULL. */
const struct route *route_find(const char *method, const char *path, char **id, bool *other_method);
/* The OpenAPI description of them all; the caller's. */
json_t *routes_describe(void);

#define ROUTE(name, ...) void name(struct request *request);
#include "serve/http/routes.def"
#undef ROUTE

#endif
