/* A watch that says stop: at once, and after some ticks. Nothing is set aside by halves. */
#include "store/store.h"
#include "tactus_test.h"

struct stopping_watch {
    tac_watch watch;
    unsigned left;
};

static bool stop_later(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)what, (void)done, (void)total;
    struct stopping_watch *stopping = (struct stopping_watch *)self;
    return stopping->left && stopping->left--;
}

TEST(looking_through_a_store_can_be_stopped)
{
    tac_store *store;
    tac_error err;
    tac_store_check count;
    REQUIRE(tac_store_open(test_temporary("stopped"), true, &store, &err) == TAC_OK);
    for (int64_t i = 0; i < 10; i++)
        REQUIRE(tac_store_add_run(store,
                                  &(tac_store_run){.id = i,
                                                   .kind = "monkey",
                                                   .flow = -1,
                                                   .verdict = "pass",
                                                   .trace = "traces/gone.jsonl"},
                                  &err) == TAC_OK);
    REQUIRE(tac_store_commit(store, &err) == TAC_OK);
    for (unsigned ticks = 0; ticks < 10; ticks++) {
        struct stopping_watch stop = {.watch = {.tick = stop_later}, .left = ticks};
        tac_store_check_options options = {.watch = &stop.watch};
        CHECK_EQ(tac_store_verify(store, &options, &count, &err), TAC_E_INTERRUPTED);
        stop.left = ticks;
        CHECK_EQ(tac_store_repair(store, &options, &count, &err), TAC_E_INTERRUPTED);
        CHECK_EQ(count.set_aside, 0);
    }
    CHECK_EQ(tac_store_repair(store, NULL, &count, &err), TAC_OK);
    CHECK_EQ(count.set_aside, 10);
    int64_t left = -1;
    CHECK_EQ(tac_store_count_runs(store, NULL, &left, &err), TAC_OK);
    CHECK_EQ(left, 0);
    CHECK_EQ(tac_store_close(store, &err), TAC_OK);
}
