/* Bytes of a file as they come, and gzip, xz and zstd undone. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RAW_SIZE = 1 << 17 };

/* What was read from a descriptor and not yet used: bytes[at .. size). */
struct raw_bytes {
    char *name; /* for messages */
    int descriptor;
    bool end; /* the last read brought nothing */
    unsigned char *bytes;
    size_t at, size;
    uint64_t read; /* of the file so far */
};

void raw_init(struct raw_bytes *raw, const char *name, int descriptor);
void raw_free(struct raw_bytes *raw); /* the descriptor stays open */
/* Reads where nothing is left; afterwards nothing is left only at the end. */
tac_status raw_need(struct raw_bytes *raw, tac_error *err);

struct unpacker;

/* Told by the first bytes; *out is NULL for what is not compressed so. */
tac_status unpacker_open(struct raw_bytes *raw, struct unpacker **out, tac_error *err);
/* 1 to size bytes, or *got = 0 at the end. Concatenated members are read through, as gzip, xz and
 * zstd themselves do. */
tac_status unpacker_read(struct unpacker *unpacker, struct raw_bytes *raw, void *buffer,
                         size_t size, size_t *got, tac_error *err);
void unpacker_close(struct unpacker *unpacker); /* NULL is fine */
