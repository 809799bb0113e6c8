/* The causes of crashes over earlier campaigns: how often each was met then, what is new, what is
 * gone. Whether a change is more than chance is Fisher's exact test. */
#include "report/cause/history.h"
#include "base/check.h"
#include "base/data/bits.h"
#include "mining/runs/runs.h"
#include "report/project/statistics.h"
#include "report/project/trend.h"
#include <math.h>

/* --- names that hold over all campaigns --- */

static void add_crashes(const struct report_campaign *campaign, struct crash_list *list,
                        name_numbers *out)
{
    for (size_t i = 0; campaign && i < campaign->runs.count; i++) {
        const struct report_run *run = &campaign->runs.at[i];
        char *name = NULL;
        struct run_outcome outcome = {.exception = run->row.exception,
                                      .stack = run->stack,
                                      .place = run->place,
                                      .message = run->row.message};
        tac_vec_push(out, is_crash_run(run) ? crash_list_add(list, &outcome, &name) : TAC_NONE);
        free(name);
    }
}

/* From the numbers of crashes to those of names. */
static void rename_crashes(struct crash_list *list, tac_names *names, name_numbers *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->at[i] == TAC_NONE)
            continue;
        char *name = crash_list_name(list, runs->at[i]);
        runs->at[i] = tac_names_intern(names, name);
        free(name);
    }
}

static void name_crashes(const struct report_campaign *now, tac_cluster_by by,
                         struct crash_history *history)
{
    struct crash_list list = {0};
    tac_names names = {0};
    crash_list_make(&list, NULL, NULL);
    list.reader.by = by;
    add_crashes(now, &list, &history->now);
    for (size_t b = 0; b < history->at.count; b++) {
        tac_vec_push(&history->before, (name_numbers){0});
        add_crashes(history->at.at[b].campaign, &list, &history->before.at[b]);
    }
    crash_list_learn(&list);
    rename_crashes(&list, &names, &history->now);
    for (size_t b = 0; b < history->at.count; b++)
        rename_crashes(&list, &names, &history->before.at[b]);
    history->names = names.count;
    tac_names_free(&names);
    crash_list_free(&list);
}

/* The names of a cause's runs, as a set; `runs` are the names of its campaign. The caller's. */
static uint64_t *names_of(const struct crash_history *history, const struct crash_cause *cause,
                          const name_numbers *runs)
{
    uint64_t *names = tac_bits_new(history->names);
    for (size_t i = 0; i < cause->runs.count; i++) {
        assert(runs->at[cause->runs.at[i]] < history->names);
        tac_bits_set(names, runs->at[cause->runs.at[i]]);
    }
    return names;
}

static size_t count_named(const uint64_t *names, const name_numbers *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++)
        count += runs->at[i] != TAC_NONE && tac_bits_get(names, runs->at[i]);
    return count;
}

bool crash_history_is_new(const struct crash_history *history, const struct crash_cause *cause)
{
    if (!history->before.count)
        return false;
    const name_numbers *before = &tac_vec_last(&history->before);
    uint64_t *known = tac_bits_new(history->names);
    bool is_new = false;
    for (size_t i = 0; i < before->count; i++)
        if (before->at[i] != TAC_NONE)
            tac_bits_set(known, before->at[i]);
    for (size_t i = 0; i < cause->runs.count; i++)
        is_new = is_new || !tac_bits_get(known, history->now.at[cause->runs.at[i]]);
    free(known);
    return is_new;
}

/* --- reading --- */

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
    if (status == TAC_OK)
        name_crashes(&report->project.campaigns.at[index], report->project.options->cluster_by,
                     history);
    return status;
}

void crash_history_free(struct crash_history *history)
{
    for (size_t b = 0; b < history->at.count; b++)
        cause_list_free(&history->at.at[b]);
    for (size_t b = 0; b < history->before.count; b++)
        tac_vec_free(&history->before.at[b]);
    tac_vec_free(&history->at);
    tac_vec_free(&history->before);
    tac_vec_free(&history->now);
}

/* --- trends --- */

static void add_trend(const struct cause_list *now, const struct crash_history *history,
                      const char *name, const uint64_t *names, json_t *trends)
{
    char *link = cause_link(now, name);
    struct trend trend = trend_new("cause", name, "", link);
    size_t runs = now->campaign->runs.count, crashed = count_named(names, &history->now);
    for (size_t b = 0; b < history->at.count; b++) {
        const struct cause_list *before = &history->at.at[b];
        if (!before->campaign)
            continue;
        size_t old_runs = before->campaign->runs.count;
        size_t old = count_named(names, &history->before.at[b]);
        trend_add(&trend, now->report->project.options->baselines[b], old_runs, old, NAN,
                  fisher_exact(crashed, runs, old, old_runs));
    }
    trend_add(&trend, "now", runs, crashed, NAN, NAN);
    trend_finish(&trend, trends);
    free(link);
}

void crash_trend_add(const struct cause_list *now, const struct crash_history *history,
                     const struct crash_cause *cause, json_t *trends)
{
    uint64_t *names = names_of(history, cause, &history->now);
    add_trend(now, history, cause->name, names, trends);
    free(names);
}

static void name_gone(const struct cause_list *now, const struct crash_cause *cause,
                      size_t old_runs)
{
    size_t runs = now->campaign->runs.count;
    double p = fisher_exact(0, runs, cause->runs.count, old_runs);
    struct finding_parts parts = {
        .rank = p < 0.05 ? RANK_BETTER : RANK_UNCLEAR,
        .subject = cause->name,
        .link = "#trends",
        .detail = p < 0.05 ? "Fisher's exact test says that this is hardly chance."
                           : "So few runs may miss it by chance."};
    finding_add(&now->report->project.findings, &parts,
                "%s no longer crashes: 0 of %zu runs, in the baseline %zu of %zu (p = %.2g).",
                cause->name, runs, cause->runs.count, old_runs, p);
}

void crash_history_name_gone(const struct cause_list *now, const struct crash_history *history,
                             json_t *trends)
{
    const struct cause_list *before = &tac_vec_last(&history->at);
    for (size_t i = 0; i < before->at.count; i++) {
        const struct crash_cause *cause = &before->at.at[i];
        uint64_t *names = names_of(history, cause, &tac_vec_last(&history->before));
        if (!count_named(names, &history->now)) {
            add_trend(now, history, cause->name, names, trends);
            name_gone(now, cause, before->campaign->runs.count);
        }
        free(names);
    }
}
