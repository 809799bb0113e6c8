/* The binary format (trace/read/binary/format.h): states are gathered in columns and written a
 * block at a time, each column in the smallest encoding that is exact for this block. */
#include "base/io/json.h"
#include "trace/read/binary/format.h"
#include "trace/read/jsonl/header.h"
#include "trace/write/writer.h"
#include <math.h>
#include <zstd.h>

struct binary_column {
    double *numbers;
    uint32_t *symbols;
};

enum { SYMBOLS_PER_CHUNK = 8 << 20 }; /* bytes */

struct binary_out {
    TAC_VEC(struct binary_column) columns;
    int64_t *time;
    size_t count;           /* states gathered */
    size_t declared;        /* variables already in the file */
    size_t symbols_written; /* symbols already in the file */
    tac_str chunk;
};

static void add_u32(tac_str *chunk, uint32_t value)
{
    tac_str_add_bytes(chunk, (const char *)&value, sizeof value);
}

static void add_u64(tac_str *chunk, uint64_t value)
{
    tac_str_add_bytes(chunk, (const char *)&value, sizeof value);
}

static void add_padding(tac_str *chunk, char with)
{
    while (chunk->length % 8)
        tac_str_add_char(chunk, with);
}

static void write_chunk(tac_trace_writer *writer, enum binary_chunk kind)
{
    struct binary_out *out = writer->own;
    uint32_t head[2] = {kind, (uint32_t)out->chunk.length};
    uint64_t sum = binary_checksum(tac_str_text(&out->chunk), out->chunk.length, kind);
    fwrite(head, 1, sizeof head, writer->out);
    fwrite(tac_str_text(&out->chunk), 1, out->chunk.length, writer->out);
    fwrite(&sum, 1, sizeof sum, writer->out);
    tac_str_clear(&out->chunk);
}

static void add_json(tac_str *chunk, json_t *object)
{
    char *text = tac_json_text(object, JSON_COMPACT);
    tac_str_add(chunk, text);
    add_padding(chunk, ' ');
    free(text);
    json_decref(object);
}

static void open_binary(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own = tac_calloc(1, sizeof *out);
    out->time = tac_alloc(TAC_TRACE_BLOCK_STATES * sizeof *out->time);
}

static void header(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    uint32_t version[2] = {BINARY_VERSION, 0};
    fwrite(BINARY_MAGIC, 1, 8, writer->out);
    fwrite(version, 1, sizeof version, writer->out);
    add_json(&out->chunk,
             header_object(writer->variables.at, writer->variables.count, writer->meta));
    write_chunk(writer, BINARY_HEAD);
    out->declared = writer->variables.count;
}

/* --- Segments --------------------------------------------------------------------------------- */

static void segment_head(tac_str *chunk, enum binary_encoding encoding, size_t size)
{
    add_u32(chunk, encoding);
    add_u32(chunk, (uint32_t)binary_pad(size));
}

/* Bytes that hold the number: 1, 2, 4, or 8 for too many. */
static unsigned width_of(uint64_t most)
{
    return most < 256 ? 1 : most < 65536 ? 2 : most <= UINT32_MAX ? 4 : 8;
}

static void add_narrow(tac_str *chunk, uint64_t value, unsigned width)
{
    tac_str_add_bytes(chunk, (const char *)&value, width);
}

/* The longest power of ten, up to a second, that divides every step; *most is the longest step. */
static uint32_t common_step(const int64_t *time, size_t count, uint64_t *most)
{
    uint32_t unit = 1000000000;
    *most = 0;
    for (size_t i = 1; i < count; i++) {
        uint64_t step = (uint64_t)time[i] - (uint64_t)time[i - 1];
        *most = step > *most ? step : *most;
        while (step % unit)
            unit /= 10;
    }
    return unit;
}

static void add_time(tac_str *chunk, const int64_t *time, size_t count)
{
    uint64_t most;
    uint32_t unit = common_step(time, count, &most);
    unsigned width = width_of(most / unit);
    if (width < 4) {
        segment_head(chunk, BINARY_STEPS, 16 + count * width);
        add_u64(chunk, (uint64_t)time[0]);
        add_u32(chunk, unit);
        add_u32(chunk, width);
        for (size_t i = 0; i < count; i++)
            add_narrow(chunk, i ? ((uint64_t)time[i] - (uint64_t)time[i - 1]) / unit : 0, width);
        add_padding(chunk, '\0');
        return;
    }
    if (most > UINT32_MAX) {
        segment_head(chunk, BINARY_RAW, count * 8);
        tac_str_add_bytes(chunk, (const char *)time, count * 8);
        return;
    }
    segment_head(chunk, BINARY_DELTA32, 8 + count * 4);
    add_u64(chunk, (uint64_t)time[0]);
    for (size_t i = 0; i < count; i++)
        add_u32(chunk, i ? (uint32_t)(time[i] - time[i - 1]) : 0);
    add_padding(chunk, '\0');
}

