/* Shared by the benchmarks of traces; see trace_bare.h. */
#include "trace_bare.h"
#include "tactus/trace.h"
#include "trace/read/binary/format.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

enum { PIECE = 256 * 1024 };

/* --- Making the trace ------------------------------------------------------------------------- */

void make_trace(const char *path, const char *format, uint64_t states)
{
    static const char *const events[] = {"StartPlaying", "skipNext", "Tap", "PausePlaying"};
    tac_trace_variable variables[] = {{"event", "", TAC_DISCRETE, false, TAC_VALUE_NAME},
                                      {"rxData", "kB", TAC_CONTINUOUS, false, TAC_VALUE_NAME}};
    FILE *file = fopen(path, "w");
    tac_trace_writer *writer;
    tac_error err;
    if (!file ||
        tac_trace_writer_new(file, strncmp(format, "csv", 3) ? format : "csv", NULL, &writer, &err))
        abort();
    for (int i = 0; i < 2; i++)
        tac_trace_writer_variable(writer, &variables[i]);
    uint64_t random = 88172645463325252u;
    int64_t time = 0, data = 2000;
    bool regular = !strcmp(format, "csv-regular");
    if (regular) { /* every row as long as the others: no digit is gained */
        time = (int64_t)100000 * 1000000000;
        data = 10000000;
    }
    for (uint64_t i = 0; i < states; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        time += (int64_t)(random % 20 + 1) * 1000000;
        data += (int64_t)(random >> 32) % 30;
        if (regular) { /* no zero at the end, which would not be written */
            time += time / 1000000 % 10 == 0 ? 1000000 : 0;
            data += data % 10 == 0;
        }
        tac_trace_writer_begin(writer, time);
        if (random % (regular ? 64 : 16) == 0)
            tac_trace_writer_symbol(writer, 0, events[random / 16 % 4]);
        tac_trace_writer_number(writer, 1, (double)data / 10);
        if (tac_trace_writer_end(writer, &err))
            abort();
    }
    if (tac_trace_writer_finish(writer, NULL, &err) || fclose(file))
        abort();
}

/* --- Bare ------------------------------------------------------------------------------------- */

struct piece {
    int file;
    char data[PIECE + 64];
    size_t begin, end;
};

/* Slides the rest to the front and reads on; false at the end. */
static bool more(struct piece *piece)
{
    memmove(piece->data, piece->data + piece->begin, piece->end - piece->begin);
    piece->end -= piece->begin;
    piece->begin = 0;
    ssize_t got = read(piece->file, piece->data + piece->end, PIECE - piece->end);
    if (got <= 0)
        return false;
    piece->end += (size_t)got;
    return true;
}

static const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
static const int64_t steps[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                10000,      1000,      100,      10,      1};

static const char *bare_digits(const char *at, uint64_t *digits, size_t *fraction)
{
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *fraction = 0;
    if (*at == '.') {
        const char *point = ++at;
        for (; *at >= '0' && *at <= '9'; at++)
            value = value * 10 + (uint64_t)(*at - '0');
        *fraction = (size_t)(at - point);
    }
    *digits = value;
    return at;
}

/* The interval automaton, stepped by hand: forall [StartPlaying, PausePlaying] diff < 8000. */
struct bare_interval {
    bool open;
    double first;
    uint64_t intervals, violated;
};

static inline void bare_step(struct bare_interval *interval, char event, double value)
{
    if (interval->open) {
        if (event == 'P') {
            interval->open = false;
            interval->intervals++;
            interval->violated += !(value - interval->first < 8000);
        }
    } else if (event == 'S') {
        interval->open = true;
        interval->first = value;
    }
}

static struct bare_interval bare_interval;

static const char *bare_csv_row(const char *at, struct outcome *outcome, int64_t *times)
{
    uint64_t digits;
    size_t fraction;
    at = bare_digits(at, &digits, &fraction);
    *times += (int64_t)digits * steps[fraction];
    const char *event = ++at;
    while (*at != ',')
        at++;
    *times += at != event;
    at = bare_digits(at + 1, &digits, &fraction);
    double value = (double)digits / powers[fraction];
    bare_step(&bare_interval, *event, value);
    outcome->sum += value;
    outcome->states++;
    return at + 1;
}

static const char *bare_jsonl_row(const char *at, struct outcome *outcome, int64_t *times,
                                  double *held)
{
    uint64_t digits;
    size_t fraction;
    char event = 0;
    while (*at != '\n') {
        const char *key = at += 2; /* {" or ," */
        while (*at != '"')
            at++;
        at += 2;
        if (*at == '"') {
            event = *++at;
            while (*at != '"')
                at++;
            at++;
            *times += 1;
        } else if (*key == 't') {
            at = bare_digits(at, &digits, &fraction);
            *times += (int64_t)digits * steps[fraction];
        } else {
            at = bare_digits(at, &digits, &fraction);
            *held = (double)digits / powers[fraction];
        }
        if (*at == '}')
            at++;
    }
    bare_step(&bare_interval, event, *held);
    outcome->sum += *held;
    outcome->states++;
    return at + 1;
}

static struct outcome read_bare_lines(const char *path, bool jsonl)
{
    struct outcome outcome = {0};
    struct stat size;
    int64_t times = 0;
    double held = 0;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &size))
        abort();
    char *data = mmap(NULL, (size_t)size.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (data == MAP_FAILED)
        abort();
    const char *at = (const char *)memchr(data, '\n', (size_t)size.st_size) + 1;
    const char *end = data + size.st_size;
    if (jsonl)
        while (at < end && !(at[2] == 'e' && at[3] == 'n')) /* up to the end line */
            at = bare_jsonl_row(at, &outcome, &times, &held);
    else
        while (at < end)
            at = bare_csv_row(at, &outcome, &times);
    munmap(data, (size_t)size.st_size);
    close(file);
    outcome.sum += (double)(times % 1000003) + (double)bare_interval.violated;
    return outcome;
}

