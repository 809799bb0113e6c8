/* Whole files or none: write to a file without a name, then give it the name. See output.h.
 *
 * A file without a name (O_TMPFILE) goes with its process, however that ends. Where the file system
 * has none, or the name is taken already, a file beside the target is renamed over it; its name
 * begins with a dot and exists for that moment only, or, without O_TMPFILE, while it is written. */
#include "base/io/output.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary files of open outputs, so that an end by a signal can remove them. A slot is filled
 * after its file is there and emptied before its text is freed. The one mutable global of this
 * file; an output that finds every slot taken is written all the same. */
enum { SLOTS = 64 };
static struct {
    _Atomic(const char *) path;
    pid_t owner; /* a forked child leaves its parent's files alone */
} open_temporaries[SLOTS];

static void remember_temporary(const char *path)
{
    for (size_t i = 0; i < SLOTS; i++) {
        const char *empty = NULL;
        if (atomic_load(&open_temporaries[i].path))
            continue;
        open_temporaries[i].owner = getpid();
        if (atomic_compare_exchange_strong(&open_temporaries[i].path, &empty, path))
            return;
    }
}

static void forget_temporary(const char *path)
{
    for (size_t i = 0; i < SLOTS; i++)
        if (atomic_load(&open_temporaries[i].path) == path)
            atomic_store(&open_temporaries[i].path, NULL);
}

void tac_output_remove_temporaries(void)
{
    pid_t self = getpid();
    for (size_t i = 0; i < SLOTS; i++) {
        const char *path = atomic_load(&open_temporaries[i].path);
        if (path && open_temporaries[i].owner == self)
            unlink(path);
    }
}

/* Devices and pipes (/dev/null, /dev/stdout) are written in place. */
static tac_status open_in_place(tac_output *output, const char *path, tac_error *err)
{
    output->file = fopen(path, "we");
    if (!output->file)
        return tac_fail_errno(err, errno, path, "cannot write");
    output->path = tac_strdup(path);
    return TAC_OK;
}

