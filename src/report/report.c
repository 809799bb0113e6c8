/* The report's document, part by part, and the order of its findings. */
#include "tactus/report.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/page.h"
#include "report/parts.h"
#include <string.h>
#include <time.h>

/* Worst first; within a severity in order of discovery. */
static json_t *sorted_findings(const json_t *findings)
{
    static const char *const order[] = {"bad", "unclear", "good"};
    json_t *sorted = json_array();
    for (size_t level = 0; level < 3; level++) {
        size_t i;
        json_t *finding;
        json_array_foreach(findings, i, finding)
        {
            if (!strcmp(json_string_value(json_object_get(finding, "severity")), order[level]))
                json_array_append(sorted, finding);
        }
    }
    return sorted;
}

static void add_heading(const struct report_project *project, json_t *document)
{
    const tac_report_options *options = project->options;
    char when[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    char *title = options->title ? tac_strdup(options->title)
                                 : tac_format("Report of %s", tac_base_name(options->folder));
    json_object_set_new(document, "schema", json_integer(1));
    json_object_set_new(document, "title", tac_json_string(title));
    json_object_set_new(document, "created", json_string(when));
    free(title);
}

static tac_status add_parts(struct report_project *project, struct report_project *baseline,
                            json_t *document, tac_error *err)
{
    static tac_status (*const parts[])(struct report_project *, json_t *, tac_error *) = {
        report_add_runs,  report_add_causes, report_add_protocol,
        report_add_rules, report_add_models, report_add_provenance};
    const size_t count = sizeof parts / sizeof *parts;
    report_add_damage(project, document);
    tac_status status = report_add_properties(project, baseline, document, err);
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (!tac_watch_tick(project->options->watch, "parts of the report", i, count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while building the report");
        else
            status = parts[i](project, document, err);
    }
    return status;
}

tac_status tac_report_build(const tac_report_options *options, json_t **document, tac_error *err)
{
    struct report_project project = {.options = options, .findings = json_array()}, baseline = {0};
    json_t *built = json_object();
    add_heading(&project, built);
    tac_status status = report_project_open(&project, options->folder, err);
    if (status == TAC_OK && options->baseline)
        status = report_project_open(&baseline, options->baseline, err);
    if (status == TAC_OK)
        status = add_parts(&project, options->baseline ? &baseline : NULL, built, err);
    if (status == TAC_OK && !json_array_size(project.findings))
        report_finding(&project, "good", NULL, NULL, "Nothing wrong was found in %zu runs.",
                       json_array_size(json_object_get(built, "runs")));
    json_object_set_new(built, "findings", sorted_findings(project.findings));
    report_project_close(&project);
    report_project_close(&baseline);
    json_decref(project.findings);
    if (status == TAC_OK)
        *document = built;
    else
        json_decref(built);
    return status;
}

tac_status tac_report_write(const json_t *document, FILE *out, tac_error *err)
{
    return report_write_page(document, out, err);
}
