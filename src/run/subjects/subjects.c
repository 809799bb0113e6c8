/* Every run on every subject: a campaign per subject, in a folder of its own, `parallel` of them at
 * a time, each in a child process; the parent gathers a row per subject.
 *
 *   DIR/NAME/       the campaign of subject NAME
 *   DIR/matrix.json the rows
 *
 * A subject that cannot start is a row with its reason. What a child says is one line of JSON,
 * which the parent takes as a row; typed rows go to the caller. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/arena.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "base/process/pool.h"
#include "run/actions/tally.h"
#include "run/campaign/campaign.h"
#include "tactus/run.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct subject_matrix {
    tac_run_matrix shown; /* first: freed by its address */
    tac_arena arena;
};

/* --- The child: one campaign --- */

struct subject_work {
    const tac_run_options *options;
    const tac_run_subject *subjects;
    struct subject_matrix *matrix;
};

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
    int64_t runs = 0, violated = 0, exercised = 0, untested = 0;
    for (size_t i = 0; i < summary->property_count; i++)
        if (!strcmp(summary->properties[i].name, name)) {
            runs += summary->properties[i].runs;
            violated += summary->properties[i].violated;
            exercised += summary->properties[i].exercised;
        }
    for (size_t i = 0; i < summary->verdict_count; i++)
        if (!strcmp(summary->verdicts[i].property, name))
            untested += summary->verdicts[i].untested;
    const tac_run_verdict *first = first_violation(summary, name);
    json_t *row = json_pack("{s:o,s:I,s:I,s:I,s:I}", "property", tac_json_string(name), "violated",
                            (json_int_t)violated, "runs", (json_int_t)runs, "exercised",
                            (json_int_t)exercised, "untested", (json_int_t)untested);
    json_object_set_new(row, "first_violation",
                        first ? json_pack("{s:I,s:I}", "run", (json_int_t)first->run, "step",
                                          (json_int_t)first->step)
                              : json_null());
    return row;
}

static json_t *row_of(const tac_run_subject *subject, const tac_run_summary *summary,
                      tac_status status, const tac_error *err)
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
    return json_pack("{s:o,s:b,s:o,s:I,s:I,s:I,s:I,s:I,s:i,s:o,s:o}", "subject",
                     tac_json_string(subject->name), "started", started, "reason",
                     tac_json_string(reason), "runs", (json_int_t)(summary ? summary->runs : 0),
                     "pass", (json_int_t)(summary ? summary->pass : 0), "fail",
                     (json_int_t)(summary ? summary->fail : 0), "crash",
                     (json_int_t)(summary ? summary->crash : 0), "aborted",
                     (json_int_t)(summary ? summary->aborted : 0), "status", (int)status,
                     "properties", properties, "actions", actions);
}

static void serve_subject(void *context, size_t index, tac_str *out)
{
    const struct subject_work *work = context;
    const tac_run_subject *subject = &work->subjects[index];
    tac_run_options options = *work->options;
    tac_run_device device = {.uri = subject->uri};
    char *folder = tac_format("%s/%s", options.folder, subject->name);
    tac_run_summary *summary = NULL;
    tac_error err = {0};
    options.devices = &device;
    options.device_count = 1;
    options.folder = folder;
    options.parallel = 1;
    tac_status status = tac_run_campaign(&options, &summary, &err);
    json_t *row = row_of(subject, summary, status, &err);
    char *text = json_dumps(row, JSON_COMPACT);
    tac_str_add(out, text);
    free(text);
    json_decref(row);
    tac_run_summary_free(summary);
    free(folder);
}

/* --- The parent --- */

static const char *text_in(tac_arena *arena, const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return tac_arena_strdup(arena, text ? text : "");
}

static int64_t number_in(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

static void take_row(struct subject_matrix *matrix, size_t index, const json_t *row)
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
    *out = (tac_run_subject_row){.subject = out->subject,
                                 .started = json_is_true(json_object_get(row, "started")),
                                 .reason = text_in(&matrix->arena, row, "reason"),
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

static bool hear(void *context, const tac_pool_result *result)
{
    struct subject_work *work = context;
    tac_run_subject_row *rows = (tac_run_subject_row *)(uintptr_t)work->matrix->shown.rows;
    json_t *row = json_loadb(result->data ? result->data : "", result->size, 0, NULL);
    assert(result->item < work->matrix->shown.count);
    if (row)
        take_row(work->matrix, result->item, row);
    else
        rows[result->item].reason = "its process ended before it said anything";
    json_decref(row);
    return true;
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
            take_row(matrix, i, row);
        }
        *out = &matrix->shown;
    }
    json_decref(document);
    free(path);
    return status;
}

