#include "serve/api/routes.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "tactus/version.h"
#include <ctype.h>
#include <string.h>

static const struct route routes[] = {
#define ROUTE(name, verb, where, who, what, query, content, says)                                  \
    {.method = verb,                                                                               \
     .path = where,                                                                                \
     .door = who,                                                                                  \
     .body = what,                                                                                 \
     .parameters = query,                                                                          \
     .fields = content,                                                                            \
     .summary = says,                                                                              \
     .answer = name},
#include "serve/api/routes.def"
#undef ROUTE
};
const struct route_table all_routes = {routes, sizeof routes / sizeof *routes};

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

static json_t *describe_routes(void)
{
    json_t *paths = json_object();
    for (size_t i = 0; i < all_routes.count; i++) {
        json_t *path = json_object_get(paths, routes[i].path);
        char method[16] = "";
        for (size_t k = 0; routes[i].method[k] && k + 1 < sizeof method; k++)
            method[k] = (char)tolower((unsigned char)routes[i].method[k]);
        if (!path) {
            path = json_object();
            json_object_set_new(paths, routes[i].path, path);
        }
        json_object_set_new(path, method, describe_route(&routes[i]));
    }
    return json_pack("{s:s,s:{s:s,s:s},s:o,s:{s:{s:{s:s,s:s,s:s}}}}", "openapi", "3.1.0", "info",
                     "title", "Tactus portal", "version", TACTUS_VERSION, "paths", paths,
                     "components", "securitySchemes", "session", "type", "apiKey", "in", "cookie",
                     "name", "tactus_PORT");
}

void get_openapi(struct request *request)
{
    answer_json(request, MHD_HTTP_OK, describe_routes());
}
