/* Shell commands with their output and exit code; see packets.c for the protocol. */
#include "base/data/text.h"
#include "device/android/wire/client.h"
#include <unistd.h>

static tac_status connect_shell(const struct adb_client *client, const char *step,
                                const char *command, double limit, int *fd, tac_error *err)
{
    char *service = tac_format("shell,v2,raw:%s", command);
    tac_status st = adb_connect_service(client, step, service, limit, fd, err);
    free(service);
    return st;
}

static tac_status read_packets(int fd, const char *step, double limit, struct adb_result *out,
                               tac_error *err)
{
    struct adb_packets packets = {.output = &out->output, .most = ADB_MOST_OUTPUT};
    while (!packets.exited) {
        char part[16384];
        size_t got = 0;
        tac_status st = adb_read_some(fd, step, part, sizeof part, limit, &got, err);
        out->broken = st ? tac_now() < limit : !got;
        if (!st)
            st = got ? adb_packets_feed(&packets, step, part, got, err) : adb_gone(step, err);
        if (st)
            return st;
    }
    out->exit_code = packets.exit_code;
    return TAC_OK;
}

tac_status adb_shell(const struct adb_client *client, const char *step, const char *command,
                     double deadline, struct adb_result *out, tac_error *err)
{
    double limit = tac_now() + deadline;
    int fd;
    tac_str_clear(&out->output);
    out->exit_code = 0;
    out->broken = false;
    tac_status st = connect_shell(client, step, command, limit, &fd, err);
    if (st)
        return st;
    st = read_packets(fd, step, limit, out, err);
    close(fd);
    return st;
}
