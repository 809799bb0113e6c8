/* Battery use of an app from `dumpsys batterystats --checkin`:
 *
 *     9,10123,l,pwi,uid,0.0823                 up to Android 6
 *     9,10123,l,pwi,uid,0.0823,0,0.01,0.002    later: hidden, screen share, proportional share
 *
 * Some devices print the numbers with the decimal comma of their language, which splits a number in
 * two fields. One or four fields after "uid" are whole numbers or carry points; two, or five and
 * more, mean that the first number has a comma. */
#include "base/data/text.h"
#include "device/android/dump/parse.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 16 };

static double read_amount(const char *const *field, const size_t *length, size_t count)
{
    char text[64];
    double value;
    bool point = memchr(field[0], '.', length[0]) != NULL;
    bool comma = !point && (count == 2 || count >= 5);
    if (length[0] > 24 || (comma && length[1] > 24))
        return NAN;
    snprintf(text, sizeof text, "%.*s%s%.*s", (int)length[0], field[0], comma ? "." : "",
             comma ? (int)length[1] : 0, comma ? field[1] : "");
    return tac_parse_double(text, &value) ? value : NAN;
}

double android_read_battery(const char *text, size_t size, uint64_t uid)
{
    static const char label[] = "l,pwi,uid,";
    struct android_lines lines = {.at = text, .end = text + size};
    double sum = NAN;
    while (android_next_line(&lines)) {
        uint64_t owner;
        const char *end = lines.line + lines.length;
        const char *at = memchr(lines.line, ',', lines.length);
        const char *stop = at ? memchr(at + 1, ',', (size_t)(end - at - 1)) : NULL;
        if (!stop || (size_t)(end - stop - 1) < sizeof label - 1 ||
            memcmp(stop + 1, label, sizeof label - 1) != 0 ||
            !android_count(at + 1, stop, &owner) || owner != uid)
            continue;
        const char *field[MOST_FIELDS];
        size_t length[MOST_FIELDS], count = 0;
        for (at = stop + sizeof label; at < end && count < MOST_FIELDS; at = stop + 1) {
            stop = memchr(at, ',', (size_t)(end - at));
            stop = stop ? stop : end;
            field[count] = at;
            length[count++] = (size_t)(stop - at);
        }
        double amount = count ? read_amount(field, length, count) : NAN;
        if (!isnan(amount))
            sum = isnan(sum) ? amount : sum + amount;
    }
    return sum;
}
