/* tactus report DIR */
#include "base/data/text.h"
#include "base/io/output.h"
#include "cli/command.h"
#include "cli/store_io.h"
#include "tactus/report.h"
#include "tactus/store_queue.h"

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
    {.name = "follow",
     .meaning = "go on while the input grows",
     .help = "write the page anew whenever runs were added, until every planned run has its row"},
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

static void print_findings(const json_t *document, const char *path)
{
    size_t i;
    const json_t *finding;
    json_array_foreach(json_object_get(document, "findings"), i, finding)
        printf("%s\n", json_string_value(json_object_get(finding, "text")));
    printf("report: %s\n", path);
}

/* Reads the campaigns, where databases hold them through a folder of their own, and writes the
 * page; *document, with --json or when it is wanted, is the caller's. */
static tac_status build(const struct invocation *in, const tac_report_options *given,
                        json_t **document, tac_error *err)
{
    tac_report_options options = *given;
    struct local_campaign campaign = {0}, baseline = {0};
    tac_output output;
    tac_status status = local_campaign_open(in, given->folder, &campaign, err);
    if (status == TAC_OK && given->baseline)
        status = local_campaign_open(in, given->baseline, &baseline, err);
    options.folder = campaign.folder;
    options.baseline = baseline.folder;
    if (status == TAC_OK)
        status = tac_report_build(&options, document, err);
    local_campaign_close(&campaign);
    local_campaign_close(&baseline);
    if (status != TAC_OK || in->json)
        return status;
    status = tac_output_open(&output, in->output ? in->output : "report.html", err);
    if (status == TAC_OK) {
        status = tac_report_write(*document, output.file, err);
        status = tac_output_close(&output, status, err);
    }
    if (status != TAC_OK)
        json_decref(*document);
    return status;
}

static int fail_report(const struct invocation *in, const tac_error *err)
{
    int code = fail(in, err);
    advise_repair(err, in->args[0]);
    return code;
}

struct progress {
    int64_t done, planned;
};

static bool count_run(void *context, const tac_store_run *run)
{
    (void)run;
    ++*(int64_t *)context;
    return true;
}

static tac_status look_at(tac_store *store, struct progress *out, tac_error *err)
{
    char *text = NULL;
    *out = (struct progress){.planned = -1};
    tac_status status = tac_store_get(store, "plan", &text, err);
    json_t *plan = text ? json_loads(text, 0, NULL) : NULL;
    if (json_is_integer(json_object_get(plan, "runs")))
        out->planned = json_integer_value(json_object_get(plan, "runs"));
    json_decref(plan);
    free(text);
    if (status == TAC_OK)
        status = tac_store_each_run(store, count_run, &out->done, err);
    return status;
}

/* Until something was added, and not before the pause is over. False at a signal. */
static tac_status wait_for_news(const struct invocation *in, tac_store *store, double pause,
                                bool *stopped, tac_error *err)
{
    bool changed = false;
    double earliest = tac_now() + pause;
    tac_status status = TAC_OK;
    while (status == TAC_OK && !*stopped && (!changed || tac_now() < earliest)) {
        bool now_changed = false;
        status = tac_store_wait(store, 0.3, &now_changed, err);
        changed |= now_changed;
        *stopped = !tac_watch_tick(in->watch, "following", 0, 0);
    }
    return status;
}

/* Writes the page anew whenever runs were added, until all planned runs have a row. */
static int follow(struct invocation *in, const tac_report_options *options)
{
    tac_store *store = NULL;
    tac_error err;
    struct progress now, shown = {.done = -1};
    bool stopped = false;
    json_t *document = NULL;
    tac_status status = tac_store_open(options->folder, false, &store, &err);
    while (status == TAC_OK && !stopped) {
        double start = tac_now();
        status = look_at(store, &now, &err);
        if (status == TAC_OK && now.done != shown.done && now.done > 0) {
            json_decref(document);
            document = NULL;
            status = build(in, options, &document, &err);
            if (status == TAC_OK) {
                printf("%lld of %lld runs\n", (long long)now.done, (long long)now.planned);
                fflush(stdout);
            }
            shown = now;
        }
        if (status == TAC_OK && now.planned >= 0 && now.done >= now.planned)
            break;
        if (status == TAC_OK)
            status = wait_for_news(in, store, 1 + 2 * (tac_now() - start), &stopped, &err);
    }
    tac_store_close(store, NULL);
    if (status == TAC_OK && document)
        print_findings(document, in->output ? in->output : "report.html");
    json_decref(document);
    return status == TAC_OK ? 0 : fail_report(in, &err);
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
    if (option_flag(in, "follow") && in->json)
        return fail_usage(in, "--follow writes the page anew; --json is one document");
    if (option_flag(in, "follow"))
        return follow(in, &options);
    json_t *document;
    tac_error err;
    if (build(in, &options, &document, &err) != TAC_OK)
        return fail_report(in, &err);
    if (in->json)
        return finish_json(in, document, 0);
    print_findings(document, in->output ? in->output : "report.html");
    json_decref(document);
    return 0;
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
        "folder of such folders; or "
        "postgresql://USER@HOST/DB#CAMPAIGN.\n\nPer property and scenario it says how many runs "
        "violated it, "
        "with a 95 % interval, median and\nspread. With --baseline, changes of the share and of "
        "the values are tested (Fisher's exact\ntest, rank-sum test, 5 %).\n\nWith --json, the "
        "report's document instead of the page.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs "
               ">/dev/null\n  tactus report runs -o report.html",
    .options = report_options,
    .common = HAS_JSON,
    .run = report_run,
};
