/* Every public function that takes a watch ends with TAC_E_INTERRUPTED when the watch says stop, at
 * once or at the N-th tick, and leaves nothing behind. */
#include "planted_app.h"
#include "tactus_test.h"

struct counting_watch {
    tac_watch watch;
    uint64_t left;
};

static bool tick(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    struct counting_watch *w = (struct counting_watch *)self;
    (void)what, (void)done, (void)total;
    if (w->left == 0)
        return false;
    w->left--;
    return true;
}

static struct counting_watch stops_after(uint64_t ticks)
{
    return (struct counting_watch){.watch = {.tick = tick}, .left = ticks};
}

static tac_runs *planted_runs(void)
{
    tac_runs *runs;
    tac_error err;
    struct sim_app *app = sim_new(1, 12, 20, 6, SIM_ALL);
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    sim_runs(app, 3, 200, 60, runs);
    sim_free(app);
    return runs;
}

TEST(reading_stops)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 2000; i++)
        fprintf(out, "0 s1 e1 s2\n");
    fclose(out);
    const char *path = test_write("long.runs", text);
    for (uint64_t n = 0; n < 3; n++) {
        struct counting_watch w = stops_after(n);
        tac_runs *runs;
        tac_error err;
        REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
        CHECK_EQ(tac_runs_read(runs, path, &w.watch, &err), TAC_E_INTERRUPTED);
        tac_runs_free(runs);
    }
    free(text);
}

TEST(mining_stops)
{
    tac_runs *runs = planted_runs();
    tac_mine_options options = tac_mine_defaults();
    for (uint64_t n = 0; n < 40; n = 2 * n + 1) {
        struct counting_watch w = stops_after(n);
        tac_mine_result *result = NULL;
        tac_error err;
        CHECK_EQ(tac_mine(runs, &options, &w.watch, &result, &err), TAC_E_INTERRUPTED);
        CHECK(!result);
    }
    tac_runs_free(runs);
}

TEST(learning_and_predicting_stop)
{
    tac_runs *runs = planted_runs();
    tac_mine_options options = tac_mine_defaults();
    tac_predictor *predictor = NULL;
    tac_error err;
    for (uint64_t n = 0; n < 200; n = 3 * n + 1) {
        struct counting_watch w = stops_after(n);
        CHECK_EQ(tac_predictor_train(runs, &options, &w.watch, &predictor, &err),
                 TAC_E_INTERRUPTED);
        CHECK(!predictor);
    }
    options.merge = true;
    REQUIRE(tac_predictor_train(runs, &options, NULL, &predictor, &err) == TAC_OK);
    struct counting_watch w = stops_after(0);
    tac_prediction *prediction = NULL;
    CHECK_EQ(tac_predict(predictor, runs, &w.watch, &prediction, &err), TAC_E_INTERRUPTED);
    CHECK(!prediction);
    tac_predictor_free(predictor);
    tac_runs_free(runs);
}
