/* tactus flow export FLOWS --to FORMAT: flows as scripts of other test tools. */
#include "base/data/text.h"
#include "base/io/output.h"
#include "cli/command.h"
#include "flow/export.h"
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat about;
    return path &&
           (tac_ends_with(path, "/") || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)));
}

static tac_status export_file(const struct invocation *in, const tac_export_options *options,
                              uint64_t *unsaid, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, in->output, err);
    if (status != TAC_OK)
        return status;
    bool named = in->output && strcmp(in->output, "-") != 0;
    status = tac_flow_export_to(in->args[0], options, named ? in->output : in->args[0], output.file,
                                unsaid, err);
    return tac_output_close(&output, status, err);
}

static void print_line(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "%s\n", line);
}

static int flow_export_run(struct invocation *in)
{
    tac_export_options options = {.url = option_text(in, "url"), .tell = print_line};
    uint64_t unsaid = 0, files = 0;
    tac_error err;
    options.format = (tac_export_format)option_choice(in, "to", TAC_EXPORT_MAESTRO);
    options.platform = (tac_export_platform)option_choice(in, "platform", TAC_EXPORT_ANY);
    tac_status status =
        is_folder(in->output)
            ? tac_flow_export_folder_to(in->args[0], &options, in->output, &files, &unsaid, &err)
            : export_file(in, &options, &unsaid, &err);
    if (status != TAC_OK)
        return fail(in, &err);
    if (files)
        fprintf(stderr, "%llu file%s in %s\n", (unsigned long long)files, files == 1 ? "" : "s",
                in->output);
    if (unsaid)
        fprintf(stderr, "%llu step%s or expectation%s cannot be expressed in this format\n",
                (unsigned long long)unsaid, unsaid == 1 ? "" : "s", unsaid == 1 ? "" : "s");
    return 0;
}

static const struct option flow_export_options[] = {
    CHOICE("to", "FORMAT",
           CHOICES({"maestro", TAC_EXPORT_MAESTRO}, {"webdriver", TAC_EXPORT_WEBDRIVER},
                   {"wdio", TAC_EXPORT_WDIO}, {"uiautomator", TAC_EXPORT_UIAUTOMATOR},
                   {"playwright", TAC_EXPORT_PLAYWRIGHT}, {"promela", TAC_EXPORT_PROMELA}),
           "the tool to write for", .meaning = "the format to convert to", .required = true),
    CHOICE(
        "platform", "P",
        CHOICES({"android", TAC_EXPORT_ANDROID}, {"ios", TAC_EXPORT_IOS}, {"web", TAC_EXPORT_WEB}),
        "what the flows drive: android, ios or web; default: by the app's package"),
    TEXT("url", "URL",
         "the page that flows of a web app start at; default: the first page of its host"),
    {0},
};

const struct command cmd_flow_export = {
    .noun = "flow",
    .verb = "export",
    .group = GROUP_MODELS,
    .args = "FLOWS",
    .summary = "write flows as scripts of other test tools",
    .description =
        "Reads a flow file (JSON Lines, as 'tactus flow list --format jsonl' writes it; '-' is "
        "standard input) and writes Maestro YAML, W3C WebDriver commands (JSON), a WebdriverIO "
        "script, a spec file for Playwright, a UiAutomator Java class, or a Promela process. With "
        "-o FOLDER/ each flow becomes a file of its own, for Maestro and UiAutomator one per "
        "device. Every flow starts the app anew; elements are found in the way that the tool's "
        "documentation recommends. After each step the script checks what the model expects and "
        "that a few elements of the state are shown.\n\n"
        "Steps are performed as the model's actions say. A step without actions is performed by "
        "its name: back and home press that key, a system event waits, any other clicks on the "
        "element with that text. A step that the tool has nothing for fails in the script, with "
        "the "
        "reason; an expectation is left out with a comment. Both are listed on standard error.",
    .example =
        "tactus flow list examples/uamp/uamp.model.xml --length 4 --format jsonl -o f.jsonl\n"
        "tactus flow export f.jsonl --to maestro -o maestro/",
    .options = flow_export_options,
    .common = HAS_OUTPUT,
    .run = flow_export_run,
};
