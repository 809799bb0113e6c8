/* The sync service of the phone that speaks adb: stat, list, send and receive of files that live in
 * memory. Requests are four letters, a length and a path (or data); both generations of stat and
 * list are answered. */
#include "device/android/wire/client.h"
#include "phone/adbd/daemon.h"

enum { MOST_PATH = 1024, CHUNK = 64 * 1024 };

static void add_u32(tac_str *out, uint32_t value)
{
    unsigned char word[4];
    adb_put_u32(word, value);
    tac_str_add_bytes(out, (const char *)word, 4);
}

static void add_u64(tac_str *out, uint64_t value)
{
    add_u32(out, (uint32_t)value);
    add_u32(out, (uint32_t)(value >> 32));
}

static void add_head(tac_str *out, const char *id, uint32_t value)
{
    tac_str_add_bytes(out, id, 4);
    add_u32(out, value);
}

enum { FILE_MODE = 0100644, FOLDER_MODE = 0040755, CHANGED = 1767225600, ENOENT_CODE = 2 };

struct entry {
    uint32_t mode, size; /* mode 0: there is none */
};

/* Length of a path without slashes at its end; "/" has none. */
static size_t path_length(const char *path)
{
    size_t n = strlen(path);
    while (n && path[n - 1] == '/')
        n--;
    return n;
}

/* A file, a folder that is always there, or one that has files in it. */
static struct entry look_up(struct phone *p, const char *path)
{
    static const char *const folders[] = {"", "/sdcard", "/data", "/data/local", "/data/local/tmp"};
    const tac_str *file = phone_find_file(p, path, false);
    size_t n = path_length(path);
    if (file)
        return (struct entry){FILE_MODE, (uint32_t)file->length};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strlen(folders[i]) == n && !memcmp(folders[i], path, n))
            return (struct entry){FOLDER_MODE, 4096};
    for (size_t i = 0; i < p->files.count; i++)
        if (!strncmp(p->files.at[i].path, path, n) && p->files.at[i].path[n] == '/')
            return (struct entry){FOLDER_MODE, 4096};
    return (struct entry){0};
}

/* The fields of the second generation behind the id. */
static void add_fields(tac_str *out, struct entry e)
{
    add_u32(out, e.mode ? 0 : ENOENT_CODE);
    add_u64(out, 1);
    add_u64(out, 1);
    add_u32(out, e.mode);
    add_u32(out, 1);
    add_u32(out, 2000);
    add_u32(out, 2000);
    add_u64(out, e.size);
    for (int i = 0; i < 3; i++)
        add_u64(out, e.mode ? CHANGED : 0);
}

static void answer_stat(struct phone *p, const char *id, const char *path, tac_str *out)
{
    struct entry e = look_up(p, path);
    if (!strcmp(id, "STAT")) {
        add_head(out, id, e.mode);
        add_u32(out, e.size);
        add_u32(out, e.mode ? CHANGED : 0);
        return;
    }
    tac_str_add_bytes(out, id, 4);
    add_fields(out, e);
}

static void add_entry(tac_str *out, bool second, const char *name, size_t length, struct entry e)
{
    tac_str_add_bytes(out, second ? "DNT2" : "DENT", 4);
    if (second) {
        add_fields(out, e);
    } else {
        add_u32(out, e.mode);
        add_u32(out, e.size);
        add_u32(out, CHANGED);
    }
    add_u32(out, (uint32_t)length);
    tac_str_add_bytes(out, name, length);
}

/* Files of the folder, and folders on the way to files further down, each once. */
static void answer_list(struct phone *p, bool second, const char *path, tac_str *out)
{
    size_t n = path_length(path);
    for (size_t i = 0; i < p->files.count; i++) {
        const char *full = p->files.at[i].path;
        if (strncmp(full, path, n) != 0 || full[n] != '/' || !full[n + 1])
            continue;
        const char *name = full + n + 1;
        size_t length = strcspn(name, "/");
        bool listed = false;
        for (size_t k = 0; k < i && !listed; k++) {
            const char *other = p->files.at[k].path;
            listed =
                !strncmp(other, full, n + 1 + length) && strchr("/", other[n + 1 + length]) != NULL;
        }
        if (!listed && length)
            add_entry(out, second, name, length,
                      name[length]
                          ? (struct entry){FOLDER_MODE, 4096}
                          : (struct entry){FILE_MODE, (uint32_t)p->files.at[i].data.length});
    }
    tac_str_add_bytes(out, "DONE", 4);
    for (int i = 0; i < (second ? 18 : 4); i++)
        add_u32(out, 0);
}

