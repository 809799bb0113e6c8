/* The answer of `am start -W`: Status, LaunchState (Android 10 and later), Activity, ThisTime (up
 * to Android 9), TotalTime, WaitTime in milliseconds; or "Error: ..." / "Error type 3". A warning
 * that the task was only brought to the front is a success. */
#include "device/android/dump/parse.h"
#include <math.h>
#include <stdio.h>

void android_read_start(const char *text, size_t size, struct android_start *out)
{
    *out = (struct android_start){.total_seconds = NAN, .wait_seconds = NAN};
    struct android_lines lines = {.at = text, .end = text + size};
    double this_time = NAN;
    bool ok = false;
    while (android_next_line(&lines)) {
        const char *end = lines.line + lines.length;
        uint64_t milliseconds;
        if (android_starts(&lines, "Status: ok"))
            ok = true;
        else if (android_starts(&lines, "TotalTime:") &&
                 android_count(lines.line + 10, end, &milliseconds))
            out->total_seconds = (double)milliseconds / 1000;
        else if (android_starts(&lines, "ThisTime:") &&
                 android_count(lines.line + 9, end, &milliseconds))
            this_time = (double)milliseconds / 1000;
        else if (android_starts(&lines, "WaitTime:") &&
                 android_count(lines.line + 9, end, &milliseconds))
            out->wait_seconds = (double)milliseconds / 1000;
        else if (android_starts(&lines, "LaunchState: "))
            snprintf(out->state, sizeof out->state, "%.*s",
                     (int)(lines.length < 28 ? lines.length - 13 : 15), lines.line + 13);
        else if ((android_starts(&lines, "Error") || android_starts(&lines, "Status:") ||
                  android_after(&lines, "Exception")) &&
                 !*out->message)
            snprintf(out->message, sizeof out->message, "%.*s",
                     (int)(lines.length < 280 ? lines.length : 280), lines.line);
    }
    if (isnan(out->total_seconds))
        out->total_seconds = this_time;
    out->ok = ok && !*out->message;
    if (!out->ok && !*out->message)
        snprintf(out->message, sizeof out->message, "am start gave no status");
}
