/* The table of runs, and what was kept beside their traces: log lines, pictures of screens. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/describe/describe.h"
#include "base/io/json.h"
#include "report/evidence.h"
#include "report/model/screens.h"
#include "report/sections.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LOG = 24 << 10 };

struct run_counts {
    size_t runs, pass, fail, crash, aborted, error, violating;
};
static const struct field counts_fields[] = {
    FIELDS(struct run_counts, runs, pass, fail, crash, aborted, violating)};
static DESCRIBE(counts, struct run_counts);

/* What a reader wants to know first: "pass" only when nothing was violated. */
static const char *result_of(const struct report_run *run)
{
    if (tac_stored_end_of(run->row.verdict) != TAC_STORED_PASS)
        return run->row.verdict;
    if (strchr(run->answers, ANSWER_VIOLATED))
        return "violated";
    return strchr(run->answers, ANSWER_UNCLEAR) ? "unclear" : "pass";
}

#define CAMPAIGN(out) ((const struct report_campaign *)(out)->context)
FIELD_GETTER(number_of, struct report_run,
             out->integer = (int64_t)CAMPAIGN(out)->first_run + it->row.id)
FIELD_GETTER(label_of, struct report_run, out->text = CAMPAIGN(out)->label)
FIELD_GETTER(result_is, struct report_run, out->text = result_of(it))
FIELD_GETTER(seed_of, struct report_run,
             out->text = tac_arena_format(out->arena, "%" PRIu64, it->row.seed))
FIELD_GETTER(first_property_of, struct report_run,
             out->integer = (int64_t)CAMPAIGN(out)->first_property)

static const struct field run_fields[] = {
    FIELD_GET_INTEGER("id", number_of),
    FIELD(struct report_run, row.name),
    FIELD_GET_TEXT("campaign", label_of),
    FIELD(struct report_run, row.scenario),
    FIELDS(struct report_run, device, version),
    FIELD(struct report_run, row.verdict),
    FIELD_GET_TEXT("result", result_is),
    FIELDS(struct report_run, row.seconds, row.steps, row.message, row.trace),
    FIELD_GET_TEXT("seed", seed_of),
    FIELD_GET_INTEGER("first_property", first_property_of),
    FIELDS(struct report_run, answers)};
static DESCRIBE(run, struct report_run);

static void count_run(struct run_counts *counts, const struct report_run *run)
{
    counts->runs++;
    tac_stored_end end = tac_stored_end_of(run->row.verdict);
    counts->pass += end == TAC_STORED_PASS;
    counts->fail += end == TAC_STORED_FAIL;
    counts->crash += end == TAC_STORED_CRASH;
    counts->aborted += end == TAC_STORED_ABORTED;
    counts->error += end == TAC_STORED_ERROR;
    counts->violating += strchr(run->answers, ANSWER_VIOLATED) != NULL;
}

/* --- what was kept beside a trace --- */

/* The end of the log, whole lines; NULL when there is none. The caller's. */
static char *log_of(const struct report_campaign *campaign, const struct report_run *run,
                    size_t *budget)
{
    char *path = tac_format("%s/failures/%06lld.log", campaign->folder, (long long)run->row.id);
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file && errno == ENOMEM)
        tac_out_of_memory(0);
    free(path);
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file), from = size > MOST_LOG ? size - MOST_LOG : 0;
        text = tac_calloc(MOST_LOG + 1, 1);
        size_t got = fseek(file, from, SEEK_SET) == 0 ? fread(text, 1, MOST_LOG, file) : 0;
        if (!got || got > *budget) {
            free(text);
            text = NULL;
        } else
            *budget -= got;
    }
    fclose(file);
    return text;
}

static json_t *picture_of(const struct report_campaign *campaign, const struct report_run *run,
                          size_t *budget)
{
    char *path = tac_format("%s/failures/%06lld.png", campaign->folder, (long long)run->row.id);
    char *text = access(path, R_OK) == 0 ? screens_picture(path, budget) : NULL;
    json_t *picture = text ? json_string(text) : NULL;
    free(text);
    free(path);
    return picture;
}

