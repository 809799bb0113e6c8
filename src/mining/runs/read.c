/* Which reader a path wants, told by its content: a folder is a DroidBot output or a folder of
 * runs; a file whose first line is a JSON object with "events" is JSON Lines; another file whose
 * first byte is '{', and formats that only the trace readers know, are one trace; the rest is the
 * text form. In a folder, text is taken by its name (.runs) or when its first word is a number:
 * whatever else lies there is left out, and named. A JSON array is neither and refused. A mark of
 * the byte order before the first line is skipped. */
#include "base/data/order.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "base/keep/settled.h"
#include "mining/emit.h"
#include "mining/runs/runs.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

/* RUN_LABELS: text whose first word is a number, as the labels of runs usually are. */
enum run_format { RUN_TEXT, RUN_LABELS, RUN_JSON, RUN_TRACE, RUN_ARRAY };
static const char *const text_names[] = {".runs", ".runs.gz", ".runs.xz", NULL};

/* "[{", "[ \"" or '[' alone: a document, not the label of a run. */
static bool is_array(const char *line)
{
    const char *next = line[0] == '[' ? line + 1 + strspn(line + 1, " \t\r") : NULL;
    return next && (!*next || strchr("{[\"]", *next));
}

static bool has_extension(const char *path, const char *const *extensions)
{
    for (; *extensions; extensions++)
        if (tac_ends_with(path, *extensions))
            return true;
    return false;
}

static enum run_format format_of_line(const char *path, const char *line, size_t length)
{
    static const char *const traces[] = {".csv",    ".tsv",      ".csv.gz", ".csv.xz",
                                         ".logcat", ".tactrace", ".tct",    NULL};
    size_t mark = tac_byte_order_mark(line, length);
    line += mark;
    length -= mark;
    size_t blank = strspn(line, " \t");
    if (blank < length && line[blank] == '{') {
        json_t *object = json_loadb(line, length, JSON_DISABLE_EOF_CHECK, NULL);
        bool is_run = json_object_get(object, "events") != NULL;
        json_decref(object);
        /* Documents over several lines (HTTP archives, Chrome's traces) are not whole here either.
         */
        bool broken_run = !object && memmem(line, length, "\"events\"", 8);
        return is_run || broken_run ? RUN_JSON : RUN_TRACE;
    }
    if (has_extension(path, traces) || memchr(line, '\0', length))
        return RUN_TRACE;
    if (is_array(line + blank))
        return RUN_ARRAY;
    size_t digits = strspn(line + blank, "0123456789");
    return digits && strchr(" \t", line[blank + digits]) ? RUN_LABELS : RUN_TEXT;
}

static tac_status format_of(const char *path, const char *name, enum run_format *out,
                            tac_error *err)
{
    *out = RUN_TEXT;
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status)
        return status;
    char *line;
    size_t length;
    do
        status = tac_input_line(input, MAX_LINE, &line, &length, err);
    while (!status && line && strspn(line, " \t") == length);
    if (!status && line)
        *out = format_of_line(name, line, length);
    tac_input_close(input);
    return status;
}

static bool is_trace(const char *path)
{
    tac_trace_source *source;
    tac_error ignored;
    if (tac_trace_open(path, NULL, &source, &ignored) != TAC_OK)
        return false;
    tac_trace_close(source);
    return true;
}

bool tac_runs_is_file(const char *path)
{
    struct stat info;
    enum run_format format;
    tac_error ignored;
    if (stat(path, &info) || !S_ISREG(info.st_mode) || format_of(path, path, &format, &ignored))
        return false;
    if (format != RUN_TEXT && format != RUN_LABELS)
        return format == RUN_JSON;
    return has_extension(path, text_names) || (format == RUN_LABELS && !is_trace(path));
}

