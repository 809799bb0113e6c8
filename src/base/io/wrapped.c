/* See wrapped.h. libzip finds the entry and checks its sum; it is unpacked as it is read. What the
 * macOS archiver adds (__MACOSX/, .DS_Store) does not count as a file. */
#include "base/io/wrapped.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <string.h>
#include <zip.h>

struct wrapped {
    char *path;
    zip_t *zip;
    zip_file_t *file;
    uint64_t packed_size;
};

static bool counts(const zip_stat_t *about)
{
    return !tac_ends_with(about->name, "/") && strncmp(about->name, "__MACOSX/", 9) &&
           strcmp(tac_base_name(about->name), ".DS_Store");
}

/* The number of the only file, or -1. */
static zip_int64_t only_file(zip_t *zip)
{
    zip_int64_t count = zip_get_num_entries(zip, 0), found = -1;
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t about;
        if (zip_stat_index(zip, (zip_uint64_t)i, 0, &about) || !(about.valid & ZIP_STAT_NAME) ||
            !counts(&about))
            continue;
        if (found >= 0 || tac_ends_with(about.name, ".txt"))
            return -1;
        found = i;
    }
    return found;
}

tac_status wrapped_open(const char *path, struct wrapped **out, tac_error *err)
{
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
    zip_int64_t number = zip ? only_file(zip) : -1;
    *out = NULL;
    if (number < 0) {
        if (zip)
            zip_discard(zip);
        return TAC_OK;
    }
    zip_stat_t about;
    zip_stat_index(zip, (zip_uint64_t)number, 0, &about);
    zip_file_t *file = zip_fopen_index(zip, (zip_uint64_t)number, 0);
    if (!file) {
        tac_status status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "cannot unpack '%s': %s",
                                        about.name, zip_strerror(zip));
        zip_discard(zip);
        return status;
    }
    struct wrapped *wrapped = tac_calloc(1, sizeof *wrapped);
    wrapped->path = tac_strdup(path);
    wrapped->zip = zip;
    wrapped->file = file;
    wrapped->packed_size = about.valid & ZIP_STAT_COMP_SIZE ? about.comp_size : 1;
    *out = wrapped;
    return TAC_OK;
}

tac_status wrapped_read(struct wrapped *wrapped, void *buffer, size_t size, size_t *got,
                        tac_error *err)
{
    assert(size > 0);
    zip_int64_t count = zip_fread(wrapped->file, buffer, size);
    if (count < 0)
        return tac_fail_at(err, TAC_E_INPUT, wrapped->path, 0, 0,
                           "the file in the zip archive is damaged: %s",
                           zip_file_strerror(wrapped->file));
    *got = (size_t)count;
    return TAC_OK;
}

uint64_t wrapped_packed_size(const struct wrapped *wrapped)
{
    return wrapped->packed_size;
}

void wrapped_close(struct wrapped *wrapped)
{
    if (!wrapped)
        return;
    zip_fclose(wrapped->file);
    zip_discard(wrapped->zip);
    free(wrapped->path);
    free(wrapped);
}