static void add_attachments(const struct report_project *project, json_t *document)
{
    size_t logs = (size_t)2 << 20, pictures = (size_t)3 << 20;
    json_t *list = json_array();
    for (int cited = 1; cited >= 0; cited--) /* what is cited comes first when room is short */
        for (size_t c = 0; c < project->campaigns.count; c++) {
            const struct report_campaign *campaign = &project->campaigns.at[c];
            for (size_t i = 0; i < campaign->runs.count; i++) {
                const struct report_run *run = &campaign->runs.at[i];
                if (run->cited != (cited == 1) ||
                    tac_stored_end_of(run->row.verdict) == TAC_STORED_PASS)
                    continue;
                char *log = log_of(campaign, run, &logs);
                json_t *picture = picture_of(campaign, run, &pictures);
                json_t *object = json_object();
                json_object_set_new(object, "run",
                                    json_integer((json_int_t)campaign->first_run + run->row.id));
                if (log)
                    json_object_set_new(object, "log", tac_json_string(log));
                if (picture)
                    json_object_set_new(object, "picture", picture);
                if (log || picture)
                    json_array_append(list, object);
                json_decref(object);
                free(log);
            }
        }
    json_object_set_new(document, "attachments", list);
}

/* What screens show, for timelines and models. */
static void add_screens(const struct report_project *project, json_t *document)
{
    size_t pictures = (size_t)3 << 20;
    json_t *list = json_array();
    for (size_t c = 0; c < project->campaigns.count; c++) {
        struct screen_list *screens = screens_load(&project->campaigns.at[c]);
        for (size_t i = 0; i < screens_count(screens); i++) {
            const struct known_screen *screen = screens_at(screens, i);
            char *picture = *screen->picture ? screens_picture(screen->picture, &pictures) : NULL;
            json_t *object =
                json_pack("{s:o,s:o,s:O}", "name", tac_json_string(screen->name), "title",
                          tac_json_string(screen->title), "texts", screen->texts);
            if (picture)
                json_object_set_new(object, "picture", json_string(picture));
            json_array_append_new(list, object);
            free(picture);
        }
        screens_free(screens);
    }
    json_object_set_new(document, "screens", list);
}

static void add_findings(struct report_project *project, const struct run_counts *counts)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR, .link = "#runs"};
    size_t runs = counts->runs;
    const char *plural = runs == 1 ? "" : "s";
    if (counts->fail) {
        parts.detail = "A step could not be done: the app has changed, or the model is wrong. The "
                       "screen of each is kept in failures/.";
        finding_add(&project->findings, &parts, "%zu of %zu run%s could not be carried out.",
                    counts->fail, runs, plural);
    }
    if (counts->error) {
        parts.detail = "The device or the program failed, not the app.";
        finding_add(&project->findings, &parts, "%zu of %zu run%s ended in an error.",
                    counts->error, runs, plural);
    }
    if (!runs) {
        parts.weight = INFINITY; /* before all that follows from it */
        parts.detail = "The campaign was made and has no run yet; the same 'tactus run' goes on.";
        finding_add(&project->findings, &parts, "There are no runs: nothing is known yet.");
    }
}

tac_status report_add_runs(struct tac_report *report, tac_error *err)
{
    struct report_project *project = &report->project;
    json_t *runs = json_array();
    struct run_counts counts = {0};
    (void)err;
    for (size_t c = 0; c < project->campaigns.count; c++) {
        const struct report_campaign *campaign = &project->campaigns.at[c];
        for (size_t i = 0; i < campaign->runs.count; i++) {
            json_array_append_new(
                runs, describe_json_with(&run_described, &campaign->runs.at[i], campaign));
            count_run(&counts, &campaign->runs.at[i]);
        }
    }
    assert(counts.pass + counts.fail + counts.crash + counts.aborted + counts.error <= counts.runs);
    report->runs = counts.runs;
    json_object_set_new(report->document, "summary", describe_json(&counts_described, &counts));
    json_object_set_new(report->document, "runs", runs);
    add_screens(project, report->document);
    add_attachments(project, report->document);
    add_findings(project, &counts);
    return TAC_OK;
}
