/* bench/trace_check [STATES...]: checking beside a bare parser of the same bytes.
 *
 *   bare     the floor: find the cells, turn digits into numbers (trace_bare.h)
 *   read     our reader alone
 *   one      reading and checking one interval property
 *   hundred  reading and checking 100 temporal properties at once, a quarter with bounds in time
 *
 * Each runs in a child of its own, in turn, three times; the best time counts. */
#include "base/data/str.h"
#include "tactus/property.h"
#include "trace_bare.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 3, TEMPORAL = 100 };

static void add_hundred(tac_str *out)
{
    static const char *const events[] = {"StartPlaying", "skipNext", "Tap", "PausePlaying"};
    static const char *const shapes[] = {
        "always (%s -> eventually %s)",
        "always (%s -> next (eventually (%s or rxData > 1e12)))",
        "eventually (%s and next (eventually (%s and next eventually Never)))",
        "always (%s -> not (next %s) or rxData >= 0)",
        "(not Never) until (%s and eventually (%s and Never))",
    };
    static const char *const timed[] = {
        "always (%s -> eventually[<= 5 s] (%s or rxData >= 0))",
        "always (%s -> always[<= 100 ms] (not Never or %s))",
        "always (%s -> eventually[10 ms, 2000 s] (%s or rxData >= 0))",
        "always (%s -> not once[<= 10 s] (%s and Never))",
    };
    for (int i = 0; i < TEMPORAL; i++) {
        tac_str_addf(out, "property t%d: ", i);
        /* a quarter has bounds in time */
        tac_str_addf(out, i % 4 == 3 ? timed[i / 4 % 4] : shapes[i % 5], events[i / 5 % 4],
                     events[(i / 5 / 4 + 1 + i) % 4]);
        tac_str_add_char(out, '\n');
    }
}

static struct outcome check(const char *path, const char *text)
{
    struct outcome outcome = {0};
    tac_diagnostics found = {0};
    tac_properties *properties;
    tac_monitor *monitor;
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    if (tac_property_parse("bench", text, strlen(text), &found, &properties, &err) ||
        tac_monitor_new(properties, &(tac_monitor_options){.known = true}, &monitor, &err) ||
        tac_trace_open(path, NULL, &source, &err))
        abort();
    while (!tac_trace_next(source, &block, &err) && block) {
        tac_monitor_schema schema = {0};
        schema.variables = tac_trace_variables(source, &schema.variable_count);
        schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
        if (tac_monitor_feed(monitor, &schema, block, &err))
            abort();
        outcome.states += block->count;
    }
    tac_property_result result;
    for (size_t i = 0; i < tac_property_count(properties); i++) {
        tac_monitor_result(monitor, i, true, &result);
        outcome.sum += (double)result.intervals + (double)result.answer;
    }
    tac_trace_close(source);
    tac_monitor_free(monitor);
    tac_property_free(properties);
    return outcome;
}

static struct outcome check_one(const char *path, const char *format)
{
    (void)format;
    return check(path, "unit rxData kB\nproperty cheap_playback: forall [event == StartPlaying, "
                       "event == PausePlaying] diff(rxData) < 8000 kB\n");
}

static struct outcome check_hundred(const char *path, const char *format)
{
    (void)format;
    tac_str text = {0};
    add_hundred(&text);
    struct outcome outcome = check(path, tac_str_text(&text));
    tac_str_free(&text);
    return outcome;
}

static struct outcome read_only(const char *path, const char *format)
{
    (void)format;
    struct outcome outcome = {0};
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    if (tac_trace_open(path, NULL, &source, &err))
        abort();
    while (!tac_trace_next(source, &block, &err) && block)
        outcome.states += block->count;
    tac_trace_close(source);
    return outcome;
}

static void compare(const char *format, uint64_t states, const char *folder)
{
    struct outcome (*const work[])(const char *, const char *) = {read_bare, read_only, check_one,
                                                                  check_hundred};
    struct outcome best[4];
    char path[256];
    snprintf(path, sizeof path, "%s/bench.%s", folder, format);
    make_trace(path, format, states);
    for (int w = 0; w < 4; w++)
        best[w].seconds = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int w = 0; w < 4; w++) {
            struct outcome one = measure(work[w], path, format);
            if (one.states != states)
                exit(1);
            if (one.seconds < best[w].seconds)
                best[w] = one;
        }
    unlink(path);
    double scale = 1e9 / (double)states;
    printf(
        "%-11s %9llu states  bare %6.2f  read %6.2f  one %6.2f  hundred %6.2f ns/state  one/bare "
        "%.2f  hundred-read %6.2f ns  peak %ld %ld %ld KiB\n",
        format, (unsigned long long)states, best[0].seconds * scale, best[1].seconds * scale,
        best[2].seconds * scale, best[3].seconds * scale, best[2].seconds / best[0].seconds,
        (best[3].seconds - best[1].seconds) * scale, best[1].peak_kib, best[2].peak_kib,
        best[3].peak_kib);
}

int main(int argc, char **argv)
{
    static const char *const formats[] = {"csv-regular", "csv", "jsonl", "binary"};
    char folder[] = "/tmp/tactus-bench-XXXXXX";
    if (argc == 4 && !strcmp(argv[1], "--make")) { /* FORMAT FILE: 10^5 states */
        make_trace(argv[3], argv[2], 100000);
        return 0;
    }
    if (!mkdtemp(folder))
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int f = 0; f < 4; f++) {
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
