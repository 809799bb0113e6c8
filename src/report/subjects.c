/* A campaign over many subjects: the table of subjects and properties that it left. */
#include "base/describe/describe.h"
#include "report/sections.h"
#include "run/run.h"
#include <string.h>

/* The number in the report of a subject's run, -1 when its campaign is not here. */
static int64_t number_of(const struct report_project *project, const char *subject, int64_t run)
{
    for (size_t i = 0; i < project->campaigns.count; i++)
        if (!strcmp(project->campaigns.at[i].label, subject))
            return (int64_t)project->campaigns.at[i].first_run + run;
    return -1;
}

#define KNOWN(member) .known = IF_OTHER(tac_run_subject_property, member, -1)
static const struct field subject_property_fields[] = {
    FIELDS(tac_run_subject_property, property, violated, runs, exercised, untested),
    FIELD(tac_run_subject_property, first_run, KNOWN(first_run)),
    FIELD(tac_run_subject_property, first_step, KNOWN(first_step))};
static DESCRIBE(subject_property, tac_run_subject_property);
static const struct field subject_fields[] = {
    FIELDS(tac_run_subject_row, subject, started, complete, reason, runs, missing, pass, fail,
           crash, aborted),
    FIELD_LIST(tac_run_subject_row, properties, property_count, subject_property_described)};
static DESCRIBE(subject, tac_run_subject_row);

tac_status report_add_subjects(struct tac_report *report, tac_error *err)
{
    tac_run_matrix *matrix;
    tac_status status = tac_run_matrix_read(report->project.options->folder, &matrix, err);
    if (status != TAC_OK || !matrix)
        return status;
    for (size_t i = 0; i < matrix->count; i++)
        for (size_t k = 0; k < matrix->rows[i].property_count; k++) {
            int64_t *first = (int64_t *)(uintptr_t)&matrix->rows[i].properties[k].first_run;
            *first = *first < 0 ? -1 : number_of(&report->project, matrix->rows[i].subject, *first);
        }
    json_object_set_new(report->document, "subjects",
                        describe_list_json(&subject_described, matrix->rows, matrix->count));
    tac_run_matrix_free(matrix);
    return TAC_OK;
}
