/* The portal's server: libmicrohttpd with one thread that polls the connections, and a thread per
 * request that is being worked out, during which the connection is suspended. Idle it waits for the
 * kernel and for nothing else: there is no timer while nobody is connected. */
#include "serve/http/portal.h"
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "serve/api/routes.h"
#include "serve/http/exchange.h"
#include "serve/jobs/stream.h"
#include "serve/programs/helper.h"
#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IDLE_SECONDS = 30, MOST_CONNECTIONS = 2000, SPARE_FILES = 100 };

/* As many connections as this process may have files, but for some. */
static unsigned connection_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return 500;
    rlim_t wanted = MOST_CONNECTIONS + SPARE_FILES;
    if (files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur > wanted)
        return MOST_CONNECTIONS;
    return files.rlim_cur > 2 * SPARE_FILES ? (unsigned)(files.rlim_cur - SPARE_FILES) : 100;
}

static tac_status open_folder(tac_portal *portal, const char *folder, tac_error *err)
{
    portal->root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    portal->folder = realpath(folder, NULL);
    if (portal->root < 0 || !portal->folder)
        return tac_fail_errno(err, errno, folder, "is not a folder that can be served");
    return TAC_OK;
}

/* The first line, of a file that is nobody else's to read. */
static tac_status read_password(tac_portal *portal, const char *path, tac_error *err)
{
    struct stat about;
    char *text;
    size_t size;
    if (stat(path, &about))
        return tac_fail_errno(err, errno, path, "cannot be read");
    if (about.st_mode & (S_IRWXG | S_IRWXO))
        return tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                           "is readable by others than its owner; run: chmod 600 %s", path);
    tac_status status = tac_input_slurp(path, 4096, &text, &size, err);
    if (status != TAC_OK)
        return status;
    text[strcspn(text, "\r\n")] = '\0';
    portal->password = text;
    if (strlen(text) < 8)
        return tac_fail_at(err, TAC_E_INPUT, path, 1, 0,
                           "a password of at least 8 characters was expected in the first line");
    return TAC_OK;
}

struct daemon_files {
    char *certificate, *key;
};

static tac_status read_secrets(tac_portal *portal, const tac_portal_options *options,
                               struct daemon_files *files, tac_error *err)
{
    size_t size;
    if (!options->listen)
        return TAC_OK;
    if (!options->password_file || !options->certificate_file || !options->key_file)
        return tac_fail(err, TAC_E_USAGE,
                        "whoever is reached from other hosts needs a password file, a certificate "
                        "and its key");
    portal->listen = tac_strdup(options->listen);
    portal->gate.listen = portal->listen;
    portal->gate.tls = true;
    tac_status status = read_password(portal, options->password_file, err);
    if (status == TAC_OK)
        status =
            tac_input_slurp(options->certificate_file, 1 << 20, &files->certificate, &size, err);
    if (status == TAC_OK)
        status = tac_input_slurp(options->key_file, 1 << 20, &files->key, &size, err);
    return status;
}

/* The address to bind, as the system resolves it. */
static tac_status resolve(const char *listen, uint16_t port, struct addrinfo **out, tac_error *err)
{
    char service[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    snprintf(service, sizeof service, "%u", port);
    char *bare = tac_strdup(listen ? listen : "127.0.0.1");
    size_t length = strlen(bare);
    bool bracketed = length > 2 && bare[0] == '[' && bare[length - 1] == ']';
    if (bracketed)
        bare[length - 1] = '\0';
    int failure = getaddrinfo(bare + bracketed, service, &hints, out);
    free(bare);
    return failure ? tac_fail(err, TAC_E_INPUT, "'%s' is not an address of this host: %s",
                              listen ? listen : "127.0.0.1", gai_strerror(failure))
                   : TAC_OK;
}

static tac_status start_daemon(tac_portal *portal, uint16_t port, const struct daemon_files *files,
                               tac_error *err)
{
    struct addrinfo *address;
    tac_status status = resolve(portal->listen, port, &address, err);
    if (status != TAC_OK)
        return status;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, files->certificate},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, files->key},
                                   {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                     (portal->gate.tls ? MHD_USE_TLS : 0u) |
                     (address->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0u);
    errno = 0;
    portal->daemon = mhd.start_daemon(
        flags, port, NULL, NULL, exchange_handle, portal, MHD_OPTION_SOCK_ADDR, address->ai_addr,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit(), MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_NOTIFY_CONNECTION, guests_on_connection, &portal->guests,
        MHD_OPTION_NOTIFY_COMPLETED, exchange_completed, portal, MHD_OPTION_URI_LOG_CALLBACK,
        exchange_look_at_address, NULL, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY,
        portal->gate.tls ? tls : plain, MHD_OPTION_END);
    freeaddrinfo(address);
    if (portal->daemon)
        return TAC_OK;
    if (portal->gate.tls && !errno)
        return tac_fail(err, TAC_E_INPUT, "the certificate and its key cannot be used together");
    return tac_fail_errno(err, errno, NULL, "cannot serve on port %u", port);
}

