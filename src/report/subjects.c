/* A campaign over many subjects: the table of subjects and properties that it left. */
#include "base/io/json.h"
#include "report/sections.h"
#include "tactus/run.h"
#include <string.h>

/* The number in the report of a subject's run, -1 when its campaign is not here. */
static int64_t number_of(const struct report_project *project, const char *subject, int64_t run)
{
    for (size_t i = 0; i < project->campaigns.count; i++)
        if (!strcmp(project->campaigns.at[i].label, subject))
            return (int64_t)project->campaigns.at[i].first_run + run;
    return -1;
}

static json_t *place_json(int64_t number)
{
    return number < 0 ? json_null() : json_integer((json_int_t)number);
}

static json_t *properties_json(const struct report_project *project, const tac_run_subject_row *row)
{
    json_t *list = json_array();
    for (size_t i = 0; i < row->property_count; i++) {
        const tac_run_subject_property *at = &row->properties[i];
        int64_t first = at->first_run < 0 ? -1 : number_of(project, row->subject, at->first_run);
        json_array_append_new(
            list,
            json_pack("{s:o,s:I,s:I,s:I,s:I,s:o,s:o}", "property", tac_json_string(at->property),
                      "violated", (json_int_t)at->violated, "runs", (json_int_t)at->runs,
                      "exercised", (json_int_t)at->exercised, "untested", (json_int_t)at->untested,
                      "first_run", place_json(first), "first_step", place_json(at->first_step)));
    }
    return list;
}

tac_status report_add_subjects(struct tac_report *report, tac_error *err)
{
    tac_run_matrix *matrix;
    tac_status status = tac_run_matrix_read(report->project.options->folder, &matrix, err);
    if (status != TAC_OK || !matrix)
        return status;
    json_t *list = json_array();
    for (size_t i = 0; i < matrix->count; i++) {
        const tac_run_subject_row *row = &matrix->rows[i];
        json_array_append_new(
            list, json_pack("{s:o,s:b,s:b,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:o}", "subject",
                            tac_json_string(row->subject), "started", row->started, "complete",
                            row->complete, "reason", tac_json_string(row->reason), "runs",
                            (json_int_t)row->runs, "missing", (json_int_t)row->missing, "pass",
                            (json_int_t)row->pass, "fail", (json_int_t)row->fail, "crash",
                            (json_int_t)row->crash, "aborted", (json_int_t)row->aborted,
                            "properties", properties_json(&report->project, row)));
    }
    json_object_set_new(report->document, "subjects", list);
    tac_run_matrix_free(matrix);
    return TAC_OK;
}
