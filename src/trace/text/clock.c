/* The calendar is counted from 1 March so that the leap day is the last day of a year. */
#include "trace/text/clock.h"
#include "trace/text/number.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SECOND = 1000000000 };

int64_t clock_days(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int64_t day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * 146097 + day_of_era - 719468;
}

unsigned clock_month_length(int64_t year, unsigned month)
{
    static const unsigned char lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return lengths[month - 1] + (month == 2 && leap ? 1u : 0u);
}

static const char *fixed_digits(const char *at, unsigned count, unsigned *out)
{
    unsigned value = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = digit_of(at[i]);
        if (digit > 9)
            return NULL;
        value = value * 10 + digit;
    }
    *out = value;
    return at + count;
}

static const char *scan_fraction(const char *at, int64_t *nanoseconds)
{
    int64_t scale = SECOND / 10, sum = 0;
    const char *first = at;
    for (; digit_of(*at) < 10; at++, scale /= 10)
        sum += (int64_t)digit_of(*at) * scale;
    *nanoseconds = sum;
    return at == first ? NULL : at;
}

const char *clock_scan_time_of_day(const char *at, int64_t *out)
{
    unsigned hour, minute, second = 0;
    int64_t fraction = 0;
    if (!(at = fixed_digits(at, 2, &hour)) || *at != ':' ||
        !(at = fixed_digits(at + 1, 2, &minute)))
        return NULL;
    if (*at == ':') {
        if (!(at = fixed_digits(at + 1, 2, &second)))
            return NULL;
        if ((*at == '.' || *at == ',') && digit_of(at[1]) < 10)
            at = scan_fraction(at + 1, &fraction);
    }
    if (hour > 23 || minute > 59 || second > 60)
        return NULL;
    *out = ((int64_t)hour * 3600 + minute * 60 + second) * SECOND + fraction;
    return at;
}

/* Z, +HH:MM, +HHMM, +HH or nothing; the offset from UTC in seconds. */
static const char *scan_zone(const char *at, int64_t *offset)
{
    *offset = 0;
    if (*at == 'Z' || *at == 'z')
        return at + 1;
    if (*at != '+' && *at != '-')
        return at;
    bool west = *at == '-';
    unsigned hours, minutes = 0;
    if (!(at = fixed_digits(at + 1, 2, &hours)))
        return NULL;
    if (*at == ':' || digit_of(*at) < 10) {
        if (!(at = fixed_digits(at + (*at == ':'), 2, &minutes)))
            return NULL;
    }
    if (hours > 15 || minutes > 59)
        return NULL;
    *offset = (int64_t)hours * 3600 + minutes * 60;
    if (west)
        *offset = -*offset;
    return at;
}

const char *clock_scan_date(const char *at, int64_t *out)
{
    unsigned year, month, day;
    if (!(at = fixed_digits(at, 4, &year)) || *at != '-' ||
        !(at = fixed_digits(at + 1, 2, &month)) || *at != '-' ||
        !(at = fixed_digits(at + 1, 2, &day)))
        return NULL;
    if (month < 1 || month > 12 || day < 1 || day > clock_month_length(year, month) ||
        year < 1830 || year > 2110)
        return NULL;
    int64_t time_of_day = 0, zone = 0;
    if ((*at == 'T' || *at == ' ') && digit_of(at[1]) < 10) {
        if (!(at = clock_scan_time_of_day(at + 1, &time_of_day)) || !(at = scan_zone(at, &zone)))
            return NULL;
    }
    *out = (clock_days(year, month, day) * 86400 - zone) * SECOND + time_of_day;
    return at;
}

const char *clock_scan_date_and_zone(const char *text, int64_t *out)
{
    const char *at = clock_scan_date(text, out), *end;
    int64_t zone = 0;
    if (!at || *at != ' ' || !strchr(text, ':') || strchr(text, ':') > at)
        return at;
    if (!strncmp(at, " UTC", 4) || !strncmp(at, " GMT", 4))
        return at + 4;
    if ((at[1] != '+' && at[1] != '-') || !(end = scan_zone(at + 1, &zone)))
        return at;
    *out -= zone * SECOND;
    return end;
}

/* --- Mail ------------------------------------------------------------------------------------- */

/* Which of the three-letter names stands here, from 1; 0 for none. */
static unsigned named(const char *at, const char *names)
{
    for (unsigned i = 0; names[3 * i]; i++)
        if (!strncasecmp(at, names + (size_t)3 * i, 3))
            return i + 1;
    return 0;
}

static const char *scan_named_zone(const char *at, int64_t *offset)
{
    static const struct {
        const char *name;
        int hours;
    } zones[] = {{"GMT", 0},  {"UTC", 0},  {"UT", 0},   {"EST", -5}, {"EDT", -4}, {"CST", -6},
                 {"CDT", -5}, {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7}};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        size_t length = strlen(zones[i].name);
        if (strncasecmp(at, zones[i].name, length) || isalpha((unsigned char)at[length]))
            continue;
        *offset = (int64_t)zones[i].hours * 3600;
        return at + length;
    }
    return scan_zone(at, offset);
}

static const char *scan_mail_day(const char *at, unsigned *year, unsigned *month, unsigned *day)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *comma = strchr(at, ',');
    if (comma && comma - at <= 9) /* the day of the week says nothing new */
        at = comma + 1 + strspn(comma + 1, " ");
    size_t digits = digit_of(*at) < 10 && digit_of(at[1]) < 10 ? 2 : 1;
    if (!(at = fixed_digits(at, (unsigned)digits, day)) || (*at != ' ' && *at != '-') ||
        !(*month = named(at + 1, months)) || (at[4] != ' ' && at[4] != '-'))
        return NULL;
    at += 5;
    digits = 0;
    while (digits < 5 && digit_of(at[digits]) < 10)
        digits++;
    if ((digits != 2 && digits != 4) || !(at = fixed_digits(at, (unsigned)digits, year)))
        return NULL;
    if (digits == 2)
        *year += *year < 50 ? 2000 : 1900;
    return at;
}

const char *clock_scan_mail_date(const char *at, int64_t *out)
{
    unsigned year, month, day;
    int64_t time_of_day, zone;
    if (!(at = scan_mail_day(at, &year, &month, &day)) || *at != ' ' || day < 1 ||
        day > clock_month_length(year, month) || year < 1830 || year > 2110 ||
        !(at = clock_scan_time_of_day(at + 1, &time_of_day)) ||
        !(at = scan_named_zone(at + strspn(at, " "), &zone)))
        return NULL;
    *out = (clock_days(year, month, day) * 86400 - zone) * SECOND + time_of_day;
    return at;
}

const char *clock_seconds_text(int64_t nanoseconds, char *buffer, size_t size)
{
    uint64_t magnitude = nanoseconds < 0 ? 0 - (uint64_t)nanoseconds : (uint64_t)nanoseconds;
    int length = snprintf(buffer, size, "%s%llu.%09llu", nanoseconds < 0 ? "-" : "",
                          (unsigned long long)(magnitude / SECOND),
                          (unsigned long long)(magnitude % SECOND));
    size_t end = (size_t)length;
    while (buffer[end - 1] == '0')
        end--;
    if (buffer[end - 1] == '.')
        end--;
    buffer[end] = '\0';
    return buffer;
}
