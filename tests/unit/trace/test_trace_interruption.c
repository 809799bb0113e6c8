/* A watch that says stop, at once and at the n-th tick: every function that takes one ends with
 * TAC_E_INTERRUPTED. */
#include "tactus_test.h"
#include "trace/tools.h"

struct stopping {
    tac_watch watch;
    int left;
};

static bool tick(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)what, (void)done, (void)total;
    struct stopping *stopping = (struct stopping *)self;
    return stopping->left-- > 0;
}

/* Recordings are read when they are opened. */
TEST(opening_a_recording_is_interrupted)
{
    static const char *const inputs[] = {"tests/fuzz/corpus/trace_perfetto/plain",
                                         "tests/fuzz/corpus/trace_chrome/object",
                                         "tests/fuzz/corpus/trace_pcap/ethernet"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct stopping stopping = {{tick}, 0};
        tac_trace_options options = {.watch = &stopping.watch};
        tac_trace_source *source = NULL;
        CHECK_EQ(tac_trace_open(test_source(inputs[i]), &options, &source, NULL),
                 TAC_E_INTERRUPTED);
        CHECK(source == NULL);
    }
}

TEST(statistics_are_interrupted_at_any_tick)
{
    const char *path = test_source("examples/traces/cafe-1.csv");
    for (int left = 0; left < 2; left++) {
        struct stopping stopping = {{tick}, left};
        const char *paths[] = {path, path, path};
        tac_trace_stat_options options = {.watch = &stopping.watch};
        tac_trace_statistics *statistics = NULL;
        CHECK_EQ(tac_trace_stat(paths, 3, &options, &statistics, NULL), TAC_E_INTERRUPTED);
        CHECK(statistics == NULL);
    }
}

TEST(an_import_is_interrupted)
{
    const char *path = test_temporary("long.csv");
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("t,x\n", file);
    for (int i = 0; i < 70000; i++)
        fprintf(file, "%d,1\n", i);
    fclose(file);
    struct stopping stopping = {{tick}, 0};
    tac_trace_input input = {.path = path};
    tac_trace_import_options options = {.format = "jsonl", .watch = &stopping.watch};
    tac_trace_imported *imported = NULL;
    FILE *out = tmpfile();
    REQUIRE(out != NULL);
    CHECK_EQ(tac_trace_import(&input, 1, &options, out, &imported, NULL), TAC_E_INTERRUPTED);
    CHECK(imported == NULL);
    fclose(out);
}
