/* Counters of a trace never fall: one that does on the device is counted on, and said. */
#include "device/driver.h"
#include "run/probe_set.h"
#include "tactus_test.h"
#include <math.h>

static const tac_probe probe_list[] = {{"rxData", "B", true}, {"heap", "B", false}};
static double next_reading[2];
static int64_t next_time;

static const tac_probe *list_probes(tac_device *device, size_t *count)
{
    (void)device;
    *count = 2;
    return probe_list;
}

static tac_status measure(tac_device *device, double deadline, double *values, int64_t *time,
                          tac_error *err)
{
    (void)device, (void)deadline, (void)err;
    values[0] = next_reading[0];
    values[1] = next_reading[1];
    *time = next_time += 1000000000;
    return TAC_OK;
}

TEST(a_counter_that_falls_is_counted_on_and_said)
{
    static const struct device_driver driver = {.probes = list_probes, .measure = measure};
    tac_device device = {.driver = &driver, .uri = (char[]){"fake:"}, .deadline = 1};
    struct probe_set set = {0};
    tac_error err = {0};
    REQUIRE((probe_set_add_device(&set, &device, "", (struct probe_choice){0}, &err)) == TAC_OK);
    static const struct {
        double reading, expected;
        size_t resets;
    } steps[] = {{1000000, 0, 0}, {1000200, 200, 0}, {NAN, NAN, 0}, {200, 400, 1}, /* began anew */
                 {300, 500, 1},   {250, 500, 2}, /* lost something: nothing is known to have come */
                 {260, 510, 2}};
    double last = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double values[2];
        int64_t time;
        next_reading[0] = steps[i].reading;
        next_reading[1] = 100 - (double)i;
        REQUIRE((probe_set_measure(&set, values, &time, &err)) == TAC_OK);
        CHECK_EQ(set.resets.count, steps[i].resets);
        CHECK(isnan(steps[i].expected) ? isnan(values[0]) : values[0] == steps[i].expected);
        CHECK(isnan(values[0]) || values[0] >= last);
        last = isnan(values[0]) ? last : values[0];
        CHECK_NEAR(values[1], 100 - (double)i, 0);
    }
    json_t *said = probe_set_resets_json(&set);
    CHECK_EQ(json_array_size(said), 2);
    CHECK_STR(json_string_value(json_object_get(json_array_get(said, 0), "probe")), "rxData");
    json_decref(said);
    probe_set_free(&set);
}
