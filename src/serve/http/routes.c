#include "serve/http/routes.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "tactus/version.h"
#include <ctype.h>
#include <string.h>

const struct route all_routes[] = {
#define ROUTE(name, verb, where, who, what, query, content, says)                                  \
    {.method = verb,                                                                               \
     .path = where,                                                                                \
     .door = who,                                                                                  \
     .body = what,                                                                                 \
     .parameters = query,                                                                          \
     .fields = content,                                                                            \
     .summary = says,                                                                              \
     .answer = name},
#include "serve/http/routes.def"
#undef ROUTE
};
const size_t all_route_count = sizeof all_routes / sizeof *all_routes;

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

const struct route *route_find(const char *method, const char *path, char **id, bool *other_method)
{
    const char *part;
    size_t length;
    bool head = !strcmp(method, "HEAD");
    *other_method = false;
    *id = NULL;
    for (size_t i = 0; i < all_route_count; i++) {
        if (!fits(all_routes[i].path, path, &part, &length))
            continue;
        if (!strcmp(all_routes[i].method, head ? "GET" : method)) {
            *id = part ? tac_strndup(part, length) : NULL;
            return &all_routes[i];
        }
        *other_method = true;
    }
    return NULL;
}

/* --- the description --- */

/* The words of "path! points", each with whether it is needed. */
static size_t next_word(const char **at, const char **word, bool *needed)
{
    while (**at == ' ')
        ++*at;
    *word = *at;
    size_t length = strcspn(*at, " !");
    *at += length;
    *needed = **at == '!';
    *at += *needed;
    return length;
}

static json_t *describe_parameters(const struct route *route)
{
    json_t *list = json_array();
    const char *at = route->parameters, *word;
    bool needed;
    for (size_t length; (length = next_word(&at, &word, &needed));)
        json_array_append_new(list, json_pack("{s:o,s:s,s:b,s:{s:s}}", "name",
                                              tac_json_string_n(word, length), "in", "query",
                                              "required", needed, "schema", "type", "string"));
    if (strstr(route->path, "{id}"))
        json_array_append_new(list, json_pack("{s:s,s:s,s:b,s:{s:s}}", "name", "id", "in", "path",
                                              "required", 1, "schema", "type", "string"));
    if (strcmp(route->method, "GET") && route->door == DOOR_SESSION)
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:b,s:{s:s}}", "name", "X-Tactus-Token", "in",
                                        "header", "required", 1, "schema", "type", "string"));
    return list;
}

static json_t *describe_body(const struct route *route)
{
    json_t *properties = json_object(), *required = json_array();
    const char *at = route->fields, *word;
    bool needed;
    for (size_t length; (length = next_word(&at, &word, &needed));) {
        char *name = tac_strndup(word, length);
        json_object_set_new(properties, name, json_object());
        if (needed)
            json_array_append_new(required, tac_json_string(name));
        free(name);
    }
    json_t *schema = route->body == BODY_JSON
                         ? json_pack("{s:s,s:o,s:o}", "type", "object", "properties", properties,
                                     "required", required)
                         : json_pack("{s:s}", "type", "string");
    if (route->body != BODY_JSON) {
        json_decref(properties);
        json_decref(required);
    }
    return json_pack("{s:b,s:{s:{s:o}}}", "required", 1, "content",
                     route->body == BODY_JSON ? "application/json" : "text/plain", "schema",
                     schema);
}

static json_t *describe_route(const struct route *route)
{
    json_t *operation =
        json_pack("{s:s,s:o,s:{s:{s:s},s:{s:s}}}", "summary", route->summary, "parameters",
                  describe_parameters(route), "responses", "2XX", "description", "the answer",
                  "default", "description", "{\"error\": {\"message\", \"remedy\", \"place\"}}");
    if (route->body != BODY_NONE)
        json_object_set_new(operation, "requestBody", describe_body(route));
    json_object_set_new(operation, "security",
                        route->door == DOOR_SESSION ? json_pack("[{s:[]}]", "session")
                                                    : json_array());
    return operation;
}

json_t *routes_describe(void)
{
    json_t *paths = json_object();
    for (size_t i = 0; i < all_route_count; i++) {
        json_t *path = json_object_get(paths, all_routes[i].path);
        char method[16] = "";
        for (size_t k = 0; all_routes[i].method[k] && k + 1 < sizeof method; k++)
            method[k] = (char)tolower((unsigned char)all_routes[i].method[k]);
        if (!path) {
            path = json_object();
            json_object_set_new(paths, all_routes[i].path, path);
        }
        json_object_set_new(path, method, describe_route(&all_routes[i]));
    }
    return json_pack("{s:s,s:{s:s,s:s},s:o,s:{s:{s:{s:s,s:s,s:s}}}}", "openapi", "3.1.0", "info",
                     "title", "Tactus portal", "version", TACTUS_VERSION, "paths", paths,
                     "components", "securitySchemes", "session", "type", "apiKey", "in", "cookie",
                     "name", "tactus_PORT");
}

void get_openapi(struct request *request)
{
    answer_json(request, MHD_HTTP_OK, routes_describe());
}
