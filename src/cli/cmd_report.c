/* tactus report DIR */
#include "base/io/output.h"
#include "cli/command.h"
#include "cli/store_io.h"
#include "tactus/report.h"

static const struct option report_options[] = {
    {.name = "baseline",
     .kind = OPTION_FILE,
     .argument = "DIR",
     .help = "an earlier folder of the same campaign; changes are tested for significance"},
    {.name = "adaptation-rules",
     .synonyms = "rules",
     .kind = OPTION_FILE,
     .argument = "FILE",
     .help = "also analyse these adaptation rules; repeatable"},
    {.name = "recording",
     .meaning = "a recording of an app",
     .kind = OPTION_FILE,
     .argument = "TRACE",
     .help = "also verify this recording against the rules of --protocol; repeatable"},
    {.name = "protocol",
     .kind = OPTION_FILE,
     .argument = "FILE",
     .help = "protocol rules for --recording; repeatable"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_FILE,
     .argument = "FILE",
     .meaning = "where the result goes",
     .help = "the HTML file to write (default: report.html); with --json the document"},
    {.name = "title",
     .meaning = "a title over the result",
     .kind = OPTION_TEXT,
     .argument = "TEXT",
     .help = "heading of the report"},
    {0},
};

enum { MOST_FILES = 64 };

/* The values of a repeatable option; the rest beyond MOST_FILES is refused. */
static bool fill(const struct invocation *in, const char *name, const char **list, size_t *count)
{
    *count = option_count(in, name);
    for (size_t i = 0; i < *count && i < MOST_FILES; i++)
        list[i] = option_value(in, name, i);
    return *count <= MOST_FILES;
}

static int report_run(struct invocation *in)
{
    const char *rules[MOST_FILES], *recordings[MOST_FILES], *protocol[MOST_FILES];
    tac_report_options options = {.folder = in->args[0],
                                  .baseline = option_text(in, "baseline"),
                                  .title = option_text(in, "title"),
                                  .rule_files = rules,
                                  .recordings = recordings,
                                  .protocol_rules = protocol,
                                  .watch = in->watch};
    if (!fill(in, "adaptation-rules", rules, &options.rule_file_count) ||
        !fill(in, "recording", recordings, &options.recording_count) ||
        !fill(in, "protocol", protocol, &options.protocol_rule_count))
        return fail_usage(in, "at most %d files of a kind", MOST_FILES);
    if (options.recording_count && !options.protocol_rule_count)
        return fail_usage(in, "--recording needs --protocol FILE, the rules to verify against");
    json_t *document;
    tac_error err;
    tac_output output;
    tac_status status = tac_report_build(&options, &document, &err);
    if (status != TAC_OK) {
        int code = fail(in, &err);
        advise_repair(&err, options.folder);
        return code;
    }
    if (in->json)
        return finish_json(in, document, 0);
    status = tac_output_open(&output, in->output ? in->output : "report.html", &err);
    if (status == TAC_OK) {
        status = tac_report_write(document, output.file, &err);
        status = tac_output_close(&output, status, &err);
    }
    if (status == TAC_OK) {
        size_t i;
        const json_t *finding;
        json_array_foreach(json_object_get(document, "findings"), i, finding)
            printf("%s\n", json_string_value(json_object_get(finding, "text")));
        printf("report: %s\n", in->output ? in->output : "report.html");
    }
    json_decref(document);
    return status == TAC_OK ? 0 : fail(in, &err);
}

const struct command cmd_report = {
    .noun = "report",
    .args = "DIR",
    .least_args = 1,
    .most_args = 1,
    .summary = "write the HTML report of a campaign",
    .description =
        "Writes one self-contained HTML file (default report.html): the findings first, then the "
        "evidence\nfor each property with its curves, the model with its coverage, the runs, the "
        "causes of crashes,\nand how it was obtained. DIR is a folder of 'tactus run -o', or a "
        "folder of such folders.\n\nPer property and scenario it says how many runs violated it, "
        "with a 95 % interval, median and\nspread. With --baseline, changes of the share and of "
        "the values are tested (Fisher's exact\ntest, rank-sum test, 5 %).\n\nWith --json, the "
        "report's document instead of the page.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs "
               ">/dev/null\n  tactus report runs -o report.html",
    .options = report_options,
    .common = HAS_JSON,
    .run = report_run,
};