/* The file that a chain of symbolic links leads to, there or not; the caller's. NULL: errno. */
static char *follow_links(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = tac_strdup(path);
    for (int i = 0; i < MOST_LINKS; i++) {
        char target[PATH_MAX];
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            return at;
        target[length] = '\0';
        const char *slash = strrchr(at, '/');
        char *next = *target == '/' || !slash
                         ? tac_strdup(target)
                         : tac_format("%.*s/%s", (int)(slash - at), at, target);
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

/* The folder that holds the path; the caller's. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash          ? tac_strdup(".")
           : slash == path ? tac_strdup("/")
                           : tac_strndup(path, (size_t)(slash - path));
}

/* A file beside the target for the rename; the caller's. */
static char *name_beside(const char *path)
{
    char *folder = folder_of(path), *name = tac_format("%s/.tactus-XXXXXX", folder);
    free(folder);
    return name;
}

/* The mode that the finished file has: the old one's, or what a new file gets. */
static mode_t mode_for(const struct stat *old)
{
    if (old)
        return old->st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Where /proc is not mounted such a file can get no name later. */
static int open_nameless(const char *path)
{
    if (access("/proc/self/fd", X_OK)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    char *folder = folder_of(path);
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    free(folder);
    return file;
}

static bool has_no_nameless(int code)
{
    return code == EOPNOTSUPP || code == EISDIR || code == EINVAL;
}

static tac_status open_beside(tac_output *output, const struct stat *old, tac_error *err)
{
    int file = -1;
    errno = EACCES;
    if (!old || !access(output->path, W_OK)) {
        file = open_nameless(output->path);
        if (file < 0 && has_no_nameless(errno)) {
            output->temporary = name_beside(output->path);
            file = mkostemp(output->temporary, O_CLOEXEC);
            if (file >= 0)
                remember_temporary(output->temporary);
        }
    }
    if (file < 0) {
        tac_status status = tac_fail_errno(err, errno, output->path, "cannot write");
        free(output->temporary);
        free(output->path);
        *output = (tac_output){0};
        return status;
    }
    fchmod(file, mode_for(old));
    if (old && fchown(file, old->st_uid, old->st_gid))
        errno = 0; /* only root can; others keep their own */
    output->file = fdopen(file, "w");
    if (!output->file)
        tac_out_of_memory(0);
    output->pending = true;
    return TAC_OK;
}

tac_status tac_output_open(tac_output *output, const char *path, tac_error *err)
{
    *output = (tac_output){0};
    if (!path || !strcmp(path, "-")) {
        output->file = stdout;
        return TAC_OK;
    }
    struct stat about;
    bool exists = !stat(path, &about);
    if (exists && !S_ISREG(about.st_mode))
        return open_in_place(output, path, err);
    output->path = follow_links(path);
    if (!output->path)
        return tac_fail_errno(err, errno, path, "cannot write");
    return open_beside(output, exists ? &about : NULL, err);
}

tac_status tac_output_open_binary(tac_output *output, const char *path, tac_error *err)
{
    if (path && strcmp(path, "-"))
        return tac_output_open(output, path, err);
    fflush(stdout);
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    *output = (tac_output){.file = copy < 0 ? NULL : fdopen(copy, "w"), .own = true};
    return output->file ? TAC_OK : tac_fail_errno(err, errno, "<stdout>", "cannot write");
}

tac_status tac_output_try(const char *path, tac_error *err)
{
    tac_output output;
    struct stat about;
    if (!path || !strcmp(path, "-") ||
        (!stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)))
        return TAC_OK;
    tac_status status = tac_output_open(&output, path, err);
    if (status == TAC_OK)
        tac_output_abort(&output);
    return status;
}

/* Gives the nameless file its name: directly when that is free, else by a rename. */
static int name_it(tac_output *output)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(output->file));
    if (!linkat(AT_FDCWD, link, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW))
        return 0;
    if (errno != EEXIST)
        return -1;
    enum { TRIES = 100 };
    char *folder = folder_of(output->path);
    int result = -1;
    for (int i = 0; i < TRIES && result; i++) {
        char *beside = tac_format("%s/.tactus-%ld-%d", folder, (long)getpid(), i);
        bool linked = !linkat(AT_FDCWD, link, AT_FDCWD, beside, AT_SYMLINK_FOLLOW);
        if (linked)
            result = rename(beside, output->path);
        int code = errno;
        if (linked && result)
            unlink(beside);
        free(beside);
        errno = code;
        if (linked || code != EEXIST)
            break;
    }
    int code = errno;
    free(folder);
    errno = code;
    return result;
}

static int sync_folder(const char *path)
{
    char *folder = folder_of(path);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = descriptor < 0 ? -1 : fsync(descriptor);
    if (descriptor >= 0)
        close(descriptor);
    free(folder);
    return result;
}

/* The file is complete and closed afterwards, or the status says why not. */
static tac_status put_in_place(tac_output *output, tac_error *err)
{
    tac_status status = TAC_OK;
    if (output->durable && fsync(fileno(output->file)))
        status = tac_fail_errno(err, errno, output->path, "cannot bring the file to the disk");
    if (status == TAC_OK && output->pending && !output->temporary && name_it(output))
        status = tac_fail_errno(err, errno, output->path, "cannot put the finished file in place");
    FILE *file = output->file;
    output->file = NULL;
    if (fclose(file) && status == TAC_OK)
        status = tac_fail_errno(err, errno, output->path, "cannot write");
    if (status == TAC_OK && output->temporary && rename(output->temporary, output->path))
        status = tac_fail_errno(err, errno, output->path, "cannot put the finished file in place");
    if (status == TAC_OK && output->durable && output->pending && sync_folder(output->path))
        status = tac_fail_errno(err, errno, output->path, "cannot bring the folder to the disk");
    return status;
}

tac_status tac_output_commit(tac_output *output, tac_error *err)
{
    assert(output->file);
    tac_status status = TAC_OK;
    errno = 0;
    if (fflush(output->file) || ferror(output->file))
        status = tac_fail_errno(err, errno ? errno : EIO, output->path ? output->path : "<stdout>",
                                "cannot write");
    if (status == TAC_OK && output->path)
        status = put_in_place(output, err);
    if (status == TAC_OK && output->temporary) {
        forget_temporary(output->temporary);
        free(output->temporary);
        output->temporary = NULL;
    }
    tac_output_abort(output);
    return status;
}

void tac_output_abort(tac_output *output)
{
    if (output->file && (output->path || output->own))
        fclose(output->file);
    if (output->temporary) {
        unlink(output->temporary);
        forget_temporary(output->temporary);
    }
    free(output->path);
    free(output->temporary);
    *output = (tac_output){0};
}

tac_status tac_output_close(tac_output *output, tac_status written, tac_error *err)
{
    if (written == TAC_OK)
        return tac_output_commit(output, err);
    tac_output_abort(output);
    return written;
}

tac_status tac_output_write_file(const char *path, const char *data, size_t size, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    fwrite(data, 1, size, output.file);
    return tac_output_commit(&output, err);
}
