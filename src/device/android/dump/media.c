/* Whether something plays, from `dumpsys media_session`:
 *
 *     state=PlaybackState {state=3, position=1234, ...}              up to Android 12
 *     state=PlaybackState {state=PLAYING(3), position=1234, ...}     later
 *
 * 3 is playing, 6 buffering; one line per session. */
#include "device/android/dump/parse.h"

bool android_media_plays(const char *text, size_t size)
{
    struct android_lines lines = {.at = text, .end = text + size};
    while (android_next_line(&lines)) {
        const char *at = android_after(&lines, "PlaybackState {state=");
        const char *end = lines.line + lines.length;
        uint64_t state;
        while (at && at < end && ((*at >= 'A' && *at <= 'Z') || *at == '_' || *at == '('))
            at++;
        if (at && android_count(at, end, &state) && (state == 3 || state == 6))
            return true;
    }
    return false;
}
