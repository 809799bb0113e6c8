/* Files over the sync service: SEND "path,mode", DATA chunks of at most 64 KiB, DONE with the time
 * of the file; RECV path, DATA chunks until DONE. FAIL carries a message. */
#include "base/output.h"
#include "base/text.h"
#include "device/adb_client.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

static tac_status send_head(int fd, const char *step, const char *id, uint32_t value, double limit,
                            tac_error *err)
{
    unsigned char head[8];
    memcpy(head, id, 4);
    adb_put_u32(head + 4, value);
    return adb_write_all(fd, step, head, sizeof head, limit, err);
}

static tac_status open_sync(const adb_client *client, const char *step, const char *id,
                            const char *path, double limit, int *fd, tac_error *err)
{
    tac_status st = adb_connect_service(client, step, "sync:", limit, fd, err);
    if (st)
        return st;
    st = send_head(*fd, step, id, (uint32_t)strlen(path), limit, err);
    if (!st)
        st = adb_write_all(*fd, step, path, strlen(path), limit, err);
    if (st)
        close(*fd);
    return st;
}

/* Reads an answer's head; FAIL becomes an error. */
static tac_status read_head(int fd, const char *step, char *id, uint32_t *value, double limit,
                            tac_error *err)
{
    unsigned char head[8];
    tac_status st = adb_read_exactly(fd, step, head, sizeof head, limit, err);
    if (st)
        return st;
    memcpy(id, head, 4);
    *value = adb_get_u32(head + 4);
    if (memcmp(id, "FAIL", 4) != 0)
        return TAC_OK;
    char why[512] = "";
    size_t n = *value < sizeof why ? *value : sizeof why - 1;
    st = adb_read_exactly(fd, step, why, n, limit, err);
    return st ? st : tac_fail(err, TAC_E_DEVICE, "%s: the device says: %s", step, why);
}

static tac_status send_file(int fd, FILE *file, const char *local, double limit, tac_error *err)
{
    char *chunk = tac_alloc(CHUNK);
    tac_status st = TAC_OK;
    size_t n;
    while (!st && (n = fread(chunk, 1, CHUNK, file)) > 0) {
        st = send_head(fd, "push", "DATA", (uint32_t)n, limit, err);
        if (!st)
            st = adb_write_all(fd, "push", chunk, n, limit, err);
    }
    free(chunk);
    if (!st && ferror(file))
        st = tac_fail(err, TAC_E_IO, "%s: cannot read", local);
    struct stat info = {0};
    fstat(fileno(file), &info);
    if (!st)
        st = send_head(fd, "push", "DONE", (uint32_t)info.st_mtime, limit, err);
    char id[4];
    uint32_t value;
    return st ? st : read_head(fd, "push", id, &value, limit, err);
}

tac_status adb_push(const adb_client *client, const char *local, const char *remote, unsigned mode,
                    double deadline, tac_error *err)
{
    double limit = tac_now() + deadline;
    FILE *file = fopen(local, "rbe");
    if (!file)
        return tac_fail(err, TAC_E_INPUT, "%s: cannot open", local);
    char *target = tac_format("%s,%u", remote, 0100000 | mode);
    int fd;
    tac_status st = open_sync(client, "push", "SEND", target, limit, &fd, err);
    if (!st) {
        st = send_file(fd, file, local, limit, err);
        close(fd);
    }
    free(target);
    fclose(file);
    return st;
}

static tac_status receive_file(int fd, FILE *file, double limit, tac_error *err)
{
    char *chunk = tac_alloc(CHUNK);
    tac_status st = TAC_OK;
    while (!st) {
        char id[4];
        uint32_t size;
        st = read_head(fd, "pull", id, &size, limit, err);
        if (st || !memcmp(id, "DONE", 4))
            break;
        if (memcmp(id, "DATA", 4) != 0 || size > CHUNK)
            st = tac_fail(err, TAC_E_DEVICE, "pull: the device broke the protocol");
        if (!st)
            st = adb_read_exactly(fd, "pull", chunk, size, limit, err);
        if (!st && fwrite(chunk, 1, size, file) != size)
            st = tac_fail(err, TAC_E_IO, "pull: cannot write");
    }
    free(chunk);
    return st;
}

tac_status adb_pull(const adb_client *client, const char *remote, const char *local,
                    double deadline, tac_error *err)
{
    double limit = tac_now() + deadline;
    tac_output out;
    int fd;
    tac_status st = tac_output_open(&out, local, err);
    if (st)
        return st;
    st = open_sync(client, "pull", "RECV", remote, limit, &fd, err);
    if (!st) {
        st = receive_file(fd, out.file, limit, err);
        close(fd);
    }
    if (!st)
        st = tac_output_commit(&out, err);
    tac_output_abort(&out);
    return st;
}
