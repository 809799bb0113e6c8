/* The slow paths of number scanning; see number.h. */
#include "trace/text/number.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>

const double trace_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
const int64_t trace_integer_powers[10] = {1,      10,      100,      1000,      10000,
                                          100000, 1000000, 10000000, 100000000, 1000000000};

enum { LONGEST_NUMBER = 400 };

/* The length of [+-]digits[.digits][e[+-]digits] at text, or 0. */
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    const char *first = at;
    while (digit_of(*at) < 10)
        at++;
    size_t digits = (size_t)(at - first);
    if (*at == '.') {
        const char *point = ++at;
        while (digit_of(*at) < 10)
            at++;
        digits += (size_t)(at - point);
    }
    if (!digits)
        return 0;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1;
        exponent += *exponent == '-' || *exponent == '+';
        if (digit_of(*exponent) >= 10)
            return 0;
        while (digit_of(*exponent) < 10)
            exponent++;
        at = exponent;
    }
    return (size_t)(at - text);
}

const char *trace_number_slow(const char *text, double *out)
{
    size_t length = number_length(text);
    char token[LONGEST_NUMBER + 1];
    if (!length || length > LONGEST_NUMBER)
        return NULL;
    memcpy(token, text, length);
    token[length] = '\0';
    return tac_parse_double(token, out) ? text + length : NULL;
}

/* Digits without an exponent, in units of `scale` nanoseconds, rounded half up. */
static bool decimal_nanoseconds(const char *text, size_t length, int64_t scale, int64_t *out)
{
    const char *at = text, *end = text + length;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    int64_t value = 0;
    for (; at < end && *at != '.'; at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (int64_t)digit_of(*at), &value))
            return false;
    if (__builtin_mul_overflow(value, scale, &value))
        return false;
    at += at < end;
    for (; at < end && scale > 1; at++) {
        scale /= 10;
        if (__builtin_add_overflow(value, (int64_t)digit_of(*at) * scale, &value))
            return false;
    }
    if (at < end && digit_of(*at) >= 5 && __builtin_add_overflow(value, 1, &value))
        return false;
    *out = negative ? -value : value;
    return value <= TRACE_TIME_MAX;
}

const char *trace_scaled_time(const char *text, int64_t scale, int64_t *out)
{
    size_t length = number_length(text);
    if (!length || length > LONGEST_NUMBER)
        return NULL;
    if (!memchr(text, 'e', length) && !memchr(text, 'E', length))
        return decimal_nanoseconds(text, length, scale, out) ? text + length : NULL;
    double units;
    if (!trace_number_slow(text, &units) || !(fabs(units * (double)scale) <= 4.6e18))
        return NULL;
    *out = (int64_t)llround(units * (double)scale);
    return text + length;
}

int64_t trace_epoch_scale(const char *text, const char **unit)
{
    size_t digits = 0;
    while (digit_of(text[digits]) < 10)
        digits++;
    bool likely = *text >= '1' && *text <= '4' && (!text[digits] || !strchr("eE", text[digits]));
    switch (likely ? digits : 0) {
    case 13:
        return *unit = "milliseconds", 1000000;
    case 16:
        return *unit = "microseconds", 1000;
    case 19:
        return *unit = "nanoseconds", 1;
    default:
        return 0;
    }
}

const char *trace_seconds_slow(const char *text, int64_t *out)
{
    return trace_scaled_time(text, 1000000000, out);
}