static tac_status read_as(struct tac_runs *runs, enum run_format format, const tac_settled *file,
                          tac_watch *watch, tac_error *err)
{
    bool is_text = format == RUN_TEXT || format == RUN_LABELS;
    if (format == RUN_TRACE || format == RUN_ARRAY ||
        (is_text && runs->labeller.label && is_trace(file->path)))
        return read_trace_run(runs, file->path, file->name, false, err);
    if (runs->labeller.label)
        return tac_fail_at(err, TAC_E_INPUT, file->name, 0, 0,
                           "labels from a property need traces; this file holds runs without time "
                           "or values");
    return format == RUN_JSON ? read_json_runs(runs, file->path, file->name, watch, err)
                              : read_text_runs(runs, file->path, file->name, watch, err);
}

static tac_status read_settled(struct tac_runs *runs, const tac_settled *file, bool in_folder,
                               tac_watch *watch, tac_error *err)
{
    enum run_format format;
    tac_status status = format_of(file->path, file->name, &format, err);
    if (status)
        return status;
    if (format == RUN_ARRAY && !is_trace(file->path))
        return tac_fail_at(err, TAC_E_INPUT, file->name, 1, 1,
                           "a JSON array; runs are JSON Lines, one object a line without brackets "
                           "and commas around them");
    if (in_folder && format == RUN_TEXT && !has_extension(file->name, text_names)) {
        tac_names_intern(&runs->left_out, file->name);
        return TAC_OK;
    }
    return read_as(runs, format, file, watch, err);
}

static tac_status read_one(struct tac_runs *runs, const char *path, bool in_folder,
                           tac_watch *watch, tac_error *err)
{
    tac_settled file;
    tac_status status = tac_settle(path, watch, &file, err);
    if (!status)
        status = read_settled(runs, &file, in_folder, watch, err);
    return tac_settled_close(&file, status, err);
}

static bool exists_in(const char *folder, const char *name)
{
    char *path = tac_format("%s/%s", folder, name);
    struct stat info;
    bool there = stat(path, &info) == 0;
    free(path);
    return there;
}

static tac_status read_folder(struct tac_runs *runs, const char *path, int depth, tac_watch *watch,
                              tac_error *err);

static tac_status read_path(struct tac_runs *runs, const char *path, int depth, tac_watch *watch,
                            tac_error *err)
{
    struct stat info;
    if (strcmp(path, "-") == 0 || stat(path, &info) || !S_ISDIR(info.st_mode))
        return read_one(runs, path, depth > 0, watch, err);
    if (exists_in(path, "events") || exists_in(path, "utg.js"))
        return read_trace_run(runs, path, path, true, err);
    return read_folder(runs, path, depth, watch, err);
}

/* Every visible file of the folder by name; folders inside it are runs of their own. */
static tac_status read_folder(struct tac_runs *runs, const char *path, int depth, tac_watch *watch,
                              tac_error *err)
{
    DIR *folder = opendir(path);
    if (!folder)
        return tac_fail_errno(err, errno, path, "cannot read the folder");
    TAC_VEC(char *) names = {0};
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            tac_vec_push(&names, tac_format("%s/%s", path, entry->d_name));
    closedir(folder);
    if (names.count)
        qsort(names.at, names.count, sizeof *names.at, tac_order_text);
    tac_status status = TAC_OK;
    size_t before = runs->list.count, left_out = runs->left_out.count;
    if (names.count == 0)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the folder holds no runs");
    if (depth > 8)
        status = tac_fail_at(err, TAC_E_LIMIT, path, 0, 0, "folders nested more than 8 deep");
    for (size_t i = 0; i < names.count; i++) {
        if (!status)
            status = read_path(runs, names.at[i], depth + 1, watch, err);
        free(names.at[i]);
    }
    tac_vec_free(&names);
    if (!status && runs->left_out.count > left_out && runs->list.count == before)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the folder holds no runs: text is taken when its name ends in .runs "
                             "or its first word is a number, and '%.200s' is neither",
                             runs->left_out.text[left_out]);
    return status;
}

const char *const *tac_runs_left_out(const tac_runs *runs, size_t *count)
{
    *count = runs->left_out.count;
    return (const char *const *)runs->left_out.text;
}

tac_status tac_runs_read(tac_runs *runs, const char *path, tac_watch *watch, tac_error *err)
{
    tac_status status = read_path(runs, path, 0, watch, err);
    if (!status)
        regroup_crashes(runs);
    return status;
}
