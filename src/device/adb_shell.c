/* Shell commands over the protocol "shell v2": packets of one byte id (1 standard output, 2
 * standard error, 3 exit code), four bytes of length and the data. A device without it (before
 * Android 7) answers "shell:" with bare output and no exit code. */
#include "base/text.h"
#include "device/adb_client.h"
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
