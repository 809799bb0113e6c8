#include "serve/http/gate.h"
#include "base/data/alloc.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>

static tac_status make_secret(char text[SECRET_TEXT], tac_error *err)
{
    unsigned char bytes[(SECRET_TEXT - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return tac_fail_errno(err, errno, NULL, "the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return TAC_OK;
}

tac_status gate_make(struct gate *gate, tac_error *err)
{
    tac_status status = make_secret(gate->start, err);
    if (status == TAC_OK)
        status = make_secret(gate->session, err);
    if (status == TAC_OK)
        status = make_secret(gate->change, err);
    return status;
}

bool gate_is_secret(const char *secret, const char *text)
{
    size_t length = strlen(secret), given = text ? strlen(text) : 0;
    unsigned char different = given != length;
    for (size_t i = 0; i < length; i++)
        different |= (unsigned char)(secret[i] ^ (i < given ? text[i] : 0));
    return !different && length;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* The address of this end of the connection, as it stands in a URL. */
static bool local_address(struct MHD_Connection *connection, char *text, size_t size)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } here;
    socklen_t length = sizeof here;
    char inner[INET6_ADDRSTRLEN] = "";
    if (!info || getsockname(info->connect_fd, &here.any, &length))
        return false;
    bool v6 = here.any.sa_family == AF_INET6;
    const void *address = v6 ? (const void *)&here.v6.sin6_addr : &here.v4.sin_addr;
    if (!inet_ntop(here.any.sa_family, address, inner, sizeof inner))
        return false;
    snprintf(text, size, v6 ? "[%s]" : "%s", inner);
    return true;
}

static bool is_place(const struct gate *gate, const char *host, const char *name)
{
    char wanted[300];
    snprintf(wanted, sizeof wanted, "%s:%u", name, gate->port);
    return !strcasecmp(host, wanted) ||
           (gate->port == (gate->tls ? 443 : 80) && !strcasecmp(host, name));
}

/* Is "HOST:PORT" this server? */
static bool is_us(const struct gate *gate, struct MHD_Connection *connection, const char *host)
{
    char address[INET6_ADDRSTRLEN + 2];
    if (is_place(gate, host, "127.0.0.1") || is_place(gate, host, "localhost"))
        return true;
    return gate->listen &&
           (is_place(gate, host, gate->listen) ||
            (local_address(connection, address, sizeof address) && is_place(gate, host, address)));
}

struct counted {
    const char *name;
    unsigned count;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *key,
                                    const char *value)
{
    struct counted *counted = context;
    (void)kind;
    (void)value;
    counted->count += key && !strcasecmp(key, counted->name);
    return MHD_YES;
}

bool gate_names_us(const struct gate *gate, struct MHD_Connection *connection)
{
    struct counted hosts = {.name = MHD_HTTP_HEADER_HOST};
    const char *host = header(connection, MHD_HTTP_HEADER_HOST);
    mhd.get_connection_values(connection, MHD_HEADER_KIND, count_header, &hosts);
    return host && hosts.count == 1 && is_us(gate, connection, host);
}

bool gate_is_own_page(const struct gate *gate, struct MHD_Connection *connection)
{
    const char *origin = header(connection, "Origin"), *site = header(connection, "Sec-Fetch-Site");
    const char *scheme = gate->tls ? "https://" : "http://";
    if (site && strcmp(site, "same-origin") && strcmp(site, "none"))
        return false;
    return !origin || (!strncmp(origin, scheme, strlen(scheme)) &&
                       is_us(gate, connection, origin + strlen(scheme)));
}

bool gate_has_session(const struct gate *gate, struct MHD_Connection *connection)
{
    return gate_is_secret(gate->session,
                          mhd.lookup_connection_value(connection, MHD_COOKIE_KIND, gate->cookie));
}

bool gate_may_change(const struct gate *gate, struct MHD_Connection *connection)
{
    return gate_is_secret(gate->change, header(connection, "X-Tactus-Token"));
}

char *gate_set_cookie(const struct gate *gate)
{
    return tac_format("%s=%s; Path=/; HttpOnly; SameSite=Strict%s", gate->cookie, gate->session,
                      gate->tls ? "; Secure" : "");
}
