/* Scoring and choosing stop when the watch says so, at once and in the middle. */
#include "base/data/alloc.h"
#include "kpi/kpi.h"
#include "run/run.h"
#include "tactus_test.h"
#include <stdlib.h>
#include <unistd.h>

struct stopping_watch {
    tac_watch watch;
    uint64_t ticks, after;
};

static bool stop_after(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    struct stopping_watch *stopping = (struct stopping_watch *)self;
    (void)what;
    (void)done;
    (void)total;
    return stopping->ticks++ < stopping->after;
}

TEST(scoring_stops)
{
    char folder[] = "/tmp/tactus-kpi-XXXXXX";
    tac_kpi_catalogue *catalogue = NULL;
    tac_error err;
    REQUIRE(mkdtemp(folder));
    REQUIRE(tac_kpi_catalogue_load(test_source("examples/kpi/media-player.json"), &catalogue,
                                   &err) == TAC_OK);
    char *uri = tac_format("sim:%s", test_source("examples/apps/player.json"));
    tac_run_device device = {.uri = uri};
    tac_run_summary *summary = NULL;
    tac_run_options campaign = {
        .devices = &device, .device_count = 1, .folder = folder, .monkey = 3, .monkey_steps = 2};
    REQUIRE(tac_run_campaign(&campaign, &summary, &err) == TAC_OK);
    tac_run_summary_free(summary);
    tac_kpi_app *app = tac_kpi_app_with_all("player", catalogue);
    tac_kpi_subject subject = {.campaign = folder, .app = app};
    for (uint64_t after = 0; after < 3; after++) {
        struct stopping_watch stopping = {.watch = {stop_after}, .after = after};
        tac_kpi_options options = {.catalogue = catalogue,
                                   .subjects = &subject,
                                   .subject_count = 1,
                                   .watch = &stopping.watch};
        tac_kpi_report *report = NULL;
        CHECK_EQ(tac_kpi_score(&options, &report, &err), TAC_E_INTERRUPTED);
        CHECK(!report);
    }
    struct stopping_watch going = {.watch = {stop_after}, .after = UINT64_MAX};
    tac_kpi_options options = {
        .catalogue = catalogue, .subjects = &subject, .subject_count = 1, .watch = &going.watch};
    tac_kpi_report *report = NULL;
    CHECK_EQ(tac_kpi_score(&options, &report, &err), TAC_OK);
    CHECK(report && report->count == 1 && report->results[0].runs == 3);
    tac_kpi_report_free(report);
    tac_kpi_app_free(app);
    tac_kpi_catalogue_free(catalogue);
    free(uri);
    char *remove = tac_format("rm -rf %s", folder);
    CHECK_EQ(system(remove), 0);
    free(remove);
}
