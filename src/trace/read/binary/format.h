/* The binary format: a magic, then chunks; numbers are little-endian.
 *
 *     file:  "TACTRACE" u32 version  u32 0   chunk*
 *     chunk: u32 kind  u32 size  payload (size bytes, a multiple of 8)  u64 checksum
 *
 *     HEAD   the JSON header of the JSON Lines format, padded with blanks; the first chunk
 *     VARS   {"NAME":{...}} variables that are declared later
 *     SYMS   u32 count, u32 length * count, the names' bytes, zero padding; ids count on
 *     BLOK   u32 states, u32 variables, then one segment for the time and one for each variable
 *     ZBLK   u32 size, u32 0, a BLOK payload of that size packed by zstd, zero padding; used where
 * it saves half ENDS   u64 states, late meta data as JSON padded with blanks; the last chunk
 *
 *     segment: u32 encoding  u32 size  data (size bytes, a multiple of 8)
 *
 * Version 1 has neither ZBLK nor the encodings from BINARY_DECIMAL on; both versions are read.
 *
 * Values are dense (the hold rule is already applied). A file without ENDS was cut; a flipped bit
 * changes a checksum. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the binary trace format is read and written on little-endian machines only"
#endif

#define BINARY_MAGIC "TACTRACE"
#define BINARY_VERSION 2
#define BINARY_CHUNK_MAX ((size_t)64 << 20)

#define BINARY_KIND(a, b, c, d)                                                                    \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum binary_chunk {
    BINARY_HEAD = BINARY_KIND('H', 'E', 'A', 'D'),
    BINARY_VARS = BINARY_KIND('V', 'A', 'R', 'S'),
    BINARY_SYMS = BINARY_KIND('S', 'Y', 'M', 'S'),
    BINARY_BLOK = BINARY_KIND('B', 'L', 'O', 'K'),
    BINARY_ZBLK = BINARY_KIND('Z', 'B', 'L', 'K'),
    BINARY_ENDS = BINARY_KIND('E', 'N', 'D', 'S')
};

/* Each kind of column uses the ones that fit it. */
enum binary_encoding {
    BINARY_RAW = 0,      /* i64, f64 or u32 for each state */
    BINARY_CONSTANT = 1, /* one f64 or u32 (padded) for all states */
    BINARY_DELTA32 =
        2,            /* time: i64 of the first state, then u32 steps for all states, the first 0 */
    BINARY_INT32 = 3, /* numbers that are whole and fit in i32 */
    BINARY_BYTE = 4,  /* symbols below 255; 255 = no value */
    BINARY_SHORT = 5, /* symbols below 65535; 65535 = no value */
    /* Numbers that are decimals: i64 first, u32 decimals, u32 width, then for each state the step
     * from the one before (the first 0), zigzag, in width (1, 2 or 4) bytes. The value is the sum
     * divided by 10^decimals, exactly. */
    BINARY_DECIMAL = 6,
    /* Time: i64 first, u32 nanoseconds of a step, u32 width, then steps as above, not zigzag. */
    BINARY_STEPS = 7
};

enum { BINARY_DECIMALS_MAX = 9 };

static inline double binary_power(unsigned decimals)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    return powers[decimals];
}

static inline size_t binary_pad(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Fletcher's checksum over 64-bit words in four lanes: sums, and sums of the sums, so that changed,
 * lost and exchanged words all show. It runs at the speed of memory. size is a multiple of 8. */
static inline uint64_t binary_checksum(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *at = data;
    uint64_t sums[4] = {seed, 0, 0, 0}, weighted[4] = {size, 0, 0, 0}, words[4];
    size_t left = size;
    for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
        memcpy(words, at, sizeof words);
        for (size_t k = 0; k < 4; k++) {
            sums[k] += words[k];
            weighted[k] += sums[k];
        }
    }
    memset(words, 0, sizeof words);
    memcpy(words, at, left);
    uint64_t result = 0;
    for (size_t k = 0; k < 4; k++) {
        sums[k] += words[k];
        weighted[k] += sums[k];
        result = (result ^ sums[k]) * 0x9e3779b97f4a7c15u;
        result = (result ^ result >> 29 ^ weighted[k]) * 0xd6e8feb86659fd93u;
    }
    return result ^ result >> 32;
}
