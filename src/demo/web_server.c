/* Files over HTTP by libmicrohttpd, and bytes on demand. Only GET and HEAD, only below the folder.
 */
#include "tactus/web_server.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tac_web_server {
    struct MHD_Daemon *daemon;
    char *folder;
    atomic_ullong sent, requests;
};

enum { MOST_BYTES = 64 << 20 };

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
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status)
{
    static const char text[] = "there is no such file here\n";
    return answer(connection, status, "text/plain",
                  MHD_create_response_from_buffer(sizeof text - 1, (void *)(uintptr_t)text,
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
                  MHD_create_response_from_callback(size, 1 << 16, give_bytes, stream, free));
}

static enum MHD_Result send_file(tac_web_server *server, struct MHD_Connection *connection,
                                 const char *url)
{
    const char *name = url[1] ? url + 1 : "index.html";
    bool folder = tac_ends_with(url, "/") && url[1];
    char *path = tac_format("%s/%s%s", server->folder, name, folder ? "index.html" : "");
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    enum MHD_Result result;
    if (file < 0 || fstat(file, &about) || !S_ISREG(about.st_mode)) {
        if (file >= 0)
            close(file);
        result = refuse(connection, MHD_HTTP_NOT_FOUND);
    } else {
        atomic_fetch_add(&server->sent, (unsigned long long)about.st_size);
        result = answer(connection, MHD_HTTP_OK, type_of(path),
                        MHD_create_response_from_fd((uint64_t)about.st_size, file));
    }
    free(path);
    return result;
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
    atomic_fetch_add(&server->requests, 1);
    if (strcmp(method, "GET") && strcmp(method, "HEAD"))
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED);
    if (!strncmp(url, "/bytes/", 7))
        return tac_parse_u64(url + 7, &size) && size <= MOST_BYTES
                   ? send_bytes(server, connection, size)
                   : refuse(connection, MHD_HTTP_BAD_REQUEST);
    if (url[0] != '/' || strstr(url, ".."))
        return refuse(connection, MHD_HTTP_FORBIDDEN);
    return send_file(server, connection, url);
}

tac_status tac_web_server_start(const char *folder, uint16_t port, tac_web_server **out,
                                tac_error *err)
{
    struct stat about;
    if (stat(folder, &about) || !S_ISDIR(about.st_mode))
        return tac_fail_at(err, TAC_E_INPUT, folder, 0, 0, "is not a folder that can be served");
    tac_web_server *server = tac_calloc(1, sizeof *server);
    server->folder = tac_strdup(folder);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, port, NULL, NULL, handle,
                                      server, MHD_OPTION_SOCK_ADDR, &address,
                                      MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_END);
    if (!server->daemon) {
        tac_web_server_stop(server);
        return tac_fail_errno(err, errno, NULL, "cannot serve on port %u", port);
    }
    *out = server;
    return TAC_OK;
}

uint16_t tac_web_server_port(const tac_web_server *server)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
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
        MHD_stop_daemon(server->daemon);
    free(server->folder);
    free(server);
}
