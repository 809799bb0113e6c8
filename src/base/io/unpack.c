/* See unpack.h. raw bytes -> (inflate | lzma | zstd) -> the caller's buffer. */
#include "base/io/unpack.h"
#include "base/data/alloc.h"
#include "base/io/pages.h"
#include <errno.h>
#include <lzma.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static const uint64_t xz_memory_limit = (uint64_t)1 << 28;

enum coding { GZIP, XZ, ZSTD };

struct unpacker {
    enum coding coding;
    bool between_members; /* gzip, zstd: the next byte would start a new member */
    z_stream gzip;
    lzma_stream xz;
    ZSTD_DStream *zstd;
};

/* --- Bytes as they come ----------------------------------------------------------------------- */

void raw_init(struct raw_bytes *raw, const char *name, int descriptor)
{
    *raw = (struct raw_bytes){
        .name = tac_strdup(name), .descriptor = descriptor, .bytes = tac_alloc(RAW_SIZE)};
}

void raw_free(struct raw_bytes *raw)
{
    free(raw->name);
    free(raw->bytes);
}

/* More behind what is left. */
static tac_status fill(struct raw_bytes *raw, tac_error *err)
{
    if (raw->at > 0) {
        memmove(raw->bytes, raw->bytes + raw->at, raw->size - raw->at);
        raw->size -= raw->at;
        raw->at = 0;
    }
    for (;;) {
        ssize_t got = read(raw->descriptor, raw->bytes + raw->size, RAW_SIZE - raw->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tac_fail_errno(err, errno, raw->name, "cannot read");
        raw->size += (size_t)got;
        raw->read += (uint64_t)got;
        raw->end = got == 0;
        return TAC_OK;
    }
}

tac_status raw_need(struct raw_bytes *raw, tac_error *err)
{
    return raw->at == raw->size && !raw->end ? fill(raw, err) : TAC_OK;
}

/* --- Which coding ----------------------------------------------------------------------------- */

static void *take_pages(void *context, size_t count, size_t size)
{
    (void)context;
    return tac_pages_take(count, size);
}

static void give_pages(void *context, void *pages)
{
    (void)context;
    tac_pages_give(pages);
}

/* A dictionary has up to 64 MB, of which a short file touches a few pages. */
static const lzma_allocator xz_memory = {.alloc = take_pages, .free = give_pages};

/* A pipe may deliver its first byte alone: read on while the start could still be a magic. */
static tac_status see_start(struct raw_bytes *raw, tac_error *err)
{
    tac_status status = TAC_OK;
    while (status == TAC_OK && !raw->end && raw->size < 6 &&
           (raw->size == 0 || raw->bytes[0] == 0xfd || raw->bytes[0] == 0x1f ||
            (raw->bytes[0] == 0x28 && (raw->size == 1 || raw->bytes[1] == 0xb5))))
        status = fill(raw, err);
    return status;
}

static bool find_coding(const struct raw_bytes *raw, enum coding *out)
{
    static const struct {
        enum coding coding;
        size_t length;
        unsigned char bytes[6];
    } magics[] = {{GZIP, 2, {0x1f, 0x8b}},
                  {XZ, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
                  {ZSTD, 4, {0x28, 0xb5, 0x2f, 0xfd}}};
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (raw->size >= magics[i].length &&
            !memcmp(raw->bytes, magics[i].bytes, magics[i].length)) {
            *out = magics[i].coding;
            return true;
        }
    return false;
}

tac_status unpacker_open(struct raw_bytes *raw, struct unpacker **out, tac_error *err)
{
    enum coding coding;
    *out = NULL;
    tac_status status = see_start(raw, err);
    if (status != TAC_OK || !find_coding(raw, &coding))
        return status;
    struct unpacker *unpacker = tac_calloc(1, sizeof *unpacker);
    unpacker->coding = coding;
    unpacker->xz.allocator = &xz_memory;
    bool ready = false;
    if (coding == GZIP)
        ready = inflateInit2(&unpacker->gzip, 15 + 16) == Z_OK;
    else if (coding == XZ)
        ready = lzma_stream_decoder(&unpacker->xz, xz_memory_limit, LZMA_CONCATENATED) == LZMA_OK;
    else
        ready = (unpacker->zstd = ZSTD_createDStream()) != NULL;
    if (!ready)
        tac_out_of_memory(RAW_SIZE);
    *out = unpacker;
    return TAC_OK;
}

void unpacker_close(struct unpacker *unpacker)
{
    if (!unpacker)
        return;
    if (unpacker->coding == GZIP)
        inflateEnd(&unpacker->gzip);
    if (unpacker->coding == XZ)
        lzma_end(&unpacker->xz);
    ZSTD_freeDStream(unpacker->zstd); /* NULL is fine */
    free(unpacker);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static tac_status cut_short(const struct raw_bytes *raw, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, raw->name, 0, 0,
                       "the compressed file is cut short; it ends before its end mark");
}

/* gzip, zstd: bytes to go on with; *ended: there are none, and none are missing. */
static tac_status need_member(struct unpacker *unpacker, struct raw_bytes *raw, bool *ended,
                              tac_error *err)
{
    tac_status status = raw_need(raw, err);
    *ended = status == TAC_OK && raw->at == raw->size;
    if (*ended && !unpacker->between_members)
        return cut_short(raw, err);
    return status;
}

static tac_status read_gzip(struct unpacker *unpacker, struct raw_bytes *raw, void *buffer,
                            size_t size, size_t *got, tac_error *err)
{
    z_stream *gzip = &unpacker->gzip;
    gzip->next_out = buffer;
    gzip->avail_out = (uInt)(size < UINT32_MAX ? size : UINT32_MAX);
    size_t room = gzip->avail_out;
    while (gzip->avail_out == room) {
        bool ended;
        tac_status status = need_member(unpacker, raw, &ended, err);
        if (status != TAC_OK)
            return status;
        if (ended)
            break;
        if (unpacker->between_members) {
            inflateReset(gzip);
            unpacker->between_members = false;
        }
        gzip->next_in = raw->bytes + raw->at;
        gzip->avail_in = (uInt)(raw->size - raw->at);
        int result = inflate(gzip, Z_NO_FLUSH);
        raw->at = raw->size - gzip->avail_in;
        if (result == Z_STREAM_END)
            unpacker->between_members = true;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            return tac_fail_at(err, TAC_E_INPUT, raw->name, 0, 0, "damaged gzip data (%s)",
                               gzip->msg ? gzip->msg : "unknown");
    }
    *got = room - gzip->avail_out;
    return TAC_OK;
}

static tac_status read_xz(struct unpacker *unpacker, struct raw_bytes *raw, void *buffer,
                          size_t size, size_t *got, tac_error *err)
{
    lzma_stream *xz = &unpacker->xz;
    xz->next_out = buffer;
    xz->avail_out = size;
    while (xz->avail_out == size) {
        tac_status status = raw_need(raw, err);
        if (status != TAC_OK)
            return status;
        xz->next_in = raw->bytes + raw->at;
        xz->avail_in = raw->size - raw->at;
        lzma_ret result = lzma_code(xz, raw->end ? LZMA_FINISH : LZMA_RUN);
        raw->at = raw->size - xz->avail_in;
        if (result == LZMA_STREAM_END)
            break;
        if (result == LZMA_BUF_ERROR)
            return cut_short(raw, err);
        if (result == LZMA_MEMLIMIT_ERROR)
            return tac_fail_at(err, TAC_E_LIMIT, raw->name, 0, 0,
                               "this xz file needs over 256 MiB to decompress; "
                               "compress it again with a smaller preset");
        if (result != LZMA_OK)
            return tac_fail_at(err, TAC_E_INPUT, raw->name, 0, 0, "damaged xz data");
    }
    *got = size - xz->avail_out;
    return TAC_OK;
}

static tac_status read_zstd(struct unpacker *unpacker, struct raw_bytes *raw, void *buffer,
                            size_t size, size_t *got, tac_error *err)
{
    ZSTD_outBuffer out = {buffer, size, 0};
    while (out.pos == 0) {
        bool ended;
        tac_status status = need_member(unpacker, raw, &ended, err);
        if (status != TAC_OK)
            return status;
        if (ended)
            break;
        ZSTD_inBuffer in = {raw->bytes + raw->at, raw->size - raw->at, 0};
        size_t left = ZSTD_decompressStream(unpacker->zstd, &out, &in);
        raw->at += in.pos;
        if (ZSTD_isError(left))
            return tac_fail_at(err, TAC_E_INPUT, raw->name, 0, 0, "damaged zstd data (%s)",
                               ZSTD_getErrorName(left));
        unpacker->between_members = left == 0;
    }
    *got = out.pos;
    return TAC_OK;
}

tac_status unpacker_read(struct unpacker *unpacker, struct raw_bytes *raw, void *buffer,
                         size_t size, size_t *got, tac_error *err)
{
    return unpacker->coding == GZIP ? read_gzip(unpacker, raw, buffer, size, got, err)
           : unpacker->coding == XZ ? read_xz(unpacker, raw, buffer, size, got, err)
                                    : read_zstd(unpacker, raw, buffer, size, got, err);
}
