/* What a path that is served is answered by, and who may ask. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct request;

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

struct route_table {
    const struct route *at;
    size_t count;
};

/* NULL: no such path (*other_method false) or not with this method (true). *id: what stood for
 * {id}, the caller's, or NULL. */
const struct route *route_find(const struct route_table *routes, const char *method,
                               const char *path, char **id, bool *other_method);
