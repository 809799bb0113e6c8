/* The table of a campaign over subjects: its rows from summaries, its file, its document.
 *
 * A row that is not complete is never believed: what counts are the runs that the subject's folder
 * keeps, so that the table is right after a stop at any moment, be it a kill. */
#include "run/subjects/matrix.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/actions/tally.h"
#include <string.h>
#include <unistd.h>

const char subject_unbegun[] =
    "the campaign was stopped before its first run; the same call goes on";
static const char subject_stopped[] =
    "the campaign was stopped before its runs were done; those that "
    "were are kept, and the same call goes on";

/* --- Rows of summaries --- */

static const tac_run_verdict *first_violation(const tac_run_summary *summary, const char *property)
{
    const tac_run_verdict *first = NULL;
    for (size_t i = 0; i < summary->verdict_count; i++) {
        const tac_run_verdict *row = &summary->verdicts[i];
        bool violated = !strcmp(row->verdict, tac_answer_name(TAC_VIOLATED)) ||
                        !strcmp(row->verdict, tac_answer_name(TAC_PRESUMABLY_VIOLATED));
        if (violated && !strcmp(row->property, property) && (!first || row->run < first->run))
            first = row;
    }
    return first;
}

static json_t *property_row(const tac_run_summary *summary, const char *name)
{
    int64_t runs = 0, violated = 0, inconclusive = 0, exercised = 0, untested = 0;
    for (size_t i = 0; i < summary->property_count; i++)
        if (!strcmp(summary->properties[i].name, name)) {
            runs += summary->properties[i].runs;
            violated += summary->properties[i].violated;
            inconclusive += summary->properties[i].inconclusive;
            exercised += summary->properties[i].exercised;
        }
    for (size_t i = 0; i < summary->verdict_count; i++)
        if (!strcmp(summary->verdicts[i].property, name))
            untested += summary->verdicts[i].untested;
    const tac_run_verdict *first = first_violation(summary, name);
    json_t *row = json_pack("{s:o,s:I,s:I,s:I,s:I,s:I}", "property", tac_json_string(name),
                            "violated", (json_int_t)violated, "inconclusive",
                            (json_int_t)inconclusive, "runs", (json_int_t)runs, "exercised",
                            (json_int_t)exercised, "untested", (json_int_t)untested);
    json_object_set_new(row, "first_violation",
                        first ? json_pack("{s:I,s:I}", "run", (json_int_t)first->run, "step",
                                          (json_int_t)first->step)
                              : json_null());
    return row;
}

json_t *subject_row_json(const char *subject, const tac_run_summary *summary, tac_status status,
                         const tac_error *err)
{
    json_t *properties = json_array();
    bool started = summary && (summary->runs > 0 || status == TAC_OK);
    for (size_t i = 0; summary && i < summary->property_count; i++) {
        bool known = false;
        for (size_t k = 0; k < i; k++)
            known = known || !strcmp(summary->properties[k].name, summary->properties[i].name);
        if (!known)
            json_array_append_new(properties, property_row(summary, summary->properties[i].name));
    }
    char reason[sizeof err->file + sizeof err->message + 60] = "", place[50] = "";
    if (err->line && err->column)
        snprintf(place, sizeof place, ":%zu:%zu", err->line, err->column);
    else if (err->line)
        snprintf(place, sizeof place, ":%zu", err->line);
    if (status != TAC_OK)
        snprintf(reason, sizeof reason, "%s%s%s%s", err->file, *err->file ? place : "",
                 *err->file ? ": " : "", err->message);
    json_t *actions =
        action_rows_json(summary ? summary->actions : NULL, summary ? summary->action_count : 0);
    static const tac_run_summary none;
    const tac_run_summary *told = summary ? summary : &none;
    bool complete = summary && status == TAC_OK && !summary->missing;
    json_t *row = json_pack("{s:o,s:b,s:b,s:o,s:I,s:I,s:I,s:I,s:I,s:o,s:o}", "subject",
                            tac_json_string(subject), "started", started, "complete", complete,
                            "reason", tac_json_string(reason), "runs", (json_int_t)told->runs,
                            "pass", (json_int_t)told->pass, "fail", (json_int_t)told->fail, "crash",
                            (json_int_t)told->crash, "aborted", (json_int_t)told->aborted,
                            "properties", properties, "actions", actions);
    if (summary) /* else as many as were due before */
        json_object_set_new(row, "missing", json_integer((json_int_t)summary->missing));
    return row;
}

