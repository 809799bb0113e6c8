/* An exploration stops when its watch says so, at once and at every later tick. */
#include "base/data/alloc.h"
#include "explore/explore.h"
#include "tactus_test.h"

struct stopper {
    tac_watch watch;
    uint64_t left, ticks;
};

static bool count_down(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)what, (void)done, (void)total;
    struct stopper *stopper = (struct stopper *)self;
    stopper->ticks++;
    return stopper->left-- > 0;
}

static tac_status explore_until(tac_strategy strategy, uint64_t left, uint64_t *ticks)
{
    char *uri = tac_format("sim:%s", test_source("examples/apps/door.json"));
    struct stopper stopper = {.watch = {count_down}, .left = left};
    tac_explore_options options = {.strategy = strategy, .seed = 1};
    tac_device *device = NULL;
    tac_exploration *found = NULL;
    tac_error err = {0};
    CHECK_EQ(tac_device_open(uri, NULL, &device, &err), TAC_OK);
    tac_status status = tac_explore(device, &options, &stopper.watch, &found, &err);
    CHECK_EQ(status == TAC_OK, found != NULL);
    CHECK_EQ(status, err.status);
    tac_exploration_free(found);
    tac_device_free(device);
    free(uri);
    *ticks = stopper.ticks;
    return status;
}

TEST(every_strategy_stops_at_every_tick)
{
    for (tac_strategy strategy = TAC_EXPLORE_NEAREST; strategy <= TAC_EXPLORE_BFS; strategy++) {
        uint64_t ticks, all;
        CHECK_EQ(explore_until(strategy, UINT64_MAX, &all), TAC_OK);
        CHECK(all >= 2);
        for (uint64_t left = 0; left < all; left++) {
            CHECK_EQ(explore_until(strategy, left, &ticks), TAC_E_INTERRUPTED);
            CHECK_EQ(ticks, left + 1);
        }
    }
}
