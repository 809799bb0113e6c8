/* See archive.h. libzip finds the entries; the text is unpacked as it is read. */
#include "trace/bugreport/archive.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <string.h>
#include <zip.h>

enum { BUFFER = 1 << 22 };

struct archive {
    char *path, *entry;
    zip_t *zip;
    zip_file_t *file;
    char *buffer;
    size_t at, size;
    bool ended;
};

void archive_close(struct archive *archive)
{
    if (!archive)
        return;
    if (archive->file)
        zip_fclose(archive->file);
    if (archive->zip)
        zip_discard(archive->zip);
    free(archive->path);
    free(archive->entry);
    free(archive->buffer);
    free(archive);
}

/* What main_entry.txt says, or NULL. */
static char *named_entry(zip_t *zip)
{
    char text[512];
    zip_file_t *file = zip_fopen(zip, "main_entry.txt", 0);
    if (!file)
        return NULL;
    zip_int64_t got = zip_fread(file, text, sizeof text - 1);
    zip_fclose(file);
    if (got <= 0)
        return NULL;
    text[got] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    return zip_name_locate(zip, text, 0) >= 0 ? tac_strdup(text) : NULL;
}

static char *find_entry(zip_t *zip)
{
    char *found = named_entry(zip);
    zip_uint64_t largest = 0;
    zip_int64_t count = zip_get_num_entries(zip, 0);
    const char *best = NULL;
    for (zip_int64_t i = 0; !found && i < count && i < 100000; i++) {
        zip_stat_t about;
        if (zip_stat_index(zip, (zip_uint64_t)i, 0, &about) || !(about.valid & ZIP_STAT_NAME) ||
            !tac_ends_with(about.name, ".txt"))
            continue;
        zip_uint64_t size = about.valid & ZIP_STAT_SIZE ? about.size : 0;
        bool named = !strncmp(tac_base_name(about.name), "bugreport", 9);
        size = named ? size + ((zip_uint64_t)1 << 40) : size;
        if (!best || size > largest) {
            best = about.name;
            largest = size;
        }
    }
    return found ? found : best ? tac_strdup(best) : NULL;
}

tac_status archive_open(const char *path, struct archive **out, tac_error *err)
{
    struct archive *archive = tac_calloc(1, sizeof *archive);
    int code = 0;
    tac_status status = TAC_OK;
    archive->path = tac_strdup(path);
    archive->zip = zip_open(path, ZIP_RDONLY, &code);
    if (!archive->zip) {
        zip_error_t problem;
        zip_error_init_with_code(&problem, code);
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "cannot read the zip archive: %s",
                             zip_error_strerror(&problem));
        zip_error_fini(&problem);
    }
    if (!status && !(archive->entry = find_entry(archive->zip)))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the archive holds several files and no text of a bug report "
                             "(bugreport*.txt); unpack it and name the trace");
    if (!status && !(archive->file = zip_fopen(archive->zip, archive->entry, 0)))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "cannot unpack '%s': %s", archive->entry,
                             zip_strerror(archive->zip));
    archive->buffer = tac_alloc(BUFFER + 1);
    if (status)
        archive_close(archive);
    else
        *out = archive;
    return status;
}

static tac_status fill(struct archive *archive, tac_error *err)
{
    memmove(archive->buffer, archive->buffer + archive->at, archive->size - archive->at);
    archive->size -= archive->at;
    archive->at = 0;
    zip_int64_t got =
        zip_fread(archive->file, archive->buffer + archive->size, BUFFER - archive->size);
    if (got < 0)
        return tac_fail_at(err, TAC_E_INPUT, archive->path, 0, 0, "'%s' in it is damaged: %s",
                           archive->entry, zip_file_strerror(archive->file));
    archive->ended = got == 0;
    archive->size += (size_t)got;
    return TAC_OK;
}

tac_status archive_line(struct archive *archive, const char **line, size_t *length, tac_error *err)
{
    for (;;) {
        char *start = archive->buffer + archive->at;
        size_t ready = archive->size - archive->at;
        char *stop = ready ? memchr(start, '\n', ready) : NULL;
        if (stop || (archive->ended && ready) || ready == BUFFER) {
            *length = stop ? (size_t)(stop - start) : ready;
            archive->at += *length + (stop != NULL);
            if (*length && start[*length - 1] == '\r')
                --*length;
            start[*length] = '\0';
            *line = start;
            return TAC_OK;
        }
        if (archive->ended) {
            *line = NULL;
            *length = 0;
            return TAC_OK;
        }
        tac_status status = fill(archive, err);
        if (status)
            return status;
    }
}

const char *archive_entry(const struct archive *archive)
{
    return archive->entry;
}
