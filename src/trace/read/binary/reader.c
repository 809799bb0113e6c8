/* The binary format (trace/read/binary/format.h). A chunk is taken whole, its checksum compared,
 * and its segments decoded (segment.h) straight into the source's columns; every length is checked
 * against the chunk before it is believed. */
#include "base/io/json.h"
#include "trace/read/binary/format.h"
#include "trace/read/binary/segment.h"
#include "trace/read/jsonl/header.h"
#include "trace/trace.h"
#include <zstd.h>

struct binary {
    uint64_t offset; /* of the next chunk in the file, for messages */
    bool saw_end;
    uint32_t *ids; /* the file's symbol ids to the source's */
    size_t id_count, id_capacity;
    char *unpacked; /* of a packed block; lives as long as the block */
    size_t unpacked_capacity;
};

struct chunk {
    uint32_t kind, size;
    const char *payload;
};

static int sniff(const struct trace_probe *probe)
{
    return probe->size >= 8 && !memcmp(probe->head, BINARY_MAGIC, 8) ? 2 : 0;
}

static tac_status bad(const tac_trace_source *source, tac_error *err, const char *what)
{
    const struct binary *binary = source->reader;
    return source_fail(source, err, TAC_E_INPUT, 0, 0, "at byte %llu: %s",
                       (unsigned long long)binary->offset, what);
}

/* The next chunk, consumed; *end when the input has ended between two chunks. */
static tac_status next_chunk(tac_trace_source *source, struct chunk *chunk, bool *end,
                             tac_error *err)
{
    struct trace_window *window = &source->window;
    struct binary *binary = source->reader;
    tac_status status = window_need(window, 8, err);
    if (status)
        return status;
    *end = window->begin == window->end;
    if (*end)
        return TAC_OK;
    if (window->end - window->begin < 8)
        return bad(source, err, "the file is cut in the head of a chunk");
    chunk->kind = read_u32(window->data + window->begin);
    chunk->size = read_u32(window->data + window->begin + 4);
    if (chunk->size % 8 || chunk->size > BINARY_CHUNK_MAX)
        return bad(source, err, "the size of a chunk is wrong; the file is damaged");
    size_t whole = 8 + (size_t)chunk->size + 8;
    if ((status = window_need(window, whole, err)))
        return status;
    if (window->end - window->begin < whole)
        return bad(source, err, "the file is cut in the middle of a chunk");
    chunk->payload = window->data + window->begin + 8;
    if (binary_checksum(chunk->payload, chunk->size, chunk->kind) !=
        read_u64(chunk->payload + chunk->size))
        return bad(source, err, "the checksum differs; the file is damaged");
    window->begin += whole;
    binary->offset += whole;
    return TAC_OK;
}

/* The source's ids are the file's as long as no name came twice, so usually only the range is
 * checked. */
static bool translate_ids(const struct binary *binary, uint32_t *ids, size_t count)
{
    uint32_t most = 0; /* id + 1; "no value" wraps to 0 */
    for (size_t i = 0; i < count; i++)
        most = ids[i] + 1 > most ? ids[i] + 1 : most;
    if (most > binary->id_count)
        return false;
    if (!binary->ids)
        return true;
    for (size_t i = 0; i < count; i++)
        if (ids[i] != TAC_TRACE_NO_SYMBOL)
            ids[i] = binary->ids[ids[i]];
    return true;
}

/* Unknown numbers carry ids, too. */
static void translate_reasons(const struct binary *binary, struct trace_column *column,
                              size_t count)
{
    if (column->borrowed)
        memcpy(column->numbers, column->borrowed, count * sizeof *column->numbers);
    column->borrowed = NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t reason = tac_trace_unknown_reason(column->numbers[i]);
        if (reason < binary->id_count)
            column->numbers[i] = tac_trace_unknown_number(binary->ids[reason]);
    }
}

