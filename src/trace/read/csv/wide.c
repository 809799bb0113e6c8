/* The widest path of the CSV reader: a row of at most 64 bytes is compared at once with the
 * separator, the line end and the point; the three bit masks tell where every cell and its point
 * are, and a number is made of the eight bytes before its point and the eight before its end. No
 * branch depends on how long the cells are, so rows of ever-changing layout cost the same. A row
 * laid out as the one before (equal masks) is converted by the masks and shifts of that one, which
 * were worked out once.
 *
 * A row that has anything else (a quote, a sign, an exponent, more digits) is left to csv.c's other
 * paths; what they give for a plain row is given here to the last bit: digits as an integer below
 * 2^53, divided once by an exact power of ten. Rows are read only where 16 bytes before and 64
 * bytes behind their start lie in the window. */
#include "trace/read/csv/wide.h"

#include "trace/text/number_wide.h"

#if defined(__x86_64__) && defined(__GNUC__)

enum { BEFORE = 16, WIDE_COLUMNS = 32 };

struct row_masks {
    uint64_t stops, points; /* separators and line ends; decimal points */
    uint64_t ends;          /* line ends alone */
};

#define WIDE_TARGET __attribute__((target("avx2,bmi,popcnt")))
#define WIDE_INLINE __attribute__((always_inline)) static inline

WIDE_TARGET static inline uint32_t equal_bytes(__m256i bytes, __m256i wanted)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, wanted));
}

/* Most rows are shorter than 32 bytes: then the second half is not looked at. */
WIDE_TARGET static inline struct row_masks look(const char *at, __m256i separator, __m256i end,
                                                __m256i point)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)at);
    struct row_masks masks = {.ends = equal_bytes(low, end)};
    masks.stops = equal_bytes(low, separator) | masks.ends;
    masks.points = equal_bytes(low, point);
    if (masks.ends)
        return masks;
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));
    masks.ends = (uint64_t)equal_bytes(high, end) << 32;
    masks.stops |= (uint64_t)equal_bytes(high, separator) << 32 | masks.ends;
    masks.points |= (uint64_t)equal_bytes(high, point) << 32;
    return masks;
}

/* The highest `count` bytes (0 .. 7) of a word. */
WIDE_INLINE uint64_t last_bytes(unsigned count)
{
    return ~(uint64_t)0 << (63 - 8 * count) << 1;
}

/* Eight digits as values, the first in the lowest byte, as a number; *bad collects what is no
 * digit. */
