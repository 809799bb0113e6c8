/* The causes of crashes over earlier campaigns: how often each was met then, what is new, what is
 * gone. Whether a change is more than chance is Fisher's exact test. */
#include "report/cause/history.h"
#include "base/data/alloc.h"
#include "report/baseline.h"
#include "report/statistics.h"
#include <math.h>

tac_status crash_history_read(struct tac_report *report, size_t index,
                              struct crash_history *history, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t b = 0; b < report->baselines.count && status == TAC_OK; b++) {
        struct cause_list list = {
            .report = report,
            .campaign = report_counterpart(&report->project, index, &report->baselines.at[b])};
        if (list.campaign) {
            status = cause_list_read(&list, false, err);
            if (status == TAC_OK)
                cause_list_group(&list);
        }
        tac_vec_push(&history->at, list);
    }
    return status;
}

void crash_history_free(struct crash_history *history)
{
    for (size_t b = 0; b < history->at.count; b++)
        cause_list_free(&history->at.at[b]);
    tac_vec_free(&history->at);
}

void crash_trend_add(const struct cause_list *now, const struct crash_history *history,
                     const char *name, size_t crashed, json_t *trends)
{
    char *link = cause_link(now, name);
    struct trend trend = trend_new("cause", name, "", link);
    size_t runs = now->campaign->runs.count;
    for (size_t b = 0; b < history->at.count; b++) {
        const struct cause_list *before = &history->at.at[b];
        if (!before->campaign)
            continue;
        size_t old_runs = before->campaign->runs.count, old = cause_runs(before, name);
        trend_add(&trend, now->report->project.options->baselines[b], old_runs, old, NAN,
                  fisher_exact(crashed, runs, old, old_runs));
    }
    trend_add(&trend, "now", runs, crashed, NAN, NAN);
    trend_finish(&trend, trends);
    free(link);
}

void crash_history_name_gone(const struct cause_list *now, const struct crash_history *history,
                             json_t *trends)
{
    const struct cause_list *before = &tac_vec_last(&history->at);
    for (size_t i = 0; i < before->at.count; i++) {
        const struct crash_cause *cause = &before->at.at[i];
        size_t runs = now->campaign->runs.count, old_runs = before->campaign->runs.count;
        if (cause_runs(now, cause->name))
            continue;
        crash_trend_add(now, history, cause->name, 0, trends);
        double p = fisher_exact(0, runs, cause->runs.count, old_runs);
        struct finding_parts parts = {.rank = p < 0.05 ? RANK_BETTER : RANK_UNCLEAR,
                                      .subject = cause->name,
                                      .link = "#trends",
                                      .detail = p < 0.05 ? "Fisher's exact test says that this is "
                                                           "hardly chance."
                                                         : "So few runs may miss it by chance."};
        finding_add(&now->report->project.findings, &parts,
                    "%s no longer crashes: 0 of %zu runs, in the baseline %zu of %zu (p = %.2g).",
                    cause->name, runs, cause->runs.count, old_runs, p);
    }
}
