/* Files over the sync service: SEND "path,mode", DATA chunks of at most 64 KiB, DONE with the time
 * of the file. FAIL carries a message. */
#include "base/data/text.h"
#include "device/android/wire/client.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tac_status send_head(int fd, const char *step, const char *id, uint32_t value, double limit,
                            tac_error *err)
{
    unsigned char head[8];
    memcpy(head, id, 4);
    adb_put_u32(head + 4, value);
    return adb_write_all(fd, step, head, sizeof head, limit, err);
}

static tac_status open_sync(const struct adb_client *client, const char *path, double limit,
                            int *fd, tac_error *err)
{
    tac_status st = adb_connect_service(client, "push", "sync:", limit, fd, err);
    if (st)
        return st;
    st = send_head(*fd, "push", "SEND", (uint32_t)strlen(path), limit, err);
    if (!st)
        st = adb_write_all(*fd, "push", path, strlen(path), limit, err);
    if (st)
        close(*fd);
    return st;
}

/* Reads answers until the last. */
static tac_status read_answers(int fd, double limit, tac_error *err)
{
    struct adb_file file = {0};
    tac_status st = TAC_OK;
    while (!st && !file.done) {
        char part[16384];
        size_t got = 0;
        st = adb_read_some(fd, "push", part, sizeof part, limit, &got, err);
        if (!st)
            st = got ? adb_file_feed(&file, "push", part, got, err) : adb_gone("push", err);
        tac_str_clear(&file.data);
    }
    adb_file_free(&file);
    return st;
}

static tac_status send_file(int fd, FILE *file, const char *local, double limit, tac_error *err)
{
    char *chunk = tac_alloc(ADB_MOST_CHUNK);
    tac_status st = TAC_OK;
    size_t n;
    while (!st && (n = fread(chunk, 1, ADB_MOST_CHUNK, file)) > 0) {
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
    return st ? st : read_answers(fd, limit, err);
}

tac_status adb_push(const struct adb_client *client, const char *local, const char *remote,
                    unsigned mode, double deadline, tac_error *err)
{
    double limit = tac_now() + deadline;
    FILE *file = fopen(local, "rbe");
    if (!file)
        return tac_fail(err, TAC_E_INPUT, "%s: cannot open", local);
    char *target = tac_format("%s,%u", remote, 0100000 | mode);
    int fd;
    tac_status st = open_sync(client, target, limit, &fd, err);
    if (!st) {
        st = send_file(fd, file, local, limit, err);
        close(fd);
    }
    free(target);
    fclose(file);
    return st;
}
