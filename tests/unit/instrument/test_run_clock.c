/* Clock correction: a device whose clock is off and drifts gives times on the host's clock. */
#include "instrument/run_clock.h"
#include "run/run.h"
#include "tactus_test.h"

TEST(times_are_corrected_linearly_between_the_readings)
{
    /* 30 s ahead at the start, 31 s ahead after 100 s of host time */
    struct run_clock clock = {.device = {130000000000, 231000000000},
                              .offset = {30000000000, 31000000000},
                              .start = 100000000000};
    CHECK_EQ(run_clock_correct(&clock, 130000000000), 0);
    CHECK_EQ(run_clock_correct(&clock, 231000000000), 100000000000);
    CHECK_NEAR((double)run_clock_correct(&clock, 180500000000), 50e9, 1e3);
    CHECK_EQ(run_clock_correct(&clock, 1), 0); /* before the start counts as the start */
}

TEST(a_clock_that_is_set_back_does_not_make_a_run_negative)
{
    struct run_clock clock = {.device = {130000000000, 7000000000},
                              .offset = {30000000000, -95000000000},
                              .start = 100000000000};
    CHECK_NEAR(run_clock_seconds(&clock), 2, 1e-9);
    clock.device[1] = 0, clock.offset[1] = -99000000000; /* this host's clock, too */
    CHECK_NEAR(run_clock_seconds(&clock), 0, 1e-9);
}

TEST(a_drifting_phone_is_measured)
{
    tac_device *device;
    tac_error err;
    tac_device_options options = {.faults = "offset=30,drift=0.01"};
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/player.json"));
    REQUIRE(tac_device_open(uri, &options, &device, &err) == TAC_OK);
    struct run_clock clock = {0};
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

/* The time of the last state of a random run on a phone with these faults. */
static double length_of_a_run(const char *folder, const char *faults, double *offset_end)
{
    char uri[4200], path[4300];
    snprintf(uri, sizeof uri, "sim:%s", test_source("examples/apps/tracker.json"));
    tac_run_device device = {.uri = uri};
    tac_run_options options = {.devices = &device,
                               .device_count = 1,
                               .device_options = {.faults = faults},
                               .folder = test_temporary(folder),
                               .monkey = 1,
                               .monkey_steps = 40,
                               .seed = 5};
    tac_run_summary *summary;
    tac_error err;
    CHECK_EQ(tac_run_campaign(&options, &summary, &err), TAC_OK);
    tac_run_summary_free(summary);
    snprintf(path, sizeof path, "%s/traces/000000.jsonl", options.folder);
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    char *line = NULL;
    size_t size = 0;
    double last = 0;
    for (bool first = true; getline(&line, &size, file) > 0; first = false) {
        json_t *row = json_loads(line, 0, NULL);
        json_t *clock = json_object_get(json_object_get(row, "meta"), "clock");
        if (first)
            *offset_end = json_number_value(json_object_get(clock, "offset_end"));
        if (json_object_get(row, "t"))
            last = json_number_value(json_object_get(row, "t"));
        json_decref(row);
    }
    free(line);
    fclose(file);
    return last;
}

TEST(a_trace_has_the_host_s_times_whatever_the_phone_s_clock_does)
{
    double offset, wrong_offset;
    double right = length_of_a_run("exact", NULL, &offset);
    double corrected = length_of_a_run("drifting", "offset=30,drift=0.05", &wrong_offset);
    CHECK(right > 1);
    CHECK_NEAR(corrected, right, 0.002); /* uncorrected it would be 5 % longer */
    CHECK_NEAR(offset, 0, 0.001);
    CHECK(wrong_offset > 30 + 0.04 * right);
}
