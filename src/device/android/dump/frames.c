/* Frames of an app from `dumpsys gfxinfo PACKAGE framestats` (Android 6 and later).
 *
 *     Total frames rendered: 11835
 *     Janky frames: 280 (2.37%)                       Android 12 adds a line "Janky frames
 * (legacy):" 50th percentile: 12ms                           and 90th, 95th, 99th; without frames:
 * 4950ms
 *
 * of the process since it started; the windows behind it repeat the same for themselves, so the
 * first counts. Then, between two lines ---PROFILEDATA---, one line per frame and window, the last
 * 120, in columns that a first line names (14 on Android 6, 23 on Android 13). A frame took from
 * IntendedVsync to FrameCompleted; a line whose Flags are not 0 is no ordinary frame. */
#include "device/android/dump/parse.h"
#include <math.h>
#include <string.h>

static void take_count(const struct android_lines *lines, const char *key, double *out)
{
    uint64_t value;
    if (isnan(*out) && android_starts(lines, key) &&
        android_count(lines->line + strlen(key), lines->line + lines->length, &value))
        *out = (double)value;
}

static void take_percentiles(const struct android_lines *lines, struct android_frames *out)
{
    static const char *const keys[] = {
        "50th percentile:", "90th percentile:", "95th percentile:", "99th percentile:"};
    for (size_t i = 0; i < 4; i++) {
        double milliseconds = NAN;
        take_count(lines, keys[i], &milliseconds);
        if (isnan(out->percentile[i]))
            out->percentile[i] = milliseconds / 1000;
    }
}

/* The columns of one table of frames. */
struct columns {
    int flags, intended, completed; /* -1 = not named */
};

static struct columns read_names(const char *at, const char *end)
{
    struct columns c = {-1, -1, -1};
    for (int i = 0; at < end; i++) {
        const char *stop = memchr(at, ',', (size_t)(end - at));
        stop = stop ? stop : end;
        size_t n = (size_t)(stop - at);
        if (n == 5 && !memcmp(at, "Flags", 5))
            c.flags = i;
        else if (n == 13 && !memcmp(at, "IntendedVsync", 13))
            c.intended = i;
        else if (n == 14 && !memcmp(at, "FrameCompleted", 14))
            c.completed = i;
        at = stop < end ? stop + 1 : end;
    }
    return c;
}

static bool read_plain(const char *at, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    if (at == end)
        return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *out = value;
    return true;
}

static void read_frame(const char *at, const char *end, const struct columns *c,
                       struct android_frames *out)
{
    uint64_t flags = 1, intended = 0, completed = 0;
    for (int i = 0; at < end; i++) {
        const char *stop = memchr(at, ',', (size_t)(end - at));
        stop = stop ? stop : end;
        uint64_t value;
        if ((i == c->flags || i == c->intended || i == c->completed) &&
            read_plain(at, stop, &value)) {
            if (i == c->flags)
                flags = value;
            else if (i == c->intended)
                intended = value;
            else
                completed = value;
        }
        at = stop < end ? stop + 1 : end;
    }
    if (flags || !intended || completed < intended)
        return;
    double seconds = (double)(completed - intended) * 1e-9;
    out->recent++;
    if (isnan(out->slowest) || seconds > out->slowest)
        out->slowest = seconds;
}

void android_read_frames(const char *text, size_t size, struct android_frames *out)
{
    *out = (struct android_frames){.total = NAN, .janky = NAN, .slowest = NAN};
    for (size_t i = 0; i < 4; i++)
        out->percentile[i] = NAN;
    struct android_lines lines = {.at = text, .end = text + size};
    bool table = false, named = false;
    struct columns names = {-1, -1, -1};
    while (android_next_line(&lines)) {
        const char *end = lines.line + lines.length;
        if (android_starts(&lines, "---PROFILEDATA---")) {
            table = !table;
            named = false;
        } else if (table && !named) {
            names = read_names(lines.line, end);
            named = true;
        } else if (table) {
            read_frame(lines.line, end, &names, out);
        } else {
            take_count(&lines, "Total frames rendered:", &out->total);
            take_count(&lines, "Janky frames:", &out->janky);
            take_percentiles(&lines, out);
        }
    }
    out->found = !isnan(out->total);
    for (size_t i = 0; i < 4 && !(out->total > 0); i++)
        out->percentile[i] = NAN;
}
