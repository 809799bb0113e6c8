#include "serve/http/route.h"
#include "base/data/alloc.h"
#include <string.h>

/* Does the path fit, with one part of it for {id}? */
static bool fits(const char *pattern, const char *path, const char **id, size_t *id_length)
{
    const char *hole = strstr(pattern, "{id}");
    *id = NULL;
    *id_length = 0;
    if (!hole)
        return !strcmp(pattern, path);
    size_t before = (size_t)(hole - pattern);
    if (strncmp(pattern, path, before))
        return false;
    *id = path + before;
    *id_length = strcspn(*id, "/");
    return *id_length && !strcmp(*id + *id_length, hole + strlen("{id}"));
}

const struct route *route_find(const struct route_table *routes, const char *method,
                               const char *path, char **id, bool *other_method)
{
    const char *part;
    size_t length;
    bool head = !strcmp(method, "HEAD");
    *other_method = false;
    *id = NULL;
    for (size_t i = 0; i < routes->count; i++) {
        if (!fits(routes->at[i].path, path, &part, &length))
            continue;
        if (!strcmp(routes->at[i].method, head ? "GET" : method)) {
            *id = part ? tac_strndup(part, length) : NULL;
            return &routes->at[i];
        }
        *other_method = true;
    }
    return NULL;
}
