/* Plain, gzip, xz and zstd files, files alone in a zip archive and standard input behind one read
 * call.
 *
 * raw bytes -> (inflate | lzma | zstd | copy) -> the caller's buffer, or -> a line buffer for
 * tac_input_line. The format is told by the first bytes; concatenated members are read through, as
 * gzip, xz and zstd themselves do. */
#include "base/io/input.h"
#include "base/data/alloc.h"
#include "base/io/pages.h"
#include "base/io/wrapped.h"
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { RAW_SIZE = 1 << 17, LINE_START = 1 << 16 };
static const uint64_t xz_memory_limit = (uint64_t)1 << 28;

enum coding { PLAIN, GZIP, XZ, ZSTD, ZIP };

struct tac_input {
    char *name;
    int descriptor;
    bool is_stream, raw_end, ended;
    enum coding coding;
    bool between_members; /* gzip, zstd: the next byte would start a new member */
    unsigned char *raw;
    size_t raw_at, raw_size;
    uint64_t raw_read; /* bytes of the file so far */
    z_stream gzip;
    lzma_stream xz;
    ZSTD_DStream *zstd;
    struct wrapped *wrapped; /* the file in a zip archive */
    char *line;              /* decoded bytes waiting for tac_input_line */
    size_t line_at, line_size, line_capacity, line_number;
};

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

static tac_status fill_raw(tac_input *input, tac_error *err)
{
    if (input->raw_at > 0) {
        memmove(input->raw, input->raw + input->raw_at, input->raw_size - input->raw_at);
        input->raw_size -= input->raw_at;
        input->raw_at = 0;
    }
    for (;;) {
        ssize_t got =
            read(input->descriptor, input->raw + input->raw_size, RAW_SIZE - input->raw_size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tac_fail_errno(err, errno, input->name, "cannot read");
        input->raw_size += (size_t)got;
        input->raw_read += (uint64_t)got;
        input->raw_end = got == 0;
        return TAC_OK;
    }
}

static tac_status detect_coding(tac_input *input, tac_error *err)
{
    static const unsigned char xz_magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    /* A pipe may deliver its first byte alone: read on while the start could still be a magic. */
    while (!input->raw_end && input->raw_size < 6 &&
           (input->raw_size == 0 || input->raw[0] == 0xfd || input->raw[0] == 0x1f ||
            (input->raw[0] == 0x28 && (input->raw_size == 1 || input->raw[1] == 0xb5)))) {
        tac_status status = fill_raw(input, err);
        if (status != TAC_OK)
            return status;
    }
    if (input->raw_size >= 2 && input->raw[0] == 0x1f && input->raw[1] == 0x8b) {
        input->coding = GZIP;
        if (inflateInit2(&input->gzip, 15 + 16) != Z_OK)
            tac_out_of_memory(RAW_SIZE);
    } else if (input->raw_size >= 6 && !memcmp(input->raw, xz_magic, 6)) {
        input->coding = XZ;
        input->xz.allocator = &xz_memory;
        if (lzma_stream_decoder(&input->xz, xz_memory_limit, LZMA_CONCATENATED) != LZMA_OK)
            tac_out_of_memory(RAW_SIZE);
    } else if (input->raw_size >= 4 && !memcmp(input->raw, zstd_magic, 4)) {
        input->coding = ZSTD;
        input->zstd = ZSTD_createDStream();
        if (!input->zstd)
            tac_out_of_memory(RAW_SIZE);
    } else if (input->raw_size >= 4 && !memcmp(input->raw, "PK\3\4", 4) && !input->is_stream) {
        tac_status status = wrapped_open(input->name, &input->wrapped, err);
        if (input->wrapped) {
            input->coding = ZIP;
            input->raw_read = wrapped_packed_size(input->wrapped);
        }
        return status;
    }
    return TAC_OK;
}

tac_status tac_input_open(const char *path, tac_input **out, tac_error *err)
{
    bool standard = !strcmp(path, "-");
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return tac_fail_errno(err, errno, path, "cannot open");
    struct stat about;
    if (!fstat(descriptor, &about) && S_ISDIR(about.st_mode)) {
        if (!standard)
            close(descriptor);
        return tac_fail_errno(err, EISDIR, path, "cannot read");
    }
    tac_input *input = tac_calloc(1, sizeof *input);
    input->name = tac_strdup(standard ? "<stdin>" : path);
    input->descriptor = descriptor;
    input->is_stream = !S_ISREG(about.st_mode);
    input->raw = tac_alloc(RAW_SIZE);
    tac_status status = detect_coding(input, err);
    if (status == TAC_OK)
        *out = input;
    else
        tac_input_close(input);
    return status;
}

static tac_status cut_short(tac_input *input, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, input->name, 0, 0,
                       "the compressed file is cut short; it ends before its end mark");
}

