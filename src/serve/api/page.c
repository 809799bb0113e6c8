/* The page itself, the exchange of the start secret for the cookie, and the login of those who come
 * from other hosts. */
#include "base/data/alloc.h"
#include "portal_css.h"
#include "portal_html.h"
#include "portal_js.h"
#include "serve/api/routes.h"
#include "tactus/version.h"
#include <string.h>
#include <unistd.h>

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self' data:; frame-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

static const char closed[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tactus</title>"
    "<h1>Tactus</h1><p>Open the address that <code>tactus serve</code> printed when it was "
    "started.</p></html>\n";

static const char login[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tactus</title>"
    "<h1>Tactus</h1><form method=\"post\" action=\"/login\" enctype=\"text/plain\">"
    "<label>Password <input type=\"password\" name=\"password\" autofocus></label> "
    "<button>Open</button></form></html>\n";

static void answer_embedded(struct request *request, unsigned status, const char *type,
                            const char *data, size_t size)
{
    char *copy = tac_alloc(size + 1);
    memcpy(copy, data, size);
    copy[size] = '\0';
    request->policy = policy;
    answer_bytes(request, status, type, copy, size);
}

static void open_session(struct request *request)
{
    request->cookie = gate_set_cookie(&request->portal->gate);
    request->location = tac_strdup("/");
    answer_bytes(request, MHD_HTTP_SEE_OTHER, "text/plain", tac_strdup(""), 0);
}

void get_page(struct request *request)
{
    const struct gate *gate = &request->portal->gate;
    const char *start = request_query(request, "token");
    if (start && gate_is_secret(gate->start, start)) {
        open_session(request);
    } else if (!start && gate_has_session(gate, request->connection)) {
        answer_embedded(request, MHD_HTTP_OK, "text/html; charset=utf-8", portal_html,
                        portal_html_size);
    } else {
        const char *text = request->portal->password ? login : closed;
        answer_embedded(request, MHD_HTTP_UNAUTHORIZED, "text/html; charset=utf-8", text,
                        strlen(text));
    }
}

void get_script(struct request *request)
{
    answer_embedded(request, MHD_HTTP_OK, "text/javascript; charset=utf-8", portal_js,
                    portal_js_size);
}

void get_style(struct request *request)
{
    answer_embedded(request, MHD_HTTP_OK, "text/css; charset=utf-8", portal_css, portal_css_size);
}

/* One guess a second, whoever guesses; others are sent away at once, so that guesses do not take
 * the places of those who work. */
void post_login(struct request *request)
{
    tac_portal *portal = request->portal;
    if (pthread_mutex_trylock(&portal->password_lock)) {
        answer_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "one login at a time; try again");
        return;
    }
    const char *body = tac_str_text(&request->body);
    char *given = tac_strdup(strncmp(body, "password=", 9) ? "" : body + 9);
    given[strcspn(given, "\r\n")] = '\0';
    bool right = portal->password && gate_is_secret(portal->password, given);
    if (portal->password && !right)
        sleep(1);
    pthread_mutex_unlock(&portal->password_lock);
    explicit_bzero(given, strlen(given));
    free(given);
    if (right)
        open_session(request);
    else
        answer_embedded(request, MHD_HTTP_UNAUTHORIZED, "text/html; charset=utf-8",
                        portal->password ? login : closed,
                        strlen(portal->password ? login : closed));
}

void get_session(struct request *request)
{
    answer_json(request, MHD_HTTP_OK,
                json_pack("{s:s,s:o,s:s,s:b}", "token", request->portal->gate.change, "folder",
                          tac_json_string(request->portal->folder), "version", TACTUS_VERSION,
                          "readonly", 0));
}
