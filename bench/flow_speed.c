/* Figures for bench_flows: flows per second counted by enumeration, listed to memory and as text;
 * the time of exact counting; how the listing grows. One "name value" pair a line. */
#include "base/data/alloc.h"
#include "tactus/flow.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const tac_model *model;

/* Processor time: a busy machine does not change it. */
static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static tac_flow_engine *engine_of(uint32_t length, const tac_requirement *requirement)
{
    const tac_requirement *list[] = {requirement};
    tac_flow_options options = {
        .length = length, .requirements = list, .requirement_count = requirement != NULL};
    tac_diagnostics findings = {0};
    tac_flow_engine *engine;
    if (tac_flow_engine_new(model, &options, &findings, &engine, NULL) != TAC_OK)
        exit(4);
    return engine;
}

static double best_count_seconds(uint32_t length)
{
    double best = 1e9;
    for (int i = 0; i < 200; i++) {
        tac_flow_counts counts;
        double start = cpu_now();
        tac_flow_engine *engine = engine_of(length, NULL);
        tac_flow_counts_init(&counts);
        if (tac_flow_count(engine, &counts, NULL) != TAC_OK)
            exit(4);
        double seconds = cpu_now() - start;
        best = seconds < best ? seconds : best;
        tac_flow_counts_clear(&counts);
        tac_flow_engine_free(engine);
    }
    return best;
}

struct ring {
    char *at;
    size_t used, size;
};

/* A listing kept in memory: length, then the edges. */
static bool keep(void *context, const tac_flow_path *path)
{
    struct ring *ring = context;
    size_t bytes = (path->length + 1) * sizeof(uint32_t);
    if (ring->used + bytes > ring->size)
        ring->used = 0;
    memcpy(ring->at + ring->used, &path->length, sizeof path->length);
    memcpy(ring->at + ring->used + sizeof path->length, path->edges,
           path->length * sizeof *path->edges);
    ring->used += bytes;
    return true;
}

static bool look_at(void *context, const tac_flow_path *path)
{
    (void)context, (void)path;
    return true;
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(int argc, char **argv)
{
    tac_diagnostics findings = {0};
    tac_model *loaded;
    if (argc < 2 || tac_model_load(argv[1], &findings, &loaded, NULL) != TAC_OK)
        return 4;
    model = loaded;
    printf("count50_us %.1f\n", best_count_seconds(50) * 1e6);
    printf("count1000_us %.1f\n", best_count_seconds(1000) * 1e6);
    for (uint32_t length = 8; length <= 16; length += 2) {
        uint64_t flows;
        tac_flow_engine *engine = engine_of(length, NULL);
        double start = cpu_now();
        tac_flow_list(engine, 0, look_at, NULL, &flows, NULL);
        double seconds = cpu_now() - start;
        printf("enumerate%u %llu flows %.6f s %.3g /s\n", length, (unsigned long long)flows,
               seconds, (double)flows / seconds);
        tac_flow_engine_free(engine);
    }
    struct ring ring = {.size = (size_t)1 << 20};
    ring.at = tac_alloc(ring.size);
    FILE *null = fopen("/dev/null", "w");
    for (uint32_t length = 10; length <= 14; length += 2) {
        uint64_t flows;
        tac_flow_engine *engine = engine_of(length, NULL);
        double start = cpu_now();
        tac_flow_list(engine, 0, keep, &ring, &flows, NULL);
        double seconds = cpu_now() - start;
        printf("memory%u %.3g /s\n", length, (double)flows / seconds);
        start = cpu_now();
        tac_flow_list_text(engine, 0, null, &flows, NULL);
        seconds = cpu_now() - start;
        printf("text%u peak %ld kB %.3g /s\n", length, peak_kilobytes(), (double)flows / seconds);
        tac_flow_engine_free(engine);
    }
    fclose(null);
    free(ring.at);
    tac_model_free(loaded);
    return 0;
}
