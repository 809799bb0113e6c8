/* The browser in a network of its own (network/network.h): chromedriver and everything it starts
 * live in the namespace, and calls to the driver go over the namespace's loopback, never over the
 * link. Pages of this host keep their addresses: the browser's rules for names send 127.0.0.1 and
 * localhost to the gateway, which carries them to this host's loopback. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

bool wd_network(tac_device *device, tac_network_state *out)
{
    struct webdriver *w = device->state;
    tac_error ignored;
    if (w->network)
        tac_network_look(w->network, out, &ignored);
    return w->network != NULL;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    (void)purpose;
    const struct webdriver *w = context;
    if (w->network)
        return tac_network_socket(w->network);
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

void wd_use_network(struct webdriver *w, CURL *curl)
{
    libcurl.easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    libcurl.easy_setopt(curl, CURLOPT_OPENSOCKETDATA, w);
}

/* The first IPv4 address of a name; false when it has none. */
static bool resolve(const char *name, char *address, size_t size)
{
    struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(name, NULL, &wanted, &found) || !found)
        return false;
    const struct sockaddr_in *first = (const struct sockaddr_in *)(const void *)found->ai_addr;
    bool own = ntohl(first->sin_addr.s_addr) >> 24 == 127;
    bool done = own ? snprintf(address, size, "%s", TAC_NETWORK_HOST) > 0
                    : inet_ntop(AF_INET, &first->sin_addr, address, (socklen_t)size) != NULL;
    freeaddrinfo(found);
    return done;
}

/* Names are looked up here, not over the link. */
char *wd_network_hosts(const struct webdriver *w)
{
    tac_str rules = {0};
    tac_str_add(&rules, "--host-resolver-rules=MAP 127.0.0.1 " TAC_NETWORK_HOST
                        ",MAP localhost " TAC_NETWORK_HOST ",MAP [::1] " TAC_NETWORK_HOST);
    for (size_t i = 0; i < w->stay_count; i++) {
        const char *start = strstr(w->stay[i], "://");
        size_t length = start ? strcspn(start + 3, "/:?#") : 0;
        char *name = length ? tac_strndup(start + 3, length) : NULL;
        char address[64];
        if (name && resolve(name, address, sizeof address))
            tac_str_addf(&rules, ",MAP %s %s", name, address);
        free(name);
    }
    tac_str_add(&rules, ",MAP * ~NOTFOUND");
    return tac_str_take(&rules);
}

tac_status wd_scenario(tac_device *device, const char *name_or_file, tac_error *err)
{
    struct webdriver *w = device->state;
    if (w->process <= 0)
        return tac_fail(err, TAC_E_USAGE,
                        "%s: the network of this %s cannot be shaped from here, because it was "
                        "started elsewhere; let Tactus start the browser (chromium:URL), or do "
                        "without a network scenario",
                        w->base, w->native.here ? "device" : "browser");
    if (w->network)
        return tac_network_begin(w->network, name_or_file, w->seed, err);
    tac_status status = tac_network_open(name_or_file, w->seed, &w->network, err);
    if (status != TAC_OK)
        return status;
    /* The browser of before lives in the host's network. */
    w->probe_count = 0;
    return wd_restart(w, err);
}
