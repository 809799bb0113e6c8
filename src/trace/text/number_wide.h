/* Decimals without a branch on their length: sixteen bytes are compared with the digits at once,
 * the place of the point and of the end are counted from the mask, and a shuffle moves the digits
 * together. Lengths that change from number to number, which a loop over digits mispredicts, cost
 * nothing. Only for machines with AVX2 (wide_numbers_usable), and where sixteen bytes behind the
 * text can be read. */
#pragma once

#include "trace/text/number.h"
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define TAC_HAS_WIDE_NUMBERS 1
#define WIDE_NUMBER __attribute__((always_inline, target("avx2,bmi,popcnt"))) static inline

static inline bool wide_numbers_usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

/* Which byte of the text goes where, so that the digits stand at the right end without their point;
 * a negative place gives a zero. Both parts are pieces of fixed sequences. */
WIDE_NUMBER __m128i wide_order(unsigned whole, unsigned fraction)
{
    static const int8_t places[] = {-16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6,
                                    -5,  -4,  -3,  -2,  -1,  0,   1,   2,  3,  4,  5,
                                    6,   7,   8,   9,   10,  11,  12,  13, 14, 15};
    static const int8_t behind[] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i moved = _mm_loadu_si128((const __m128i *)(const void *)(places + whole + fraction));
    __m128i point = _mm_loadu_si128((const __m128i *)(const void *)(behind + fraction));
    return _mm_sub_epi8(moved, point);
}

/* Sixteen digits, as values, the last in the highest byte: they become pairs, fours and eights by
 * multiplying and adding neighbours. */
WIDE_NUMBER uint64_t wide_digits(__m128i digits)
{
    __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));
    fours = _mm_packus_epi32(fours, fours);
    uint64_t eights =
        (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(fours, _mm_set1_epi32(0x00012710)));
    return (eights & 0xffffffff) * 100000000 + (eights >> 32);
}

/* As scan_decimal, for at most fifteen bytes; NULL for longer ones. */
WIDE_NUMBER const char *wide_decimal(const char *text, struct plain_decimal *out)
{
    out->negative = *text == '-';
    text += out->negative;
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    unsigned others = ~(unsigned)_mm_movemask_epi8(digit) & 0xffff;
    if (__builtin_expect(!others, 0))
        return NULL;
    unsigned whole = (unsigned)__builtin_ctz(others);
    unsigned behind = others & (others - 1);
    bool dotted = text[whole] == '.';
    if (__builtin_expect(dotted && !behind, 0))
        return NULL;
    unsigned end = dotted ? (unsigned)__builtin_ctz(behind | 0x10000) : whole;
    unsigned fraction = dotted ? end - whole - 1 : 0;
    __m128i order = wide_order(whole, fraction);
    out->digits = wide_digits(_mm_shuffle_epi8(values, order));
    out->count = whole;
    out->fraction = fraction;
    return text + end;
}

/* A number without a sign in JSON's notation, of at most fifteen bytes: its digits, and the length
 * of all of it and of its fraction. False: the slower scanners have to look at it. */
WIDE_NUMBER bool wide_json_digits(const char *text, uint64_t *digits, unsigned *length,
                                  unsigned *fraction)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    unsigned others = ~(unsigned)_mm_movemask_epi8(digit) & 0xffff;
    unsigned whole = (unsigned)__builtin_ctz(others | 0x10000), end = whole;
    *fraction = 0;
    if (text[whole] == '.') {
        end = (unsigned)__builtin_ctz((others & (others - 1)) | 0x10000);
        *fraction = end - whole - 1;
        if (__builtin_expect(!*fraction, 0))
            return false;
    }
    bool zero = whole > 1 && *text == '0';
    if (__builtin_expect(!whole || end > 15 || zero || (text[end] | 32) == 'e', 0))
        return false;
    *digits = wide_digits(_mm_shuffle_epi8(values, wide_order(whole, *fraction)));
    *length = end;
    return true;
}

/* The place behind the number. Fifteen digits are fewer than 53 bits, so that one division rounds
 * correctly. */
WIDE_NUMBER const char *wide_json_number(const char *text, double *out)
{
    uint64_t digits;
    unsigned length, fraction;
    if (!wide_json_digits(text, &digits, &length, &fraction))
        return NULL;
    *out = (double)(int64_t)digits / trace_powers[fraction];
    return text + length;
}

WIDE_NUMBER const char *wide_json_seconds(const char *text, int64_t *out)
{
    uint64_t digits;
    unsigned length, fraction;
    if (!wide_json_digits(text, &digits, &length, &fraction) || fraction > 9 ||
        length - fraction - (fraction > 0) > 10)
        return NULL;
    uint64_t value = digits * (uint64_t)trace_integer_powers[9 - fraction]; /* below 2^64 */
    *out = (int64_t)value;
    return value <= TRACE_TIME_MAX ? text + length : NULL;
}

#else
static inline bool wide_numbers_usable(void)
{
    return false;
}
#endif