static void note_port(tac_portal *portal)
{
    const union MHD_DaemonInfo *info =
        mhd.get_daemon_info(portal->daemon, MHD_DAEMON_INFO_BIND_PORT);
    portal->port = info ? info->port : 0;
    portal->gate.port = portal->port;
    snprintf(portal->gate.cookie, sizeof portal->gate.cookie, "tactus_%u", portal->port);
    portal->address =
        tac_format("%s://%s:%u/?token=%s", portal->gate.tls ? "https" : "http",
                   portal->listen ? portal->listen : "127.0.0.1", portal->port, portal->gate.start);
}

static void prepare(tac_portal *portal)
{
    pthread_mutex_init(&portal->lock, NULL);
    pthread_mutex_init(&portal->saving, NULL);
    pthread_mutex_init(&portal->password_lock, NULL);
    pthread_cond_init(&portal->calmer, NULL);
    guests_start(&portal->guests);
    /* Both prepare themselves at their first use, which would otherwise be in several threads. */
    xmlInitParser();
    json_object_seed(0);
}

tac_status tac_portal_start(const tac_portal_options *options, tac_portal **out, tac_error *err)
{
    tac_portal *portal = tac_calloc(1, sizeof *portal);
    struct daemon_files files = {0};
    sigset_t all, old;
    portal->root = -1;
    portal->routes = all_routes;
    portal->program = tac_strdup(options->program);
    /* Signals are the caller's: no thread of the portal takes one. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    prepare(portal);
    tac_status status = open_folder(portal, options->folder, err);
    if (status == TAC_OK)
        status = tac_microhttpd_open(err);
    if (status == TAC_OK)
        status = read_secrets(portal, options, &files, err);
    if (status == TAC_OK)
        status = gate_make(&portal->gate, err);
    if (status == TAC_OK)
        status = start_daemon(portal, options->port, &files, err);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    free(files.certificate);
    free(files.key);
    if (status != TAC_OK) {
        tac_portal_stop(portal);
        return status;
    }
    note_port(portal);
    *out = portal;
    return TAC_OK;
}

const char *tac_portal_address(const tac_portal *portal)
{
    return portal->address;
}

void tac_portal_stop(tac_portal *portal)
{
    if (!portal)
        return;
    if (portal->daemon) {
        int listening = mhd.quiesce_daemon(portal->daemon);
        exchange_refuse_work(portal);
        helpers_cancel_all(portal);
        streams_close_all(portal);
        exchange_await_work(portal);
        mhd.stop_daemon(portal->daemon);
        if (listening >= 0)
            close(listening);
    }
    guests_stop(&portal->guests);
    pthread_cond_destroy(&portal->calmer);
    pthread_mutex_destroy(&portal->password_lock);
    pthread_mutex_destroy(&portal->saving);
    pthread_mutex_destroy(&portal->lock);
    if (portal->root >= 0)
        close(portal->root);
    free(portal->folder);
    free(portal->program);
    free(portal->address);
    free(portal->password);
    free(portal->listen);
    free(portal);
}
