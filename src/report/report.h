/* The report: what was found, the evidence, the way there; one self-contained HTML file, or the
 * findings alone in the forms that other tools read.
 *
 * A project folder is a campaign of `tactus run`, or a folder whose subfolders are campaigns. The
 * report's document is described by schemas/report.schema.json; the page under web/ draws it. */
#pragma once

#include "tactus/mining.h"
#include "tactus/verdict.h"
#include "tactus/watch.h"

/* A failure whose shortest script nobody has looked for yet. */
typedef struct tac_report_failure {
    const char *folder, *device;    /* of the campaign; device "" when nobody says */
    const char *cluster, *property; /* one of them is NULL */
} tac_report_failure;

/* Differences of a property's figure up to the greater of the two are noise. */
typedef struct tac_report_floor {
    const char *name;
    double absolute, part; /* part: of what it was before */
} tac_report_floor;

typedef struct tac_report_options {
    const char *folder;
    /* Earlier project folders, the oldest first; changes are tested against the last. */
    const char *const *baselines;
    size_t baseline_count;
    const tac_report_floor *floors; /* others are learned from repeats in the baseline */
    size_t floor_count;
    const char *title;         /* NULL = by the folder */
    tac_cluster_by cluster_by; /* what crashes of one exception are one by */
    /* Analyses of files that have no runs: adaptation rules, and recordings verified against
     * protocol rules. */
    const char *const *rule_files;
    size_t rule_file_count;
    const char *const *recordings;
    size_t recording_count;
    const char *const *protocol_rules;
    size_t protocol_rule_count;
    /* A catalogue of KPIs: every campaign is measured by it, and scored against the last baseline,
     * or against the other campaigns. The app declares its features; NULL = it has them all. */
    const char *kpi_catalogue, *kpi_app;
    /* How the reader looks for that script, such as a command line; the report's to free. NULL:
     * nothing is said. */
    char *(*reproduce)(const tac_report_failure *failure);
    /* Whether a finding with this identity is known, and fails nothing: then why, borrowed, and
     * whether it is left out. NULL: nothing is known. */
    bool (*known)(void *context, const char *id, const char **why, bool *left_out);
    void *known_context;
    tac_watch *watch; /* may be NULL */
} tac_report_options;

typedef struct tac_report tac_report;

typedef enum tac_report_format {
    TAC_REPORT_HTML,
    TAC_REPORT_MARKDOWN,
    TAC_REPORT_JUNIT,
    TAC_REPORT_SARIF
} tac_report_format;

/* The options are borrowed until the report is freed. */
tac_status tac_report_make(const tac_report_options *options, tac_report **out, tac_error *err);
tac_status tac_report_write(tac_report *report, tac_report_format format, FILE *out,
                            tac_error *err);
/* The document behind the page, with the timelines of the runs that it cites; the caller's. */
tac_status tac_report_document(tac_report *report, json_t **out, tac_error *err);
/* The sentences of the findings, by what to do first. Borrowed. */
size_t tac_report_finding_count(const tac_report *report);
const char *tac_report_finding_text(const tac_report *report, size_t index);
/* Whether it is about a baseline. */
bool tac_report_finding_compares(const tac_report *report, size_t index);
/* Its identity, 12 hexadecimal digits. */
const char *tac_report_finding_id(const tac_report *report, size_t index);

/* What stops a pipeline: nothing; what the last baseline does not have; everything that is bad. */
typedef enum tac_report_fail_on {
    TAC_REPORT_FAIL_NONE,
    TAC_REPORT_FAIL_NEW,
    TAC_REPORT_FAIL_ANY
} tac_report_fail_on;
/* Bad is a crash, a violation, a fault of rules or of a protocol, a share of violations that is
 * significantly worse than the baseline's. New is a cause of crashes, and a property under a
 * scenario, that the last baseline has no failing run of; what is worse; and faults of files that
 * have no runs, which no baseline tells of. */
bool tac_report_finding_fails(const tac_report *report, size_t index, tac_report_fail_on fail_on);
/* Violated: a finding fails. Inconclusive: none does, but there is no run that was carried out, or
 * nothing in common with the baseline, or
 * none in the baseline, or runs could not be carried out (as new: and the baseline has no such), or
 * traces are damaged or gone (as new: also the baseline's). */
tac_answer tac_report_judge(const tac_report *report, tac_report_fail_on fail_on);
void tac_report_free(tac_report *report); /* NULL is fine */
