/* Who is in the foreground, from `dumpsys activity activities`.
 *
 *     mResumedActivity: ActivityRecord{1a2b3c u0 com.example/.Main t12}     up to Android 9
 *     topResumedActivity=ActivityRecord{1a2b3c u0 com.example/.Main t12}    Android 10 and later
 *     ResumedActivity: ActivityRecord{1a2b3c u0 com.example/.Main t12}      Android 12 and later
 *     * Hist #1: ActivityRecord{1a2b3c u0 com.example/.Main t12}            the back stack, top
 * first
 *
 * "Hist  #1" with two blanks is Android 13's. topResumedActivity of the focused display stands
 * first and wins; otherwise the first of the others. */
#include "device/android/dump/parse.h"
#include <stdio.h>
#include <string.h>

static void put(char *out, const char *from, size_t length)
{
    snprintf(out, ANDROID_NAME, "%.*s", (int)(length < ANDROID_NAME ? length : ANDROID_NAME - 1),
             from);
}

/* "ActivityRecord{HASH uUSER PACKAGE/CLASS ...}" anywhere in the line. */
static bool read_record(const struct android_lines *lines, struct android_record *out)
{
    const char *at = android_after(lines, "ActivityRecord{");
    const char *end = lines->line + lines->length;
    if (!at)
        return false;
    uint64_t id = 0;
    for (; at < end && strchr("0123456789abcdef", *at) && *at; at++)
        id = id << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    const char *slash = memchr(at, '/', (size_t)(end - at));
    if (!slash)
        return false;
    const char *name = slash;
    while (name > at && name[-1] != ' ')
        name--;
    const char *stop = slash + 1;
    while (stop < end && *stop != ' ' && *stop != '}')
        stop++;
    size_t package = (size_t)(slash - name);
    if (!package || stop == slash + 1)
        return false;
    const char *activity = slash + 1;
    if (*activity == '.')
        activity++;
    else if ((size_t)(stop - activity) > package + 1 && !memcmp(activity, name, package) &&
             activity[package] == '.')
        activity += package + 1;
    *out = (struct android_record){.id = id};
    put(out->package, name, package);
    put(out->activity, activity, (size_t)(stop - activity));
    return true;
}

void android_read_activities(const char *text, size_t size, const char *package,
                             struct android_activities *out)
{
    memset(out, 0, sizeof *out);
    struct android_lines lines = {.at = text, .end = text + size};
    bool best = false;
    while (android_next_line(&lines)) {
        struct android_record record;
        bool top = android_starts(&lines, "topResumedActivity");
        if (top || android_starts(&lines, "mResumedActivity") ||
            android_starts(&lines, "ResumedActivity")) {
            if ((!out->resumed || (top && !best)) && read_record(&lines, &record)) {
                out->top = record;
                out->resumed = true;
                best = top;
            }
        } else if (android_starts(&lines, "* Hist") && read_record(&lines, &record) &&
                   out->stack_count < ANDROID_MAX_STACK && !strcmp(record.package, package)) {
            out->stack[out->stack_count++] = record;
        }
    }
    for (size_t i = 0, j = out->stack_count; i + 1 < j; i++) {
        struct android_record swap = out->stack[i];
        out->stack[i] = out->stack[--j];
        out->stack[j] = swap;
    }
}