static tac_status read_gzip(tac_input *input, void *buffer, size_t size, size_t *got,
                            tac_error *err)
{
    input->gzip.next_out = buffer;
    input->gzip.avail_out = (uInt)(size < UINT32_MAX ? size : UINT32_MAX);
    size_t room = input->gzip.avail_out;
    while (input->gzip.avail_out == room) {
        if (input->raw_at == input->raw_size && !input->raw_end) {
            tac_status status = fill_raw(input, err);
            if (status != TAC_OK)
                return status;
        }
        if (input->raw_at == input->raw_size && input->raw_end) {
            if (!input->between_members)
                return cut_short(input, err);
            break;
        }
        if (input->between_members) {
            inflateReset(&input->gzip);
            input->between_members = false;
        }
        input->gzip.next_in = input->raw + input->raw_at;
        input->gzip.avail_in = (uInt)(input->raw_size - input->raw_at);
        int result = inflate(&input->gzip, Z_NO_FLUSH);
        input->raw_at = input->raw_size - input->gzip.avail_in;
        if (result == Z_STREAM_END)
            input->between_members = true;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            return tac_fail_at(err, TAC_E_INPUT, input->name, 0, 0, "damaged gzip data (%s)",
                               input->gzip.msg ? input->gzip.msg : "unknown");
    }
    *got = room - input->gzip.avail_out;
    return TAC_OK;
}

static tac_status read_xz(tac_input *input, void *buffer, size_t size, size_t *got, tac_error *err)
{
    input->xz.next_out = buffer;
    input->xz.avail_out = size;
    while (input->xz.avail_out == size) {
        if (input->raw_at == input->raw_size && !input->raw_end) {
            tac_status status = fill_raw(input, err);
            if (status != TAC_OK)
                return status;
        }
        input->xz.next_in = input->raw + input->raw_at;
        input->xz.avail_in = input->raw_size - input->raw_at;
        lzma_ret result = lzma_code(&input->xz, input->raw_end ? LZMA_FINISH : LZMA_RUN);
        input->raw_at = input->raw_size - input->xz.avail_in;
        if (result == LZMA_STREAM_END)
            break;
        if (result == LZMA_BUF_ERROR)
            return cut_short(input, err);
        if (result == LZMA_MEMLIMIT_ERROR)
            return tac_fail_at(err, TAC_E_LIMIT, input->name, 0, 0,
                               "this xz file needs over 256 MiB to decompress; "
                               "compress it again with a smaller preset");
        if (result != LZMA_OK)
            return tac_fail_at(err, TAC_E_INPUT, input->name, 0, 0, "damaged xz data");
    }
    *got = size - input->xz.avail_out;
    return TAC_OK;
}

