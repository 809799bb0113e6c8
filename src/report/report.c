/* The report: its document, part by part, and the forms in which it is written. */
#include "report/report.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/cases.h"
#include "report/cause/causes.h"
#include "report/model/coverage.h"
#include "report/model/models.h"
#include "report/page.h"
#include "report/sections.h"
#include <time.h>

static char *title_of(const tac_report_options *options)
{
    return options->title ? tac_strdup(options->title)
                          : tac_format("Report of %s", tac_base_name(options->folder));
}

static void add_heading(struct tac_report *report)
{
    char when[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    char *title = title_of(report->project.options);
    json_object_set_new(report->document, "schema", json_integer(2));
    json_object_set_new(report->document, "title", tac_json_string(title));
    json_object_set_new(report->document, "created", json_string(when));
    free(title);
}

static tac_status add_parts(struct tac_report *report, tac_error *err)
{
    static tac_status (*const parts[])(struct tac_report *, tac_error *) = {
        report_add_properties, report_add_causes,    report_add_runs,  report_add_subjects,
        report_add_actions,    report_add_protocol,  report_add_rules, report_add_kpis,
        report_add_models,     report_add_provenance};
    const size_t count = sizeof parts / sizeof *parts;
    tac_status status = TAC_OK;
    report_add_damage(&report->project, report->document);
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (!tac_watch_tick(report->project.options->watch, "parts of the report", i, count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while building the report");
        else
            status = parts[i](report, err);
    }
    return status;
}

static tac_status open_projects(struct tac_report *report, tac_error *err)
{
    const tac_report_options *options = report->project.options;
    tac_status status = report_project_open(&report->project, options->folder, err);
    for (size_t i = 0; i < report->project.campaigns.count && status == TAC_OK; i++)
        report->project.campaigns.at[i].coverage = coverage_load(&report->project.campaigns.at[i]);
    for (size_t i = 0; i < options->baseline_count && status == TAC_OK; i++) {
        struct report_project baseline = {.options = options};
        status = report_project_open(&baseline, options->baselines[i], err);
        tac_vec_push(&report->baselines, baseline);
    }
    return status;
}

tac_status tac_report_make(const tac_report_options *options, tac_report **out, tac_error *err)
{
    struct tac_report *report = tac_calloc(1, sizeof *report);
    report->project.options = options;
    report->document = json_object();
    add_heading(report);
    tac_status status = open_projects(report, err);
    if (status == TAC_OK)
        status = add_parts(report, err);
    if (status != TAC_OK) {
        tac_report_free(report);
        return status;
    }
    finding_excuse(&report->project.findings, options);
    if (!report->project.findings.at.count) {
        struct finding_parts parts = {.rank = RANK_FINE};
        finding_add(&report->project.findings, &parts, "Nothing wrong was found in %zu run%s.",
                    report->runs, report->runs == 1 ? "" : "s");
    }
    finding_sort(&report->project.findings);
    json_object_set_new(report->document, "findings", finding_set_json(&report->project.findings));
    *out = report;
    return TAC_OK;
}

tac_status report_use_list(const tac_report *report, report_list_use *use, void *context,
                           tac_error *err)
{
    char *title = title_of(report->project.options);
    tac_status status = finding_set_use_list(&report->project.findings, title, use, context, err);
    free(title);
    return status;
}

struct list_output {
    tac_report_format format;
    FILE *out;
};

static tac_status write_list(const struct finding_list *list, void *context, tac_error *err)
{
    const struct list_output *to = context;
    if (to->format == TAC_REPORT_JUNIT)
        return findings_junit(list, to->out, err);
    if (to->format == TAC_REPORT_MARKDOWN)
        return findings_markdown(list, to->out, err);
    json_t *document = findings_sarif(list);
    tac_status status = tac_json_write(document, to->out, err);
    json_decref(document);
    return status;
}

tac_status tac_report_write(tac_report *report, tac_report_format format, FILE *out, tac_error *err)
{
    if (format == TAC_REPORT_HTML)
        return report_write_page(report, out, err);
    struct list_output to = {format, out};
    return report_use_list(report, write_list, &to, err);
}

tac_status tac_report_document(tac_report *report, json_t **out, tac_error *err)
{
    json_t *document = json_copy(report->document); /* its members are shared */
    tac_status status = report_add_timelines(report, document, err);
    if (status == TAC_OK)
        *out = document;
    else
        json_decref(document);
    return status;
}

size_t tac_report_finding_count(const tac_report *report)
{
    return report->project.findings.at.count;
}

const char *tac_report_finding_text(const tac_report *report, size_t index)
{
    return report->project.findings.at.at[index].text;
}

bool tac_report_finding_compares(const tac_report *report, size_t index)
{
    const struct report_finding *finding = &report->project.findings.at.at[index];
    return finding->rank == RANK_WORSE || finding->rank == RANK_BETTER ||
           !strcmp(finding->subject, "baseline");
}

const char *tac_report_finding_id(const tac_report *report, size_t index)
{
    return report->project.findings.at.at[index].id;
}

void tac_report_free(tac_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->project.campaigns.count; i++)
        coverage_free(report->project.campaigns.at[i].coverage);
    report_project_close(&report->project);
    for (size_t i = 0; i < report->baselines.count; i++)
        report_project_close(&report->baselines.at[i]);
    tac_vec_free(&report->baselines);
    tac_names_free(&report->variables);
    tac_vec_free(&report->models);
    json_decref(report->document);
    free(report);
}
