/* Answers of a WebDriver endpoint: a server in this process answers every command with the next
 * line of the input, and a device is opened, looked at and used against it. */
#include "device/device.h"
#include "fuzz_target.h"
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    const char *at, *end;
    struct MHD_Daemon *daemon;
    char uri[64];
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    (void)context, (void)url, (void)method, (void)version, (void)upload;
    static char begun;
    if (!*state) { /* the head only; the body follows */
        *state = &begun;
        return MHD_YES;
    }
    if (*upload_size) {
        *upload_size = 0;
        return MHD_YES;
    }
    pthread_mutex_lock(&server.lock);
    const char *line = server.at,
               *stop = line < server.end ? memchr(line, '\n', (size_t)(server.end - line)) : NULL;
    size_t length = stop ? (size_t)(stop - line) : (size_t)(server.end - line);
    server.at = stop ? stop + 1 : server.end;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(length, (void *)(uintptr_t)line, MHD_RESPMEM_MUST_COPY);
    pthread_mutex_unlock(&server.lock);
    enum MHD_Result result =
        MHD_queue_response(connection, length && *line == '!' ? 500 : 200, response);
    MHD_destroy_response(response);
    return result;
}

static void start(void)
{
    if (server.daemon)
        return;
    server.daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, NULL,
                                     MHD_OPTION_END);
    if (!server.daemon)
        abort();
    snprintf(server.uri, sizeof server.uri, "webdriver+http://127.0.0.1:%u",
             MHD_get_daemon_info(server.daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    start();
    pthread_mutex_lock(&server.lock);
    server.at = (const char *)data;
    server.end = server.at + size;
    pthread_mutex_unlock(&server.lock);
    tac_device *device = NULL;
    tac_error err;
    tac_device_options options = {.app = "http://127.0.0.1/", .deadline = 1, .fast = size % 2};
    if (tac_device_open(server.uri, &options, &device, &err) == TAC_OK) {
        const tac_ui *ui;
        tac_foreground foreground;
        tac_gesture back = {.kind = TAC_ACTION_BACK};
        tac_log_line line;
        bool more = true;
        tac_device_launch(device, 0.2, &err);
        tac_device_snapshot(device, 0.2, &ui, &err);
        tac_device_foreground(device, 0.2, &foreground, &err);
        tac_device_perform(device, &back, 0.2, &err);
        for (int i = 0; i < 4 && more; i++)
            if (tac_device_log(device, &line, &more, &err) != TAC_OK)
                break;
    }
    tac_device_free(device);
    return 0;
}
