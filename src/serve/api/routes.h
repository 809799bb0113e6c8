/* Every path that is served, once: routes.def. Dispatch and the OpenAPI description both come from
 * it, so that neither can say what the other does not. */
#pragma once

#include "serve/http/request.h"

extern const struct route_table all_routes;

#define ROUTE(name, ...) void name(struct request *request);
#include "serve/api/routes.def"
#undef ROUTE
