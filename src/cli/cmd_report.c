/* tactus report DIR */
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/output.h"
#include "base/process/process.h"
#include "cli/command.h"
#include "cli/mine_job.h"
#include "cli/pipeline.h"
#include "cli/report_advice.h"
#include "cli/store_io.h"
#include "report/cases.h"
#include "report/report.h"
#include "store/queue.h"
#include <string.h>

static const struct option report_options[] = {
    PATH("baseline", "DIR",
         "an earlier folder of the same campaign; repeatable, the oldest first; changes against "
         "the last are tested for significance",
         .meaning = "an earlier campaign to compare with"),
    TEXT("floor", "NAME=ABS[,REL%]",
         "with --baseline: differences of this property's figure up to ABS, or REL percent, are "
         "noise; repeatable (default: learned from repeats in the baseline)"),
    PATH("adaptation-rules", "FILE", "also analyse these adaptation rules; repeatable",
         .synonyms = "rules"),
    PATH("recording", "TRACE",
         "also verify this recording against the rules of --protocol; repeatable",
         .meaning = "a recording of an app"),
    PATH("protocol", "FILE", "protocol rules for --recording; repeatable"),
    PATH("kpi", "CATALOGUE",
         "also measure the campaigns by this catalogue of KPIs, and score them against the last "
         "baseline or each other"),
    PATH("kpi-app", "APP.json",
         "the features of the app for --kpi; default every feature of the catalogue"),
    FLAG("follow",
         "write the page anew whenever runs were added, until every planned run has its row",
         .meaning = "go on while the input grows"),
    PATH("output", "FILE",
         "the file to write (default: report.html; the other formats go to standard output)",
         .letter = 'o', .meaning = "where the result goes"),
    CHOICE("format", NULL,
           CHOICES({"html", TAC_REPORT_HTML}, {"markdown", TAC_REPORT_MARKDOWN},
                   {"junit", TAC_REPORT_JUNIT}, {"sarif", TAC_REPORT_SARIF}),
           "html (default), markdown, junit or sarif: the same findings for other tools",
           .meaning = "how the result is shown"),
    CHOICE("fail-on", NULL,
           CHOICES({"new", TAC_REPORT_FAIL_NEW}, {"any", TAC_REPORT_FAIL_ANY},
                   {"none", TAC_REPORT_FAIL_NONE}),
           "exit 1 when something is found that the last --baseline does not have, or anything "
           "that is bad (default: new with --baseline, else none)"),
    MINE_CLUSTER_BY,
    PIPELINE_OPTIONS,
    KNOWN_OPTIONS,
    TEXT("known", "ID",
         "write a line into tactus.known: the finding with this identity, or the "
         "only one that begins so, is known"),
    TEXT("reason", "TEXT", "with --known: why"),
    FLAG("open", "show the page in the browser when it is written"),
    TEXT("title", "TEXT", "heading of the report", .meaning = "a title over the result"),
    {0},
};

/* The desktop's own way to open a file; not having one is no error of the report. */
static void open_page(const char *path)
{
    const char *const command[] = {"xdg-open", path, NULL};
    char *output = NULL;
    size_t size;
    int code = 0;
    tac_error err;
    if (tac_process_run(command, "xdg-utils", "", 0, 10, &output, &size, &code, &err) != TAC_OK ||
        code)
        complain("no browser could be opened; open %s yourself", path);
    free(output);
}

/* What a report leaves: the sentences of its findings, and with --json its document. */
struct written_report {
    tac_str findings, failing;
    json_t *document;
    tac_answer answer; /* of the gate */
};

static tac_report_fail_on fail_on_of(const struct invocation *in)
{
    return (tac_report_fail_on)option_choice(
        in, "fail-on", option_count(in, "baseline") ? TAC_REPORT_FAIL_NEW : TAC_REPORT_FAIL_NONE);
}

static tac_status write_pipeline(const struct finding_list *list, void *context, tac_error *err)
{
    return pipeline_write(context, list, err);
}

