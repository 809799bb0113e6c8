/* Values of JSON Lines as the writers write them, straight into a column: part of the fast path of
 * jsonl.c, compiled into it once per scanner of decimals. */
#ifndef TAC_TRACE_JSONL_FAST_H
#define TAC_TRACE_JSONL_FAST_H

#include "trace/read/format.h"
#include "trace/read/number_wide.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* Scans a decimal; NULL: the slower scanner has to. */
typedef const char *decimal_scanner(const char *text, struct plain_decimal *out);

/* Writes one value; the place behind it, or NULL. */
ALWAYS_INLINE const char *fast_value(tac_trace_source *source, struct trace_column *column,
                                     const char *at, decimal_scanner *scan)
{
    size_t row = source->count;
    if (column->filled < row)
        source_fill(column, row);
    if (column->numbers) {
        struct plain_decimal decimal;
        const char *digits = at + (*at == '-'), *end = scan(at, &decimal);
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

ALWAYS_INLINE const char *fast_time(const char *at, int64_t *time, decimal_scanner *scan)
{
    struct plain_decimal decimal;
    const char *end = scan(at, &decimal);
    return end ? seconds_of_decimal(at, end, &decimal, time) : scan_seconds(at, time);
}

#endif
