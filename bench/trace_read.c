/* bench/trace_read [STATES...]: reading a trace beside a bare parser of the same bytes. Both run in
 * a child of their own, in turn, five times; the best time counts. */
#include "tactus/trace.h"
#include "trace_bare.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5 };
#define BENCH_FILE_SIZE 256

/* --- Ours ------------------------------------------------------------------------------------- */

static struct outcome read_ours(const char *path, const char *format)
{
    (void)format;
    struct outcome outcome = {0};
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    if (tac_trace_open(path, NULL, &source, &err))
        abort();
    int64_t times = 0;
    while (!tac_trace_next(source, &block, &err) && block) {
        for (size_t i = 0; i < block->count; i++) {
            outcome.sum += block->numbers[1][i];
            times += block->time[i];
            times += block->symbols[0][i] != TAC_TRACE_NO_SYMBOL;
        }
        outcome.states += block->count;
    }
    outcome.sum += (double)(times % 1000003);
    tac_trace_close(source);
    return outcome;
}

static void compare(const char *format, uint64_t states, const char *folder)
{
    char path[BENCH_FILE_SIZE];
    snprintf(path, sizeof path, "%s/bench.%s", folder, format);
    make_trace(path, format, states);
    struct outcome best[2] = {{.seconds = INFINITY}, {.seconds = INFINITY}};
    for (int round = 0; round < ROUNDS; round++)
        for (int ours = 0; ours < 2; ours++) {
            struct outcome one = measure(ours ? read_ours : read_bare, path, format);
            if (one.seconds < best[ours].seconds)
                best[ours] = one;
        }
    unlink(path);
    bool same = best[0].states == states && best[1].states == states &&
                fabs(best[0].sum - best[1].sum) <= 1e-9 * fabs(best[0].sum);
    double scale = 1e9 / (double)states;
    printf("%-7s %9llu states  bare %6.2f  tactus %6.2f ns/state  ratio %.2f  peak %ld and %ld "
           "KiB%s\n",
           format, (unsigned long long)states, best[0].seconds * scale, best[1].seconds * scale,
           best[1].seconds / best[0].seconds, best[0].peak_kib, best[1].peak_kib,
           same ? "" : "  DIFFERENT SUMS");
    if (!same)
        exit(1);
}

int main(int argc, char **argv)
{
    static const char *const formats[] = {"csv", "jsonl", "binary"};
    char folder[] = "/tmp/tactus-bench-XXXXXX";
    if (!mkdtemp(folder))
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int f = 0; f < 3; f++) {
        if (argc < 2) {
            compare(formats[f], 1000000, folder);
            compare(formats[f], 10000000, folder);
        }
        for (int i = 1; i < argc; i++)
            compare(formats[f], strtoull(argv[i], NULL, 10), folder);
    }
    rmdir(folder);
    return 0;
}
