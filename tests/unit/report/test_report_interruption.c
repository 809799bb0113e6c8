/* A report and a plot stop when their watch says so, at once and at every later tick. */
#include "base/data/alloc.h"
#include "base/io/output.h"
#include "report/plot.h"
#include "report/report.h"
#include "run/run.h"
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

/* A small campaign of random runs with a property; the folder's name is the caller's. */
static char *small_campaign(void)
{
    static const char text[] = "unit rxData B\nproperty cheap: always (rxData < 1 GB)\n";
    char *folder = tac_strdup(test_temporary("runs"));
    char *properties = tac_strdup(test_temporary("cheap.props"));
    char *uri = tac_format("sim:%s", test_source("examples/apps/player.json"));
    const tac_run_device devices[] = {{.uri = uri}};
    tac_error err = {0};
    CHECK_EQ(tac_output_write_file(properties, text, sizeof text - 1, &err), TAC_OK);
    tac_run_options options = {.devices = devices,
                               .device_count = 1,
                               .monkey = 3,
                               .monkey_steps = 5,
                               .seed = 1,
                               .properties = properties,
                               .folder = folder};
    tac_run_summary *summary = NULL;
    if (tac_run_campaign(&options, &summary, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s", err.message);
    tac_run_summary_free(summary);
    free(properties);
    free(uri);
    return folder;
}

static tac_status build_until(const char *folder, uint64_t left, uint64_t *ticks)
{
    struct stopper stopper = {.watch = {count_down}, .left = left};
    tac_report_options options = {.folder = folder, .watch = &stopper.watch};
    tac_report *report = NULL;
    tac_error err = {0};
    tac_status status = tac_report_make(&options, &report, &err);
    CHECK_EQ(status == TAC_OK, report != NULL);
    CHECK_EQ(status, err.status);
    tac_report_free(report);
    *ticks = stopper.ticks;
    return status;
}

TEST(a_report_stops_at_every_tick)
{
    char *folder = small_campaign();
    uint64_t ticks, all;
    CHECK_EQ(build_until(folder, UINT64_MAX, &all), TAC_OK);
    CHECK(all >= 6);
    for (uint64_t left = 0; left < all; left++) {
        CHECK_EQ(build_until(folder, left, &ticks), TAC_E_INTERRUPTED);
        CHECK_EQ(ticks, left + 1);
    }
    free(folder);
}

TEST(a_plot_stops_at_once)
{
    struct stopper stopper = {.watch = {count_down}};
    tac_plot_options options = {.variable = "rxData"};
    tac_plot *plot = tac_plot_new(&options);
    tac_error err = {0};
    CHECK_EQ(tac_plot_add(plot, test_source("examples/player-traces/cafe.csv"), NULL,
                          &stopper.watch, &err),
             TAC_E_INTERRUPTED);
    CHECK_EQ(err.status, TAC_E_INTERRUPTED);
    tac_plot_free(plot);
}