WIDE_INLINE uint64_t eight_digits(uint64_t word, uint64_t *bad)
{
    *bad |= (word | (word + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u;
    word = word * 10 + (word >> 8); /* pairs, fours, eight */
    return (uint32_t)(((word & 0x000000ff000000ffu) * 0x000f424000000064u +
                       (word >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >>
                      32);
}

/* The eight bytes before `end`, less the digit '0' each. */
WIDE_INLINE uint64_t bytes_before(const char *end)
{
    uint64_t word;
    memcpy(&word, end - 8, 8);
    return word ^ 0x3030303030303030u;
}

struct wide_number {
    uint64_t digits;
    unsigned fraction;
};

static const uint64_t tens[17] = {1,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  10000000000,
                                  100000000000,
                                  1000000000000,
                                  10000000000000,
                                  100000000000000,
                                  1000000000000000,
                                  10000000000000000};

/* Longer cells: the digits before the point and those behind it apart. */
WIDE_INLINE bool long_number(const char *at, unsigned whole, unsigned fraction, unsigned point,
                             unsigned end, struct wide_number *out)
{
    uint64_t bad = 0;
    if (whole > 16 || fraction > 8)
        return false;
    uint64_t low = bytes_before(at + point), rest = bytes_before(at + end);
    uint64_t digits = eight_digits(whole < 8 ? low & last_bytes(whole) : low, &bad);
    if (whole > 8) {
        uint64_t high = bytes_before(at + point - 8);
        digits += eight_digits(whole < 16 ? high & last_bytes(whole - 8) : high, &bad) * 100000000;
    }
    digits = digits * tens[fraction] +
             eight_digits(fraction < 8 ? rest & last_bytes(fraction) : rest, &bad);
    out->digits = digits;
    return !bad && digits >> 53 == 0 && whole + fraction <= 16;
}

/* The cell [start, end) of the row at `at`, with its point if it has one. False: not plain. */
WIDE_INLINE bool wide_number(const char *at, unsigned start, unsigned end, uint64_t points,
                             struct wide_number *out)
{
    uint64_t bad = 0;
    unsigned point = (unsigned)__builtin_ctzll((points >> start << start) | (uint64_t)1 << end);
    unsigned dotted = point < end, whole = point - start, fraction = end - point - dotted;
    out->fraction = fraction;
    if (__builtin_expect(whole == 0, 0))
        return false;
    if (__builtin_expect(end - start > 8, 0))
        return long_number(at, whole, fraction, point, end, out);
    /* at most eight bytes with the point: the digits before it move over its place */
    uint64_t word = bytes_before(at + end), behind = last_bytes(fraction);
    uint64_t before = (word & ~last_bytes(fraction + dotted)) >> (64 - 8 * (end - start))
                                                                     << (64 - 8 * (end - start));
    out->digits = eight_digits((word & behind) | before << 8 * dotted, &bad);
    return !bad;
}

/* One cell into its column; false: the row is not plain. */
WIDE_INLINE bool wide_cell(const struct csv_table *table, tac_trace_source *source,
                           const struct csv_column *column, const char *at, unsigned start,
                           unsigned end, uint64_t points, ptrdiff_t row, int64_t *time)
{
    struct wide_number number;
    if (column->role == CSV_SYMBOL) {
        uint32_t id = column->is_event ? TAC_TRACE_NO_SYMBOL : column->symbols[row - 1];
        tac_error ignored;
        if (start != end && (at[start] == ' ' || at[end - 1] == ' ' || at[start] == '"' ||
                             source_symbol_window(source, at + start, end - start, &id, &ignored)))
            return false;
        column->symbols[row] = id;
        return true;
    }
    if (start == end && column->role == CSV_NUMBER) {
        column->numbers[row] = column->numbers[row - 1];
        return true;
    }
    if (!wide_number(at, start, end, points, &number))
        return false;
    if (column->role == CSV_NUMBER) {
        column->numbers[row] = (double)number.digits / trace_powers[number.fraction];
        return true;
    }
    /* seconds: below 10^10 as in scan_seconds */
    if (table->time_scale != 1000000000 || number.digits >= 4000000000u * tens[number.fraction])
        return false;
    *time = (int64_t)(number.digits * tens[9 - number.fraction]);
    return true;
}

/* A row of any layout; false: something in it is not plain. */
WIDE_TARGET static bool any_row(const struct csv_table *table, tac_trace_source *source,
                                const char *at, uint64_t stops, uint64_t points, ptrdiff_t row,
                                int64_t *time)
{
    unsigned start = 0;
    size_t count = table->columns.count;
    for (size_t c = 0; c < count; c++, stops &= stops - 1) {
        unsigned end = (unsigned)__builtin_ctzll(stops);
        unsigned cell_end = c + 1 == count && end && at[end - 1] == '\r' ? end - 1 : end;
        if (!wide_cell(table, source, &table->columns.at[c], at, start, cell_end, points, row,
                       time))
            return false;
        start = end + 1;
    }
    return true;
}

/* What to do with one cell of a known layout. */
enum slot_kind {
    SLOT_EMPTY_EVENT,
    SLOT_EMPTY_SYMBOL,
    SLOT_EMPTY_NUMBER,
    SLOT_NUMBER, /* at most sixteen bytes with its point */
    SLOT_OTHER
};

struct wide_slot {
    enum slot_kind kind;
    bool is_time;
    unsigned start, end;
    unsigned char order[16]; /* which of the 16 bytes before `end` goes where; 0x80 = a zero */
    uint64_t scale;          /* of times: what makes nanoseconds */
    double power;
    const struct csv_column *column;
};

struct wide_layout {
    uint64_t stops, points;
    unsigned length;
    struct wide_slot slots[WIDE_COLUMNS];
};

static void plan_slot(const struct csv_table *table, struct wide_slot *slot, uint64_t points)
{
    const struct csv_column *column = slot->column;
    unsigned point = (unsigned)__builtin_ctzll((points >> slot->start << slot->start) |
                                               (uint64_t)1 << slot->end);
    unsigned dotted = point < slot->end, whole = point - slot->start;
    unsigned fraction = slot->end - point - dotted, size = slot->end - slot->start;
    slot->kind = SLOT_OTHER;
    slot->is_time = column->role == CSV_SECONDS;
    if (column->role == CSV_SYMBOL) {
        if (!size)
            slot->kind = column->is_event ? SLOT_EMPTY_EVENT : SLOT_EMPTY_SYMBOL;
        return;
    }
    if (!size && column->role == CSV_NUMBER)
        slot->kind = SLOT_EMPTY_NUMBER;
    if (!whole || size > 16 || fraction > 9 || (slot->is_time && table->time_scale != 1000000000) ||
        (slot->is_time && whole > 9))
        return;
    slot->kind = SLOT_NUMBER;
    /* the digits move to the right end, over the point */
    for (unsigned i = 0; i < 16; i++) {
        unsigned from_right = 15 - i, place = from_right + (from_right >= fraction ? dotted : 0);
        slot->order[i] = place < size ? (unsigned char)(15 - place) : 0x80;
    }
    slot->scale = slot->is_time ? tens[9 - fraction] : 1;
    slot->power = trace_powers[fraction];
}

static void plan_layout(const struct csv_table *table, struct wide_layout *layout, uint64_t stops,
                        uint64_t points)
{
    unsigned start = 0;
    layout->stops = stops;
    layout->points = points;
    for (size_t c = 0; c < table->columns.count; c++, stops &= stops - 1) {
        struct wide_slot *slot = &layout->slots[c];
        unsigned end = (unsigned)__builtin_ctzll(stops);
        *slot = (struct wide_slot){.start = start, .end = end, .column = &table->columns.at[c]};
        plan_slot(table, slot, points);
        start = layout->length = end + 1;
    }
}

/* The number whose last byte stands before `end`; *bad collects by how much bytes are no digits. */
WIDE_TARGET WIDE_INLINE uint64_t sixteen_digits(const char *end, __m128i order, __m128i *bad)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(end - 16));
    __m128i digits = _mm_shuffle_epi8(_mm_sub_epi8(bytes, zero), order);
    *bad = _mm_or_si128(*bad, _mm_subs_epu8(digits, nine));
    return wide_digits(digits);
}

/* A row of the known layout; false: something in it is not plain. */
WIDE_TARGET WIDE_INLINE bool known_row(const struct csv_table *table, tac_trace_source *source,
                                       const struct wide_layout *layout, size_t count,
                                       const char *at, ptrdiff_t row, int64_t *time)
{
    __m128i bad = _mm_setzero_si128();
    uint64_t large = 0;
    for (size_t c = 0; c < count; c++) {
        const struct wide_slot *slot = &layout->slots[c];
        const struct csv_column *column = slot->column;
        if (slot->kind == SLOT_NUMBER) {
            __m128i order = _mm_loadu_si128((const __m128i *)(const void *)slot->order);
            uint64_t digits = sixteen_digits(at + slot->end, order, &bad);
            large |= digits >> 53;
            if (slot->is_time)
                *time = (int64_t)(digits * slot->scale);
            else
                column->numbers[row] = (double)(int64_t)digits / slot->power;
        } else if (slot->kind == SLOT_EMPTY_EVENT) {
            column->symbols[row] = TAC_TRACE_NO_SYMBOL;
        } else if (!wide_cell(table, source, column, at, slot->start, slot->end, layout->points,
                              row, time)) {
            return false;
        }
    }
    return !large && _mm_testz_si128(bad, bad);
}

WIDE_TARGET static const char *rows_avx2(const struct csv_table *table, tac_trace_source *source,
                                         const char *at, const char *limit)
{
    size_t row = source->count;
    int64_t last_time = source->last_time;
    const size_t count = table->columns.count;
    const __m256i separator = _mm256_set1_epi8(table->separator);
    const __m256i end_byte = _mm256_set1_epi8('\n'), point = _mm256_set1_epi8('.');
    struct wide_layout layout = {.stops = 0};
    uint64_t last_stops = 0, last_points = 0;
    while (at < limit && row < TAC_TRACE_BLOCK_STATES) {
        struct row_masks masks = look(at, separator, end_byte, point);
        uint64_t inside = masks.ends ^ (masks.ends - 1); /* up to the first end */
        uint64_t stops = masks.stops & inside, points = masks.points & inside;
        int64_t time = 0;
        if (!masks.ends)
            break;
        unsigned length = (unsigned)__builtin_ctzll(masks.ends);
        if (stops == layout.stops && points == layout.points) {
            if (!known_row(table, source, &layout, count, at, (ptrdiff_t)row, &time))
                break;
        } else {
            if ((size_t)__builtin_popcountll(stops) != count ||
                !any_row(table, source, at, stops, points, (ptrdiff_t)row, &time))
                break;
            if (stops == last_stops && points == last_points && at[length - 1] != '\r')
                plan_layout(table, &layout, stops, points);
            last_stops = stops;
            last_points = points;
        }
        if (time < last_time)
            break;
        source->time[row++] = last_time = time;
        at += length + 1;
    }
    source->count = row;
    source->last_time = last_time;
    return at;
}

bool csv_wide_usable(const struct csv_table *table)
{
    for (size_t i = 0; i < table->columns.count; i++)
        if (table->columns.at[i].role == CSV_TYPED)
            return false;
    return table->columns.count <= WIDE_COLUMNS &&
           table->columns.at[table->time_column].role == CSV_SECONDS &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

const char *csv_wide_rows(const struct csv_table *table, tac_trace_source *source, const char *at,
                          const char *limit)
{
    /* the window is padded behind its end; before its start there is nothing */
    if (at - source->window.data < BEFORE)
        return at;
    return rows_avx2(table, source, at, limit);
}

#else

bool csv_wide_usable(const struct csv_table *table)
{
    (void)table;
    return false;
}

const char *csv_wide_rows(const struct csv_table *table, tac_trace_source *source, const char *at,
                          const char *limit)
{
    (void)table, (void)source, (void)limit;
    return at;
}

#endif
