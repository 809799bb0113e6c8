/* Processor time from /proc/PID/stat: fields 14 and 15 in hundredths of a second. The second field
 * is the name in brackets and may hold blanks and brackets, so fields are counted from the last
 * ')'. */
#include "device/android/dump/parse.h"
#include <math.h>
#include <string.h>

double android_read_processor_time(const char *text, size_t size)
{
    const char *end = text + size;
    const char *at = size ? memrchr(text, ')', size) : NULL;
    uint64_t user = 0, system = 0;
    if (!at)
        return NAN;
    for (int field = 2; field < 14 && at < end; field++) {
        at++;
        while (at < end && *at != ' ')
            at++;
    }
    const char *next = at < end ? memchr(at + 1, ' ', (size_t)(end - at - 1)) : NULL;
    if (!next || !android_count(at, end, &user) || !android_count(next, end, &system))
        return NAN;
    return ((double)user + (double)system) / 100;
}
