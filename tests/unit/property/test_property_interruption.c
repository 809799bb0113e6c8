/* Checks stop when their watch says so, at once and at every later tick, and give nothing then. */
#include "property_support.h"
#include "tactus_test.h"

#include "base/data/alloc.h"
#include "property/property.h"

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

static const char *long_trace(void)
{
    const char *path = test_temporary("long.csv");
    FILE *file = fopen(path, "w");
    fputs("t,event,x\n", file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "%d,%s,%d\n", i, i % 3 ? "" : "a", i % 7);
    fclose(file);
    return path;
}

enum work { ONE, MANY, CALIBRATE };

static tac_status work_until(enum work work, const tac_properties *properties, const char *path,
                             uint64_t left, uint64_t *ticks)
{
    struct stopper stopper = {.watch = {count_down}, .left = left};
    tac_check_options options = {.watch = &stopper.watch, .jobs = 1};
    const char *const paths[] = {path, path};
    tac_error err = {0};
    tac_checked_trace trace = {0};
    tac_check_report report = {0};
    tac_calibration calibration = {0};
    tac_status status =
        work == ONE    ? tac_check_trace(properties, path, &options, &trace, &err)
        : work == MANY ? tac_check_traces(properties, paths, 2, &options, &report, &err)
                       : tac_check_calibrate(properties, paths, 2, &options, &calibration, &err);
    CHECK_EQ(status, err.status);
    if (status != TAC_OK)
        CHECK(!trace.findings && !report.count && !calibration.count);
    tac_checked_trace_free(&trace);
    tac_check_report_free(&report);
    tac_calibration_free(&calibration);
    *ticks = stopper.ticks;
    return status;
}

TEST(every_check_stops_at_every_tick)
{
    tac_properties *properties =
        properties_of("property p: forall [a, a] diff(x) < 3\n"
                      "property q for each x: always (a -> eventually[1 s, 5 s] a)\n");
    char *path = tac_strdup(long_trace());
    for (enum work work = ONE; work <= CALIBRATE; work++) {
        uint64_t all, ticks;
        CHECK_EQ(work_until(work, properties, path, UINT64_MAX, &all), TAC_OK);
        CHECK(all >= 2);
        for (uint64_t left = 0; left < all; left++) {
            CHECK_EQ(work_until(work, properties, path, left, &ticks), TAC_E_INTERRUPTED);
            CHECK_EQ(ticks, left + 1);
        }
    }
    free(path);
    tac_property_free(properties);
}

/* Following lasts until it is stopped: what is known then is its result. */
TEST(following_ends_when_it_is_stopped)
{
    tac_properties *properties = properties_of("property p: always (a -> eventually b)\n");
    char *path = tac_strdup(test_temporary("live.csv"));
    FILE *file = fopen(path, "w");
    fputs("t,event\n0,a\n", file);
    fclose(file);
    const char *const paths[] = {path};
    for (uint64_t left = 0; left < 6; left += 5) {
        struct stopper stopper = {.watch = {count_down}, .left = left};
        tac_check_options options = {.watch = &stopper.watch};
        tac_checked_trace trace;
        tac_error err;
        REQUIRE(tac_check_follow(properties, paths, 1, &options, &trace, &err) == TAC_OK);
        CHECK_EQ(trace.count, 1);
        CHECK(stopper.ticks <= left + 2);
        tac_checked_trace_free(&trace);
    }
    free(path);
    tac_property_free(properties);
}
