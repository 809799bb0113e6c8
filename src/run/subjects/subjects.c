/* Every run on every subject: a campaign per subject, in a folder of its own, `parallel` of them at
 * a time, each in a child process; the parent gathers a row per subject.
 *
 *   DIR/NAME/       the campaign of subject NAME
 *   DIR/matrix.json the rows; written before the first child and after each
 *
 * A subject that cannot start is a row with its reason. What a child says is one line of JSON,
 * which the parent takes as a row; typed rows go to the caller. Children that were stopped say
 * nothing: their rows are what their folders keep (matrix.c). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/process/pool.h"
#include "run/campaign/campaign.h"
#include "run/campaign/described.h"
#include "run/subjects/matrix.h"
#include <errno.h>
#include <sys/stat.h>

struct subject_work {
    const tac_run_options *options;
    const tac_run_subject *subjects;
    struct subject_matrix *matrix;
    tac_error err; /* of writing the table */
};

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
    tac_arena arena = {0};
    tac_run_subject_row row = subject_row(subject->name, summary, status, &err, &arena);
    describe_pack(&run_subject_described, &row, out);
    tac_arena_free(&arena);
    tac_run_summary_free(summary);
    free(folder);
}

static bool hear(void *context, const tac_pool_result *result)
{
    struct subject_work *work = context;
    tac_run_subject_row *rows = (tac_run_subject_row *)(uintptr_t)work->matrix->shown.rows;
    tac_run_subject_row row;
    tac_arena arena = {0};
    assert(result->item < work->matrix->shown.count);
    if (describe_unpack(&run_subject_described, result->data, result->size, &arena, &row, NULL) ==
        TAC_OK)
        subject_row_take(work->matrix, result->item, &row);
    else
        rows[result->item].reason = "its process ended before it said anything";
    tac_arena_free(&arena);
    subject_row_recount(work->matrix, result->item);
    return subject_matrix_write(&work->matrix->shown, work->options->folder, &work->err) == TAC_OK;
}

/* What all subjects share is read once before: a mistake in it is no subject's. */
static tac_status try_inputs(const tac_run_options *options, size_t *runs, tac_error *err)
{
    struct run_campaign campaign = {.options = options};
    tac_status status = campaign_load_inputs(&campaign, err);
    *runs = campaign.run_count;
    campaign_free_inputs(&campaign);
    return status;
}

/* Rows of what earlier calls left; `runs` are due for each subject. */
static struct subject_matrix *begin(const tac_run_options *options, const tac_run_subject *subjects,
                                    size_t count, size_t runs)
{
    struct subject_matrix *matrix = tac_calloc(1, sizeof *matrix);
    tac_run_subject_row *rows = tac_arena_calloc(&matrix->arena, count + 1, sizeof *rows);
    matrix->shown = (tac_run_matrix){
        .folder = tac_arena_strdup(&matrix->arena, options->folder), .rows = rows, .count = count};
    for (size_t i = 0; i < count; i++) {
        rows[i] =
            (tac_run_subject_row){.subject = tac_arena_strdup(&matrix->arena, subjects[i].name),
                                  .reason = subject_unbegun,
                                  .missing = (int64_t)runs};
        subject_row_recount(matrix, i);
    }
    return matrix;
}

tac_status tac_run_subjects(const tac_run_options *options, const tac_run_subject *subjects,
                            size_t count, tac_run_matrix **out, tac_error *err)
{
    size_t runs;
    *out = NULL;
    tac_status status = try_inputs(options, &runs, err);
    if (status != TAC_OK)
        return status;
    if (mkdir(options->folder, 0777) != 0 && errno != EEXIST)
        return tac_fail_errno(err, errno, options->folder, "cannot make the folder");
    struct subject_matrix *matrix = begin(options, subjects, count, runs);
    struct subject_work work = {options, subjects, matrix, {0}};
    tac_pool_job job = {.items = count,
                        .jobs = options->parallel ? options->parallel : 1,
                        .work = serve_subject,
                        .result = hear,
                        .context = &work,
                        .watch = options->watch,
                        .what = "subjects"};
    status = subject_matrix_write(&matrix->shown, options->folder, err);
    if (status == TAC_OK)
        status = tac_pool_run(&job, err);
    for (size_t i = 0; i < count; i++)
        subject_row_recount(matrix, i);
    tac_error late;
    tac_status written = subject_matrix_write(&matrix->shown, options->folder, &late);
    if (status == TAC_OK && written != TAC_OK) {
        status = written;
        *err = late;
    }
    *out = &matrix->shown;
    return status;
}