static void judge(const struct invocation *in, const tac_report *report, struct written_report *out)
{
    tac_report_fail_on fail_on = fail_on_of(in);
    out->answer = tac_report_judge(report, fail_on);
    for (size_t i = 0; i < tac_report_finding_count(report); i++) {
        tac_str_addf(&out->findings, "%s\n", tac_report_finding_text(report, i));
        if (tac_report_finding_fails(report, i, fail_on))
            tac_str_addf(&out->failing, "tactus: %s: %s\n",
                         fail_on == TAC_REPORT_FAIL_NEW ? "new" : "found",
                         tac_report_finding_text(report, i));
    }
    if (out->answer == TAC_INCONCLUSIVE)
        tac_str_addf(&out->failing,
                     "tactus: nobody can tell: runs or traces are missing, or runs could not be "
                     "carried out%s\n",
                     fail_on == TAC_REPORT_FAIL_NEW ? ", here or in the baseline" : "");
}

static const char *output_path(const struct invocation *in, tac_report_format format)
{
    return in->output ? in->output : format == TAC_REPORT_HTML ? "report.html" : "-";
}

/* What is read of one call of the command: campaigns, where databases hold them through folders of
 * their own. */
struct report_job {
    struct invocation *in;
    tac_report_options options; /* as given */
    tac_report_format format;
    struct local_campaign campaign, *baselines;
    struct known_list known;
    const char **folders; /* of the baselines */
};

static tac_status open_inputs(struct report_job *job, tac_report_options *local, tac_error *err)
{
    *local = job->options;
    tac_status status = local_campaign_open(job->in, job->options.folder, &job->campaign, err);
    for (size_t i = 0; i < job->options.baseline_count && status == TAC_OK; i++) {
        status = local_campaign_open(job->in, job->options.baselines[i], &job->baselines[i], err);
        job->folders[i] = job->baselines[i].folder;
    }
    local->folder = job->campaign.folder;
    local->baselines = job->folders;
    return status;
}

static void close_inputs(struct report_job *job)
{
    local_campaign_close(&job->campaign);
    for (size_t i = 0; i < job->options.baseline_count; i++)
        local_campaign_close(&job->baselines[i]);
}

static bool is_known(void *context, const char *id, const char **why, bool *left_out)
{
    struct report_job *job = context;
    const struct known_finding *known = known_find(&job->known, id);
    if (known) {
        *why = known_text(&job->known, known);
        *left_out = known->intended && !option_flag(job->in, "intended");
    }
    return known != NULL;
}

/* Writes the line that --known asks for. */
static tac_status note_known(struct report_job *job, const tac_report *report, tac_error *err)
{
    const char *wanted = option_text(job->in, "known"), *found = NULL;
    size_t length = wanted ? strlen(wanted) : 0;
    if (!wanted)
        return TAC_OK;
    for (size_t i = 0; i < tac_report_finding_count(report); i++) {
        const char *id = tac_report_finding_id(report, i);
        if (strncmp(id, wanted, length) != 0 || (found && !strcmp(found, id)))
            continue;
        if (found)
            return tac_fail(err, TAC_E_USAGE, "'%s' begins %s and %s; give more digits", wanted,
                            found, id);
        found = id;
    }
    if (!found)
        return tac_fail(err, TAC_E_USAGE,
                        "the report has no finding '%s'; --json and --sarif show identities",
                        wanted);
    return known_append(&job->known, found, option_text(job->in, "reason"), err);
}

