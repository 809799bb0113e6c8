/* Frames of an app from `dumpsys gfxinfo PACKAGE framestats` (Android 6 and later).
 *
 *     Total frames rendered: 11835
 *     Janky frames: 280 (2.37%)                       Android 12 adds a line "Janky frames
 * (legacy):" 50th percentile: 12ms                           and 90th, 95th, 99th; without frames:
 * 4950ms
 *
 * of the process since it started; the windows behind it repeat the same for themselves, so the
 * first counts. An app of several processes has them one after the other, each behind its line
 * "** Graphics info for pid 4242 [com.example] **". Then, between two lines ---PROFILEDATA---, one
 * line per frame and window, the last 120, in columns that a first line names (14 on Android 6, 23
 * on Android 13). A frame took from IntendedVsync to FrameCompleted; a line whose Flags are not 0
 * is no ordinary frame. */
#include "device/android/dump/parse.h"
#include <math.h>
#include <stdio.h>
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

/* A line without the columns is none. */
static void read_frame(const char *at, const char *end, const struct columns *c,
                       struct android_frames *out)
{
    static const uint64_t limit = 16666667; /* a sixtieth of a second */
    uint64_t flags = 1, intended = 0, completed = 0;
    int columns = 0;
    for (int i = 0; at < end; i++, columns++) {
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
    if (c->flags < 0 || c->intended < 0 || c->completed < 0 || columns <= c->completed ||
        columns <= c->intended)
        return;
    out->rows++;
    if (flags || !intended || completed < intended)
        return;
    double seconds = (double)(completed - intended) * 1e-9;
    out->recent++;
    out->slow += completed - intended > limit;
    if (isnan(out->slowest) || seconds > out->slowest)
        out->slowest = seconds;
}

/* "HISTOGRAM: 5ms=12 6ms=0 ..." */
static void take_histogram(const struct android_lines *lines, struct android_frames *out)
{
    const char *end = lines->line + lines->length, *at = lines->line;
    if (!android_starts(lines, "HISTOGRAM:") || !isnan(out->histogram))
        return;
    out->histogram = 0;
    uint64_t value;
    while ((at = memchr(at, '=', (size_t)(end - at)))) {
        const char *stop = ++at;
        while (stop < end && *stop >= '0' && *stop <= '9')
            stop++;
        if (read_plain(at, stop, &value))
            out->histogram += (double)value;
    }
}

/* "** Graphics info for pid 4242 [com.example] **" */
static void take_process(const struct android_lines *lines, struct android_frames *out)
{
    const char *at = android_after(lines, "** Graphics info for pid");
    const char *end = lines->line + lines->length;
    const char *open = at ? memchr(at, '[', (size_t)(end - at)) : NULL;
    const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
    if (!close || *out->process)
        return;
    android_count(at, end, &out->pid);
    snprintf(out->process, sizeof out->process, "%.*s", (int)(close - open - 1), open + 1);
}

static void take_line(const struct android_lines *lines, struct android_frames *out)
{
    take_process(lines, out);
    out->failed |= android_after(lines, "Failure while dumping the app") != NULL;
    take_count(lines, "Total frames rendered:", &out->total);
    take_count(lines, "Janky frames:", &out->janky);
    take_count(lines, "Janky frames (legacy):", &out->legacy);
    take_percentiles(lines, out);
    take_histogram(lines, out);
}

/* What one process tells, up to the line that names the next; where that begins. */
static const char *read_process(const char *text, const char *end_of_text,
                                struct android_frames *out)
{
    *out = (struct android_frames){
        .total = NAN, .janky = NAN, .legacy = NAN, .slowest = NAN, .histogram = NAN};
    for (size_t i = 0; i < 4; i++)
        out->percentile[i] = out->raw_percentile[i] = NAN;
    struct android_lines lines = {.at = text, .end = end_of_text};
    const char *next = end_of_text;
    bool table = false, named = false, told = false;
    struct columns names = {-1, -1, -1};
    while (android_next_line(&lines)) {
        const char *end = lines.line + lines.length;
        bool heading = android_after(&lines, "** Graphics info for pid") != NULL;
        if (heading && told) {
            next = lines.line;
            break;
        }
        told |= heading;
        if (android_starts(&lines, "---PROFILEDATA---")) {
            table = !table;
            out->windows += table;
            named = false;
        } else if (table && (!named || android_starts(&lines, "Flags,"))) {
            names = read_names(lines.line, end);
            named = true;
        } else if (table) {
            read_frame(lines.line, end, &names, out);
        } else {
            take_line(&lines, out);
        }
    }
    out->found = !isnan(out->total);
    out->cut = table;
    memcpy(out->raw_percentile, out->percentile, sizeof out->percentile);
    for (size_t i = 0; i < 4 && !(out->total > 0); i++)
        out->percentile[i] = NAN;
    return next;
}

bool android_next_frames(const char **at, const char *end, struct android_frames *out)
{
    if (*at >= end)
        return false;
    *at = read_process(*at, end, out);
    return true;
}

void android_read_frames(const char *text, size_t size, struct android_frames *out)
{
    read_process(text, text + size, out);
}

void android_read_frames_of(const char *text, size_t size, const char *process,
                            struct android_frames *out)
{
    const char *at = text;
    struct android_frames one;
    android_read_frames(text, size, out);
    while (android_next_frames(&at, text + size, &one))
        if (!strcmp(one.process, process)) {
            *out = one;
            return;
        }
}
