/* Does the report stop a pipeline? See tac_report_judge. */
#include "report/project/parts.h"

struct run_tally {
    size_t runs, undone; /* undone: a step could not be done, or the device failed */
    size_t damaged;      /* traces that nothing can be read from: what they held is not known */
};

static struct run_tally tally(const struct report_project *project)
{
    struct run_tally all = {0};
    for (size_t c = 0; c < project->campaigns.count; c++) {
        all.damaged += project->campaigns.at[c].damaged.count;
        for (size_t i = 0; i < project->campaigns.at[c].runs.count; i++) {
            tac_stored_end end = tac_stored_end_of(project->campaigns.at[c].runs.at[i].row.verdict);
            all.runs++;
            all.undone += end == TAC_STORED_FAIL || end == TAC_STORED_ERROR;
        }
    }
    return all;
}

bool tac_report_finding_fails(const tac_report *report, size_t index, tac_report_fail_on fail_on)
{
    const struct report_finding *finding = &report->project.findings.at.at[index];
    if (fail_on == TAC_REPORT_FAIL_NONE || finding->rank > RANK_WORSE)
        return false;
    /* files without runs have no baseline that could excuse them */
    return fail_on == TAC_REPORT_FAIL_ANY || finding->is_new || finding->rank == RANK_WORSE ||
           finding->rank == RANK_FAULT;
}

tac_answer tac_report_judge(const tac_report *report, tac_report_fail_on fail_on)
{
    const tac_report_options *options = report->project.options;
    if (fail_on == TAC_REPORT_FAIL_NONE)
        return TAC_HOLDS;
    for (size_t i = 0; i < tac_report_finding_count(report); i++)
        if (tac_report_finding_fails(report, i, fail_on))
            return TAC_VIOLATED;
    struct run_tally now = tally(&report->project), before = {0};
    bool compared = fail_on == TAC_REPORT_FAIL_NEW && report->baselines.count;
    if (compared)
        before = tally(&tac_vec_last(&report->baselines));
    bool only_files = !now.runs && options->rule_file_count + options->recording_count > 0;
    bool nothing = !only_files && now.runs == now.undone;
    bool newly_undone = now.undone && !(compared && before.undone);
    bool unread = now.damaged || before.damaged;
    bool unlike = compared && report->incomparable;
    bool unknown = nothing || newly_undone || unread || unlike || (compared && !before.runs);
    return unknown ? TAC_INCONCLUSIVE : TAC_HOLDS;
}