static tac_status write_report(struct report_job *job, struct written_report *out, tac_error *err)
{
    const struct invocation *in = job->in;
    tac_report_options options;
    tac_report *report = NULL;
    tac_output output;
    tac_status status = open_inputs(job, &options, err);
    if (status == TAC_OK)
        status = known_load(&job->known, err);
    if (status == TAC_OK)
        status = tac_report_make(&options, &report, err);
    if (status == TAC_OK)
        status = note_known(job, report, err);
    if (status == TAC_OK && in->json)
        status = tac_report_document(report, &out->document, err);
    else if (status == TAC_OK &&
             (status = tac_output_open(&output, output_path(in, job->format), err)) == TAC_OK) {
        status = tac_report_write(report, job->format, output.file, err);
        status = tac_output_close(&output, status, err);
    }
    if (status == TAC_OK && pipeline_wanted(in))
        status = report_use_list(report, write_pipeline, (void *)in, err);
    tac_str_clear(&out->findings);
    if (status == TAC_OK)
        judge(in, report, out);
    for (size_t i = 0; i < job->known.at.count && status == TAC_OK; i++)
        if (!job->known.at.at[i].matched)
            fprintf(stderr, "%s:%zu: warning: nothing with the identity %s was found\n",
                    job->known.path, job->known.at.at[i].line, job->known.at.at[i].id);
    tac_report_free(report);
    close_inputs(job);
    known_free(&job->known);
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
        status = tac_store_count_runs(store, NULL, &out->done, err);
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
static int follow(struct report_job *job)
{
    struct invocation *in = job->in;
    tac_store *store = NULL;
    tac_error err;
    struct progress now, shown = {.done = -1};
    bool stopped = false;
    struct written_report written = {0};
    tac_status status = tac_store_open(job->options.folder, false, &store, &err);
    while (status == TAC_OK && !stopped) {
        double start = tac_now();
        status = look_at(store, &now, &err);
        if (status == TAC_OK && now.done != shown.done && now.done > 0) {
            status = write_report(job, &written, &err);
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
    if (status == TAC_OK && written.findings.length)
        printf("%sreport: %s\n", tac_str_text(&written.findings), output_path(in, TAC_REPORT_HTML));
    tac_str_free(&written.findings);
    return status == TAC_OK ? 0 : fail_report(in, &err);
}

/* Says what was written. */
static int finish_report(struct report_job *job, struct written_report *written, tac_status status,
                         const tac_error *err)
{
    struct invocation *in = job->in;
    const char *path = output_path(in, job->format);
    bool page =
        status == TAC_OK && !in->json && job->format == TAC_REPORT_HTML && strcmp(path, "-") != 0;
    if (page)
        printf("%sreport: %s\n", tac_str_text(&written->findings), path);
    if (status == TAC_OK)
        fputs(tac_str_text(&written->failing), stderr);
    tac_str_free(&written->findings);
    tac_str_free(&written->failing);
    if (status != TAC_OK) {
        json_decref(written->document);
        return fail_report(in, err);
    }
    if (page && option_flag(in, "open"))
        open_page(path);
    int code = tac_exit_code(TAC_OK, written->answer);
    return in->json ? finish_json(in, written->document, code) : code;
}

/* "NAME=ABS[,REL%]". */
static bool read_floor(struct invocation *in, const char *text, tac_report_floor *out)
{
    const char *sign = strrchr(text, '='), *comma = sign ? strchr(sign, ',') : NULL;
    if (!sign || sign == text)
        return false;
    const char *absolute = tac_arena_strndup(in->texts, sign + 1,
                                             comma ? (size_t)(comma - sign - 1) : strlen(sign + 1));
    size_t length = comma ? strlen(comma + 1) : 0;
    bool percent = !comma || (length > 1 && comma[length] == '%');
    const char *part = comma && percent ? tac_arena_strndup(in->texts, comma + 1, length - 1) : "0";
    *out = (tac_report_floor){.name = tac_arena_strndup(in->texts, text, (size_t)(sign - text))};
    bool read = percent && tac_parse_double(absolute, &out->absolute) &&
                tac_parse_double(part, &out->part) && out->absolute >= 0 && out->part >= 0;
    out->part /= 100;
    return read;
}

static int read_floors(struct invocation *in, tac_report_options *options)
{
    size_t count = option_count(in, "floor");
    tac_report_floor *floors = tac_arena_calloc(in->texts, count, sizeof *floors);
    for (size_t i = 0; i < count; i++)
        if (!read_floor(in, option_value(in, "floor", i), &floors[i]))
            return fail_usage(in,
                              "--floor '%s': expected NAME=ABS or NAME=ABS,REL%%, such as "
                              "load=0.2,5%%",
                              option_value(in, "floor", i));
    options->floors = floors;
    options->floor_count = count;
    return count && !options->baseline_count ? fail_usage(in, "--floor is for --baseline") : 0;
}

/* What the options ask for that does not go together; 0, or the code of a usage error. */
static int refuse_together(const struct report_job *job)
{
    const struct invocation *in = job->in;
    const tac_report_options *options = &job->options;
    const char *reason = option_text(in, "reason");
    if (option_flag(in, "known") != (reason && *reason) || (reason && strpbrk(reason, "\r\n")))
        return fail_usage(in,
                          "--known ID needs --reason TEXT of one line, and the other way round");
    bool other = job->format != TAC_REPORT_HTML || in->json;
    if (options->kpi_app && !options->kpi_catalogue)
        return fail_usage(in, "--kpi-app is for --kpi");
    if (options->recording_count && !options->protocol_rule_count)
        return fail_usage(in, "--recording needs --protocol FILE, the rules to verify against");
    if (option_flag(in, "open") && other)
        return fail_usage(in, "--open shows the page: leave out --format and --json");
    if (option_flag(in, "follow") && other)
        return fail_usage(in, "--follow writes the page anew: leave out --format and --json");
    if (option_flag(in, "follow") && (pipeline_wanted(in) || option_flag(in, "fail-on")))
        return fail_usage(in, "--follow is about runs that are still coming: leave out --fail-on, "
                              "--junit, --sarif, --summary and --annotations");
    if (fail_on_of(in) == TAC_REPORT_FAIL_NEW && !options->baseline_count)
        return fail_usage(in, "--fail-on new needs --baseline DIR, what is known already");
    return 0;
}

static int report_run(struct invocation *in)
{
    struct report_job job = {
        .in = in,
        .format = (tac_report_format)option_choice(in, "format", TAC_REPORT_HTML),
        .options = {.folder = in->args[0],
                    .title = option_text(in, "title"),
                    .cluster_by =
                        (tac_cluster_by)option_choice(in, "cluster-by", TAC_CLUSTER_BY_FRAME),
                    .kpi_catalogue = option_text(in, "kpi"),
                    .kpi_app = option_text(in, "kpi-app"),
                    .reproduce = reproduce_command_line,
                    .watch = in->watch}};
    struct written_report written = {0};
    tac_error err;
    tac_report_options *options = &job.options;
    options->rule_files = option_values(in, "adaptation-rules", &options->rule_file_count);
    options->baselines = option_values(in, "baseline", &options->baseline_count);
    options->recordings = option_values(in, "recording", &options->recording_count);
    options->protocol_rules = option_values(in, "protocol", &options->protocol_rule_count);
    options->known = is_known;
    options->known_context = &job;
    job.baselines = tac_arena_calloc(in->texts, options->baseline_count, sizeof *job.baselines);
    job.folders = tac_arena_calloc(in->texts, options->baseline_count, sizeof *job.folders);
    int code = read_floors(in, options);
    if (!code)
        code = refuse_together(&job);
    if (code)
        return code;
    if (option_flag(in, "follow"))
        return follow(&job);
    tac_status status = write_report(&job, &written, &err);
    return finish_report(&job, &written, status, &err);
}

const struct command cmd_report = {
    .noun = "report",
    .group = GROUP_CAMPAIGNS,
    .first = true,
    .args = "DIR",
    .summary = "write the HTML report of a campaign",
    .description =
        "Writes one self-contained HTML file (default report.html): the findings by what to do "
        "first, the\ncauses of crashes with stack and script, the evidence for each property, the "
        "model with its\ncoverage, every run with its timeline, and how it was obtained. DIR is a "
        "folder of 'tactus run -o', or a folder of such folders; or "
        "postgresql://USER@HOST/DB#CAMPAIGN.\n\nPer property and scenario it says how many runs "
        "violated it, with a 95 % interval, median and\nspread. With --baseline, crashes, steps, "
        "properties and their values are compared within flow,\nscenario and device, corrected for "
        "their number (5 %); exit code 1 then means new or worse.\nSeveral baselines make a "
        "trend.\n\nWith --format, the findings alone: for a merge request, a "
        "build server, a code host.\n\nWithout --baseline and --fail-on the exit code is 0 when "
        "the "
        "report was written. With either: 1 when something\nfails, 3 when nothing does but runs "
        "are missing or "
        "could not be carried out (docs/pipelines.md).\n\nWith --json, the report's document "
        "instead of the page.",
    .example = "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs "
               ">/dev/null\n  tactus report runs -o report.html",
    .options = report_options,
    .common = HAS_JSON,
    .run = report_run,
};