static tac_status write_matrix(const tac_run_matrix *matrix, const char *folder, tac_error *err)
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

/* What all subjects share is read once before: a mistake in it is no subject's. */
static tac_status try_inputs(const tac_run_options *options, tac_error *err)
{
    struct run_campaign campaign = {.options = options};
    tac_status status = campaign_load_inputs(&campaign, err);
    campaign_free_inputs(&campaign);
    return status;
}

tac_status tac_run_subjects(const tac_run_options *options, const tac_run_subject *subjects,
                            size_t count, tac_run_matrix **out, tac_error *err)
{
    *out = NULL;
    tac_status status = try_inputs(options, err);
    if (status != TAC_OK)
        return status;
    if (mkdir(options->folder, 0777) != 0 && errno != EEXIST)
        return tac_fail_errno(err, errno, options->folder, "cannot make the folder");
    struct subject_matrix *matrix = tac_calloc(1, sizeof *matrix);
    tac_run_subject_row *rows = tac_arena_calloc(&matrix->arena, count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] =
            (tac_run_subject_row){.subject = tac_arena_strdup(&matrix->arena, subjects[i].name),
                                  .reason = "the campaign was stopped before its runs were done; "
                                            "those that were are kept, and the same call goes on"};
    matrix->shown = (tac_run_matrix){
        .folder = tac_arena_strdup(&matrix->arena, options->folder), .rows = rows, .count = count};
    struct subject_work work = {options, subjects, matrix};
    tac_pool_job job = {.items = count,
                        .jobs = options->parallel ? options->parallel : 1,
                        .work = serve_subject,
                        .result = hear,
                        .context = &work,
                        .watch = options->watch,
                        .what = "subjects"};
    status = tac_pool_run(&job, err);
    if (status == TAC_OK)
        status = write_matrix(&matrix->shown, options->folder, err);
    *out = &matrix->shown;
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
        unknown = unknown || !row->started;
        bad = bad || row->fail || row->crash || row->aborted;
        for (size_t k = 0; k < row->property_count; k++)
            bad = bad || row->properties[k].violated;
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
    int64_t totals[5] = {0};
    for (size_t i = 0; i < matrix->count; i++) {
        const tac_run_subject_row *row = &matrix->rows[i];
        json_t *properties = json_array();
        for (size_t k = 0; k < row->property_count; k++) {
            const tac_run_subject_property *at = &row->properties[k];
            json_array_append_new(
                properties,
                json_pack("{s:o,s:I,s:I,s:I,s:I,s:o}", "property", tac_json_string(at->property),
                          "violated", (json_int_t)at->violated, "runs", (json_int_t)at->runs,
                          "exercised", (json_int_t)at->exercised, "untested",
                          (json_int_t)at->untested, "first_violation", violation_json(at)));
        }
        const int64_t figures[5] = {row->runs, row->pass, row->fail, row->crash, row->aborted};
        for (size_t k = 0; k < 5; k++)
            totals[k] += figures[k];
        json_t *shown = json_pack("{s:o,s:b,s:o,s:I,s:I,s:I,s:I,s:I,s:o}", "subject",
                                  tac_json_string(row->subject), "started", row->started, "reason",
                                  tac_json_string(row->reason), "runs", (json_int_t)row->runs,
                                  "pass", (json_int_t)row->pass, "fail", (json_int_t)row->fail,
                                  "crash", (json_int_t)row->crash, "aborted",
                                  (json_int_t)row->aborted, "properties", properties);
        if (row->action_count)
            json_object_set_new(shown, "actions",
                                action_rows_json(row->actions, row->action_count));
        json_array_append_new(subjects, shown);
    }
    return json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:o}", "folder", tac_json_string(matrix->folder),
                     "runs", (json_int_t)totals[0], "pass", (json_int_t)totals[1], "fail",
                     (json_int_t)totals[2], "crash", (json_int_t)totals[3], "aborted",
                     (json_int_t)totals[4], "subjects", subjects);
}
