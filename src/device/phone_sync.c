/* The sync service of the phone that speaks adb: stat, list, send and receive of files that live in
 * memory. Requests are four letters, a length and a path (or data); both generations of stat and
 * list are answered. */
#include "device/adb_client.h"
#include "device/phone_daemon.h"

enum { MOST_REQUEST = 1 << 20, CHUNK = 64 * 1024 };

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

static void answer_receive(phone *p, const char *path, tac_str *out)
{
    static const char missing[] = "open failed: No such file or directory";
    const tac_str *file = phone_find_file(p, path, false);
    if (!file) {
        add_head(out, "FAIL", sizeof missing - 1);
        tac_str_add(out, missing);
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
    tac_str_clear(phone_find_file(p, sync->path, true));
}

/* One whole request. False: the conversation is over. */
static bool answer(phone *p, phone_sync *sync, const char *id, const char *body, uint32_t size,
                   tac_str *out)
{
    if (!strcmp(id, "DATA") && sync->receiving) {
        tac_str *file = phone_find_file(p, sync->path, true);
        if (file->length + size > PHONE_MOST_FILE)
            return false;
        tac_str_add_bytes(file, body, size);
        return true;
    }
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
    }
    free(path);
    return true;
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
            sync->receiving = false;
            add_head(out, "OKAY", 0);
            at += 8;
        } else if (length > MOST_REQUEST) {
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
