/* Adaptation rules in the report: the analysis of each rule file, told as in `tactus rules check`,
 * with the drawing. */
#include "rules/rules.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/memory.h"
#include "base/process/graphviz.h"
#include "report/sections.h"
#include <string.h>

/* The text report is paragraphs whose first line is a heading; the first paragraph is the summary,
 * and the table at the end is left to the command. */
static json_t *stories_of(const tac_rules *rules, const tac_rules_findings *findings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = tac_memory_open(&text, &size);
    tac_rules_findings_text(rules, findings, false, memory);
    tac_memory_close(memory);
    json_t *stories = json_array();
    for (char *at = strstr(text, "\n\n"); at; at = strstr(at, "\n\n")) {
        at += strspn(at, "\n");
        char *end = strstr(at, "\n\n"), *line = strchr(at, '\n');
        if (!line || !strncmp(at, "Inputs of each state", 20))
            break;
        size_t length = end ? (size_t)(end - line - 1) : strlen(line + 1);
        json_t *story = json_object();
        json_object_set_new(story, "title", tac_json_string_n(at, (size_t)(line - at)));
        json_object_set_new(story, "text", tac_json_string_n(line + 1, length));
        json_array_append_new(stories, story);
    }
    free(text);
    return stories;
}

static void add_drawing(json_t *section, const tac_rules *rules, const tac_rules_findings *findings)
{
    char *dot = tac_rules_dot(rules, findings), *svg;
    size_t size;
    tac_error ignored; /* without dot the report has the stories and no picture */
    if (tac_graphviz_svg(dot, strlen(dot), &svg, &size, &ignored) == TAC_OK) {
        char *text = report_base64((const unsigned char *)svg, size);
        json_object_set_new(section, "drawing", json_string(text));
        free(text);
        free(svg);
    }
    free(dot);
}

/* The best proposals against one kind of fault, each with its faults before and after. */
static tac_status add_repairs(json_t *list, const tac_rules *rules, tac_rules_fault fault,
                              tac_error *err)
{
    enum { SHOWN = 2 };
    tac_rules_repair_options options = {.fault = fault};
    tac_rules_repairs *repairs;
    tac_status status = tac_rules_repair(rules, &options, &repairs, err);
    if (status != TAC_OK)
        return status;
    for (size_t i = 0; i < repairs->count && i < SHOWN; i++) {
        const tac_rules_proposal *proposal = &repairs->at[i];
        tac_str edits = {0};
        for (size_t e = 0; e < proposal->edit_count; e++)
            tac_str_addf(&edits, "%s%s", e ? "; " : "", proposal->edits[e]);
        char *before = tac_format("%s nondeterministic, %s cyclic inputs",
                                  proposal->before.nondeterminism, proposal->before.cycle);
        char *after = tac_format("%s nondeterministic, %s cyclic inputs",
                                 proposal->after.nondeterminism, proposal->after.cycle);
        json_array_append_new(
            list, json_pack("{s:o,s:o,s:o}", "edit", tac_json_string(tac_str_text(&edits)),
                            "before", tac_json_string(before), "after", tac_json_string(after)));
        free(before);
        free(after);
        tac_str_free(&edits);
    }
    tac_rules_repairs_free(repairs);
    return TAC_OK;
}

static tac_status add_rule_file(struct finding_set *found, const char *path, json_t *sections,
                                tac_error *err)
{
    tac_diagnostics problems = {0};
    tac_rules *rules = NULL;
    tac_rules_findings *findings = NULL;
    tac_rules_options options = {0};
    tac_status status = tac_rules_load(path, &problems, &rules, err);
    tac_diagnostics_free(&problems);
    if (status == TAC_OK)
        status = tac_rules_check(rules, &options, &findings, err);
    json_t *repairs = json_array();
    if (status == TAC_OK && !findings->deterministic)
        status = add_repairs(repairs, rules, TAC_RULES_NONDETERMINISM, err);
    if (status == TAC_OK && findings->cycle_count)
        status = add_repairs(repairs, rules, TAC_RULES_CYCLE, err);
    if (status == TAC_OK) {
        tac_verdict verdict;
        json_t *section = json_object();
        const char *name = tac_base_name(path);
        tac_rules_verdict(rules, findings, &verdict);
        json_object_set_new(section, "name", tac_json_string(name));
        json_object_set_new(section, "explanation", tac_json_string(verdict.explanation));
        json_object_set_new(section, "stories", stories_of(rules, findings));
        json_object_set(section, "repairs", repairs);
        add_drawing(section, rules, findings);
        json_array_append_new(sections, section);
        char *link = tac_format("#rules-%s", name);
        struct finding_parts parts = {.rank = verdict.answer == TAC_HOLDS          ? RANK_FINE
                                              : verdict.answer == TAC_INCONCLUSIVE ? RANK_UNCLEAR
                                                                                   : RANK_FAULT,
                                      .link = link,
                                      .detail = verdict.advice,
                                      .subject = name,
                                      .file = path};
        finding_add(found, &parts, "%s: %s", name, verdict.explanation);
        free(link);
        tac_verdict_free(&verdict);
    }
    json_decref(repairs);
    tac_rules_findings_free(findings);
    tac_rules_free(rules);
    return status;
}

tac_status report_add_rules(struct tac_report *report, tac_error *err)
{
    struct report_project *project = &report->project;
    json_t *sections = json_array();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < project->options->rule_file_count && status == TAC_OK; i++)
        status = add_rule_file(&project->findings, project->options->rule_files[i], sections, err);
    json_object_set_new(report->document, "rules", sections);
    return status;
}