static tac_status read_block(tac_trace_source *source, const struct chunk *chunk, tac_error *err)
{
    static const char damaged[] = "a block does not have the shape it says; the file is damaged";
    const struct binary *binary = source->reader;
    const char *at = chunk->payload + 8, *end = chunk->payload + chunk->size;
    if (chunk->size < 8)
        return bad(source, err, damaged);
    size_t count = read_u32(chunk->payload), variables = read_u32(chunk->payload + 4);
    struct segment segment;
    if (!count || count > TAC_TRACE_BLOCK_STATES || variables > source->columns.count ||
        !segment_next(&at, end, &segment))
        return bad(source, err, damaged);
    if (!segment_times(&segment, source->time, count, source->last_time))
        return bad(source, err, "time goes back in a block; the file is damaged");
    for (size_t i = 0; i < variables; i++) {
        struct trace_column *column = &source->columns.at[i];
        bool good = segment_next(&at, end, &segment) &&
                    (column->numbers ? segment_numbers(&segment, column, count)
                                     : segment_ids(&segment, column->symbols, count) &&
                                           translate_ids(binary, column->symbols, count));
        if (!good)
            return bad(source, err, damaged);
        if (column->numbers && binary->ids)
            translate_reasons(binary, column, count);
        column->filled = count;
    }
    if (at != end)
        return bad(source, err, damaged);
    source->count = count;
    source->last_time = source->time[count - 1];
    return TAC_OK;
}

static tac_status read_packed(tac_trace_source *source, const struct chunk *chunk, tac_error *err)
{
    struct binary *binary = source->reader;
    size_t size = chunk->size >= 8 ? read_u32(chunk->payload) : 0;
    if (!size || size % 8 || size > BINARY_CHUNK_MAX)
        return bad(source, err, "the size of a packed block is wrong; the file is damaged");
    if (binary->unpacked_capacity < size) {
        binary->unpacked = tac_realloc(binary->unpacked, size, 1);
        binary->unpacked_capacity = size;
    }
    /* Up to seven zero bytes follow the frame. */
    size_t frame = ZSTD_findFrameCompressedSize(chunk->payload + 8, chunk->size - 8);
    size_t got = ZSTD_isError(frame)
                     ? 0
                     : ZSTD_decompress(binary->unpacked, size, chunk->payload + 8, frame);
    if (got != size)
        return bad(source, err, "a packed block cannot be unpacked; the file is damaged");
    struct chunk inner = {.kind = BINARY_BLOK, .size = (uint32_t)size, .payload = binary->unpacked};
    return read_block(source, &inner, err);
}

static tac_status add_symbol(tac_trace_source *source, const char *text, size_t length,
                             tac_error *err)
{
    struct binary *binary = source->reader;
    uint32_t id;
    tac_status status = source_symbol_text(source, text, length, &id, err);
    if (status)
        return status;
    if (!binary->ids && id != binary->id_count) { /* from here on the ids differ: keep a table */
        binary->id_capacity = binary->id_count + 64;
        binary->ids = tac_realloc(NULL, binary->id_capacity, sizeof *binary->ids);
        for (uint32_t i = 0; i < binary->id_count; i++)
            binary->ids[i] = i;
    }
    if (binary->ids && binary->id_count == binary->id_capacity) {
        binary->id_capacity *= 2;
        binary->ids = tac_realloc(binary->ids, binary->id_capacity, sizeof *binary->ids);
    }
    if (binary->ids)
        binary->ids[binary->id_count] = id;
    binary->id_count++;
    return TAC_OK;
}

static tac_status read_symbols(tac_trace_source *source, const struct chunk *chunk, tac_error *err)
{
    static const char damaged[] = "a list of names is wrong; the file is damaged";
    if (chunk->size < 8)
        return bad(source, err, damaged);
    size_t count = read_u32(chunk->payload), left = chunk->size - 4;
    if (left / 4 < count)
        return bad(source, err, damaged);
    const char *lengths = chunk->payload + 4, *text = lengths + count * 4;
    left -= count * 4;
    for (size_t i = 0; i < count; i++) {
        size_t length = read_u32(lengths + i * 4);
        if (length > left)
            return bad(source, err, damaged);
        tac_status status = add_symbol(source, text, length, err);
        if (status)
            return status;
        text += length;
        left -= length;
    }
    return TAC_OK;
}

static tac_status read_variables(tac_trace_source *source, const struct chunk *chunk,
                                 tac_error *err)
{
    tac_json json;
    tac_status status = tac_json_parse(source->name, chunk->payload, chunk->size, &json, err);
    if (status)
        return status;
    status = header_variables(source, json.root, 0, err);
    tac_json_free(&json);
    return status;
}