static tac_status read_zstd(tac_input *input, void *buffer, size_t size, size_t *got,
                            tac_error *err)
{
    ZSTD_outBuffer out = {buffer, size, 0};
    while (out.pos == 0) {
        if (input->raw_at == input->raw_size && !input->raw_end) {
            tac_status status = fill_raw(input, err);
            if (status != TAC_OK)
                return status;
        }
        if (input->raw_at == input->raw_size && input->raw_end) {
            if (!input->between_members)
                return cut_short(input, err);
            break;
        }
        ZSTD_inBuffer in = {input->raw + input->raw_at, input->raw_size - input->raw_at, 0};
        size_t left = ZSTD_decompressStream(input->zstd, &out, &in);
        input->raw_at += in.pos;
        if (ZSTD_isError(left))
            return tac_fail_at(err, TAC_E_INPUT, input->name, 0, 0, "damaged zstd data (%s)",
                               ZSTD_getErrorName(left));
        input->between_members = left == 0;
    }
    *got = out.pos;
    return TAC_OK;
}

/* Large reads go straight to the caller. */
static tac_status read_direct(tac_input *input, void *buffer, size_t size, size_t *got,
                              tac_error *err)
{
    ssize_t count;
    do {
        count = read(input->descriptor, buffer, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return tac_fail_errno(err, errno, input->name, "cannot read");
    *got = (size_t)count;
    return TAC_OK;
}

static tac_status read_plain(tac_input *input, void *buffer, size_t size, size_t *got,
                             tac_error *err)
{
    if (input->raw_at == input->raw_size && !input->raw_end && size >= RAW_SIZE / 2)
        return read_direct(input, buffer, size, got, err);
    if (input->raw_at == input->raw_size && !input->raw_end) {
        tac_status status = fill_raw(input, err);
        if (status != TAC_OK)
            return status;
    }
    size_t ready = input->raw_size - input->raw_at;
    *got = ready < size ? ready : size;
    memcpy(buffer, input->raw + input->raw_at, *got);
    input->raw_at += *got;
    return TAC_OK;
}

tac_status tac_input_read(tac_input *input, void *buffer, size_t size, size_t *got, tac_error *err)
{
    *got = 0;
    if (input->ended || size == 0)
        return TAC_OK;
    tac_status status = input->coding == GZIP   ? read_gzip(input, buffer, size, got, err)
                        : input->coding == XZ   ? read_xz(input, buffer, size, got, err)
                        : input->coding == ZSTD ? read_zstd(input, buffer, size, got, err)
                        : input->coding == ZIP
                            ? wrapped_read(input->wrapped, buffer, size, got, err)
                            : read_plain(input, buffer, size, got, err);
    /* A plain file may grow while it is followed, so its end is not remembered. */
    if (status == TAC_OK && *got == 0) {
        input->ended = input->coding != PLAIN;
        input->raw_end = input->coding != PLAIN;
    }
    return status;
}

bool tac_input_was_replaced(const tac_input *input)
{
    struct stat opened, named;
    if (input->descriptor == STDIN_FILENO || fstat(input->descriptor, &opened) != 0 ||
        !S_ISREG(opened.st_mode) || stat(input->name, &named) != 0)
        return false;
    return opened.st_dev != named.st_dev || opened.st_ino != named.st_ino ||
           opened.st_size < lseek(input->descriptor, 0, SEEK_CUR);
}

static tac_status fill_line(tac_input *input, size_t *got, tac_error *err)
{
    if (input->line_at > 0) {
        memmove(input->line, input->line + input->line_at, input->line_size - input->line_at);
        input->line_size -= input->line_at;
        input->line_at = 0;
    }
    if (input->line_size + 1 >= input->line_capacity) {
        input->line_capacity = input->line_capacity ? input->line_capacity * 2 : LINE_START;
        input->line = tac_realloc(input->line, input->line_capacity, 1);
    }
    tac_status status = tac_input_read(input, input->line + input->line_size,
                                       input->line_capacity - input->line_size - 1, got, err);
    if (status == TAC_OK)
        input->line_size += *got;
    return status;
}

static tac_status too_long(tac_input *input, size_t max_length, tac_error *err)
{
    return tac_fail_at(err, TAC_E_LIMIT, input->name, input->line_number + 1, 0,
                       "a line is longer than %zu bytes", max_length);
}

tac_status tac_input_line(tac_input *input, size_t max_length, char **line, size_t *length,
                          tac_error *err)
{
    size_t searched = 0;
    for (;;) {
        char *start = input->line ? input->line + input->line_at : NULL;
        size_t ready = input->line_size - input->line_at;
        char *end = ready > searched ? memchr(start + searched, '\n', ready - searched) : NULL;
        size_t span = end ? (size_t)(end - start) : ready;
        if (span > max_length + 1)
            return too_long(input, max_length, err);
        if (!end) {
            size_t got;
            tac_status status = fill_line(input, &got, err);
            if (status != TAC_OK)
                return status;
            searched = ready;
            if (got)
                continue;
            if (!ready) {
                *line = NULL;
                *length = 0;
                return TAC_OK;
            }
            start = input->line + input->line_at;
        }
        input->line_at += span + (end ? 1 : 0);
        if (span && start[span - 1] == '\r')
            span--;
        if (span > max_length)
            return too_long(input, max_length, err);
        start[span] = '\0';
        input->line_number++;
        *line = start;
        *length = span;
        return TAC_OK;
    }
}

size_t tac_input_line_number(const tac_input *input)
{
    return input->line_number;
}

const char *tac_input_name(const tac_input *input)
{
    return input->name;
}

bool tac_input_is_stream(const tac_input *input)
{
    return input->is_stream;
}

bool tac_input_wait(tac_input *input, int milliseconds)
{
    if (!input->is_stream || input->raw_at < input->raw_size)
        return true;
    struct pollfd waited = {.fd = input->descriptor, .events = POLLIN};
    int ready = poll(&waited, 1, milliseconds);
    return ready != 0 && !(ready < 0 && errno == EINTR);
}

bool tac_input_expands(const tac_input *input, uint64_t bytes, uint64_t least, unsigned times)
{
    return input->coding != PLAIN && bytes > least && bytes / times > input->raw_read;
}

void tac_input_close(tac_input *input)
{
    if (!input)
        return;
    if (input->coding == GZIP)
        inflateEnd(&input->gzip);
    if (input->coding == XZ)
        lzma_end(&input->xz);
    ZSTD_freeDStream(input->zstd); /* NULL is fine */
    wrapped_close(input->wrapped);
    if (input->descriptor != STDIN_FILENO)
        close(input->descriptor);
    free(input->name);
    free(input->raw);
    free(input->line);
    free(input);
}

tac_status tac_input_slurp(const char *path, size_t max_size, char **data, size_t *size,
                           tac_error *err)
{
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status != TAC_OK)
        return status;
    size_t capacity = RAW_SIZE, used = 0, got = 0;
    char *content = tac_alloc(capacity);
    do {
        if (used + 1 >= capacity) {
            capacity *= 2;
            content = tac_realloc(content, capacity, 1);
        }
        status = tac_input_read(input, content + used, capacity - used - 1, &got, err);
        used += got;
        if (status == TAC_OK && used > max_size)
            status = tac_fail_at(err, TAC_E_LIMIT, input->name, 0, 0,
                                 "larger than the limit of %zu bytes", max_size);
        else if (status == TAC_OK && tac_input_expands(input, used, (uint64_t)64 << 20, 100))
            status = tac_fail_at(err, TAC_E_LIMIT, input->name, 0, 0,
                                 "expands to over 100 times its compressed size, which is over the "
                                 "limit for files of over 64 MiB");
    } while (status == TAC_OK && got);
    tac_input_close(input);
    if (status != TAC_OK) {
        free(content);
        return status;
    }
    content[used] = '\0';
    *data = content;
    *size = used;
    return TAC_OK;
}
