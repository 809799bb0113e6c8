/* The table of a campaign over subjects: its rows from summaries, its file, its document.
 *
 * A row that is not complete is never believed: what counts are the runs that the subject's folder
 * keeps, so that the table is right after a stop at any moment, be it a kill. */
#include "run/subjects/matrix.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/campaign/described.h"
#include <string.h>
#include <unistd.h>

const char subject_unbegun[] =
    "the campaign was stopped before its first run; the same call goes on";
static const char subject_stopped[] = "the campaign was stopped before its runs were done; those "
                                      "that were are kept, and the same call goes on";

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

static tac_run_subject_property property_row(const tac_run_summary *summary, const char *name)
{
    const tac_run_verdict *first = first_violation(summary, name);
    tac_run_subject_property row = {.property = name,
                                    .first_run = first ? first->run : -1,
                                    .first_step = first ? first->step : -1};
    for (size_t i = 0; i < summary->property_count; i++)
        if (!strcmp(summary->properties[i].name, name)) {
            row.runs += summary->properties[i].runs;
            row.violated += summary->properties[i].violated;
            row.inconclusive += summary->properties[i].inconclusive;
            row.exercised += summary->properties[i].exercised;
        }
    for (size_t i = 0; i < summary->verdict_count; i++)
        if (!strcmp(summary->verdicts[i].property, name))
            row.untested += summary->verdicts[i].untested;
    return row;
}

static const char *reason_of(tac_arena *arena, tac_status status, const tac_error *err)
{
    char place[50] = "";
    if (status == TAC_OK)
        return "";
    if (err->line && err->column)
        snprintf(place, sizeof place, ":%zu:%zu", err->line, err->column);
    else if (err->line)
        snprintf(place, sizeof place, ":%zu", err->line);
    return tac_arena_format(arena, "%s%s%s%s", err->file, *err->file ? place : "",
                            *err->file ? ": " : "", err->message);
}

tac_run_subject_row subject_row(const char *subject, const tac_run_summary *summary,
                                tac_status status, const tac_error *err, tac_arena *arena)
{
    static const tac_run_summary none = {.missing = -1};
    const tac_run_summary *told = summary ? summary : &none;
    tac_run_subject_property *properties =
        tac_arena_calloc(arena, told->property_count, sizeof *properties);
    size_t count = 0;
    for (size_t i = 0; i < told->property_count; i++) {
        bool known = false;
        for (size_t k = 0; k < count; k++)
            known = known || !strcmp(properties[k].property, told->properties[i].name);
        if (!known)
            properties[count++] = property_row(told, told->properties[i].name);
    }
    return (tac_run_subject_row){.subject = subject,
                                 .started = summary && (summary->runs > 0 || status == TAC_OK),
                                 .complete = summary && status == TAC_OK && !summary->missing,
                                 .reason = reason_of(arena, status, err),
                                 .runs = told->runs,
                                 .pass = told->pass,
                                 .fail = told->fail,
                                 .crash = told->crash,
                                 .aborted = told->aborted,
                                 .missing = told->missing,
                                 .properties = properties,
                                 .property_count = count,
                                 .actions = told->actions,
                                 .action_count = told->action_count};
}

void subject_row_take(struct subject_matrix *matrix, size_t index, const tac_run_subject_row *row)
{
    tac_run_subject_row *out = &((tac_run_subject_row *)(uintptr_t)matrix->shown.rows)[index];
    const char *subject = out->subject;
    int64_t missing = out->missing;
    describe_keep(&run_subject_described, row, &matrix->arena, out);
    out->subject = subject;
    if (out->missing < 0)
        out->missing = missing;
}

/* --- Rows of documents --- */

static void read_row(struct subject_matrix *matrix, const json_t *document,
                     tac_run_subject_row *row)
{
    size_t i;
    const json_t *property;
    describe_read(&run_subject_described, document, &matrix->arena, row);
    if (!json_object_get(document, "complete")) /* version 0.1 wrote none */
        row->complete = row->started && !*row->reason;
    json_array_foreach(json_object_get(document, "properties"), i, property)
    {
        tac_run_subject_property *at = &((tac_run_subject_property *)(uintptr_t)row->properties)[i];
        if (!json_object_get(property, "exercised"))
            at->exercised = at->runs;
        if (!json_is_object(json_object_get(property, "first_violation")))
            at->first_run = at->first_step = -1;
    }
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
        tac_run_subject_row now =
            subject_row(row->subject, kept, done ? TAC_OK : why.status, &why, &matrix->arena);
        subject_row_take(matrix, index, &now);
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
            read_row(matrix, row, &rows[i]);
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
