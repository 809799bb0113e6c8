/* The files of a folder: what a campaign leaves beside its index. Only places that a campaign has
 * are looked at, so that what a person puts into the folder stays there. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "base/io/output.h"
#include "store/sqlite.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *sqlite_file_path(const void *data, const char *name)
{
    const struct sqlite_store *store = data;
    return tac_format("%s/%s", store->folder, name);
}

/* The folder that the file is to be in. */
static tac_status make_parent(const char *path, tac_error *err)
{
    const char *slash = strrchr(path, '/');
    assert(slash);
    char *folder = tac_strndup(path, (size_t)(slash - path));
    tac_status status = TAC_OK;
    if (mkdir(folder, 0777) && errno != EEXIST)
        status = tac_fail_errno(err, errno, folder, "cannot create the folder");
    free(folder);
    return status;
}

/* Byte for byte: a compressed file stays one. */
static tac_status copy_bytes(const char *from, const char *to, bool durable, tac_error *err)
{
    char buffer[1 << 16];
    tac_output output;
    int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return tac_fail_errno(err, errno, from, "cannot read");
    tac_status status = tac_output_open(&output, to, err);
    if (status == TAC_OK) {
        output.durable = durable;
        ssize_t got;
        while ((got = read(file, buffer, sizeof buffer)) > 0)
            fwrite(buffer, 1, (size_t)got, output.file);
        if (got < 0)
            status = tac_fail_errno(err, errno, from, "cannot read");
        status = tac_output_close(&output, status, err);
    }
    close(file);
    return status;
}

tac_status sqlite_put_file(void *data, const char *name, const char *path, tac_error *err)
{
    const struct sqlite_store *store = data;
    assert(sqlite_writes(store));
    char *to = sqlite_file_path(store, name);
    tac_status status = make_parent(to, err);
    if (status == TAC_OK)
        status = copy_bytes(path, to, store->mode == TAC_STORE_DURABLE, err);
    free(to);
    return status;
}

tac_status sqlite_get_file(void *data, const char *name, const char *path, tac_error *err)
{
    char *from = sqlite_file_path(data, name);
    tac_status status = TAC_OK;
    if (access(from, F_OK))
        status = tac_fail_at(err, TAC_E_INPUT, from, 0, 0, "the file is gone");
    else
        status = copy_bytes(from, path, false, err);
    free(from);
    return status;
}

tac_status sqlite_seal(void *data, const char *name, tac_store_seal *out, tac_error *err)
{
    char *path = sqlite_file_path(data, name);
    struct stat about;
    tac_status status = TAC_OK;
    uint64_t size = 0;
    if (stat(path, &about))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "%s",
                             errno == ENOENT ? "the trace is gone" : strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the trace is not a file");
    else
        status = tac_digest_file(path, out->digest, &size, err);
    out->size = (int64_t)size;
    free(path);
    return status;
}

static bool is_there(const char *path)
{
    struct stat about;
    return !lstat(path, &about);
}

/* One process writes, so that nobody takes the name between the look and the move. */
tac_status sqlite_move_file(void *data, const char *name, const char *to, bool *taken,
                            tac_error *err)
{
    assert(sqlite_writes(data));
    char *from = sqlite_file_path(data, name), *target = sqlite_file_path(data, to);
    struct stat about;
    bool file = !lstat(from, &about) && (S_ISREG(about.st_mode) || S_ISLNK(about.st_mode));
    *taken = file && is_there(target);
    tac_status status = file ? make_parent(target, err) : TAC_OK;
    if (status == TAC_OK && file && !*taken && rename(from, target))
        status = tac_fail_errno(err, errno, from, "cannot set the trace aside");
    free(from);
    free(target);
    return status;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_file(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

/* A folder that is not there has no files; one that cannot be read is an error, not an empty one.
 */
static tac_status visit_folder(const struct sqlite_store *store, const char *folder,
                               bool (*visit)(void *context, const char *name), void *context,
                               bool *go_on, tac_error *err)
{
    char *path = sqlite_file_path(store, folder);
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, by_name);
    tac_status status = TAC_OK;
    if (count < 0 && errno != ENOENT && errno != ENOTDIR)
        status = tac_fail_errno(err, errno, path, "cannot read the folder");
    for (int i = 0; i < count; i++) {
        char *name = tac_format("%s/%s", folder, entries[i]->d_name);
        char *whole = sqlite_file_path(store, name);
        if (*go_on && entries[i]->d_name[0] != '.' && is_file(whole))
            *go_on = visit(context, name);
        free(whole);
        free(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    free(path);
    return status;
}

tac_status sqlite_each_file(void *data, bool (*visit)(void *context, const char *name),
                            void *context, tac_error *err)
{
    const struct sqlite_store *store = data;
    tac_status status = TAC_OK;
    bool go_on = true;
    for (const char *const *at = store_folders; *at && go_on && status == TAC_OK; at++)
        status = visit_folder(store, *at, visit, context, &go_on, err);
    for (const char *const *at = store_files; *at && go_on && status == TAC_OK; at++) {
        char *path = sqlite_file_path(store, *at);
        if (is_file(path))
            go_on = visit(context, *at);
        free(path);
    }
    return status;
}
