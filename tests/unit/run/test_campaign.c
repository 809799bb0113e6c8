/* Campaigns on a phone that hangs or dies: a clear error, nothing lost, and the rest later. */
#include "run/run.h"
#include "tactus_test.h"

static const char *uri(void)
{
    static char text[4200];
    snprintf(text, sizeof text, "sim:%s", test_source("examples/apps/tracker.json"));
    return text;
}

static void break_then_continue(const char *folder, const char *faults, const char *words)
{
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri()},
                               .device_count = 1,
                               .device_options = {.faults = faults},
                               .folder = test_temporary(folder),
                               .monkey = 20,
                               .monkey_steps = 10,
                               .seed = 1};
    tac_run_summary *summary;
    tac_error err;
    CHECK_EQ(tac_run_campaign(&options, &summary, &err), TAC_E_DEVICE);
    CHECK_CONTAINS(err.message, words);
    CHECK_CONTAINS(err.message, "run ");
    REQUIRE(summary);
    int64_t done = summary->runs;
    CHECK(done > 0 && done < 20);
    CHECK_EQ(done + summary->missing, 20);
    tac_run_summary_free(summary);
    options.device_options.faults = NULL;
    CHECK_EQ(tac_run_campaign(&options, &summary, &err), TAC_OK);
    CHECK_EQ(summary->runs, 20);
    CHECK_EQ(summary->missing, 0);
    tac_run_summary_free(summary);
}

TEST(a_hanging_phone_ends_the_campaign_and_a_later_call_finishes_it)
{
    break_then_continue("hang", "hang@100", "no answer within");
}

TEST(a_dying_phone_too)
{
    break_then_continue("die", "die@100", "is gone");
}

TEST(a_device_that_can_do_nothing_is_lost_and_the_others_do_its_runs)
{
    char broken[4300];
    snprintf(broken, sizeof broken, "sim:%s",
             test_write("broken.json", "{\"tactus-app\": 1, "
                                       "\"activities\": {\"A\": {\"screens\": "
                                       "{\"a\": {\"enter\": [{\"after\": 0, "
                                       "\"fire\": \"x\"}], \"system\": {\"x\": "
                                       "[{\"after\": 0, \"fire\": \"x\"}]}}}}}}"));
    tac_run_device devices[] = {{.uri = broken}, {.uri = uri()}, {.uri = uri()}};
    tac_run_options options = {.devices = devices,
                               .device_count = 3,
                               .folder = test_temporary("lost"),
                               .monkey = 200,
                               .monkey_steps = 10,
                               .seed = 1};
    tac_run_summary *summary;
    tac_error err;
    CHECK_EQ(tac_run_campaign(&options, &summary, &err), TAC_OK);
    CHECK_EQ(summary->missing, 0);
    REQUIRE(summary->lost_count == 1);
    CHECK_STR(summary->lost[0].device, broken);
    CHECK_CONTAINS(summary->lost[0].message, "never comes to rest");
    tac_run_summary_free(summary);
}
