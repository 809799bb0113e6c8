/* Files over HTTP by libmicrohttpd, and bytes on demand. Only GET and HEAD, only what lies below
 * the folder: the kernel resolves names beneath it (openat2), so that no symbolic link leads out;
 * names that begin with a dot are not served. Only requests that name this host are answered, so
 * that a page of somebody else cannot read the folder under a name of its own (DNS rebinding).
 * Several threads poll their connections; idle ones are closed, and so are those whose request
 * takes as long to come, byte by byte, so that slow clients block nobody (serve/http/guests.h). */
#include "demo/web_server.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "serve/http/guests.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20, THREADS = 4, MOST_CONNECTIONS = 900, IDLE_SECONDS = 15 };

struct tac_web_server {
    struct MHD_Daemon *daemon;
    struct guests guests; /* who may not take for ever to send a request */
    int folder;
    uint16_t port;
    atomic_ullong sent, requests;
};

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".mjs", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".json", "application/json"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".wasm", "application/wasm"},
                 {".ico", "image/x-icon"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tac_ends_with(path, types[i].ending))
            return types[i].type;
    return "application/octet-stream";
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type,
                              struct MHD_Response *response)
{
    mhd.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    mhd.add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
    enum MHD_Result result = mhd.queue_response(connection, status, response);
    mhd.destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status)
{
    static const char text[] = "there is no such file here\n";
    return answer(connection, status, "text/plain",
                  mhd.create_response_from_buffer(sizeof text - 1, (void *)(uintptr_t)text,
                                                  MHD_RESPMEM_PERSISTENT));
}

/* Bytes of a stream are counted as they are handed over. */
struct stream {
    tac_web_server *server;
    uint64_t size;
};

static ssize_t give_bytes(void *context, uint64_t position, char *buffer, size_t most)
{
    struct stream *stream = context;
    assert(position <= stream->size);
    uint64_t left = stream->size - position;
    size_t count = left < most ? (size_t)left : most;
    uint64_t value = position * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < count; i++) {
        value ^= value << 13;
        value ^= value >> 7;
        value ^= value << 17;
        buffer[i] = (char)value;
    }
    atomic_fetch_add(&stream->server->sent, count);
    return count ? (ssize_t)count : MHD_CONTENT_READER_END_OF_STREAM;
}

static enum MHD_Result send_bytes(tac_web_server *server, struct MHD_Connection *connection,
                                  uint64_t size)
{
    struct stream *stream = tac_alloc(sizeof *stream);
    *stream = (struct stream){server, size};
    return answer(connection, MHD_HTTP_OK, "application/octet-stream",
                  mhd.create_response_from_callback(size, 1 << 16, give_bytes, stream, free));
}

/* A name with a part that begins with a dot is hidden, and "..", which is one, leads elsewhere. */
static bool is_hidden(const char *url)
{
    return strstr(url, "/.") != NULL;
}

static int open_beneath(int folder, const char *name)
{
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, name, &how, sizeof how);
}

static enum MHD_Result send_file(tac_web_server *server, struct MHD_Connection *connection,
                                 const char *url)
{
    const char *name = url[1] ? url + 1 : "index.html";
    bool folder = tac_ends_with(url, "/") && url[1];
    char *path = tac_format("%s%s", name, folder ? "index.html" : "");
    int file = open_beneath(server->folder, path);
    struct stat about;
    enum MHD_Result result;
    if (file < 0 || fstat(file, &about) || !S_ISREG(about.st_mode)) {
        if (file >= 0)
            close(file);
        result = refuse(connection, MHD_HTTP_NOT_FOUND);
    } else {
        atomic_fetch_add(&server->sent, (unsigned long long)about.st_size);
        result = answer(connection, MHD_HTTP_OK, type_of(path),
                        mhd.create_response_from_fd((uint64_t)about.st_size, file));
    }
    free(path);
    return result;
}

/* "127.0.0.1", "localhost", with or without the port. */
static bool names_us(const tac_web_server *server, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char wanted[40];
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        snprintf(wanted, sizeof wanted, "%s:%u", names[i], server->port);
        if (!strcasecmp(host, names[i]) || !strcasecmp(host, wanted))
            return true;
    }
    return false;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode code)
{
    tac_web_server *server = context;
    (void)request;
    (void)code;
    guests_next_request(&server->guests, connection);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    (void)version;
    (void)upload;
    (void)upload_size;
    (void)state;
    tac_web_server *server = context;
    uint64_t size;
    guests_request_is_whole(&server->guests, connection);
    atomic_fetch_add(&server->requests, 1);
    if (!names_us(server, mhd.lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
        return refuse(connection, MHD_HTTP_MISDIRECTED_REQUEST);
    if (strcmp(method, "GET") && strcmp(method, "HEAD"))
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED);
    if (!strncmp(url, "/bytes/", 7))
        return tac_parse_u64(url + 7, &size) && size <= MOST_BYTES
                   ? send_bytes(server, connection, size)
                   : refuse(connection, MHD_HTTP_BAD_REQUEST);
    if (url[0] != '/' || is_hidden(url))
        return refuse(connection, MHD_HTTP_NOT_FOUND);
    return send_file(server, connection, url);
}

tac_status tac_web_server_start(const char *folder, uint16_t port, tac_web_server **out,
                                tac_error *err)
{
    tac_status status = tac_microhttpd_open(err);
    if (status != TAC_OK)
        return status;
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return tac_fail_at(err, TAC_E_INPUT, folder, 0, 0, "is not a folder that can be served");
    tac_web_server *server = tac_calloc(1, sizeof *server);
    server->folder = opened;
    guests_start(&server->guests);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server->daemon = mhd.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
        &address, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_NOTIFY_CONNECTION, guests_on_connection, &server->guests,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_END);
    if (!server->daemon) {
        status = tac_fail_errno(err, errno, NULL, "cannot serve on port %u", port);
        tac_web_server_stop(server);
        return status;
    }
    server->port = tac_web_server_port(server);
    *out = server;
    return TAC_OK;
}

uint16_t tac_web_server_port(const tac_web_server *server)
{
    const union MHD_DaemonInfo *info =
        mhd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

uint64_t tac_web_server_sent(const tac_web_server *server)
{
    return atomic_load(&server->sent);
}

uint64_t tac_web_server_requests(const tac_web_server *server)
{
    return atomic_load(&server->requests);
}

void tac_web_server_stop(tac_web_server *server)
{
    if (!server)
        return;
    if (server->daemon)
        mhd.stop_daemon(server->daemon);
    guests_stop(&server->guests);
    close(server->folder);
    free(server);
}
