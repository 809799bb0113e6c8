/* See described.h. */
#include "run/campaign/described.h"

/* --- A campaign ------------------------------------------------------------------------------- */

static const struct field property_fields[] = {
    FIELDS(tac_run_property, name, scenario, runs, violated, inconclusive),
    FIELD(tac_run_property, exercised, .about = "runs that had something to judge"),
    FIELD(tac_run_property, worst_margin)};
static DESCRIBE(property, tac_run_property);

static const struct field crash_fields[] = {
    FIELDS(tac_run_crash, exception, finding, runs),
    FIELD(tac_run_crash, example, .about = "a run's number")};
static DESCRIBE(crash, tac_run_crash);

static const struct field failure_fields[] = {
    FIELDS(tac_run_failure, run, verdict, scenario, message)};
static DESCRIBE(failure, tac_run_failure);

static const struct field verdict_fields[] = {
    FIELDS(tac_run_verdict, run, scenario, property, verdict, exercised, margin)};
static DESCRIBE(verdict, tac_run_verdict);

static const struct field share_fields[] = {FIELDS(tac_run_share, device, runs)};
static DESCRIBE(share, tac_run_share);

static const struct field run_lost_fields[] = {
    FIELD(tac_run_lost_device, device),
    FIELD(tac_run_lost_device, after, .about = "runs that it did before"),
    FIELD(tac_run_lost_device, message)};
DESCRIBE(run_lost, tac_run_lost_device);

static const struct field coverage_fields[] = {
    FIELDS(tac_run_coverage, run, covered, total, events, starts, unmodelled, goal, ended)};
static DESCRIBE(coverage, tac_run_coverage);

static const struct field action_fields[] = {
    FIELD(tac_run_action, action),
    FIELD(tac_run_action, looks, .about = "at the screen, before something was chosen"),
    FIELD(tac_run_action, enabled, .about = "looks at which its condition held"),
    FIELDS(tac_run_action, chosen, abandoned, unrested),
    FIELD(tac_run_action, step, .known = IF(tac_run_action, step),
          .about = "where it was abandoned most often, from 1"),
    FIELD(tac_run_action, abandoned_there),
    FIELD_TEXT(tac_run_action, written, .known = IF(tac_run_action, step)),
    FIELD_TEXT(tac_run_action, reason, .known = IF(tac_run_action, step))};
static DESCRIBE(action, tac_run_action);

static const struct field run_summary_fields[] = {
    FIELDS(tac_run_summary, folder, runs, missing, pass, fail, crash, aborted),
    FIELD_TEXTS(tac_run_summary, scenarios, scenario_count),
    FIELD_LIST(tac_run_summary, properties, property_count, property_described),
    FIELD_LIST(tac_run_summary, crashes, crash_count, crash_described),
    FIELD_LIST(tac_run_summary, failures, failure_count, failure_described),
    FIELD_LIST(tac_run_summary, notes, note_count, failure_described, .omit = true,
               .about = "of runs that passed"),
    FIELD_LIST(tac_run_summary, verdicts, verdict_count, verdict_described),
    FIELD_LIST(tac_run_summary, devices, device_count, share_described),
    FIELD_LIST(tac_run_summary, lost, lost_count, run_lost_described, .key = "lost_devices"),
    FIELD_LIST(tac_run_summary, coverage, coverage_count, coverage_described, .omit = true),
    FIELD_LIST(tac_run_summary, actions, action_count, action_described, .omit = true),
    FIELD_TEXTS(tac_run_summary, unmatched, unmatched_count, .key = "unmatched_options")};
DESCRIBE(run_summary, tac_run_summary);

static const struct field run_planned_fields[] = {
    FIELD_GROUP(tac_run_summary, "", run_summary_described, .splice = true),
    FIELD(tac_run_summary, missing, .key = "planned")};
DESCRIBE(run_planned, tac_run_summary);