/* Segments of the documented layout (src/trace/read/binary/format.h), unchecked. */
/* One plain loop per width. */
#define EACH_STEP(data, count, width, what)                                                        \
    do {                                                                                           \
        uint16_t half_;                                                                            \
        uint32_t word_;                                                                            \
        if ((width) == 1)                                                                          \
            for (uint32_t i_ = 0; i_ < (count); i_++) {                                            \
                uint64_t step = (unsigned char)(data)[i_];                                         \
                what;                                                                              \
            }                                                                                      \
        else if ((width) == 2)                                                                     \
            for (uint32_t i_ = 0; i_ < (count); i_++) {                                            \
                memcpy(&half_, (data) + i_ * 2, 2);                                                \
                uint64_t step = half_;                                                             \
                what;                                                                              \
            }                                                                                      \
        else                                                                                       \
            for (uint32_t i_ = 0; i_ < (count); i_++) {                                            \
                memcpy(&word_, (data) + i_ * 4, 4);                                                \
                uint64_t step = word_;                                                             \
                what;                                                                              \
            }                                                                                      \
    } while (0)

static int64_t bare_times(const char *at, uint32_t count)
{
    uint32_t encoding, unit = 1, width = 4;
    int64_t time, ticks = 0;
    const char *step_data = at + 16;
    memcpy(&encoding, at, 4);
    memcpy(&time, at + 8, 8);
    if (encoding == BINARY_STEPS) {
        memcpy(&unit, at + 16, 4);
        memcpy(&width, at + 20, 4);
        step_data = at + 24;
    }
    EACH_STEP(step_data, count, width, time += (int64_t)(step * unit); ticks += time);
    return ticks;
}

static double bare_numbers(const char *at, uint32_t count)
{
    uint32_t encoding, decimals, width;
    double value, sum = 0;
    memcpy(&encoding, at, 4);
    if (encoding != BINARY_DECIMAL) {
        for (uint32_t i = 0; i < count; i++) {
            memcpy(&value, at + 8 + i * 8, 8);
            sum += value;
        }
        return sum;
    }
    uint64_t now;
    memcpy(&now, at + 8, 8);
    memcpy(&decimals, at + 16, 4);
    memcpy(&width, at + 20, 4);
    double power = binary_power(decimals);
    EACH_STEP(at + 24, count, width, now += step >> 1 ^ (0 - (step & 1));
              sum += (double)(int64_t)now / power);
    return sum;
}

static void bare_block(const char *at, struct outcome *outcome, int64_t *times)
{
    uint32_t count, size;
    int64_t ticks;
    memcpy(&count, at, 4);
    memcpy(&size, at + 12, 4);
    ticks = bare_times(at + 8, count);
    at += 16 + size;
    memcpy(&size, at + 4, 4);
    for (uint32_t i = 0; i < count; i++)
        ticks += at[8 + i] != -1;
    at += 8 + size;
    outcome->sum += bare_numbers(at, count);
    *times += ticks;
    outcome->states += count;
}

static void bare_packed(const char *at, size_t size, struct outcome *outcome, int64_t *times)
{
    static char *unpacked;
    uint32_t whole;
    memcpy(&whole, at, 4);
    unpacked = realloc(unpacked, whole);
    ZSTD_decompress(unpacked, whole, at + 8, ZSTD_findFrameCompressedSize(at + 8, size - 8));
    bare_block(unpacked, outcome, times);
}

static struct outcome read_bare_binary(const char *path)
{
    struct outcome outcome = {0};
    static struct piece piece;
    int64_t times = 0;
    piece = (struct piece){.file = open(path, O_RDONLY)};
    bool first = true;
    while (more(&piece)) {
        if (first)
            piece.begin = 16;
        first = false;
        for (;;) {
            uint32_t head[2];
            memcpy(head, piece.data + piece.begin, 8);
            if (piece.end - piece.begin < 8 || piece.end - piece.begin < head[1] + 16)
                break;
            if (!memcmp(head, "BLOK", 4))
                bare_block(piece.data + piece.begin + 8, &outcome, &times);
            else if (!memcmp(head, "ZBLK", 4))
                bare_packed(piece.data + piece.begin + 8, head[1], &outcome, &times);
            piece.begin += head[1] + 16;
        }
    }
    close(piece.file);
    outcome.sum += (double)(times % 1000003);
    return outcome;
}

struct outcome read_bare(const char *path, const char *format)
{
    bare_interval = (struct bare_interval){0};
    return !strcmp(format, "binary") ? read_bare_binary(path)
                                     : read_bare_lines(path, !strcmp(format, "jsonl"));
}

/* --- Measuring -------------------------------------------------------------------------------- */

struct outcome measure(struct outcome (*work)(const char *path, const char *format),
                       const char *path, const char *format)
{
    int pipes[2];
    struct outcome outcome;
    if (pipe(pipes))
        abort();
    pid_t child = fork();
    if (!child) {
        struct rusage usage;
        outcome = work(path, format);
        getrusage(RUSAGE_SELF, &usage);
        outcome.seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                          (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
        outcome.peak_kib = usage.ru_maxrss;
        _exit(write(pipes[1], &outcome, sizeof outcome) != sizeof outcome);
    }
    if (read(pipes[0], &outcome, sizeof outcome) != sizeof outcome)
        abort();
    waitpid(child, NULL, 0);
    close(pipes[0]);
    close(pipes[1]);
    return outcome;
}