/* --- Rows of documents --- */

static const char *text_in(tac_arena *arena, const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return tac_arena_strdup(arena, text ? text : "");
}

static int64_t number_in(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

void subject_row_take(struct subject_matrix *matrix, size_t index, const json_t *row)
{
    tac_run_subject_row *out = &((tac_run_subject_row *)(uintptr_t)matrix->shown.rows)[index];
    const json_t *properties = json_object_get(row, "properties"), *property;
    size_t i, count = json_array_size(properties);
    tac_run_subject_property *list = tac_arena_calloc(&matrix->arena, count + 1, sizeof *list);
    json_array_foreach(properties, i, property)
    {
        const json_t *first = json_object_get(property, "first_violation");
        list[i] = (tac_run_subject_property){
            .property = text_in(&matrix->arena, property, "property"),
            .violated = number_in(property, "violated"),
            .inconclusive = number_in(property, "inconclusive"),
            .runs = number_in(property, "runs"),
            .untested = number_in(property, "untested"),
            .exercised = json_object_get(property, "exercised") ? number_in(property, "exercised")
                                                                : number_in(property, "runs"),
            .first_run = first && !json_is_null(first) ? number_in(first, "run") : -1,
            .first_step = first && !json_is_null(first) ? number_in(first, "step") : -1};
    }
    size_t actions;
    const tac_run_action *acted =
        action_rows_read(json_object_get(row, "actions"), &matrix->arena, &actions);
    bool started = json_is_true(json_object_get(row, "started"));
    const char *reason = text_in(&matrix->arena, row, "reason");
    const json_t *complete = json_object_get(row, "complete"); /* version 0.1 wrote none */
    *out = (tac_run_subject_row){
        .subject = out->subject,
        .started = started,
        .complete = complete ? json_is_true(complete) : started && !*reason,
        .reason = reason,
        .missing = json_object_get(row, "missing") ? number_in(row, "missing") : out->missing,
        .runs = number_in(row, "runs"),
        .pass = number_in(row, "pass"),
        .fail = number_in(row, "fail"),
        .crash = number_in(row, "crash"),
        .aborted = number_in(row, "aborted"),
        .properties = list,
        .property_count = count,
        .actions = acted,
        .action_count = actions};
}

void subject_row_recount(struct subject_matrix *matrix, size_t index)
{
    const tac_run_subject_row *row = &matrix->shown.rows[index];
    tac_run_summary *kept = NULL;
    tac_error err = {0}, why = {.status = TAC_E_INTERRUPTED};
    if (row->complete)
        return;
    char *folder = tac_format("%s/%s", matrix->shown.folder, row->subject);
    char *index_file = tac_format("%s/index.sqlite", folder);
    if (access(index_file, R_OK) == 0 && tac_run_kept(folder, &kept, &err) == TAC_OK) {
        bool unbegun = !strcmp(row->reason, subject_unbegun);
        bool done = !kept->missing && (unbegun || !strcmp(row->reason, subject_stopped));
        snprintf(why.message, sizeof why.message, "%s",
                 unbegun && kept->runs ? subject_stopped : row->reason);
        json_t *now = subject_row_json(row->subject, kept, done ? TAC_OK : why.status, &why);
        subject_row_take(matrix, index, now);
        json_decref(now);
    }
    tac_run_summary_free(kept);
    free(index_file);
    free(folder);
}

tac_status tac_run_matrix_read(const char *folder, tac_run_matrix **out, tac_error *err)
{
    char *path = tac_format("%s/matrix.json", folder);
    json_t *document = NULL;
    json_error_t problem;
    *out = NULL;
    tac_status status = TAC_OK;
    if (access(path, R_OK) == 0) {
        document = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
        if (!json_is_array(json_object_get(document, "subjects")))
            status = tac_fail_at(err, TAC_E_INPUT, path, document ? 0 : (size_t)problem.line, 0,
                                 "is not the table of a campaign over subjects: %s",
                                 document ? "it has no array \"subjects\"" : problem.text);
    }
    if (document && status == TAC_OK) {
        const json_t *subjects = json_object_get(document, "subjects"), *row;
        struct subject_matrix *matrix = tac_calloc(1, sizeof *matrix);
        size_t i, count = json_array_size(subjects);
        tac_run_subject_row *rows = tac_arena_calloc(&matrix->arena, count + 1, sizeof *rows);
        matrix->shown = (tac_run_matrix){tac_arena_strdup(&matrix->arena, folder), rows, count};
        json_array_foreach(subjects, i, row)
        {
            rows[i].subject = text_in(&matrix->arena, row, "subject");
            subject_row_take(matrix, i, row);
            subject_row_recount(matrix, i);
        }
        *out = &matrix->shown;
    }
    json_decref(document);
    free(path);
    return status;
}

tac_status subject_matrix_write(const tac_run_matrix *matrix, const char *folder, tac_error *err)
{
    char *path = tac_format("%s/matrix.json", folder);
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status == TAC_OK) {
        json_t *document = tac_run_matrix_json(matrix);
        char *text = tac_json_text(document, JSON_INDENT(1));
        fprintf(output.file, "%s\n", text);
        free(text);
        json_decref(document);
        status = tac_output_close(&output, TAC_OK, err);
    }
    free(path);
    return status;
}

