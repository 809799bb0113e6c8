/* Clock correction: a device whose clock is off and drifts gives times on the host's clock. */
#include "run/run_clock.h"
#include "tactus_test.h"

TEST(times_are_corrected_linearly_between_the_readings)
{
    /* 30 s ahead at the start, 31 s ahead after 100 s of host time */
    run_clock clock = {.device = {130000000000, 231000000000},
                       .offset = {30000000000, 31000000000},
                       .start = 100000000000};
    CHECK_EQ(run_clock_correct(&clock, 130000000000), 0);
    CHECK_EQ(run_clock_correct(&clock, 231000000000), 100000000000);
    CHECK_NEAR((double)run_clock_correct(&clock, 180500000000), 50e9, 1e3);
    CHECK_EQ(run_clock_correct(&clock, 1), 0); /* before the start counts as the start */
}

TEST(a_drifting_phone_is_measured)
{
    tac_device *device;
    tac_error err;
    tac_device_options options = {.faults = "offset=30,drift=0.01"};
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    REQUIRE(tac_device_open(uri, &options, &device, &err) == TAC_OK);
    run_clock clock = {0};
    CHECK_EQ(run_clock_read(&clock, device, 0, &err), TAC_OK);
    CHECK_EQ(tac_device_launch(device, 0, &err), TAC_OK);
    CHECK_EQ(tac_device_sleep(device, 100, &err), TAC_OK);
    CHECK_EQ(run_clock_read(&clock, device, 1, &err), TAC_OK);
    CHECK_NEAR((double)clock.offset[0] * 1e-9, 30, 0.05);
    CHECK_NEAR((double)clock.offset[1] * 1e-9, 31, 0.1);
    double seconds = (double)run_clock_correct(&clock, clock.device[1]) * 1e-9;
    CHECK(seconds > 100 && seconds < 101);
    tac_device_free(device);
}
