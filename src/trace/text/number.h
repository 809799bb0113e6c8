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
#pragma once

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
/* A number too large for seconds may count since 1970, when that gives a time from 2001 to 2128:
 * the nanoseconds of its unit, and "milliseconds", "microseconds" or "nanoseconds"; 0 for any
 * other, such as one that counts nanoseconds since a phone was started. */
int64_t trace_epoch_scale(const char *text, const char **unit);

static inline unsigned digit_of(char c)
{
    return (unsigned)(unsigned char)c - '0';
}

/* The plain decimal at the start of a text: its digits as one number, and how many stand before and
 * after the point. The digits overflow past 19 of them. */
struct plain_decimal {
    uint64_t digits;
    size_t count, fraction;
    bool negative;
};

static inline const char *scan_decimal(const char *text, struct plain_decimal *out)
{
    const char *at = text;
    out->negative = *at == '-';
    at += out->negative;
    uint64_t digits = 0;
    unsigned digit;
    const char *first = at;
    for (; (digit = digit_of(*at)) < 10; at++)
        digits = digits * 10 + digit;
    out->count = (size_t)(at - first);
    out->fraction = 0;
    if (*at == '.') {
        const char *point = ++at;
        for (; (digit = digit_of(*at)) < 10; at++)
            digits = digits * 10 + digit;
        out->fraction = (size_t)(at - point);
    }
    out->digits = digits;
    return at;
}

/* The number that a scanned decimal is; `at` is behind it. */
static inline const char *number_of_decimal(const char *text, const char *at,
                                            const struct plain_decimal *decimal, double *out)
{
    if (__builtin_expect(!decimal->count || decimal->count + decimal->fraction > 19 ||
                             decimal->digits >> 53 || (*at | 32) == 'e',
                         0))
        return trace_number_slow(text, out);
    /* Also by 1: no branch to guess. */
    double value = (double)(int64_t)decimal->digits / trace_powers[decimal->fraction];
    *out = decimal->negative ? -value : value;
    return at;
}

static inline const char *seconds_of_decimal(const char *text, const char *at,
                                             const struct plain_decimal *decimal, int64_t *out)
{
    if (!decimal->count || decimal->count > 10 || decimal->fraction > 9 || (*at | 32) == 'e')
        return trace_seconds_slow(text, out);
    /* Below 10^19 < 2^64. */
    uint64_t value = decimal->digits * (uint64_t)trace_integer_powers[9 - decimal->fraction];
    if (value > TRACE_TIME_MAX)
        return NULL;
    *out = decimal->negative ? -(int64_t)value : (int64_t)value;
    return at;
}

static inline const char *scan_number(const char *text, double *out)
{
    struct plain_decimal decimal;
    const char *at = scan_decimal(text, &decimal);
    return number_of_decimal(text, at, &decimal, out);
}

static inline const char *scan_seconds(const char *text, int64_t *out)
{
    struct plain_decimal decimal;
    const char *at = scan_decimal(text, &decimal);
    return seconds_of_decimal(text, at, &decimal, out);
}
