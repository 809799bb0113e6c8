/* What the benchmarks of traces share: a made-up trace, a bare parser of its bytes, and a child
 * process per measurement.
 *
 * The bare parsers do what any reader has to do: read the file in large pieces, find the cells,
 * turn digits into numbers. They know the layout beforehand, check nothing, keep nothing, and only
 * add the values up, so they are a floor and not a competitor. */
#ifndef TRACE_BARE_H
#define TRACE_BARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct outcome {
    double seconds; /* of processor time, so that a busy machine tells the same */
    double sum;
    uint64_t states;
    long peak_kib; /* greatest resident size of the process */
};

/* States at 1 to 20 ms with rxData (kB, growing) and an event in one of 16. */
void make_trace(const char *path, const char *format, uint64_t states);
struct outcome read_bare(const char *path, const char *format);
/* Runs work in a child of its own and times it. */
struct outcome measure(struct outcome (*work)(const char *path, const char *format),
                       const char *path, const char *format);

#endif
