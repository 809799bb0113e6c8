/* The answer of `uiautomator dump FILE && cat FILE`. Android's own line is misspelt ("UI hierchary
 * dumped to:") and stands before the XML; with /dev/tty as the file it follows on the XML's last
 * line. What counts is the part from <hierarchy to </hierarchy>. A dump that failed says so beside
 * it and ends with exit code 0 all the same: an old file that `cat` shows then is not the screen.
 */
#include "device/android/dump/parse.h"
#include <stdio.h>
#include <string.h>

static bool holds(const char *text, size_t size, const char *part)
{
    return size && memmem(text, size, part, strlen(part));
}

/* Outside the XML only: an app may show these words. */
static enum android_dump_answer failure_in(const char *text, size_t size)
{
    if (holds(text, size, "could not get idle state"))
        return ANDROID_DUMP_BUSY;
    return holds(text, size, "null root node") ? ANDROID_DUMP_NULL : ANDROID_DUMP_OK;
}

enum android_dump_answer android_read_dump(const char *text, size_t size, size_t *start,
                                           size_t *length, char *message, size_t message_size)
{
    static const char close[] = "</hierarchy>";
    const char *from = size ? memmem(text, size, "<hierarchy", 10) : NULL;
    size_t before = from ? (size_t)(from - text) : size;
    enum android_dump_answer failure = failure_in(text, before);
    if (failure != ANDROID_DUMP_OK)
        return failure;
    if (from) {
        size_t left = size - (size_t)(from - text);
        const char *last = NULL, *search = from;
        for (const char *to; (to = memmem(search, left, close, sizeof close - 1));) {
            last = to + sizeof close - 1;
            left -= (size_t)(last - search);
            search = last;
        }
        if (!last) { /* an empty screen is written as one closed tag */
            const char *tag = memchr(from, '>', size - (size_t)(from - text));
            last = tag && tag[-1] == '/' ? tag + 1 : NULL;
        }
        if (last) {
            failure = failure_in(last, size - (size_t)(last - text));
            if (failure != ANDROID_DUMP_OK)
                return failure;
            *start = (size_t)(from - text);
            *length = (size_t)(last - from);
            return ANDROID_DUMP_OK;
        }
        snprintf(message, message_size, "the hierarchy breaks off after %zu bytes", size);
        return ANDROID_DUMP_FAILED;
    }
    struct android_lines lines = {.at = text, .end = text + size};
    while (android_next_line(&lines) && !lines.length)
        ;
    snprintf(message, message_size, "uiautomator says: %.*s",
             (int)(lines.length < 200 ? lines.length : 200), lines.length ? lines.line : "");
    return ANDROID_DUMP_FAILED;
}
