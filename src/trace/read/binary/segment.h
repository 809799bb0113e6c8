/* Segments of a block of the binary format (trace/read/binary/format.h): one column each, in one of
 * several encodings, decoded straight into the source's arrays. Every function returns false where
 * a segment does not have the shape that it says; its length is checked before anything of it is
 * read. */
#pragma once

#include "trace/read/format.h"
#include <string.h>

static inline uint32_t read_u32(const char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint64_t read_u64(const char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

struct segment {
    uint32_t encoding, size;
    const char *data;
};

/* The segment at *at, which is moved behind it. */
bool segment_next(const char **at, const char *end, struct segment *segment);
/* Times that do not go back, from last on. */
bool segment_times(const struct segment *segment, int64_t *time, size_t count, int64_t last);
bool segment_numbers(const struct segment *segment, struct trace_column *column, size_t count);
/* Ids of the file, not yet those of the source. There is room for count rounded up to eight. */
bool segment_ids(const struct segment *segment, uint32_t *ids, size_t count);
