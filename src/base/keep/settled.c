/* See settled.h. The bytes are kept as they come, so what is compressed stays so. */
#include "base/keep/settled.h"
#include "base/data/alloc.h"
#include "base/keep/scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16, WAIT_MILLISECONDS = 100 };
static const int64_t largest = INT64_C(16) << 30; /* what never ends does not fill the disk */

static tac_status write_whole(int file, const char *bytes, size_t size, const char *name,
                              tac_error *err)
{
    while (size) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return tac_fail_errno(err, errno, name,
                                  "cannot be kept in a temporary file in %s (TMPDIR chooses "
                                  "another folder)",
                                  tac_scratch_file_folder());
        bytes += done;
        size -= (size_t)done;
    }
    return TAC_OK;
}

/* False when the wait was too long for the watch. */
static bool wait_for_bytes(int from, tac_watch *watch)
{
    struct pollfd waited = {.fd = from, .events = POLLIN};
    int ready;
    while ((ready = poll(&waited, 1, WAIT_MILLISECONDS)) == 0 || (ready < 0 && errno == EINTR))
        if (!tac_watch_tick(watch, "reading", 0, 0))
            return false;
    return true;
}

static tac_status keep(int from, int to, const char *name, tac_watch *watch, tac_error *err)
{
    char *bytes = tac_alloc(PIECE);
    tac_status status = TAC_OK;
    int64_t size = 0;
    for (ssize_t got = 1; !status && got;) {
        if (!wait_for_bytes(from, watch)) {
            status = tac_fail_at(err, TAC_E_INTERRUPTED, name, 0, 0, "interrupted");
            break;
        }
        got = read(from, bytes, PIECE);
        if (got < 0 && errno == EINTR)
            continue;
        status = got < 0 ? tac_fail_errno(err, errno, name, "cannot read")
                         : write_whole(to, bytes, (size_t)got, name, err);
        size += got;
        if (!status && size > largest)
            status = tac_fail_at(err, TAC_E_LIMIT, name, 0, 0,
                                 "more than 16 GiB come through a pipe; give a file");
    }
    free(bytes);
    return status;
}

static bool is_read_once(const char *path)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return true;
    return !stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

tac_status tac_settle(const char *path, tac_watch *watch, tac_settled *out, tac_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    *out = (tac_settled){.name = standard ? "<stdin>" : path, .path = path, .file = -1};
    if (!is_read_once(path))
        return TAC_OK;
    int from = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return TAC_OK;
    int to = tac_scratch_file();
    tac_status status =
        to < 0 ? tac_fail_errno(err, errno, tac_scratch_file_folder(),
                                "cannot make a temporary file (TMPDIR chooses another folder)")
               : keep(from, to, out->name, watch, err);
    if (!standard)
        close(from);
    if (status && to >= 0)
        close(to);
    if (status)
        return status;
    out->file = to;
    snprintf(out->kept, sizeof out->kept, "/proc/self/fd/%d", to);
    out->path = out->kept;
    return TAC_OK;
}

tac_status tac_settled_tell(const tac_settled *settled, tac_status status, tac_error *err)
{
    if (status && err && settled->file >= 0 && strcmp(err->file, settled->kept) == 0)
        snprintf(err->file, sizeof err->file, "%s", settled->name);
    return status;
}

tac_status tac_settled_close(tac_settled *settled, tac_status status, tac_error *err)
{
    tac_settled_tell(settled, status, err);
    if (settled->file >= 0)
        close(settled->file);
    return status;
}
