/* Values of JSON Lines as the writers write them, straight into a column: part of the fast path of
 * jsonl.c, compiled into it once per scanner of decimals. */
#pragma once

#include "trace/read/format.h"
#include "trace/text/number_wide.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* Scans a decimal; NULL: the slower scanner has to. */
typedef const char *decimal_scanner(const char *text, struct plain_decimal *out);

/* Read numbers and times as JSON has them; NULL: the scanner of decimals has to. */
typedef const char *number_scanner(const char *text, double *out);
typedef const char *seconds_scanner(const char *text, int64_t *out);

struct jsonl_scanners {
    decimal_scanner *decimal;
    number_scanner *number;
    seconds_scanner *seconds;
};

/* Writes one value; the place behind it, or NULL. */
ALWAYS_INLINE const char *fast_value(tac_trace_source *source, struct trace_column *column,
                                     const char *at, const struct jsonl_scanners scan)
{
    size_t row = source->count;
    if (column->filled < row)
        source_fill(column, row);
    if (column->numbers) {
        const char *behind = scan.number(at, &column->numbers[row]);
        if (__builtin_expect(behind != NULL, 1))
            return behind;
        struct plain_decimal decimal;
        const char *digits = at + (*at == '-'), *end = scan.decimal(at, &decimal);
        end = end ? number_of_decimal(at, end, &decimal, &column->numbers[row])
                  : scan_number(at, &column->numbers[row]);
        bool json = digit_of(*digits) < 10 && !(*digits == '0' && digit_of(digits[1]) < 10);
        return json && end && end[-1] != '.' ? end : NULL;
    }
    const char *start = at + 1, *end = start;
    if (*at != '"' || column->is_list)
        return NULL;
    while (*end != '"' && *end != '\\' && (unsigned char)*end >= 0x20)
        end++;
    tac_error ignored;
    if (*end != '"' || end == start ||
        source_symbol_window(source, start, (size_t)(end - start), &column->symbols[row], &ignored))
        return NULL;
    return end + 1;
}

ALWAYS_INLINE const char *fast_time(const char *at, int64_t *time, const struct jsonl_scanners scan)
{
    struct plain_decimal decimal;
    const char *end = scan.seconds(at, time);
    if (__builtin_expect(end != NULL, 1))
        return end;
    end = scan.decimal(at, &decimal);
    return end ? seconds_of_decimal(at, end, &decimal, time) : scan_seconds(at, time);
}
