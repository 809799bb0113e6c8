/* A campaign whose watch says stop: what is finished is kept, the same call does the rest. */
#include "run/run.h"
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

static int64_t rows_of(const char *folder)
{
    tac_store *store;
    tac_error err;
    int64_t count = -1;
    REQUIRE(tac_store_open(folder, false, &store, &err) == TAC_OK);
    CHECK_EQ(tac_store_count_runs(store, NULL, &count, &err), TAC_OK);
    tac_store_close(store, NULL);
    return count;
}

TEST(a_stopped_campaign_keeps_its_rows_and_goes_on)
{
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/notes.json"));
    struct stopping_watch stop = {.watch = {.tick = stop_later}};
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                               .device_count = 1,
                               .folder = test_temporary("stopped"),
                               .monkey = 300,
                               .monkey_steps = 20,
                               .seed = 1,
                               .watch = &stop.watch};
    tac_error err;
    tac_run_summary *summary;
    int64_t before = 0;
    for (unsigned ticks = 0; ticks < 4; ticks++) {
        stop.left = ticks;
        tac_status status = tac_run_campaign(&options, &summary, &err);
        CHECK(status == TAC_E_INTERRUPTED || status == TAC_OK);
        REQUIRE(summary);
        int64_t rows = rows_of(options.folder);
        CHECK(rows >= before);
        CHECK_EQ(summary->runs, rows);
        tac_run_summary_free(summary);
        before = rows;
    }
    options.watch = NULL;
    CHECK_EQ(tac_run_campaign(&options, &summary, &err), TAC_OK);
    CHECK_EQ(summary->missing, 0);
    tac_run_summary_free(summary);
    CHECK_EQ(rows_of(options.folder), 300);
}
