#include "serve/folder/beneath.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PATH = 1024 };

bool path_is_fine(const char *path)
{
    size_t length = path ? strlen(path) : 0;
    if (!length || length > MOST_PATH || !tac_utf8_valid(path, length))
        return false;
    for (const char *at = path; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            return false;
    for (const char *part = path;;) {
        size_t part_length = strcspn(part, "/");
        if (!part_length || part_length > NAME_MAX || part[0] == '.')
            return false;
        if (!part[part_length])
            return true;
        part += part_length + 1;
    }
}

/* One part further; closes `folder`. */
static int step(int folder, const char *name, bool make)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int next = openat(folder, name, flags);
    if (next < 0 && errno == ENOENT && make && (!mkdirat(folder, name, 0777) || errno == EEXIST))
        next = openat(folder, name, flags);
    int failure = errno;
    close(folder);
    errno = failure;
    return next;
}

int open_parent(int root, const char *path, bool make, const char **last)
{
    char name[NAME_MAX + 1];
    if (!path_is_fine(path)) {
        errno = EINVAL;
        return -1;
    }
    int folder = fcntl(root, F_DUPFD_CLOEXEC, 0);
    const char *slash;
    for (; folder >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        memcpy(name, path, (size_t)(slash - path));
        name[slash - path] = '\0';
        folder = step(folder, name, make);
    }
    *last = path;
    return folder;
}

static int open_last(int root, const char *path, int flags)
{
    const char *last;
    int folder = open_parent(root, path, false, &last);
    if (folder < 0)
        return -1;
    int file = openat(folder, last, flags | O_NOFOLLOW | O_CLOEXEC);
    int failure = errno;
    close(folder);
    errno = failure;
    return file;
}

int open_beneath(int root, const char *path)
{
    struct stat about;
    int file = open_last(root, path, O_RDONLY | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &about) || !S_ISREG(about.st_mode))) {
        close(file);
        errno = ENOENT;
        return -1;
    }
    return file;
}

static bool about_beneath(int root, const char *path, struct stat *about)
{
    int file = open_last(root, path, O_PATH);
    bool there =
        file >= 0 && !fstat(file, about) && (S_ISREG(about->st_mode) || S_ISDIR(about->st_mode));
    if (file >= 0)
        close(file);
    return there;
}

bool exists_beneath(int root, const char *path)
{
    struct stat about;
    return about_beneath(root, path, &about);
}

bool is_folder_beneath(int root, const char *path)
{
    struct stat about;
    return about_beneath(root, path, &about) && S_ISDIR(about.st_mode);
}

bool is_place_beneath(int root, const char *path)
{
    struct stat about;
    const char *last;
    int folder = open_parent(root, path, false, &last);
    if (folder < 0)
        return errno == ENOENT;
    bool link = !fstatat(folder, last, &about, AT_SYMLINK_NOFOLLOW) && !S_ISREG(about.st_mode) &&
                !S_ISDIR(about.st_mode);
    close(folder);
    return !link;
}

tac_status read_descriptor(int file, const char *path, char **data, size_t *size, tac_error *err)
{
    tac_str text = {.cap = MOST_FILE};
    char buffer[65536];
    ssize_t got;
    while ((got = read(file, buffer, sizeof buffer)) > 0 && !text.overflow)
        tac_str_add_bytes(&text, buffer, (size_t)got);
    tac_status status = TAC_OK;
    if (got < 0)
        status = tac_fail_errno(err, errno, path, "cannot be read");
    else if (text.overflow)
        status = tac_fail_at(err, TAC_E_LIMIT, path, 0, 0, "is larger than %d bytes", MOST_FILE);
    if (status == TAC_OK) {
        *size = text.length;
        tac_str_add(&text, "");
        *data = text.text ? tac_str_take(&text) : tac_strdup("");
    }
    tac_str_free(&text);
    return status;
}

tac_status read_beneath(int root, const char *path, char **data, size_t *size, tac_error *err)
{
    int file = open_beneath(root, path);
    if (file < 0)
        return tac_fail_at(err, TAC_E_INPUT, path_is_fine(path) ? path : "", 0, 0,
                           "there is no such file in the folder");
    tac_status status = read_descriptor(file, path, data, size, err);
    close(file);
    return status;
}
