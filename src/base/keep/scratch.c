/* Folders and files for a command's own time. See scratch.h. */
#include "base/keep/scratch.h"
#include "base/data/alloc.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* The folder itself is locked, for as long as its owner lives. -1 when somebody has it. */
static int lock_of(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB)) {
        close(folder);
        folder = -1;
    }
    return folder;
}

static void sweep(const char *prefix)
{
    DIR *entries = opendir(root());
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)))
            continue;
        char *path = tac_format("%s/%s", root(), entry->d_name);
        struct stat about;
        int lock = !lstat(path, &about) && S_ISDIR(about.st_mode) && about.st_uid == geteuid()
                       ? lock_of(path)
                       : -1;
        if (lock >= 0) {
            remove_tree(path);
            close(lock);
        }
        free(path);
    }
    if (entries)
        closedir(entries);
}

tac_status tac_scratch_make(const char *purpose, char **out, tac_error *err)
{
    char prefix[64];
    snprintf(prefix, sizeof prefix, "tactus-%s-%u-", purpose, (unsigned)geteuid());
    sweep(prefix);
    char *path = tac_format("%s/%sXXXXXX", root(), prefix);
    if (!mkdtemp(path)) {
        tac_status status = tac_fail_errno(err, errno, root(), "cannot create a folder");
        free(path);
        return status;
    }
    int lock = lock_of(path);
    if (lock < 0) { /* the sweep of another has just taken it for a leftover */
        rmdir(path);
        free(path);
        return tac_scratch_make(purpose, out, err);
    }
    *out = path; /* the lock stays open until the process ends */
    return TAC_OK;
}

void tac_scratch_remove(char *folder)
{
    if (!folder)
        return;
    remove_tree(folder);
    free(folder);
}

const char *tac_scratch_file_folder(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/var/tmp";
}

int tac_scratch_file(void)
{
    const char *folder = tac_scratch_file_folder();
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
        return file;
    char *path = tac_format("%s/tactus-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    free(path);
    return file;
}
