/* The answers of the sync service: DATA with a length and bytes, DONE, OKAY, FAIL with a length and
 * a message. See wire.h. */
#include "device/android/wire/wire.h"
#include <string.h>

static bool is(const struct adb_file *file, const char *id)
{
    return !memcmp(file->head, id, 4);
}

static tac_status take_head(struct adb_file *file, const char *step, tac_error *err)
{
    file->left = adb_get_u32(file->head + 4);
    if (is(file, "DONE") || is(file, "OKAY")) {
        file->done = true;
        return TAC_OK;
    }
    if (is(file, "DATA") && file->left <= ADB_MOST_CHUNK)
        return TAC_OK;
    if (is(file, "DATA"))
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: the device broke the file protocol: a piece of %u bytes, at most %d "
                        "are allowed",
                        step, file->left, ADB_MOST_CHUNK);
    if (!is(file, "FAIL"))
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: the device broke the file protocol: none of DATA, DONE, OKAY, FAIL",
                        step);
    file->failing = true;
    if (file->left > ADB_MOST_REASON)
        file->left = ADB_MOST_REASON;
    return TAC_OK;
}

tac_status adb_file_feed(struct adb_file *file, const char *step, const char *bytes, size_t size,
                         tac_error *err)
{
    while (size && !file->done) {
        bool in_head = file->have < sizeof file->head;
        size_t n = in_head ? sizeof file->head - file->have : file->left;
        n = n < size ? n : size;
        if (in_head) {
            memcpy(file->head + file->have, bytes, n);
            file->have += n;
            tac_status st = file->have == sizeof file->head ? take_head(file, step, err) : TAC_OK;
            if (st)
                return st;
        } else {
            tac_str_add_bytes(file->failing ? &file->reason : &file->data, bytes, n);
            file->left -= (uint32_t)n;
        }
        if (!file->done && file->have == sizeof file->head && !file->left) {
            if (file->failing)
                return tac_fail(err, TAC_E_DEVICE, "%s: the device says: %.300s", step,
                                tac_str_text(&file->reason));
            file->have = 0;
        }
        bytes += n;
        size -= n;
    }
    return TAC_OK;
}

void adb_file_free(struct adb_file *file)
{
    tac_str_free(&file->data);
    tac_str_free(&file->reason);
}
