/* Many subjects: reading their names, and the table of subjects and properties. */
#include "cli/run_subjects.h"
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "base/print/print.h"
#include "cli/run_cases.h"
#include "cli/run_text.h"
#include <string.h>

struct subject_list {
    TAC_VEC(tac_run_subject) at;
    TAC_VEC(char *) texts;
};

static void free_subjects(struct subject_list *list)
{
    for (size_t i = 0; i < list->texts.count; i++)
        free(list->texts.at[i]);
    tac_vec_free(&list->texts);
    tac_vec_free(&list->at);
}

static const char *keep(struct subject_list *list, char *text)
{
    tac_vec_push(&list->texts, text);
    return text;
}

/* NAME=URI; an error message, or NULL. */
static const char *add_subject(struct subject_list *list, const char *text)
{
    char *copy = tac_strdup(text), *equals = strchr(copy, '=');
    keep(list, copy);
    if (!equals || equals == copy || !equals[1])
        return keep(
            list,
            tac_format("'%.80s': a subject is NAME=URI, such as react=http://127.0.0.1:8000/react/",
                       copy));
    *equals = '\0';
    if (copy[strspn(copy, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] ||
        *copy == '.')
        return keep(list, tac_format("'%.80s': the name of a subject has letters, digits, '.', '_' "
                                     "and '-', and does not start with '.'",
                                     copy));
    if (!strcmp(copy, "matrix.json"))
        return "'matrix.json' is the table of all subjects; give the subject another name";
    for (size_t i = 0; i < list->at.count; i++)
        if (!strcmp(list->at.at[i].name, copy))
            return keep(list, tac_format("two subjects have the name '%.80s'", copy));
    tac_run_subject subject = {copy, equals + 1};
    tac_vec_push(&list->at, subject);
    return NULL;
}

/* Without a comment, which a '#' at the start or behind a blank begins: addresses have one, too. */
static void cut_comment(char *text)
{
    for (char *at = text; (at = strchr(at, '#')); at++)
        if (at == text || strchr(" \t", at[-1])) {
            *at = '\0';
            return;
        }
}

/* One a line; blanks around it and comments are passed over. *line tells where a mistake is. */
static const char *read_lines(struct subject_list *list, char *text, size_t *line)
{
    const char *wrong = NULL;
    char *rest = text;
    *line = 0;
    while (!wrong && rest) {
        char *start = strsep(&rest, "\n");
        ++*line;
        cut_comment(start);
        start += strspn(start, " \t\r");
        size_t length = strlen(start);
        while (length && strchr(" \t\r", start[length - 1]))
            start[--length] = '\0';
        if (length)
            wrong = add_subject(list, start);
    }
    return wrong;
}

static tac_status read_file(struct subject_list *list, const char *path, tac_error *err)
{
    char *text;
    size_t size, line;
    tac_status status = tac_input_slurp(path, (size_t)1 << 20, &text, &size, err);
    if (status != TAC_OK)
        return status;
    bool whole = strlen(text) == size; /* it is taken apart below */
    bool marked = size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3);
    const char *wrong = read_lines(list, text + (marked ? 3 : 0), &line);
    if (!wrong && !whole)
        wrong = "a NUL stands here, and what follows would be lost";
    if (!wrong && !list->at.count)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the file names no subject; write NAME=URI, one a line");
    if (wrong)
        status = tac_fail_at(err, TAC_E_INPUT, path, line, 0, "%s", wrong);
    free(text);
    return status;
}

static void write_cell(FILE *out, const tac_run_subject_property *cell)
{
    tac_print(out, "    %s: violated in %lld of %lld runs", cell->property,
              (long long)cell->violated, (long long)cell->runs);
    if (cell->first_run >= 0)
        tac_print(out, ", first in run %lld at step %lld", (long long)cell->first_run,
                  (long long)cell->first_step);
    if (cell->inconclusive)
        tac_print(out, ", inconclusive in %lld", (long long)cell->inconclusive);
    fputc('\n', out);
}

static void write_table(FILE *out, void *context)
{
    const tac_run_matrix *matrix = context;
    for (size_t i = 0; i < matrix->count; i++) {
        const tac_run_subject_row *row = &matrix->rows[i];
        if (!row->started) {
            tac_print(out, "%s: did not start: %s\n", row->subject, row->reason);
            continue;
        }
        size_t violated = 0, untested = 0;
        for (size_t k = 0; k < row->property_count; k++) {
            violated += row->properties[k].violated > 0;
            untested += row->properties[k].exercised == 0;
        }
        tac_print(
            out,
            "%s: %zu of %zu properties violated, %zu never exercised; %lld runs, %lld passed, "
            "%lld failed, %lld crashed",
            row->subject, violated, row->property_count, untested, (long long)row->runs,
            (long long)row->pass, (long long)row->fail, (long long)row->crash);
        if (row->aborted)
            tac_print(out, ", %lld stopped at a violation", (long long)row->aborted);
        fputc('\n', out);
        for (size_t k = 0; k < row->property_count; k++)
            if (row->properties[k].violated || row->properties[k].inconclusive)
                write_cell(out, &row->properties[k]);
        run_text_actions(out, "    ", row->actions, row->action_count);
        if (!row->complete)
            tac_print(out, "    not complete, %lld of %lld runs are missing: %s\n",
                      (long long)row->missing, (long long)row->runs + row->missing, row->reason);
    }
}

static tac_status write_cases(const struct invocation *in, const tac_run_options *options,
                              const tac_run_matrix *matrix, tac_error *err)
{
    struct pipeline cases = {.piped = in->piped};
    tac_status status = run_subject_cases(&cases, options, matrix, err);
    if (status == TAC_OK)
        return pipeline_finish(in, &cases, "tactus run", err);
    pipeline_free(&cases);
    return status;
}

int run_subjects(struct invocation *in, const tac_run_options *options)
{
    struct subject_list list = {0};
    const char *wrong = NULL;
    tac_error err = {0};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < option_count(in, "subject") && !wrong; i++)
        wrong = add_subject(&list, option_value(in, "subject", i));
    if (!wrong && option_flag(in, "subjects"))
        status = read_file(&list, option_text(in, "subjects"), &err);
    if (wrong || status != TAC_OK) {
        int code = wrong ? fail_usage(in, "%s", wrong) : fail(in, &err);
        free_subjects(&list);
        return code;
    }
    tac_run_matrix *matrix = NULL;
    status = tac_run_subjects(options, list.at.at, list.at.count, &matrix, &err);
    int code =
        status == TAC_OK ? tac_exit_code(TAC_OK, tac_run_matrix_answer(matrix)) : fail(in, &err);
    if (matrix && pipeline_wanted(in)) {
        tac_error late;
        if (write_cases(in, options, matrix, &late) != TAC_OK)
            code = fail(in, &late);
    }
    struct invocation to_stdout = *in; /* -o names the folder, the table goes to the terminal */
    to_stdout.output = NULL;
    to_stdout.stop_is_end = true;
    if (matrix && in->json)
        code = finish_json(&to_stdout, tac_run_matrix_json(matrix), code);
    else if (matrix)
        code = finish_text(&to_stdout, write_table, matrix, code);
    tac_run_matrix_free(matrix);
    free_subjects(&list);
    return code;
}
