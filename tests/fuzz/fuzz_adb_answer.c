/* What the adb server answers, and its list of devices. */
#include "device/android/wire/client.h"
#include "fuzz_target.h"
#include <stdlib.h>
#include <string.h>

static void check_devices(const char *text, size_t size)
{
    struct adb_entry entries[4];
    size_t count = adb_read_devices(text, size, entries, 4);
    if (count > 4)
        abort();
    for (size_t i = 0; i < count; i++)
        if (!*entries[i].serial || !*entries[i].state)
            abort();
    struct adb_client client = {0};
    tac_error err;
    adb_choose(&client, "", text, size, &err);
    adb_choose(&client, "emulator-5554", text, size, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_devices((const char *)data, size);
    for (int text = 0; text < 2; text++) {
        struct adb_answer answer = {.text = text};
        tac_error err;
        size_t at = 0, wanted;
        while ((wanted = adb_answer_wants(&answer)) && at < size) {
            size_t n = wanted < size - at ? wanted : size - at;
            if (adb_answer_feed(&answer, "fuzz", (const char *)data + at, n, &err))
                break;
            at += n;
        }
        if (answer.body.length > 0xffff || at > size)
            abort();
        if (text && !wanted)
            check_devices(tac_str_text(&answer.body), answer.body.length);
        tac_str_free(&answer.body);
    }
    return 0;
}
