/* The content goes to the disk under a hidden name beside the file. A new file then gets its name
 * if nobody has it; an old one changes places with it, and is looked at only after that: whatever
 * another program wrote until that moment is in our hands, and goes back if it is not what the
 * writer had seen. */
#include "serve/folder/save.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "serve/folder/beneath.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const char *data, size_t size)
{
    while (size) {
        ssize_t put = write(file, data, size);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            data += put;
            size -= (size_t)put;
        }
    }
    return true;
}

/* A file of that content that the disk has, with the mode of the one it replaces. */
static bool write_beside(int folder, const char *name, const char *hidden, const char *data,
                         size_t size)
{
    struct stat old;
    int file = openat(folder, hidden, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool fine = write_all(file, data, size);
    if (fine && !fstatat(folder, name, &old, AT_SYMLINK_NOFOLLOW) && S_ISREG(old.st_mode))
        fine = !fchmod(file, old.st_mode & 07777);
    fine = fine && !fsync(file);
    int failure = errno;
    fine = !close(file) && fine;
    if (!fine)
        errno = failure;
    return fine;
}

static bool content_is(int folder, const char *name, const char *seen)
{
    char *data, digest[TAC_DIGEST_TEXT];
    size_t size;
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    bool read = !fstat(file, &about) && S_ISREG(about.st_mode) &&
                read_descriptor(file, name, &data, &size, NULL) == TAC_OK;
    close(file);
    if (!read)
        return false;
    tac_digest_bytes(data, size, digest);
    free(data);
    return !strcmp(digest, seen);
}

static enum save_result put_in_place(int folder, const char *name, const char *hidden,
                                     const char *seen)
{
    if (!seen) {
        if (!renameat2(folder, hidden, folder, name, RENAME_NOREPLACE))
            return SAVED_NEW;
        return errno == EEXIST ? SAVE_CONFLICT : SAVE_FAILED;
    }
    if (!content_is(folder, name, seen))
        return SAVE_CONFLICT;
    if (renameat2(folder, hidden, folder, name, RENAME_EXCHANGE)) {
        /* A file system that cannot exchange: the moment since the look is not guarded. */
        bool cannot = errno == EINVAL || errno == ENOSYS;
        return cannot && !renameat(folder, hidden, folder, name) ? SAVED : SAVE_FAILED;
    }
    if (content_is(folder, hidden, seen))
        return SAVED;
    renameat2(folder, hidden, folder, name, RENAME_EXCHANGE);
    return SAVE_CONFLICT;
}

enum save_result save_beneath(int root, const char *path, const char *data, size_t size,
                              const char *seen, tac_error *err)
{
    const char *name;
    int folder = open_parent(root, path, !seen, &name);
    if (folder < 0 && errno == ENOENT)
        return SAVE_CONFLICT;
    if (folder < 0) {
        bool way = errno == ENOTDIR || errno == ELOOP || errno == EINVAL;
        tac_fail_errno(err, errno, path_is_fine(path) ? path : NULL, "cannot be written");
        if (way) /* it does not lead through folders of this one */
            tac_fail(err, TAC_E_INPUT, "there is no such folder in the folder");
        return SAVE_FAILED;
    }
    char *hidden = tac_format(".tactus-save-%d", (int)getpid());
    enum save_result result = SAVE_FAILED;
    if (write_beside(folder, name, hidden, data, size))
        result = put_in_place(folder, name, hidden, seen);
    if (result == SAVE_FAILED)
        tac_fail_errno(err, errno, path, "cannot be written");
    unlinkat(folder, hidden, 0);
    fsync(folder);
    assert(result == SAVE_FAILED || result == SAVE_CONFLICT || (result == SAVED_NEW) == !seen);
    free(hidden);
    close(folder);
    return result;
}
