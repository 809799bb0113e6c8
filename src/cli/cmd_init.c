/* tactus init [DIR]: a starter project. The files are those of src/cli/init, as they are; the
 * commands that it prints are those of the project's own README. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/describe/describe.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/command.h"
#include "init_android_README_md.h"
#include "init_android_app_json.h"
#include "init_android_app_props.h"
#include "init_logs_README_md.h"
#include "init_logs_app_logcat.h"
#include "init_logs_app_props.h"
#include "init_web_README_md.h"
#include "init_web_app_actions.h"
#include "init_web_app_props.h"
#include "init_web_page_html.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct starter_file {
    const char *name, *text;
};
enum { README, MOST_FILES = 5 };

enum { FOR_WEB, FOR_ANDROID, FOR_LOGS };

static const struct {
    const char *kind;
    struct starter_file files[MOST_FILES]; /* the README first; ends with a NULL name */
} starters[] = {
    [FOR_WEB] = {"web",
                 {{"README.md", init_web_README_md},
                  {"page.html", init_web_page_html},
                  {"app.actions", init_web_app_actions},
                  {"app.props", init_web_app_props}}},
    [FOR_ANDROID] = {"android",
                     {{"README.md", init_android_README_md},
                      {"app.json", init_android_app_json},
                      {"app.props", init_android_app_props}}},
    [FOR_LOGS] = {"logs",
                  {{"README.md", init_logs_README_md},
                   {"app.logcat", init_logs_app_logcat},
                   {"app.props", init_logs_app_props}}},
};
TABLE_COVERS(starters, FOR_LOGS);

struct starter {
    const char *folder, *kind;
    const struct starter_file *files;
    TAC_VEC(char *) commands;
};

/* The lines of the first block of shell commands. */
static void read_commands(struct starter *starter)
{
    const char *line = strstr(starter->files[README].text, "```sh\n");
    for (line = line ? line + 6 : ""; *line && strncmp(line, "```", 3) != 0;) {
        size_t length = strcspn(line, "\n");
        tac_vec_push(&starter->commands, tac_strndup(line, length));
        line += length + (line[length] == '\n');
    }
}

static char *path_of(const struct starter *starter, size_t file)
{
    return tac_format("%s/%s", starter->folder, starter->files[file].name);
}

/* Nothing is written where anything would be overwritten. */
static tac_status refuse_existing(const struct starter *starter, tac_error *err)
{
    tac_status status = TAC_OK;
    struct stat found;
    for (size_t i = 0; starter->files[i].name && status == TAC_OK; i++) {
        char *path = path_of(starter, i);
        if (lstat(path, &found) == 0)
            status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                                 "is there already; nothing is overwritten, and nothing was "
                                 "written: name another folder");
        free(path);
    }
    return status;
}

/* The folder with its parents. */
static tac_status make_folder(const char *folder, tac_error *err)
{
    char *path = tac_strdup(folder);
    bool failed = false;
    for (char *slash = strchr(path + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(path, 0777) && errno != EEXIST;
        *slash = '/';
    }
    struct stat found;
    failed = failed || (mkdir(path, 0777) && errno != EEXIST);
    free(path);
    if (failed)
        return tac_fail_errno(err, errno, folder, "cannot make the folder");
    if (stat(folder, &found) || !S_ISDIR(found.st_mode))
        return tac_fail_at(err, TAC_E_INPUT, folder, 0, 0, "is not a folder");
    return TAC_OK;
}

static tac_status write_file(const char *path, const char *text, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    fputs(text, output.file);
    status = ferror(output.file) ? tac_fail_errno(err, errno, path, "cannot write") : TAC_OK;
    return tac_output_close(&output, status, err);
}

static tac_status write_files(const struct starter *starter, tac_error *err)
{
    tac_status status = make_folder(starter->folder, err);
    if (status == TAC_OK)
        status = refuse_existing(starter, err);
    for (size_t i = 0; starter->files[i].name && status == TAC_OK; i++) {
        char *path = path_of(starter, i);
        status = write_file(path, starter->files[i].text, err);
        free(path);
    }
    return status;
}

static void write_text(FILE *out, void *context)
{
    const struct starter *starter = context;
    tac_print(out, "written to %s:", starter->folder);
    for (size_t i = 0; starter->files[i].name; i++)
        tac_print(out, " %s", starter->files[i].name);
    tac_print(out, "\nnext:\n");
    if (strcmp(starter->folder, ".") != 0) {
        tac_str folder = {0};
        tac_quote_shell(&folder, starter->folder);
        tac_print(out, "  cd %s\n", tac_str_text(&folder));
        tac_str_free(&folder);
    }
    for (size_t i = 0; i < starter->commands.count; i++)
        tac_print(out, "  %s\n", starter->commands.at[i]);
}

static const struct field starter_file_fields[] = {FIELD(struct starter_file, name)};
static DESCRIBE(starter_file, struct starter_file, .form = DESCRIBE_VALUE);
static void files_of(const void *value, struct field_value *out)
{
    const struct starter *starter = value;
    out->at = starter->files;
    while (starter->files[out->count].name)
        out->count++;
}
static const struct field starter_fields[] = {
    FIELDS(struct starter, folder, kind), FIELD_GET_LIST("files", files_of, starter_file_described),
    FIELD_TEXTS(struct starter, commands.at, commands.count, .key = "commands")};
static DESCRIBE(starter, struct starter);

static int init_run(struct invocation *in)
{
    int kind = option_choice(in, "for", FOR_WEB);
    struct starter starter = {.folder = in->arg_count ? in->args[0] : ".",
                              .kind = starters[kind].kind,
                              .files = starters[kind].files};
    tac_error err;
    if (write_files(&starter, &err) != TAC_OK)
        return fail(in, &err);
    read_commands(&starter);
    int code = in->json ? finish_json(in, describe_json(&starter_described, &starter), 0)
                        : finish_text(in, write_text, &starter, 0);
    for (size_t i = 0; i < starter.commands.count; i++)
        free(starter.commands.at[i]);
    tac_vec_free(&starter.commands);
    return code;
}

static const struct option init_options[] = {
    CHOICE("for", "KIND", CHOICES({"web", FOR_WEB}, {"android", FOR_ANDROID}, {"logs", FOR_LOGS}),
           "what is tested: a web app (default), an Android app, or logs of something else"),
    {0},
};

const struct command cmd_init = {
    .noun = "init",
    .group = GROUP_SETUP,
    .first = true,
    .args = "[DIR]",
    .summary = "write a starter project for a web app, an Android app or logs",
    .description =
        "Writes files that work at once and say in their comments how they are meant, and prints "
        "the commands that lead from them to a verdict: a page or an app to replace by yours, "
        "properties, and a README. DIR is made when it is absent (default: here).\n\n"
        "Nothing is overwritten: where one of the files is there already, nothing is written and "
        "the exit code is 4.",
    .example = "tactus init shop --for logs",
    .options = init_options,
    .documents = DOCUMENTS(&starter_described),
    .common = HAS_JSON,
    .run = init_run,
};