static void add_failure(tac_str *out, const char *why)
{
    add_head(out, "FAIL", (uint32_t)strlen(why));
    tac_str_add(out, why);
}

static void answer_receive(struct phone *p, const char *path, tac_str *out)
{
    const tac_str *file = phone_find_file(p, path, false);
    if (!file) {
        add_failure(out, "open failed: No such file or directory");
        return;
    }
    for (size_t at = 0; at < file->length; at += CHUNK) {
        size_t n = file->length - at < CHUNK ? file->length - at : CHUNK;
        add_head(out, "DATA", (uint32_t)n);
        tac_str_add_bytes(out, file->text + at, n);
    }
    add_head(out, "DONE", 0);
}

static void begin_send(struct phone *p, struct phone_sync *sync, const char *target)
{
    const char *comma = strrchr(target, ',');
    free(sync->path);
    sync->path = tac_strndup(target, comma ? (size_t)(comma - target) : strlen(target));
    sync->receiving = true;
    tac_str *file = phone_find_file(p, sync->path, true);
    sync->full = !file;
    if (file)
        tac_str_clear(file);
}

/* One whole request. False: the conversation is over. */
static bool answer(struct phone *p, struct phone_sync *sync, const char *id, const char *body,
                   uint32_t size, tac_str *out)
{
    if (!strcmp(id, "DATA")) {
        tac_str *file = sync->receiving ? phone_find_file(p, sync->path, false) : NULL;
        if (!file || !phone_append(p, file, body, size))
            sync->full = true;
        return sync->receiving;
    }
    bool known = true;
    char *path = tac_strndup(body, size);
    if (!strcmp(id, "STAT") || !strcmp(id, "STA2") || !strcmp(id, "LST2"))
        answer_stat(p, id, path, out);
    else if (!strcmp(id, "RECV"))
        answer_receive(p, path, out);
    else if (!strcmp(id, "SEND"))
        begin_send(p, sync, path);
    else if (!strcmp(id, "LIST") || !strcmp(id, "LIS2"))
        answer_list(p, id[3] == '2', path, out);
    else {
        add_failure(out, "unknown command");
        known = false;
    }
    free(path);
    return known;
}

bool phone_sync_feed(struct phone *p, struct phone_sync *sync, const char *data, size_t size,
                     tac_str *out)
{
    tac_str_add_bytes(&sync->in, data, size);
    size_t at = 0;
    bool goes_on = true;
    while (goes_on && sync->in.length - at >= 8) {
        char id[5] = "";
        memcpy(id, sync->in.text + at, 4);
        uint32_t length = adb_get_u32((unsigned char *)sync->in.text + at + 4);
        if (!strcmp(id, "QUIT")) {
            goes_on = false;
        } else if (!strcmp(id, "DONE")) { /* its number is a time */
            if (sync->full || !sync->receiving)
                add_failure(out, sync->full ? "write failed: No space left on device"
                                            : "nothing was being sent");
            else
                add_head(out, "OKAY", 0);
            sync->receiving = sync->full = false;
            at += 8;
        } else if (length > (strcmp(id, "DATA") ? MOST_PATH : CHUNK)) {
            add_failure(out, "request is too long");
            goes_on = false;
        } else if (sync->in.length - at - 8 < length) {
            break;
        } else {
            goes_on = answer(p, sync, id, sync->in.text + at + 8, length, out);
            at += 8 + length;
        }
    }
    if (at) {
        memmove(sync->in.text, sync->in.text + at, sync->in.length - at);
        sync->in.length -= at;
    }
    return goes_on;
}

void phone_sync_free(struct phone_sync *sync)
{
    tac_str_free(&sync->in);
    free(sync->path);
    sync->path = NULL;
}
