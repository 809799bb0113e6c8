/* Plain, gzip, xz and zstd files, files alone in a zip archive and standard input behind one read
 * call.
 *
 * raw bytes -> (unpacked | copied) -> the caller's buffer, or -> a line buffer for tac_input_line.
 * The format is told by the first bytes. */
#include "base/io/input.h"
#include "base/data/alloc.h"
#include "base/io/unpack.h"
#include "base/io/wrapped.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_START = 1 << 16 };

struct tac_input {
    struct raw_bytes raw;
    bool is_stream, ended;
    struct unpacker *unpacker; /* what is compressed as a whole, or */
    struct wrapped *wrapped;   /* the file in a zip archive; else NULL */
    char *line;                /* decoded bytes waiting for tac_input_line */
    size_t line_at, line_size, line_capacity, line_number;
};

static bool is_plain(const tac_input *input)
{
    return !input->unpacker && !input->wrapped;
}

static tac_status find_coding(tac_input *input, tac_error *err)
{
    tac_status status = unpacker_open(&input->raw, &input->unpacker, err);
    if (status != TAC_OK || input->unpacker || input->is_stream || input->raw.size < 4 ||
        memcmp(input->raw.bytes, "PK\3\4", 4) != 0)
        return status;
    status = wrapped_open(input->raw.name, &input->wrapped, err);
    if (input->wrapped)
        input->raw.read = wrapped_packed_size(input->wrapped);
    return status;
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
    raw_init(&input->raw, standard ? "<stdin>" : path, descriptor);
    input->is_stream = !S_ISREG(about.st_mode);
    tac_status status = find_coding(input, err);
    if (status == TAC_OK)
        *out = input;
    else
        tac_input_close(input);
    return status;
}

/* Large reads go straight to the caller. */
static tac_status read_direct(tac_input *input, void *buffer, size_t size, size_t *got,
                              tac_error *err)
{
    ssize_t count;
    do {
        count = read(input->raw.descriptor, buffer, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return tac_fail_errno(err, errno, input->raw.name, "cannot read");
    *got = (size_t)count;
    return TAC_OK;
}

static tac_status read_plain(tac_input *input, void *buffer, size_t size, size_t *got,
                             tac_error *err)
{
    struct raw_bytes *raw = &input->raw;
    if (raw->at == raw->size && !raw->end && size >= RAW_SIZE / 2)
        return read_direct(input, buffer, size, got, err);
    tac_status status = raw_need(raw, err);
    if (status != TAC_OK)
        return status;
    size_t ready = raw->size - raw->at;
    *got = ready < size ? ready : size;
    memcpy(buffer, raw->bytes + raw->at, *got);
    raw->at += *got;
    return TAC_OK;
}

tac_status tac_input_read(tac_input *input, void *buffer, size_t size, size_t *got, tac_error *err)
{
    *got = 0;
    if (input->ended || size == 0)
        return TAC_OK;
    tac_status status = input->unpacker
                            ? unpacker_read(input->unpacker, &input->raw, buffer, size, got, err)
                        : input->wrapped ? wrapped_read(input->wrapped, buffer, size, got, err)
                                         : read_plain(input, buffer, size, got, err);
    /* A plain file may grow while it is followed, so its end is not remembered. */
    if (status == TAC_OK && *got == 0) {
        input->ended = !is_plain(input);
        input->raw.end = !is_plain(input);
    }
    return status;
}

bool tac_input_was_replaced(const tac_input *input)
{
    struct stat opened, named;
    if (input->raw.descriptor == STDIN_FILENO || fstat(input->raw.descriptor, &opened) != 0 ||
        !S_ISREG(opened.st_mode) || stat(input->raw.name, &named) != 0)
        return false;
    return opened.st_dev != named.st_dev || opened.st_ino != named.st_ino ||
           opened.st_size < lseek(input->raw.descriptor, 0, SEEK_CUR);
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
    return tac_fail_at(err, TAC_E_LIMIT, input->raw.name, input->line_number + 1, 0,
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
    return input->raw.name;
}

bool tac_input_is_stream(const tac_input *input)
{
    return input->is_stream;
}

bool tac_input_wait(tac_input *input, int milliseconds)
{
    if (!input->is_stream || input->raw.at < input->raw.size)
        return true;
    struct pollfd waited = {.fd = input->raw.descriptor, .events = POLLIN};
    int ready = poll(&waited, 1, milliseconds);
    return ready != 0 && !(ready < 0 && errno == EINTR);
}

bool tac_input_expands(const tac_input *input, uint64_t bytes, uint64_t least, unsigned times)
{
    return !is_plain(input) && bytes > least && bytes / times > input->raw.read;
}

void tac_input_close(tac_input *input)
{
    if (!input)
        return;
    unpacker_close(input->unpacker);
    wrapped_close(input->wrapped);
    if (input->raw.descriptor != STDIN_FILENO)
        close(input->raw.descriptor);
    raw_free(&input->raw);
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
            status = tac_fail_at(err, TAC_E_LIMIT, input->raw.name, 0, 0,
                                 "larger than the limit of %zu bytes", max_size);
        else if (status == TAC_OK && tac_input_expands(input, used, (uint64_t)64 << 20, 100))
            status = tac_fail_at(err, TAC_E_LIMIT, input->raw.name, 0, 0,
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