static bool same_bits(double a, double b)
{
    return !memcmp(&a, &b, sizeof a);
}

static bool fits_int32(double value)
{
    return value >= INT32_MIN && value <= INT32_MAX && same_bits(value, (double)(int32_t)value);
}

/* The integer n with n / 10^decimals equal to the value in every bit; false when there is none. */
static bool scaled(double value, unsigned decimals, int64_t *out)
{
    double power = binary_power(decimals), product = value * power;
    if (!(product > -9007199254740992.0 && product < 9007199254740992.0))
        return false;
    *out = (int64_t)llround(product);
    return same_bits((double)*out / power, value);
}

/* The least decimals that all numbers have; BINARY_DECIMALS_MAX + 1 when there are too many. */
static unsigned common_decimals(const double *numbers, size_t count)
{
    unsigned decimals = 0;
    int64_t ignored;
    for (size_t i = 0; i < count; i++)
        while (decimals <= BINARY_DECIMALS_MAX && !scaled(numbers[i], decimals, &ignored))
            decimals++;
    /* More decimals may round another way for a number that was looked at before. */
    for (size_t i = 0; i < count && decimals <= BINARY_DECIMALS_MAX; i++)
        if (!scaled(numbers[i], decimals, &ignored))
            return BINARY_DECIMALS_MAX + 1;
    return decimals;
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/* False when the numbers are not decimals, or their steps too wide to be worth it. */
static bool add_decimals(tac_str *chunk, const double *numbers, size_t count)
{
    unsigned decimals = common_decimals(numbers, count);
    int64_t before = 0, now, first = 0;
    uint64_t most = 0;
    if (decimals > BINARY_DECIMALS_MAX)
        return false;
    for (size_t i = 0; i < count; i++, before = now) {
        scaled(numbers[i], decimals, &now);
        first = i ? first : now;
        most |= i ? zigzag(now - before) : 0;
    }
    unsigned width = width_of(most);
    if (width > 4)
        return false;
    segment_head(chunk, BINARY_DECIMAL, 16 + count * width);
    add_u64(chunk, (uint64_t)first);
    add_u32(chunk, decimals);
    add_u32(chunk, width);
    before = first;
    for (size_t i = 0; i < count; i++, before = now) {
        scaled(numbers[i], decimals, &now);
        add_narrow(chunk, zigzag(now - before), width);
    }
    add_padding(chunk, '\0');
    return true;
}

static void add_numbers(tac_str *chunk, const double *numbers, size_t count)
{
    bool constant = true, whole = true;
    for (size_t i = 0; i < count; i++) {
        constant = constant && same_bits(numbers[i], numbers[0]);
        whole = whole && fits_int32(numbers[i]);
    }
    if (!constant && add_decimals(chunk, numbers, count))
        return;
    if (constant) {
        segment_head(chunk, BINARY_CONSTANT, 8);
        tac_str_add_bytes(chunk, (const char *)numbers, 8);
    } else if (whole) {
        segment_head(chunk, BINARY_INT32, count * 4);
        for (size_t i = 0; i < count; i++)
            add_u32(chunk, (uint32_t)(int32_t)numbers[i]);
        add_padding(chunk, '\0');
    } else {
        segment_head(chunk, BINARY_RAW, count * 8);
        tac_str_add_bytes(chunk, (const char *)numbers, count * 8);
    }
}

static void add_symbols(tac_str *chunk, const uint32_t *symbols, size_t count)
{
    bool constant = true;
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        constant = constant && symbols[i] == symbols[0];
        if (symbols[i] != TAC_TRACE_NO_SYMBOL && symbols[i] > most)
            most = symbols[i];
    }
    if (constant) {
        segment_head(chunk, BINARY_CONSTANT, 8);
        add_u32(chunk, symbols[0]);
    } else if (most < 255) {
        segment_head(chunk, BINARY_BYTE, count);
        for (size_t i = 0; i < count; i++)
            tac_str_add_char(chunk, (char)symbols[i]); /* no value ends in 255 */
    } else if (most < 65535) {
        segment_head(chunk, BINARY_SHORT, count * 2);
        for (size_t i = 0; i < count; i++) {
            uint16_t low = (uint16_t)symbols[i];
            tac_str_add_bytes(chunk, (const char *)&low, 2);
        }
    } else {
        segment_head(chunk, BINARY_RAW, count * 4);
        tac_str_add_bytes(chunk, (const char *)symbols, count * 4);
    }
    add_padding(chunk, '\0');
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void write_new_symbols(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    const tac_names *symbols = &writer->symbols;
    while (out->symbols_written < symbols->count) { /* long texts fill several chunks */
        size_t first = out->symbols_written, end = first, size = 0;
        while (end < symbols->count && (end == first || size < SYMBOLS_PER_CHUNK))
            size += symbols->length[end++] + 4;
        add_u32(&out->chunk, (uint32_t)(end - first));
        for (size_t i = first; i < end; i++)
            add_u32(&out->chunk, (uint32_t)symbols->length[i]);
        for (size_t i = first; i < end; i++)
            tac_str_add_bytes(&out->chunk, symbols->text[i], symbols->length[i]);
        add_padding(&out->chunk, '\0');
        write_chunk(writer, BINARY_SYMS);
        out->symbols_written = end;
    }
}

static void write_new_variables(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    if (out->declared == writer->variables.count)
        return;
    json_t *variables = json_object();
    for (; out->declared < writer->variables.count; out->declared++) {
        const tac_trace_variable *variable = &writer->variables.at[out->declared];
        json_object_set_new(variables, variable->name, header_variable_object(variable));
    }
    add_json(&out->chunk, variables);
    write_chunk(writer, BINARY_VARS);
}

/* Packs the block where that saves half: what is small already is read faster as it is. */
static bool pack_block(struct binary_out *out)
{
    size_t size = out->chunk.length, bound = ZSTD_compressBound(size);
    char *packed = tac_alloc(bound + 16);
    size_t used = ZSTD_compress(packed + 8, bound, tac_str_text(&out->chunk), size, 1);
    bool worth = !ZSTD_isError(used) && used + 16 <= size / 2;
    if (worth) {
        uint32_t head[2] = {(uint32_t)size, 0};
        memcpy(packed, head, sizeof head);
        tac_str_clear(&out->chunk);
        tac_str_add_bytes(&out->chunk, packed, used + 8);
        add_padding(&out->chunk, '\0');
    }
    free(packed);
    return worth;
}

static void write_block(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    if (!out->count)
        return;
    write_new_variables(writer);
    write_new_symbols(writer);
    add_u32(&out->chunk, (uint32_t)out->count);
    add_u32(&out->chunk, (uint32_t)out->columns.count);
    add_time(&out->chunk, out->time, out->count);
    for (size_t i = 0; i < out->columns.count; i++) {
        const struct binary_column *column = &out->columns.at[i];
        if (column->numbers)
            add_numbers(&out->chunk, column->numbers, out->count);
        else
            add_symbols(&out->chunk, column->symbols, out->count);
    }
    write_chunk(writer, pack_block(out) ? BINARY_ZBLK : BINARY_BLOK);
    out->count = 0;
}

/* A variable that is new in the middle of a block had no value before. */
static void add_missing_columns(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    while (out->columns.count < writer->variables.count) {
        struct binary_column column = {0};
        bool number = writer->variables.at[out->columns.count].kind == TAC_CONTINUOUS;
        if (number)
            column.numbers = tac_alloc(TAC_TRACE_BLOCK_STATES * sizeof *column.numbers);
        else
            column.symbols = tac_alloc(TAC_TRACE_BLOCK_STATES * sizeof *column.symbols);
        for (size_t i = 0; i < out->count; i++) {
            if (number)
                column.numbers[i] = NAN;
            else
                column.symbols[i] = TAC_TRACE_NO_SYMBOL;
        }
        tac_vec_push(&out->columns, column);
    }
}

static void state(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    add_missing_columns(writer);
    for (size_t i = 0; i < out->columns.count; i++) {
        const struct writer_value *value = &writer->values.at[i];
        struct binary_column *column = &out->columns.at[i];
        if (column->numbers)
            column->numbers[out->count] = value->set ? value->number : value->held_number;
        else
            column->symbols[out->count] = value->set ? value->symbol : value->held_symbol;
    }
    out->time[out->count++] = writer->time;
    if (out->count == TAC_TRACE_BLOCK_STATES)
        write_block(writer);
}

static void finish(tac_trace_writer *writer, const json_t *late_meta)
{
    struct binary_out *out = writer->own;
    write_block(writer);
    add_u64(&out->chunk, writer->states);
    add_json(&out->chunk, late_meta ? json_deep_copy(late_meta) : json_object());
    write_chunk(writer, BINARY_ENDS);
}

static void close_binary(tac_trace_writer *writer)
{
    struct binary_out *out = writer->own;
    for (size_t i = 0; i < out->columns.count; i++) {
        free(out->columns.at[i].numbers);
        free(out->columns.at[i].symbols);
    }
    tac_vec_free(&out->columns);
    tac_str_free(&out->chunk);
    free(out->time);
    free(out);
}

const struct writer_format writer_format_binary = {.name = "binary",
                                                   .late_variables = true,
                                                   .open = open_binary,
                                                   .header = header,
                                                   .state = state,
                                                   .finish = finish,
                                                   .close = close_binary};
