/* The sync service of the phone that speaks adb: stat, list, send and receive of files that live in
 * memory. Requests are four letters, a length and a path (or data); both generations of stat and
 * list are answered. */
#include "device/adb_client.h"
#include "device/phone_daemon.h"

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

static void answer_stat(phone *p, const char *id, const char *path, tac_str *out)
{
    static const char *const folders[] = {"/",     "/sdcard",         "/sdcard/",
                                          "/data", "/data/local/tmp", "/data/local/tmp/"};
    const tac_str *file = phone_find_file(p, path, false);
    uint32_t mode = file ? 0100644 : 0, size = file ? (uint32_t)file->length : 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strcmp(folders[i], path))
            mode = 0040755;
    if (!strcmp(id, "STAT")) {
        add_head(out, id, mode);
        add_u32(out, size);
        add_u32(out, mode ? 1767225600u : 0);
        return;
    }
    add_head(out, id, mode ? 0 : 2); /* ENOENT */
    add_u64(out, 1);
    add_u64(out, 1);
    add_u32(out, mode);
    add_u32(out, 1);
    add_u32(out, 2000);
    add_u32(out, 2000);
    add_u64(out, size);
    for (int i = 0; i < 3; i++)
        add_u64(out, mode ? 1767225600u : 0);
}

static void add_failure(tac_str *out, const char *why)
{
    add_head(out, "FAIL", (uint32_t)strlen(why));
    tac_str_add(out, why);
}

static void answer_receive(phone *p, const char *path, tac_str *out)
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

static void begin_send(phone *p, phone_sync *sync, const char *target)
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
static bool answer(phone *p, phone_sync *sync, const char *id, const char *body, uint32_t size,
                   tac_str *out)
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
    else if (!strcmp(id, "LIST") || !strcmp(id, "LIS2")) {
        tac_str_add_bytes(out, "DONE", 4);
        for (int i = 0; i < (id[3] == '2' ? 18 : 4); i++)
            add_u32(out, 0);
    } else {
        add_failure(out, "unknown command");
        known = false;
    }
    free(path);
    return known;
}

bool phone_sync_feed(phone *p, phone_sync *sync, const char *data, size_t size, tac_str *out)
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

void phone_sync_free(phone_sync *sync)
{
    tac_str_free(&sync->in);
    free(sync->path);
    sync->path = NULL;
}
