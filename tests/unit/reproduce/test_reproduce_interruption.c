/* A search whose watch says stop, at once and later: what was executed is kept, the same call does
 * the rest, and the result is that of a search that nobody stopped. */
#include "reproduce/reproduce.h"
#include "run/run.h"
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

static void record(const char *uri, const char *folder)
{
    tac_run_summary *summary;
    tac_error err;
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                               .device_count = 1,
                               .folder = folder,
                               .monkey = 40,
                               .monkey_steps = 40,
                               .seed = 1};
    REQUIRE(tac_run_campaign(&options, &summary, &err) == TAC_OK);
    tac_run_summary_free(summary);
}

TEST(a_stopped_search_goes_on)
{
    char uri[4200], campaign[4200], calm[4200], stopped[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/tracker.json"));
    snprintf(campaign, sizeof campaign, "%s", test_temporary("bugs"));
    snprintf(calm, sizeof calm, "%s", test_temporary("calm"));
    snprintf(stopped, sizeof stopped, "%s", test_temporary("stopped"));
    record(uri, campaign);
    struct stopping_watch stop = {.watch = {.tick = stop_later}};
    tac_reproduce_options options = {.campaign = campaign,
                                     .folder = calm,
                                     .run = -1,
                                     .devices = &(tac_run_device){.uri = uri},
                                     .device_count = 1};
    tac_reproduce_result *wanted = NULL, *found = NULL;
    tac_error err;
    REQUIRE(tac_reproduce(&options, &wanted, &err) == TAC_OK);
    options.folder = stopped;
    options.watch = &stop.watch;
    unsigned stops = 0;
    uint64_t before = 0;
    tac_status status = TAC_E_INTERRUPTED;
    for (unsigned ticks = 0; status == TAC_E_INTERRUPTED && stops < 200;
         ticks += ticks / 3 + 23, stops++) {
        stop.left = ticks;
        tac_reproduce_free(found);
        status = tac_reproduce(&options, &found, &err);
        if (status != TAC_OK && status != TAC_E_INTERRUPTED)
            test_fail(__FILE__, __LINE__, "status %d: %s", (int)status, err.message);
        CHECK(!found || found->complete == (status == TAC_OK));
        CHECK(!found || found->executions >= before);
        before = found ? found->executions : before;
    }
    CHECK(stops > 3);
    REQUIRE(status == TAC_OK && found);
    CHECK_EQ(found->executions, wanted->executions);
    REQUIRE(found->cause_count == wanted->cause_count && found->cause_count > 0);
    for (size_t i = 0; i < found->cause_count; i++) {
        CHECK_STR(found->causes[i].name, wanted->causes[i].name);
        CHECK_STR(found->causes[i].text, wanted->causes[i].text);
        CHECK_EQ(found->causes[i].executions, wanted->causes[i].executions);
    }
    CHECK_EQ(tac_reproduce_answer(found), TAC_VIOLATED);
    tac_reproduce_free(found);
    tac_reproduce_free(wanted);
}
