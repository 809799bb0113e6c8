/* Whole files or none: write beside the target, then rename. See output.h. */
#include "base/io/output.h"
#include "base/data/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
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

static bool is_plain_target(const char *path)
{
    struct stat about;
    return stat(path, &about) || S_ISREG(about.st_mode);
}

/* Devices and pipes (/dev/null, /dev/stdout) are written in place. */
static tac_status open_in_place(tac_output *output, const char *path, tac_error *err)
{
    output->file = fopen(path, "w");
    if (!output->file)
        return tac_fail_errno(err, errno, path, "cannot write");
    output->path = tac_strdup(path);
    return TAC_OK;
}

tac_status tac_output_open(tac_output *output, const char *path, tac_error *err)
{
    *output = (tac_output){0};
    if (!path || !strcmp(path, "-")) {
        output->file = stdout;
        return TAC_OK;
    }
    if (!is_plain_target(path))
        return open_in_place(output, path, err);
    char *temporary = tac_format("%s.XXXXXX", path);
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0) {
        tac_status status = tac_fail_errno(err, errno, path, "cannot write");
        free(temporary);
        return status;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    output->file = fdopen(descriptor, "w");
    if (!output->file)
        tac_out_of_memory(0);
    output->path = tac_strdup(path);
    output->temporary = temporary;
    remember_temporary(temporary);
    return TAC_OK;
}

tac_status tac_output_commit(tac_output *output, tac_error *err)
{
    tac_status status = TAC_OK;
    const char *name = output->path ? output->path : "<stdout>";
    errno = 0;
    bool bad = fflush(output->file) || ferror(output->file);
    if (bad)
        status = tac_fail_errno(err, errno ? errno : EIO, name, "cannot write");
    if (output->path) {
        if (fclose(output->file) && status == TAC_OK)
            status = tac_fail_errno(err, errno, name, "cannot write");
        output->file = NULL;
        if (status == TAC_OK && output->temporary && rename(output->temporary, output->path))
            status = tac_fail_errno(err, errno, name, "cannot put the finished file in place");
    }
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
    if (output->file && output->path)
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
