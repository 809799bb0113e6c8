/* Scanning decimal numbers and times at full speed, exactly.
 *
 * A number with at most 19 digits whose digits fit in 53 bits and whose power of ten is at most
 * 10^22 is digits * 10^e or digits / 10^-e: both operands are exact doubles, so the one rounding
 * of the machine gives the correctly rounded result (Clinger 1990). All others take a slow path.
 *
 * Times never pass through a double: decimal seconds become whole nanoseconds digit by digit.
 *
 * The scanners read until a byte that is no part of a number; the caller guarantees that such a
 * byte follows (windows are padded). They return the place behind the number, or NULL when the text
 * is not a number they accept. */
#ifndef TAC_TRACE_NUMBER_H
#define TAC_TRACE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times lie within 146 years of 0, so that the difference of two never overflows. */
#define TRACE_TIME_MAX (INT64_MAX / 2)

extern const double trace_powers[23];          /* 10^0 .. 10^22 */
extern const int64_t trace_integer_powers[10]; /* 10^0 .. 10^9 */

/* Anything strtod reads in decimal that is finite; token from `text` up to the scanned end. */
const char *trace_number_slow(const char *text, double *out);
/* Seconds in any decimal form to nanoseconds, rounded to the nearest. */
const char *trace_seconds_slow(const char *text, int64_t *out);
/* The same for a number that counts units of `scale` nanoseconds (a power of ten up to 10^9). */
const char *trace_scaled_time(const char *text, int64_t scale, int64_t *out);

static inline unsigned digit_of(char c)
{
    return (unsigned)(unsigned char)c - '0';
}

static inline const char *scan_number(const char *text, double *out)
{
    const char *at = text;
    bool negative = *at == '-';
    at += negative;
    uint64_t digits = 0;
    unsigned digit;
    const char *first = at;
    for (; (digit = digit_of(*at)) < 10; at++)
        digits = digits * 10 + digit;
    size_t count = (size_t)(at - first);
    size_t fraction = 0;
    if (*at == '.') {
        const char *point = ++at;
        for (; (digit = digit_of(*at)) < 10; at++)
            digits = digits * 10 + digit;
        fraction = (size_t)(at - point);
    }
    if (__builtin_expect(!count || count + fraction > 19 || digits >> 53 || (*at | 32) == 'e', 0))
        return trace_number_slow(text, out);
    double value = (double)digits / trace_powers[fraction]; /* also by 1: no branch to guess */
    *out = negative ? -value : value;
    return at;
}

static inline const char *scan_seconds(const char *text, int64_t *out)
{
    const char *at = text;
    bool negative = *at == '-';
    at += negative;
    uint64_t digits = 0;
    unsigned digit;
    const char *first = at;
    for (; (digit = digit_of(*at)) < 10; at++)
        digits = digits * 10 + digit;
    size_t count = (size_t)(at - first);
    size_t fraction = 0;
    if (*at == '.') {
        const char *point = ++at;
        for (; (digit = digit_of(*at)) < 10; at++)
            digits = digits * 10 + digit;
        fraction = (size_t)(at - point);
    }
    if (!count || count > 10 || fraction > 9 || *at == 'e' || *at == 'E')
        return trace_seconds_slow(text, out);
    uint64_t value = digits * (uint64_t)trace_integer_powers[9 - fraction]; /* below 10^19 < 2^64 */
    if (value > TRACE_TIME_MAX)
        return NULL;
    *out = negative ? -(int64_t)value : (int64_t)value;
    return at;
}

#endif
