/* perfetto_read TRACE SIZE: repeats the packets of a Perfetto trace until the file has SIZE bytes
 * (times move on with each round), then reads it through the library and by a bare walk over the
 * wire format that visits every field of every event, in turns, the least of three times each: ns
 * per event, ratio, greatest resident size.
 */
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "tactus/trace.h"
#include "trace/perfetto/packets.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3 };

struct figures {
    uint64_t events, states, sum;
    double seconds;
    long peak; /* KiB */
};

/* Every field of a message; of the fields 3 and above of an event also those inside. */
static uint64_t walk_event(struct wire wire)
{
    struct wire_field field, inner;
    uint64_t sum = 0;
    while (wire_next(&wire, &field)) {
        sum += field.value + field.size;
        if (field.number < 3)
            continue;
        for (struct wire inside = wire_inside(&field); wire_next(&inside, &inner);)
            sum += inner.value + inner.size;
    }
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
        struct wire_field field, event;
        while (wire_next(&wire, &field)) {
            if (field.number != 1 || field.type != WIRE_BYTES)
                continue;
            for (struct wire bundle = wire_inside(&field); wire_next(&bundle, &event);) {
                if (event.number != 2 || event.type != WIRE_BYTES)
                    continue;
                figures.events++;
                figures.sum += walk_event(wire_inside(&event));
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

/* --- Repeating -------------------------------------------------------------------------------- */

/* A field of a message in place: where its value starts and ends. */
struct place {
    uint64_t number, type;
    uint8_t *value, *end;
};

static uint8_t *varint(uint8_t *at, const uint8_t *end, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        *out |= (uint64_t)(*at & 0x7f) << shift;
        if (!(*at++ & 0x80))
            return at;
    }
    return NULL;
}

static bool next_place(uint8_t **at, uint8_t *end, struct place *out)
{
    uint64_t key, size;
    uint8_t *value = *at < end ? varint(*at, end, &key) : NULL;
    if (!value)
        return false;
    *out = (struct place){key >> 3, key & 7, value, value};
    if (out->type == 0)
        out->end = varint(value, end, &size);
    else if (out->type == 2 && (out->value = varint(value, end, &size)) &&
             size <= (size_t)(end - out->value))
        out->end = out->value + size;
    else if (out->type == 1 || out->type == 5)
        out->end = value + (out->type == 1 ? 8 : 4);
    else
        return false;
    *at = out->end;
    return out->end && out->end <= end;
}

/* Adds to a number in as many bytes as it has: times since boot have room for a thousand rounds. */
static void add_in_place(const struct place *place, uint64_t added)
{
    uint64_t value;
    if (!varint(place->value, place->end, &value))
        return;
    value += added;
    for (uint8_t *at = place->value; at < place->end; at++, value >>= 7)
        *at = (uint8_t)((value & 0x7f) | (at + 1 < place->end ? 0x80 : 0));
}

/* The times of kernel events in a trace: moved on by `added`, or (0) the range of them found. */
static void move_times(uint8_t *at, uint8_t *end, uint64_t added, uint64_t range[2])
{
    struct place packet, bundle, event, field;
    uint64_t time;
    while (next_place(&at, end, &packet))
        for (uint8_t *in = packet.value; packet.type == 2 && next_place(&in, packet.end, &bundle);)
            for (uint8_t *of = bundle.value;
                 bundle.number == 1 && bundle.type == 2 && next_place(&of, bundle.end, &event);)
                for (uint8_t *part = event.value;
                     event.number == 2 && event.type == 2 && next_place(&part, event.end, &field);)
                    if (field.number == 1 && field.type == 0 && varint(field.value, end, &time)) {
                        range[0] = time < range[0] ? time : range[0];
                        range[1] = time > range[1] ? time : range[1];
                        if (added)
                            add_in_place(&field, added);
                    }
}

static void repeat(const char *from, const char *to, size_t wanted)
{
    char *data;
    size_t size;
    tac_error err;
    uint64_t range[2] = {UINT64_MAX, 0}, ignored[2] = {UINT64_MAX, 0};
    if (tac_input_slurp(from, (size_t)1 << 30, &data, &size, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    FILE *out = fopen(to, "w");
    if (!out)
        exit(1);
    move_times((uint8_t *)data, (uint8_t *)data + size, 0, range);
    for (size_t written = 0; written < wanted; written += size) {
        fwrite(data, 1, size, out);
        move_times((uint8_t *)data, (uint8_t *)data + size, range[1] - range[0] + 1, ignored);
    }
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
    for (int round = 1; round < ROUNDS; round++) {
        struct figures again = measure(walk, argv[3]);
        bare.seconds = again.seconds < bare.seconds ? again.seconds : bare.seconds;
        again = measure(read_trace, argv[3]);
        full.seconds = again.seconds < full.seconds ? again.seconds : full.seconds;
    }
    double events = (double)bare.events;
    printf("%12s bytes %9.0f events  bare %6.1f  tactus %6.1f ns/event  ratio %.2f  "
           "peak %ld and %ld KiB  %llu states\n",
           argv[2], events, bare.seconds / events * 1e9, full.seconds / events * 1e9,
           full.seconds / bare.seconds, bare.peak, full.peak, (unsigned long long)full.states);
    return 0;
}
