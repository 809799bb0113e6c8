/* Shell commands over the protocol "shell v2": packets of one byte id (1 standard output, 2
 * standard error, 3 exit code), four bytes of length and the data. A device without it (before
 * Android 7) answers "shell:" with bare output and no exit code. */
#include "base/text.h"
#include "device/adb_client.h"
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { OUT = 1, ERRORS = 2, EXIT = 3, MOST_OUTPUT = 64 << 20 };

static tac_status connect_shell(const adb_client *client, const char *step, const char *command,
                                double limit, int *fd, tac_error *err)
{
    char *service = tac_format("shell,v2,raw:%s", command);
    tac_status st = adb_connect_service(client, step, service, limit, fd, err);
    free(service);
    return st;
}

static tac_status read_packets(int fd, const char *step, double limit, adb_result *out,
                               tac_error *err)
{
    for (;;) {
        unsigned char head[5], part[4096];
        tac_status st = adb_read_exactly(fd, step, head, sizeof head, limit, err);
        uint32_t left = adb_get_u32(head + 1);
        while (!st && left) {
            size_t n = left < sizeof part ? left : sizeof part;
            st = adb_read_exactly(fd, step, part, n, limit, err);
            if (!st && out->output.length + n > MOST_OUTPUT)
                return tac_fail(err, TAC_E_LIMIT, "%s: more than %d MiB of output", step,
                                MOST_OUTPUT >> 20);
            if (!st && (head[0] == OUT || head[0] == ERRORS))
                tac_str_add_bytes(&out->output, (const char *)part, n);
            left -= (uint32_t)n;
        }
        if (st)
            return st;
        if (head[0] == EXIT) {
            out->exit_code = part[0];
            return TAC_OK;
        }
    }
}

tac_status adb_shell(const adb_client *client, const char *step, const char *command,
                     double deadline, adb_result *out, tac_error *err)
{
    double limit = tac_now() + deadline;
    int fd;
    tac_str_clear(&out->output);
    out->exit_code = 0;
    tac_status st = connect_shell(client, step, command, limit, &fd, err);
    if (st)
        return st;
    st = read_packets(fd, step, limit, out, err);
    close(fd);
    return st;
}

tac_status adb_stream_open(const adb_client *client, const char *command, double deadline,
                           adb_stream *out, tac_error *err)
{
    *out = (adb_stream){.fd = -1};
    return connect_shell(client, command, command, tac_now() + deadline, &out->fd, err);
}

tac_status adb_stream_read(adb_stream *stream, double wait, char *buffer, size_t size, size_t *got,
                           tac_error *err)
{
    double limit = tac_now() + wait;
    *got = 0;
    while (!stream->ended && !*got) {
        struct pollfd p = {.fd = stream->fd, .events = POLLIN};
        double left = limit - tac_now();
        if (poll(&p, 1, left > 0 ? (int)(left * 1000) : 0) == 0)
            return TAC_OK;
        char *into = buffer;
        char head[5];
        size_t most = size < stream->left ? size : stream->left, n = 0;
        if (!stream->left) {
            into = head;
            most = sizeof head - stream->head.length;
        }
        tac_status st = adb_read_some(stream->fd, "stream", into, most, limit + 1, &n, err);
        if (st)
            return st;
        if (!n) {
            stream->ended = true;
        } else if (stream->left) {
            stream->left -= (uint32_t)n;
            *got = stream->id == OUT || stream->id == ERRORS ? n : 0;
        } else {
            tac_str_add_bytes(&stream->head, head, n);
            if (stream->head.length == sizeof head) {
                stream->id = stream->head.text[0];
                stream->left = adb_get_u32((unsigned char *)stream->head.text + 1);
                stream->ended = stream->id == EXIT;
                tac_str_clear(&stream->head);
            }
        }
    }
    return TAC_OK;
}

void adb_stream_close(adb_stream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
    tac_str_free(&stream->head);
}