static tac_status read_end(tac_trace_source *source, const struct chunk *chunk, tac_error *err)
{
    struct binary *binary = source->reader;
    if (chunk->size < 8 || read_u64(chunk->payload) != source->first + source->count)
        return bad(source, err,
                   "the end mark counts other states than there are; blocks are missing");
    binary->saw_end = true;
    tac_json json;
    tac_status status =
        tac_json_parse(source->name, chunk->payload + 8, chunk->size - 8, &json, err);
    if (status)
        return status;
    header_merge_meta(source, json.root);
    tac_json_free(&json);
    return TAC_OK;
}

static tac_status at_end(tac_trace_source *source, tac_error *err)
{
    const struct binary *binary = source->reader;
    source->ended = true;
    if (binary->saw_end)
        return TAC_OK;
    source->cut = true;
    return bad(source, err,
               "the file is cut: its end mark is missing; reading leniently takes what is there");
}

static tac_status read_chunk(tac_trace_source *source, tac_error *err)
{
    const struct binary *binary = source->reader;
    struct chunk chunk;
    bool end;
    tac_status status = next_chunk(source, &chunk, &end, err);
    if (status)
        return status;
    if (end)
        return at_end(source, err);
    if (binary->saw_end)
        return bad(source, err, "a chunk behind the end mark");
    switch (chunk.kind) {
    case BINARY_BLOK:
        return read_block(source, &chunk, err);
    case BINARY_ZBLK:
        return read_packed(source, &chunk, err);
    case BINARY_SYMS:
        return read_symbols(source, &chunk, err);
    case BINARY_VARS:
        return read_variables(source, &chunk, err);
    case BINARY_ENDS:
        status = read_end(source, &chunk, err);
        source->ended = source->window.follow;
        return status;
    default:
        return bad(source, err, "unknown kind of chunk; the file is damaged or newer than Tactus");
    }
}

/* Damage has no next row to go on with: lenient ends the trace there and counts it. */
static tac_status fill(tac_trace_source *source, tac_error *err)
{
    while (!source->count && !source->ended) {
        tac_error problem = {0};
        tac_status status = read_chunk(source, &problem);
        if (!status)
            continue;
        source->count = 0;
        if ((status = source_skip_or_fail(source, &problem, err)))
            return status;
        source->ended = true;
    }
    return TAC_OK;
}

static tac_status open_binary(tac_trace_source *source, tac_error *err)
{
    struct binary *binary = source->reader = tac_calloc(1, sizeof *binary);
    struct trace_window *window = &source->window;
    tac_status status = window_need(window, 16, err);
    if (status)
        return status;
    if (window->end - window->begin < 16 || memcmp(window->data, BINARY_MAGIC, 8))
        return bad(source, err, "not a binary trace: its first bytes are not \"TACTRACE\"");
    uint32_t version = read_u32(window->data + 8);
    if (version < 1 || version > BINARY_VERSION)
        return source_fail(source, err, TAC_E_INPUT, 0, 0,
                           "version %u of the binary format; this Tactus reads 1 to %d", version,
                           BINARY_VERSION);
    window->begin += 16;
    binary->offset = 16;
    struct chunk chunk;
    bool end, is_header, ends;
    if ((status = next_chunk(source, &chunk, &end, err)))
        return status;
    if (end || chunk.kind != BINARY_HEAD)
        return bad(source, err, "the header is missing; the file is cut or damaged");
    status = jsonl_read_header(source, chunk.payload, chunk.size, 0, &is_header, &ends, err);
    if (!status && !is_header)
        status = bad(source, err, "the header is wrong; the file is damaged");
    return status;
}

static void close_binary(tac_trace_source *source)
{
    struct binary *binary = source->reader;
    if (binary) {
        free(binary->ids);
        free(binary->unpacked);
    }
    free(binary);
}

const struct trace_format trace_format_binary = {
    .id = TRACE_BINARY,
    .endings = "|.tacb|",
    .sniff = sniff,
    .open = open_binary,
    .fill = fill,
    .close = close_binary,
};
