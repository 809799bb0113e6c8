/* The content goes to the disk under a hidden name beside the file. A new file then gets its name
 * if nobody has it; an old one changes places with it, and is looked at only after that: whatever
 * another program wrote until that moment is in our hands, and goes back if it is not what the
 * writer had seen.
 *
 * Invariant: the file under a hidden name is locked by the process that writes it, whose number is
 * in the name. What a killed process has left goes with the next save in its folder. */
#include "serve/folder/save.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "serve/folder/beneath.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HIDDEN ".tactus-save-"

/* Whether a hidden file is of a process that lives. */
static bool has_writer(const char *hidden)
{
    uint64_t id;
    bool known = tac_parse_u64(hidden + strlen(HIDDEN), &id) && id && id <= INT32_MAX;
    return !known || !kill((pid_t)id, 0) || errno != ESRCH;
}

/* Removes what killed processes have left: no such process here, and no lock of one elsewhere. */
static void clear_up(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again >= 0 ? fdopendir(again) : NULL;
    if (!names) {
        if (again >= 0)
            close(again);
        return;
    }
    for (struct dirent *entry; (entry = readdir(names));) {
        if (strncmp(entry->d_name, HIDDEN, strlen(HIDDEN)) || has_writer(entry->d_name))
            continue;
        int file = openat(folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file >= 0 && !flock(file, LOCK_EX | LOCK_NB))
            unlinkat(folder, entry->d_name, 0);
        if (file >= 0)
            close(file);
    }
    closedir(names);
}

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

/* A file of that content that the disk has, with the mode of the one it replaces; -1 and errno when
 * that fails. It is locked as long as it is open. */
static int write_beside(int folder, const char *name, const char *hidden, const char *data,
                        size_t size)
{
    struct stat old;
    int file = openat(folder, hidden, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    flock(file, LOCK_EX | LOCK_NB); /* where there are no locks nobody clears up */
    bool fine = write_all(file, data, size);
    if (fine && !fstatat(folder, name, &old, AT_SYMLINK_NOFOLLOW) && S_ISREG(old.st_mode))
        fine = !fchmod(file, old.st_mode & 07777);
    if (fine && !fsync(file))
        return file;
    int failure = errno;
    close(file);
    errno = failure;
    return -1;
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
    clear_up(folder);
    char *hidden = tac_format(HIDDEN "%d", (int)getpid());
    enum save_result result = SAVE_FAILED;
    int written = write_beside(folder, name, hidden, data, size);
    if (written >= 0)
        result = put_in_place(folder, name, hidden, seen);
    if (result == SAVE_FAILED)
        tac_fail_errno(err, errno, path, "cannot be written");
    unlinkat(folder, hidden, 0);
    fsync(folder);
    if (written >= 0)
        close(written);
    assert(result == SAVE_FAILED || result == SAVE_CONFLICT || (result == SAVED_NEW) == !seen);
    free(hidden);
    close(folder);
    return result;
}
