/* The log of an Android device as Appium hands it out: each call gives the lines since the last
 * one, as {"timestamp", "level", "message"} with logcat's own line in the message. Crashes are
 * noticed while the lines pass. */
#include "device/appium/appium.h"
#include <string.h>

static void see_line(struct webdriver *w, const json_t *entry)
{
    const json_t *text = json_object_get(entry, "message");
    tac_log_line line;
    if (!json_is_string(text) ||
        !android_read_log_line(json_string_value(text), json_string_length(text), 0,
                               &w->native.storage, &line))
        return;
    line.time = (int64_t)(json_number_value(json_object_get(entry, "timestamp")) * 1e6);
    wd_keep_line(w, &line);
    android_crash_line(&w->native.crash, &line);
}

tac_status appium_collect(struct webdriver *w, tac_error *err)
{
    if (w->native.no_log)
        return TAC_OK;
    json_t *entries = NULL;
    const json_t *entry;
    size_t i;
    tac_status status = wd_call(w, "read the log", "POST", "/se/log",
                                json_pack("{s:s}", "type", "logcat"), 10, &entries, err);
    if (status != TAC_OK && (wd_unknown(w) || !strcmp(w->error, "unknown error"))) {
        w->native.no_log = true; /* a platform without a log, or none under this name */
        status = TAC_OK;
    }
    json_array_foreach(entries, i, entry) see_line(w, entry);
    json_decref(entries);
    return status;
}

tac_status appium_log(tac_device *device, tac_log_line *out, bool *more, tac_error *err)
{
    struct webdriver *w = device->state;
    *more = wd_next_line(w, out);
    if (*more)
        return TAC_OK;
    tac_status status = appium_collect(w, err);
    *more = status == TAC_OK && wd_next_line(w, out);
    return status;
}

tac_status appium_crash(tac_device *device, tac_crash *out, tac_error *err)
{
    struct webdriver *w = device->state;
    tac_status status = appium_collect(w, err);
    const struct android_crash *crash = &w->native.crash;
    *out = (tac_crash){.crashed = crash->crashed,
                       .exception = tac_str_text(&crash->exception),
                       .message = tac_str_text(&crash->message),
                       .stack = (const char *const *)crash->stack.at,
                       .stack_count = crash->stack.count,
                       .time = crash->time};
    return status;
}
