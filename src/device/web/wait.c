/* Waiting and pictures: the same for pages and for native screens. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

tac_status wd_sleep(tac_device *device, double seconds, tac_error *err)
{
    struct webdriver *w = device->state;
    (void)err;
    wd_touched(w);
    usleep((useconds_t)(seconds * 1e6));
    return TAC_OK;
}

/* The screen changed by itself: its dump is no longer the same text. */
tac_status wd_wait_change(tac_device *device, const char *event, double deadline, tac_arrival *out,
                          tac_error *err)
{
    (void)event;
    double start = tac_now();
    char *before = NULL;
    *out = (tac_arrival){.event = ""};
    for (;;) {
        const tac_ui *ui;
        tac_status status = device->driver->snapshot(device, deadline, &ui, err);
        if (status != TAC_OK) {
            free(before);
            return status;
        }
        char *now = tac_ui_to_xml(ui);
        out->after = tac_now() - start;
        out->arrived = before && strcmp(before, now) != 0;
        free(before);
        before = now;
        if (out->arrived || out->after >= deadline) {
            free(before);
            return TAC_OK;
        }
        wd_sleep(device, fmin(0.05, fmax(deadline - out->after, 0)), err);
    }
}

tac_status wd_screenshot(tac_device *device, double deadline, unsigned char **data, size_t *size,
                         tac_error *err)
{
    json_t *text = NULL;
    tac_status status =
        wd_call(device->state, "take a picture", "GET", "/screenshot", NULL, deadline, &text, err);
    if (status != TAC_OK)
        return status;
    const char *encoded = json_is_string(text) ? json_string_value(text) : "";
    unsigned char *image = tac_alloc(strlen(encoded) / 4 * 3 + 3);
    size_t length = 0;
    unsigned word = 0, bits = 0;
    for (const char *at = encoded; *at && *at != '='; at++) {
        static const char digits[] =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const char *digit = strchr(digits, *at);
        if (!digit)
            continue;
        word = word << 6 | (unsigned)(digit - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            image[length++] = (unsigned char)(word >> bits);
        }
    }
    *data = image;
    *size = length;
    json_decref(text);
    return TAC_OK;
}
