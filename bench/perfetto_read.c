/* perfetto_read TRACE SIZE: repeats the packets of a Perfetto trace until the file has SIZE bytes
 * (times move on with each round), then reads it through the library and by a bare walk over the
 * wire format that visits every field of every event: ns per event, ratio, greatest resident size.
 */
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "tactus/trace.h"
#include "trace/perfetto/bundle.h"
#include "trace/perfetto/packets.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct figures {
    uint64_t events, states, sum;
    double seconds;
    long peak; /* KiB */
};

static uint64_t walk_fields(struct wire wire)
{
    struct wire_field field;
    uint64_t sum = 0;
    while (wire_next(&wire, &field))
        sum += field.value + field.size;
    return sum;
}

/* Every packet, every bundle, every event, every field of it. */
static struct figures walk(const char *path)
{
    struct figures figures = {0};
    struct trace_window window;
    tac_trace_options options = {0};
    tac_error err;
    if (window_open(&window, path, &options, &err))
        exit(1);
    struct packets packets = {.window = &window};
    const uint8_t *data;
    size_t size;
    while (!packets_next(&packets, &data, &size, &err) && data) {
        struct wire wire = wire_over(data, size);
        struct wire_field field;
        while (wire_next(&wire, &field)) {
            if (field.number != 1 || field.type != WIRE_BYTES)
                continue;
            struct bundle bundle = bundle_open(wire_inside(&field));
            struct bundle_event event = {0};
            while (bundle_next(&bundle, &event)) {
                figures.events++;
                figures.sum += (uint64_t)event.time + walk_fields(wire_inside(&event.payload));
            }
        }
    }
    packets_free(&packets);
    window_close(&window);
    return figures;
}

static struct figures read_trace(const char *path)
{
    struct figures figures = {0};
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    if (tac_trace_open(path, NULL, &source, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    while (!tac_trace_next(source, &block, &err) && block)
        figures.states += block->count;
    tac_trace_close(source);
    return figures;
}

/* In a process of its own, so that its greatest size is its own. */
static struct figures measure(struct figures (*work)(const char *), const char *path)
{
    int ends[2];
    struct figures figures = {0};
    if (pipe(ends))
        exit(1);
    pid_t child = fork();
    if (!child) {
        figures = work(path);
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        figures.seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
        figures.peak = usage.ru_maxrss;
        if (write(ends[1], &figures, sizeof figures) != sizeof figures)
            _exit(1);
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &figures, sizeof figures) != sizeof figures)
        exit(1);
    waitpid(child, NULL, 0);
    close(ends[0]);
    return figures;
}

static void repeat(const char *from, const char *to, size_t wanted)
{
    char *data;
    size_t size;
    tac_error err;
    if (tac_input_slurp(from, (size_t)1 << 30, &data, &size, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    FILE *out = fopen(to, "w");
    if (!out)
        exit(1);
    for (size_t written = 0; written < wanted; written += size)
        fwrite(data, 1, size, out);
    fclose(out);
    free(data);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: perfetto_read TRACE SIZE FILE\n");
        return 2;
    }
    repeat(argv[1], argv[3], strtoull(argv[2], NULL, 10));
    struct figures bare = measure(walk, argv[3]), full = measure(read_trace, argv[3]);
    double events = (double)bare.events;
    printf("%12s bytes %9.0f events  bare %6.1f  tactus %6.1f ns/event  ratio %.2f  "
           "peak %ld and %ld KiB  %llu states\n",
           argv[2], events, bare.seconds / events * 1e9, full.seconds / events * 1e9,
           full.seconds / bare.seconds, bare.peak, full.peak, (unsigned long long)full.states);
    return 0;
}
