/* The report's document, part by part, and the order of its findings. */
#include "tactus/report.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/text.h"
#include "report/report_page.h"
#include "report/report_parts.h"
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

static void add_fact(json_t *facts, const char *name, const char *value)
{
    json_array_append_new(facts, json_pack("[o,o]", tac_json_string(name), tac_json_string(value)));
}

/* Commands that were noted in the stores, and the plans of the campaigns. */
static bool add_command(void *context, const char *kind, const char *name, const json_t *document)
{
    (void)name;
    if (!strcmp(kind, "command") && json_is_string(document))
        json_array_append_new(context, tac_json_string(json_string_value(document)));
    return true;
}

static tac_status add_provenance(report_project *project, json_t *document, tac_error *err)
{
    json_t *commands = json_array(), *facts = json_array(), *provenance = json_object();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->campaigns.count && status == TAC_OK; i++) {
        const report_campaign *campaign = &project->campaigns.at[i];
        char *plan = NULL;
        status = tac_store_each_document(campaign->store, add_command, commands, err);
        if (status == TAC_OK)
            status = tac_store_get(campaign->store, "plan", &plan, err);
        if (plan) {
            char *name = tac_format("campaign%s%s", campaign->label[0] ? " " : "", campaign->label);
            add_fact(facts, name, plan);
            free(name);
        }
        free(plan);
    }
    json_object_set_new(provenance, "commands", commands);
    json_object_set_new(provenance, "facts", facts);
    json_object_set_new(document, "provenance", provenance);
    return status;
}

static void add_heading(const report_project *project, json_t *document)
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

static tac_status add_parts(report_project *project, report_project *baseline, json_t *document,
                            tac_error *err)
{
    tac_status status = report_add_properties(project, baseline, document, err);
    if (status == TAC_OK)
        status = report_add_runs(project, document, err);
    if (status == TAC_OK)
        status = report_add_causes(project, document, err);
    if (status == TAC_OK)
        status = report_add_protocol(project, document, err);
    if (status == TAC_OK)
        status = report_add_rules(project, document, err);
    if (status == TAC_OK)
        status = report_add_models(project, document, err);
    if (status == TAC_OK)
        status = add_provenance(project, document, err);
    return status;
}

tac_status tac_report_build(const tac_report_options *options, json_t **document, tac_error *err)
{
    report_project project = {.options = options, .findings = json_array()}, baseline = {0};
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