json_t *tac_run_summary_json(const tac_run_summary *summary)
{
    return describe_json(&run_summary_described, summary);
}

/* --- A worker --------------------------------------------------------------------------------- */

static const struct field worked_fields[] = {
    FIELDS(tac_run_worked, campaign, done, late, left),
    FIELD_LIST(tac_run_worked, lost, lost_count, run_lost_described, .key = "lost_devices")};
static DESCRIBE(worked, tac_run_worked);

static const struct field refused_fields[] = {
    FIELD(tac_run_worked, campaign), FIELD_TEXT(tac_run_worked, refused, .key = "message")};
static DESCRIBE(refused, tac_run_worked);

static const struct field run_work_fields[] = {
    FIELDS(tac_run_work, store, done, late),
    FIELD_LIST(tac_run_work, campaigns, campaign_count, worked_described,
               .each = IF_NOT(tac_run_worked, refused)),
    FIELD_LIST(tac_run_work, campaigns, campaign_count, refused_described, .key = "refused",
               .each = IF(tac_run_worked, refused))};
DESCRIBE(run_work, tac_run_work);

json_t *tac_run_work_json(const tac_run_work *work)
{
    return describe_json(&run_work_described, work);
}

/* --- Many subjects ---------------------------------------------------------------------------- */

static const struct field first_fields[] = {
    FIELD(tac_run_subject_property, first_run, .key = "run"),
    FIELD(tac_run_subject_property, first_step, .key = "step")};
static DESCRIBE(first, tac_run_subject_property);

static const struct field judged_fields[] = {
    FIELDS(tac_run_subject_property, property, violated, inconclusive, runs, exercised, untested),
    FIELD_GROUP(tac_run_subject_property, "first_violation", first_described,
                .known = IF_OTHER(tac_run_subject_property, first_run, -1))};
static DESCRIBE(judged, tac_run_subject_property);

static const struct field run_subject_fields[] = {
    FIELDS(tac_run_subject_row, subject, started),
    FIELD(tac_run_subject_row, complete, .about = "all of its runs are there"),
    FIELD_TEXT(tac_run_subject_row, reason, .about = "why it did not start, or did not finish"),
    FIELDS(tac_run_subject_row, runs, missing, pass, fail, crash, aborted),
    FIELD_LIST(tac_run_subject_row, properties, property_count, judged_described),
    FIELD_LIST(tac_run_subject_row, actions, action_count, action_described, .omit = true)};
DESCRIBE(run_subject, tac_run_subject_row);

/* The figure of all rows; each has its place in the row. */
static void add_up(const void *value, size_t place, struct field_value *out)
{
    const tac_run_matrix *matrix = value;
    for (size_t i = 0; i < matrix->count; i++)
        out->integer += *(const int64_t *)(const void *)((const char *)&matrix->rows[i] + place);
}
#define TOTAL(figure)                                                                              \
    static void all_##figure(const void *value, struct field_value *out)                           \
    {                                                                                              \
        add_up(value, offsetof(tac_run_subject_row, figure), out);                                 \
    }
TOTAL(runs)
TOTAL(missing)
TOTAL(pass)
TOTAL(fail)
TOTAL(crash)
TOTAL(aborted)

static const struct field run_matrix_fields[] = {
    FIELD(tac_run_matrix, folder),
    FIELD_GET_INTEGER("runs", all_runs),
    FIELD_GET_INTEGER("missing", all_missing),
    FIELD_GET_INTEGER("pass", all_pass),
    FIELD_GET_INTEGER("fail", all_fail),
    FIELD_GET_INTEGER("crash", all_crash),
    FIELD_GET_INTEGER("aborted", all_aborted),
    FIELD_LIST(tac_run_matrix, rows, count, run_subject_described, .key = "subjects")};
DESCRIBE(run_matrix, tac_run_matrix);

json_t *tac_run_matrix_json(const tac_run_matrix *matrix)
{
    return describe_json(&run_matrix_described, matrix);
}