void tac_run_matrix_free(tac_run_matrix *shown)
{
    struct subject_matrix *matrix = (struct subject_matrix *)shown;
    if (!matrix)
        return;
    tac_arena_free(&matrix->arena);
    free(matrix);
}

tac_answer tac_run_matrix_answer(const tac_run_matrix *matrix)
{
    bool bad = false, unknown = false;
    for (size_t i = 0; i < matrix->count; i++) {
        const tac_run_subject_row *row = &matrix->rows[i];
        unknown = unknown || !row->started || !row->complete;
        bad = bad || row->fail || row->crash || row->aborted;
        for (size_t k = 0; k < row->property_count; k++) {
            bad = bad || row->properties[k].violated;
            unknown = unknown || row->properties[k].inconclusive;
        }
    }
    return bad ? TAC_VIOLATED : unknown ? TAC_INCONCLUSIVE : TAC_HOLDS;
}

static json_t *violation_json(const tac_run_subject_property *property)
{
    return property->first_run < 0 ? json_null()
                                   : json_pack("{s:I,s:I}", "run", (json_int_t)property->first_run,
                                               "step", (json_int_t)property->first_step);
}

json_t *tac_run_matrix_json(const tac_run_matrix *matrix)
{
    json_t *subjects = json_array();
    int64_t totals[6] = {0};
    for (size_t i = 0; i < matrix->count; i++) {
        const tac_run_subject_row *row = &matrix->rows[i];
        json_t *properties = json_array();
        for (size_t k = 0; k < row->property_count; k++) {
            const tac_run_subject_property *at = &row->properties[k];
            json_array_append_new(
                properties,
                json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:o}", "property",
                          tac_json_string(at->property), "violated", (json_int_t)at->violated,
                          "inconclusive", (json_int_t)at->inconclusive, "runs",
                          (json_int_t)at->runs, "exercised", (json_int_t)at->exercised, "untested",
                          (json_int_t)at->untested, "first_violation", violation_json(at)));
        }
        const int64_t figures[6] = {row->runs,  row->pass,    row->fail,
                                    row->crash, row->aborted, row->missing};
        for (size_t k = 0; k < 6; k++)
            totals[k] += figures[k];
        json_t *shown = json_pack("{s:o,s:b,s:b,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:o}", "subject",
                                  tac_json_string(row->subject), "started", row->started,
                                  "complete", row->complete, "reason", tac_json_string(row->reason),
                                  "runs", (json_int_t)row->runs, "missing",
                                  (json_int_t)row->missing, "pass", (json_int_t)row->pass, "fail",
                                  (json_int_t)row->fail, "crash", (json_int_t)row->crash, "aborted",
                                  (json_int_t)row->aborted, "properties", properties);
        if (row->action_count)
            json_object_set_new(shown, "actions",
                                action_rows_json(row->actions, row->action_count));
        json_array_append_new(subjects, shown);
    }
    return json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:o}", "folder", tac_json_string(matrix->folder),
                     "runs", (json_int_t)totals[0], "missing", (json_int_t)totals[5], "pass",
                     (json_int_t)totals[1], "fail", (json_int_t)totals[2], "crash",
                     (json_int_t)totals[3], "aborted", (json_int_t)totals[4], "subjects", subjects);
}
